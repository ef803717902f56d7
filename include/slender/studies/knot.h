// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_knot_h
#define slender_studies_knot_h

#include <slender/models/rods/discrete_elastic_rod.h>
#include <slender/studies/knot_study.h>

namespace slender
{
  struct KnotStudy::Knot
  {
    std::unique_ptr<Model>     model;
    DiscreteElasticRod        *rod;
    std::unique_ptr<Structure> system;
    RodContact                *contact;
    Vector                     q; ///< to begin with

    /// Seen along the axis of its braid's planes.
    int n_crossings;
  };
} // namespace slender

#endif
