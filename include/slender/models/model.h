// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_model_h
#define slender_models_model_h

#include <slender/systems/system.h>

namespace slender
{
  /**
   * A discretised elastic body: it carries unknowns, and its energy is that of
   * its own strains and of the loads that act on it alone. Alone it is a
   * system; with others it is a member of a Structure, where its markers (see
   * Marker) are what joints, springs and loads take hold of.
   */
  class Model : public System
  {};
} // namespace slender

#endif
