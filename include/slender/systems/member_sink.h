// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_systems_member_sink_h
#define slender_systems_member_sink_h

#include <slender/systems/structure.h>

#include <algorithm>

namespace slender
{
  /// Passes a member's blocks on with the structure's numbers and unit.
  class MemberSink : public HessianSink
  {
  public:
    MemberSink(const Structure  &the_structure,
               const std::size_t the_member,
               HessianSink      &the_sink)
      : MemberSink(the_structure,
                   the_member,
                   the_structure.factor(the_member),
                   the_sink)
    {}

    MemberSink(const Structure  &the_structure,
               const std::size_t the_member,
               const double      the_factor,
               HessianSink      &the_sink)
      : structure(the_structure)
      , member(the_member)
      , factor(the_factor)
      , sink(the_sink)
    {}

    void
    add(const Index *unknowns, const Index n, const double *block) override
    {
      renumber(n, [&](const Index i) {
        return unknowns[i] < 0 ? -1
                               : structure.local_numbers[member][unknowns[i]];
      });
      sink.add(numbers.data(), n, scaled(n, block));
    }

    void
    add_global(const Index  *unknowns,
               const Index   n,
               const double *block) override
    {
      renumber(n, [&](const Index i) {
        return unknowns[i] < 0 ? -1 : structure.number(member, unknowns[i]);
      });
      sink.add_global(numbers.data(), n, scaled(n, block));
    }

  private:
    template <class Function>
    void
    renumber(const Index n, const Function &number)
    {
      numbers.resize(n);
      for (Index i = 0; i < n; ++i)
        numbers[i] = number(i);
    }

    const double *
    scaled(const Index n, const double *block)
    {
      if (factor == 1.)
        return block;
      values.resize(static_cast<std::size_t>(n) * n);
      std::transform(block,
                     block + values.size(),
                     values.begin(),
                     [this](const double entry) { return factor * entry; });
      return values.data();
    }

    const Structure    &structure;
    std::size_t         member;
    double              factor;
    HessianSink        &sink;
    std::vector<Index>  numbers;
    std::vector<double> values;
  };
} // namespace slender

#endif
