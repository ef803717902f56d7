// SPDX-License-Identifier: LGPL-2.1-or-later
// How a structure resists acceleration and quick deformation: as its members
// do.
#include <slender/systems/dissipation.h>
#include <slender/systems/kinetics.h>
#include <slender/systems/member_sink.h>
#include <slender/systems/structure.h>

namespace slender
{
  /// The coordinates of all members, one behind the other.
  class Structure::MemberKinetics : public Kinetics
  {
  public:
    MemberKinetics(const Structure &the_structure, const MassOptions &options)
      : structure(the_structure)
    {
      begin = {0};
      for (const Member &m : structure.members)
        {
          parts.push_back(m.system.kinetics(options));
          begin.push_back(begin.back() +
                          static_cast<Index>(parts.back()->masses().size()));
        }
      the_masses = collected(
        [&](const std::size_t m) -> Vector { return parts[m]->masses(); });
    }

    bool
    is_linear() const override
    {
      return std::all_of(parts.begin(), parts.end(), [](const auto &part) {
        return part->is_linear();
      });
    }

    Vector
    coordinates(const Vector &q) const override
    {
      return collected([&](const std::size_t m) {
        return parts[m]->coordinates(structure.share(m, q));
      });
    }

    Vector
    rates(const Vector &q, const Vector &direction) const override
    {
      return collected([&](const std::size_t m) {
        return parts[m]->rates(structure.share(m, q),
                               structure.share(m, direction));
      });
    }

    Vector
    second_rates(const Vector &q, const Vector &direction) const override
    {
      return collected([&](const std::size_t m) {
        return parts[m]->second_rates(structure.share(m, q),
                                      structure.share(m, direction));
      });
    }

    Vector
    frame_rates(const Vector &q, const Vector &direction) const override
    {
      return collected([&](const std::size_t m) {
        return parts[m]->frame_rates(structure.share(m, q),
                                     structure.share(m, direction));
      });
    }

    void
    pull_back(const Vector &q,
              const Vector &forces,
              Vector       &gradient) const override
    {
      for (std::size_t m = 0; m < parts.size(); ++m)
        {
          const Vector own  = structure.share(m, q);
          Vector       part = Vector::Zero(own.size());
          parts[m]->pull_back(own, of_member(m, forces), part);
          structure.add_share(m, part, gradient);
        }
    }

    void
    add_hessian(const Vector &q,
                const double  factor,
                const Vector &forces,
                HessianSink  &sink) const override
    {
      for (std::size_t m = 0; m < parts.size(); ++m)
        {
          MemberSink of_this(structure, m, 1., sink);
          parts[m]->add_hessian(structure.share(m, q),
                                factor,
                                forces.size() > 0 ? of_member(m, forces)
                                                  : Vector(),
                                of_this);
        }
    }

    Moments
    moments(const Vector &q, const Vector &rates) const override
    {
      Moments sum;
      for (std::size_t m = 0; m < parts.size(); ++m)
        sum.add(parts[m]->moments(structure.share(m, q), of_member(m, rates)));
      return sum;
    }

    Vector
    rates_in(const Vector &q, const VelocityField &field) const override
    {
      return collected([&](const std::size_t m) {
        return parts[m]->rates_in(structure.share(m, q), field);
      });
    }

  private:
    Vector
    of_member(const std::size_t m, const Vector &y) const
    {
      return y.segment(begin[m], begin[m + 1] - begin[m]);
    }

    template <class Function>
    Vector
    collected(const Function &part) const
    {
      Vector y(begin.back());
      for (std::size_t m = 0; m < parts.size(); ++m)
        y.segment(begin[m], begin[m + 1] - begin[m]) = part(m);
      return y;
    }

    const Structure                       &structure;
    std::vector<std::unique_ptr<Kinetics>> parts;
    std::vector<Index>                     begin;
  };

  /// The strains of all members, one behind the other.
  class Structure::MemberDissipations : public Dissipation
  {
  public:
    MemberDissipations(const Structure          &the_structure,
                       const DissipationOptions &options)
      : structure(the_structure)
    {
      begin = {0};
      for (const Member &m : structure.members)
        {
          parts.push_back(m.system.dissipation(options));
          const Vector strains =
            parts.back()->strains(m.system.initial_state());
          begin.push_back(begin.back() + static_cast<Index>(strains.size()));
        }
    }

    Vector
    strains(const Vector &q) const override
    {
      Vector all(begin.back());
      for (std::size_t m = 0; m < parts.size(); ++m)
        all.segment(begin[m], begin[m + 1] - begin[m]) =
          parts[m]->strains(structure.share(m, q));
      return all;
    }

    double
    potential(const Vector &strains) const override
    {
      double sum = 0.;
      for (std::size_t m = 0; m < parts.size(); ++m)
        sum += structure.factor(m) * parts[m]->potential(of_member(m, strains));
      return sum;
    }

    double
    power(const Vector &rates) const override
    {
      double sum = 0.;
      for (std::size_t m = 0; m < parts.size(); ++m)
        sum += structure.factor(m) * parts[m]->power(of_member(m, rates));
      return sum;
    }

    void
    add_gradient(const Vector &q,
                 const Vector &origin,
                 const double  rate,
                 const double  factor,
                 Vector       &gradient) const override
    {
      for (std::size_t m = 0; m < parts.size(); ++m)
        {
          const Vector own  = structure.share(m, q);
          Vector       part = Vector::Zero(own.size());
          parts[m]->add_gradient(own,
                                 of_member(m, origin),
                                 rate,
                                 factor * structure.factor(m),
                                 part);
          structure.add_share(m, part, gradient);
        }
    }

    void
    add_hessian(const Vector &q,
                const Vector &origin,
                const double  rate,
                const double  factor,
                HessianSink  &sink) const override
    {
      for (std::size_t m = 0; m < parts.size(); ++m)
        {
          MemberSink of_this(structure, m, sink);
          parts[m]->add_hessian(
            structure.share(m, q), of_member(m, origin), rate, factor, of_this);
        }
    }

    /// All members, or none.
    bool
    join(const Vector &origin,
         const double  rate,
         const double  factor) const override
    {
      for (std::size_t m = 0; m < parts.size(); ++m)
        if (!parts[m]->join(of_member(m, origin), rate, factor))
          {
            leave();
            return false;
          }
      return true;
    }

    void
    leave() const override
    {
      for (const auto &part : parts)
        part->leave();
    }

  private:
    Vector
    of_member(const std::size_t m, const Vector &strains) const
    {
      return strains.segment(begin[m], begin[m + 1] - begin[m]);
    }

    const Structure                          &structure;
    std::vector<std::unique_ptr<Dissipation>> parts;
    std::vector<Index>                        begin;
  };

  std::unique_ptr<Kinetics>
  Structure::kinetics(const MassOptions &options) const
  {
    return std::make_unique<MemberKinetics>(*this, options);
  }

  std::unique_ptr<Dissipation>
  Structure::dissipation(const DissipationOptions &options) const
  {
    return std::make_unique<MemberDissipations>(*this, options);
  }
} // namespace slender
