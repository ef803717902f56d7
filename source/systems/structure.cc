// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/joined_drawing.h>
#include <slender/systems/dissipation.h>
#include <slender/systems/kinetics.h>
#include <slender/systems/member_sink.h>
#include <slender/systems/structure.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace slender
{
  namespace
  {
    /// What a number of each rank is on all of them.
    std::vector<Index>
    all_gather(MPI_Comm communicator, const Index mine)
    {
      int n_ranks = 1;
      MPI_Comm_size(communicator, &n_ranks);
      std::vector<Index> all(n_ranks);
      MPI_Allgather(&mine, 1, MPI_INT, all.data(), 1, MPI_INT, communicator);
      return all;
    }

    /// Parts of the whole one behind the other.
    Places
    joined(const std::vector<Places>      &parts,
           const std::vector<std::size_t> &first_number)
    {
      Places whole;
      for (std::size_t i = 0; i < parts.size(); ++i)
        {
          for (std::size_t k = 0; k < parts[i].places.size(); ++k)
            {
              whole.places.push_back(whole.size + parts[i].places[k]);
              whole.numbers.push_back(
                static_cast<Index>(first_number[i] + parts[i].numbers[k]));
            }
          whole.size += parts[i].size;
        }
      return whole;
    }
  } // namespace
  Structure::Structure(std::vector<Member> the_members)
    : members(std::move(the_members))
  {
    if (members.empty())
      throw std::logic_error("a structure has at least one member");
    build_layout();
    name_parameters();
  }

  Structure::Structure(System &system)
    : Structure(std::vector<Member>{{"", system}})
  {}

  void
  Structure::build_layout()
  {
    the_layout.communicator = members[0].system.layout().communicator;
    int rank = 0, n_ranks = 1;
    MPI_Comm_rank(the_layout.communicator, &rank);
    MPI_Comm_size(the_layout.communicator, &n_ranks);

    std::vector<std::vector<Index>> counts;
    for (const Member &m : members)
      {
        const Layout &layout = m.system.layout();
        begins.push_back(all_gather(layout.communicator, layout.begin));
        counts.push_back(all_gather(layout.communicator, layout.n_owned()));
      }
    begins_here = begins;
    Index at    = 0;
    for (int r = 0; r < n_ranks; ++r)
      {
        if (r == rank)
          the_layout.begin = at;
        for (std::size_t m = 0; m < members.size(); ++m)
          {
            begins_here[m][r] = at;
            at += counts[m][r];
          }
        if (r == rank)
          the_layout.end = at;
      }
    the_layout.size = at;

    for (std::size_t m = 0; m < members.size(); ++m)
      for (const Index ghost : members[m].system.layout().ghosts)
        the_layout.ghosts.push_back(number(m, ghost));
    std::sort(the_layout.ghosts.begin(), the_layout.ghosts.end());

    for (std::size_t m = 0; m < members.size(); ++m)
      {
        const Layout      &layout = members[m].system.layout();
        std::vector<Index> local(layout.n_owned());
        std::iota(local.begin(),
                  local.end(),
                  begins_here[m][rank] - the_layout.begin);
        for (const Index ghost : layout.ghosts)
          local.push_back(
            the_layout.n_owned() +
            static_cast<Index>(std::lower_bound(the_layout.ghosts.begin(),
                                                the_layout.ghosts.end(),
                                                number(m, ghost)) -
                               the_layout.ghosts.begin()));
        local_numbers.push_back(std::move(local));
      }
  }

  void
  Structure::name_parameters()
  {
    for (const Member &m : members)
      for (const Parameter &p : m.system.parameters())
        pass_on(p, members.size() == 1 ? p.name : m.name + "/" + p.name);
  }

  void
  Structure::add_term(const std::string &name, std::unique_ptr<Term> term)
  {
    term->join(*this);
    for (const Parameter &p : term->parameters())
      pass_on(p, name + "/" + p.name);
    terms.emplace_back(name, std::move(term));
  }

  double
  Structure::factor(const std::size_t m) const
  {
    return m == 0 ? 1. : members[m].system.energy_unit() / energy_unit();
  }

  Vector
  Structure::share(const std::size_t m, const Vector &q) const
  {
    if (members.size() == 1)
      return q;
    const std::vector<Index> &local = local_numbers[m];
    Vector                    result(static_cast<Index>(local.size()));
    for (std::size_t i = 0; i < local.size(); ++i)
      result(static_cast<Index>(i)) = q(local[i]);
    return result;
  }

  void
  Structure::add_share(const std::size_t m, const Vector &part, Vector &q) const
  {
    const std::vector<Index> &local = local_numbers[m];
    for (std::size_t i = 0; i < local.size(); ++i)
      q(local[i]) += part(static_cast<Index>(i));
  }

  Index
  Structure::number(const std::size_t m, const Index in_member) const
  {
    const std::vector<Index> &first = begins[m];
    // Of ranks without unknowns the last one begins where the next does.
    const auto owner = std::upper_bound(first.begin(), first.end(), in_member) -
                       first.begin() - 1;
    return begins_here[m][owner] + in_member - first[owner];
  }

  const Layout &
  Structure::layout() const
  {
    return the_layout;
  }

  double
  Structure::energy_unit() const
  {
    return members[0].system.energy_unit();
  }

  int
  Structure::dimension() const
  {
    int largest = 1;
    for (const Member &m : members)
      largest = std::max(largest, m.system.dimension());
    return largest;
  }

  Index
  Structure::n_multipliers() const
  {
    Index sum = 0;
    for (const Member &m : members)
      sum += m.system.n_multipliers();
    return sum;
  }

  Vector
  Structure::initial_state() const
  {
    Vector q = Vector::Zero(the_layout.n_local());
    for (std::size_t m = 0; m < members.size(); ++m)
      add_share(m, members[m].system.initial_state(), q);
    return q;
  }

  bool
  Structure::has_potential() const
  {
    // Of all of them, because the question is collective.
    bool result = true;
    for (const Member &m : members)
      result = m.system.has_potential() && result;
    for (const auto &[name, term] : terms)
      result = term->has_potential() && result;
    return result;
  }

  double
  Structure::energy(const Vector &q) const
  {
    double sum = 0.;
    for (std::size_t m = 0; m < members.size(); ++m)
      sum += factor(m) * members[m].system.energy(share(m, q));
    for (const auto &[name, term] : terms)
      sum += term->energy(q);
    return sum;
  }

  Vector
  Structure::gradient(const Vector &q) const
  {
    Vector g = Vector::Zero(the_layout.n_local());
    for (std::size_t m = 0; m < members.size(); ++m)
      add_share(m, factor(m) * members[m].system.gradient(share(m, q)), g);
    for (const auto &[name, term] : terms)
      term->add_gradient(q, g);
    return g;
  }

  void
  Structure::hessian(const Vector &q, HessianSink &sink) const
  {
    if (members.size() == 1)
      members[0].system.hessian(q, sink);
    else
      for (std::size_t m = 0; m < members.size(); ++m)
        {
          MemberSink of_member(*this, m, sink);
          members[m].system.hessian(share(m, q), of_member);
        }
    for (const auto &[name, term] : terms)
      term->add_hessian(q, sink);
  }

  unsigned long
  Structure::pattern() const
  {
    // Each of them only grows.
    unsigned long sum = 0;
    for (const Member &m : members)
      sum += m.system.pattern();
    for (const auto &[name, term] : terms)
      sum += term->pattern();
    return sum;
  }

  void
  Structure::survey(const Vector &q)
  {
    for (std::size_t m = 0; m < members.size(); ++m)
      members[m].system.survey(share(m, q));
    for (const auto &[name, term] : terms)
      term->survey(q);
  }

  double
  Structure::longest_step(const Vector &q, const Vector &direction) const
  {
    double shortest = std::numeric_limits<double>::infinity();
    for (std::size_t m = 0; m < members.size(); ++m)
      shortest = std::min(shortest,
                          members[m].system.longest_step(share(m, q),
                                                         share(m, direction)));
    for (const auto &[name, term] : terms)
      shortest = std::min(shortest, term->longest_step(q, direction));
    return shortest;
  }

  void
  Structure::newton_tangent(const Vector &q,
                            const Vector &previous,
                            HessianSink  &sink) const
  {
    Index at = 0;
    for (std::size_t m = 0; m < members.size(); ++m)
      {
        const Vector own = share(m, q);
        const Index  size =
          static_cast<Index>(members[m].system.full_state(own).size());
        MemberSink of_member(*this, m, sink);
        members[m].system.newton_tangent(own,
                                         previous.segment(at, size),
                                         members.size() == 1 ? sink
                                                             : of_member);
        at += size;
      }
    for (const auto &[name, term] : terms)
      term->add_hessian(q, sink);
  }

  Vector
  Structure::hessian_times(const Vector &q, const Vector &direction) const
  {
    Vector product = Vector::Zero(the_layout.n_local());
    for (std::size_t m = 0; m < members.size(); ++m)
      add_share(m,
                factor(m) *
                  members[m].system.hessian_times(share(m, q),
                                                  share(m, direction)),
                product);
    for (const auto &[name, term] : terms)
      term->add_hessian_times(q, direction, product);
    return product;
  }

  std::vector<Vector>
  Structure::free_motions(const Vector &q) const
  {
    std::vector<Vector> result;
    for (std::size_t m = 0; m < members.size(); ++m)
      for (const Vector &motion :
           slender::free_motions(members[m].system, share(m, q)))
        {
          result.emplace_back(Vector::Zero(the_layout.n_local()));
          add_share(m, motion, result.back());
        }
    return result;
  }

  double
  Structure::displacement_scale() const
  {
    double smallest = 1.;
    for (const Member &member : members)
      smallest = std::min(smallest, slender::displacement_scale(member.system));
    return smallest;
  }

  Vector
  Structure::full_state(const Vector &q) const
  {
    std::vector<Vector> parts;
    Index               size = 0;
    for (std::size_t m = 0; m < members.size(); ++m)
      {
        parts.push_back(members[m].system.full_state(share(m, q)));
        size += static_cast<Index>(parts.back().size());
      }
    Vector whole(size);
    Index  at = 0;
    for (const Vector &part : parts)
      {
        whole.segment(at, part.size()) = part;
        at += static_cast<Index>(part.size());
      }
    return whole;
  }

  bool
  Structure::commit(const Vector &q)
  {
    bool turns = false;
    for (std::size_t m = 0; m < members.size(); ++m)
      turns = members[m].system.commit(share(m, q)) || turns;
    for (const auto &[name, term] : terms)
      turns = term->commit(q) || turns;
    return turns;
  }

  Vector
  Structure::history() const
  {
    std::vector<double> whole;
    const auto          append = [&](const Vector &part) {
      whole.insert(whole.end(), part.data(), part.data() + part.size());
    };
    for (const Member &m : members)
      append(m.system.history());
    for (const auto &[name, term] : terms)
      append(term->history());
    return Eigen::Map<const Vector>(whole.data(),
                                    static_cast<Index>(whole.size()));
  }

  void
  Structure::set_history(const Vector &whole)
  {
    Index      at  = 0;
    const auto put = [&](auto &part) {
      const auto size = static_cast<Index>(part.history().size());
      part.set_history(whole.segment(at, size));
      at += size;
    };
    for (const Member &m : members)
      put(m.system);
    for (const auto &[name, term] : terms)
      put(*term);
  }

  Places
  Structure::unknown_places() const
  {
    std::vector<Places>      parts;
    std::vector<std::size_t> first;
    for (std::size_t m = 0; m < members.size(); ++m)
      {
        parts.push_back(members[m].system.unknown_places());
        first.push_back(0);
        for (Index &number : parts.back().numbers)
          number = local_numbers[m][number];
      }
    return joined(parts, first);
  }

  Places
  Structure::history_places() const
  {
    std::vector<Places>      parts;
    std::vector<std::size_t> first;
    std::size_t              at   = 0;
    const auto               take = [&](const auto &part) {
      parts.push_back(part.history_places());
      first.push_back(at);
      at += part.history().size();
    };
    for (const Member &m : members)
      take(m.system);
    for (const auto &[name, term] : terms)
      take(*term);
    return joined(parts, first);
  }

  std::vector<Measurement>
  Structure::measure(const Vector &q) const
  {
    std::vector<Measurement> all;
    double                   energy_of_all = 0.;
    for (std::size_t m = 0; m < members.size(); ++m)
      for (Measurement &measured : members[m].system.measure(share(m, q)))
        {
          if (members.size() > 1)
            measured.name = members[m].name + "/" + measured.name;
          all.push_back(measured);
        }
    for (const auto &[name, term] : terms)
      for (const Measurement &measured : term->measure(q))
        all.push_back({name + "/" + measured.name, measured.value});
    if (members.size() > 1 || !terms.empty())
      {
        energy_of_all = sum_over_ranks(the_layout, energy(q)) * energy_unit();
        if (members.size() > 1)
          all.push_back({"energy", energy_of_all});
        else
          for (Measurement &measured : all)
            if (measured.name == "energy")
              measured.value = energy_of_all;
      }
    return all;
  }

  Drawing
  Structure::draw(const Vector &q) const
  {
    if (members.size() == 1)
      return members[0].system.draw(q);
    std::vector<Drawing> drawings;
    for (std::size_t m = 0; m < members.size(); ++m)
      drawings.push_back(members[m].system.draw(share(m, q)));
    Drawing whole = joined(drawings);
    for (const Parameter &p : parameters())
      whole.globals.emplace_back(p.name, *p.value);
    return whole;
  }
} // namespace slender
