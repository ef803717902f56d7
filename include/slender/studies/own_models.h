// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_own_models_h
#define slender_studies_own_models_h

#include <string>

namespace slender
{
  /**
   * What a study also is if it tries models, with settings of its own, instead
   * of asking the file for one: 'Model' and the sections of models would have
   * no effect there, and are refused.
   */
  class OwnModels
  {
  public:
    virtual ~OwnModels() = default;

    /// The path of the setting that chooses among them.
    virtual std::string
    chosen_by() const = 0;
  };
} // namespace slender

#endif
