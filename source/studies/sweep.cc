// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/agreement.h>
#include <slender/base/interruption.h>
#include <slender/base/progress.h>
#include <slender/base/quiet_wait.h>
#include <slender/output/journal.h>
#include <slender/studies/sweep.h>

#include <deal.II/base/mpi.h>

#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>

#include <list>
#include <map>

// How samples travel between ranks.
namespace boost::serialization
{
  template <class Archive>
  void
  serialize(Archive &archive, slender::Journal::Record &record, unsigned int)
  {
    archive &record.numbers &record.words;
  }
} // namespace boost::serialization

namespace slender
{
  namespace
  {
    using Records = std::vector<Journal::Record>;

    /// A sample as numbers and words, and back.
    Journal::Record
    to_record(const Sample &sample)
    {
      Journal::Record record;
      record.numbers = {static_cast<double>(sample.iterations)};
      record.words   = {sample.failure};
      if (sample.shape)
        {
          record.numbers.push_back(sample.shape->entry.time);
          record.words.push_back(sample.shape->series);
          record.words.push_back(sample.shape->entry.file);
          record.words.push_back(std::to_string(sample.shape->entry.number));
        }
      record.numbers.insert(record.numbers.end(),
                            sample.values.begin(),
                            sample.values.end());
      return record;
    }

    Sample
    to_sample(const Journal::Record &record)
    {
      Sample      sample;
      std::size_t at    = 0;
      sample.iterations = std::lround(record.numbers.at(at++));
      sample.failure    = record.words.at(0);
      if (record.words.size() == 4)
        {
          Recorder::Shape shape;
          shape.entry.time   = record.numbers.at(at++);
          shape.series       = record.words[1];
          shape.entry.file   = record.words[2];
          shape.entry.number = std::stoll(record.words[3]);
          sample.shape       = shape;
        }
      sample.values.assign(record.numbers.begin() +
                             static_cast<std::ptrdiff_t>(at),
                           record.numbers.end());
      return sample;
    }

    /// Thrown between two samples when the run is to end.
    struct Interrupted
    {};

    /// What the first rank of a group tells the first rank of all.
    struct Message
    {
      static constexpr int tag = 101;

      std::size_t chain    = 0;
      int         is_last  = 0; ///< the group has nothing more to tell
      int         is_early = 0; ///< though it has not done all of its chains
      Records     records;

      template <class Archive>
      void
      serialize(Archive &archive, unsigned int)
      {
        archive &chain &is_last &is_early &records;
      }
    };

    /// Messages of one rank to the first, which takes them when it has time.
    class Outbox
    {
    public:
      explicit Outbox(MPI_Comm world)
        : communicator(world)
      {}

      ~Outbox()
      {
        for (Letter &letter : letters)
          wait_quietly(letter.request);
      }

      void
      send(const Message &message)
      {
        letters.emplace_back();
        Letter &letter = letters.back();
        letter.text    = dealii::Utilities::pack(message, false);
        MPI_Isend(letter.text.data(),
                  static_cast<int>(letter.text.size()),
                  MPI_CHAR,
                  0,
                  Message::tag,
                  communicator,
                  &letter.request);
      }

    private:
      struct Letter
      {
        std::vector<char> text;
        MPI_Request       request = MPI_REQUEST_NULL;
      };

      MPI_Comm          communicator;
      std::list<Letter> letters;
    };

    /// Hands samples on in the order of chains, however they come.
    class InOrder
    {
    public:
      explicit InOrder(const Sweep &the_sweep)
        : sweep(the_sweep)
      {}

      /// A sample of a chain, while that is computed.
      void
      add(const std::size_t chain, const Sample &sample)
      {
        if (chain == next)
          sweep.record(chain, n_recorded++, sample);
        else
          waiting[chain].push_back(to_record(sample));
      }

      void
      finish(const std::size_t chain, const Records &records)
      {
        waiting[chain] = records;
        finish(chain);
      }

      void
      finish(const std::size_t chain)
      {
        is_finished[chain] = true;
        while (is_finished.count(next) > 0)
          {
            hand_on();
            is_finished.erase(next);
            waiting.erase(next);
            ++next;
            n_recorded = 0;
          }
        // The next one may be under way.
        hand_on();
      }

    private:
      void
      hand_on()
      {
        Records &records = waiting[next];
        for (const Journal::Record &record : records)
          sweep.record(next, n_recorded++, to_sample(record));
        records.clear();
      }

      const Sweep                   &sweep;
      std::size_t                    next = 0, n_recorded = 0;
      std::map<std::size_t, Records> waiting;
      std::map<std::size_t, bool>    is_finished;
    };

    /// The first rank's side of the exchange.
    class Inbox
    {
    public:
      Inbox(const Groups &the_groups, InOrder &the_order)
        : groups(the_groups)
        , order(the_order)
        , n_talking(the_groups.n_groups() - 1)
      {}

      /// Takes what has come, without waiting.
      void
      look()
      {
        int        is_there = 1;
        MPI_Status status;
        while (n_talking > 0)
          {
            MPI_Iprobe(
              MPI_ANY_SOURCE, Message::tag, groups.world(), &is_there, &status);
            if (is_there == 0)
              return;
            take(status);
          }
      }

      /// Waits until all groups have told all; false if one ended early.
      bool
      wait()
      {
        while (n_talking > 0)
          {
            take(probe_quietly(MPI_ANY_SOURCE, Message::tag, groups.world()));
          }
        return !is_early;
      }

    private:
      void
      take(const MPI_Status &status)
      {
        int size = 0;
        MPI_Get_count(&status, MPI_CHAR, &size);
        std::vector<char> text(size);
        MPI_Recv(text.data(),
                 size,
                 MPI_CHAR,
                 status.MPI_SOURCE,
                 Message::tag,
                 groups.world(),
                 MPI_STATUS_IGNORE);
        const auto message = dealii::Utilities::unpack<Message>(text, false);
        if (message.is_last != 0)
          {
            --n_talking;
            is_early = is_early || message.is_early != 0;
          }
        else
          order.finish(message.chain, message.records);
      }

      const Groups &groups;
      InOrder      &order;
      int           n_talking;
      bool          is_early = false;
    };
  } // namespace

  Sample
  make_sample(const Equilibrium                          &found,
              const std::size_t                           n_values,
              const std::function<std::vector<double>()> &read)
  {
    Sample sample;
    sample.iterations = found.iterations;
    Outcome outcome   = found.outcome;
    if (found.converged())
      {
        sample.values = read();
        for (const double value : sample.values)
          if (Table::is_not_finite(value))
            outcome = Outcome::not_finite;
      }
    if (outcome != Outcome::converged)
      {
        sample.values.assign(n_values, Table::unknown);
        sample.failure = to_string(outcome);
      }
    return sample;
  }

  std::size_t
  Sweep::first(const std::size_t chain) const
  {
    std::size_t sum = 0;
    for (std::size_t c = 0; c < chain; ++c)
      sum += lengths[c];
    return sum;
  }

  bool
  run_sweep(Workplace &workplace, const Sweep &sweep)
  {
    const Groups &groups   = workplace.groups;
    const bool    is_first = groups.is_first_rank();
    InOrder       order(sweep);
    Inbox         inbox(groups, order);
    Outbox        outbox(groups.world());

    // What an earlier session has finished.
    std::map<std::size_t, bool> is_done;
    if (workplace.journal)
      for (const std::size_t chain : workplace.journal->finished())
        if (chain < sweep.lengths.size())
          {
            is_done[chain] = true;
            if (is_first)
              order.finish(chain, workplace.journal->read(chain).value());
          }
    const auto is_mine = [&](const std::size_t chain) {
      return static_cast<int>(chain % groups.n_groups()) ==
               groups.group_index() &&
             is_done.count(chain) == 0;
    };

    std::size_t n_mine = 0;
    for (std::size_t chain = 0; chain < sweep.lengths.size(); ++chain)
      n_mine += is_mine(chain) ? sweep.lengths[chain] : 0;
    Progress progress(workplace.progress,
                      workplace.progress_is_terminal,
                      sweep.what,
                      n_mine);

    const auto run_chain = [&](const std::size_t chain) {
      Records records;
      sweep.run(chain, [&](const Sample &sample) {
        records.push_back(to_record(sample));
        if (is_first)
          {
            order.add(chain, sample);
            inbox.look();
          }
        progress.advance();
        if (records.size() < sweep.lengths[chain] &&
            interruption_requested(groups.group()))
          throw Interrupted();
      });
      if (records.size() < sweep.lengths[chain])
        throw Interrupted();
      do_on_all_or_none(groups.group(), [&] {
        if (workplace.journal && groups.is_first_in_group())
          workplace.journal->write(chain, records);
      });
      if (!groups.is_first_in_group())
        return;
      if (is_first)
        order.finish(chain);
      else
        outbox.send({chain, 0, 0, records});
    };

    // Whatever happens, the first rank is told that no more will come.
    const auto end = [&](const bool early) {
      if (groups.is_first_in_group() && !is_first)
        outbox.send({0, 1, early ? 1 : 0, {}});
    };
    bool is_complete = true;
    try
      {
        for (std::size_t chain = 0; chain < sweep.lengths.size() && is_complete;
             ++chain)
          if (is_mine(chain))
            {
              run_chain(chain);
              is_complete = !interruption_requested(groups.group());
            }
      }
    catch (const Interrupted &)
      {
        is_complete = false;
      }
    catch (...)
      {
        end(true);
        // Letters that nobody takes would keep their senders.
        if (is_first)
          inbox.wait();
        throw;
      }
    end(!is_complete);
    if (is_first)
      is_complete = inbox.wait() && is_complete;
    return is_complete;
  }

  void
  count_sample(Recorder          &recorder,
               const Sample      &sample,
               const std::string &where)
  {
    recorder.count(recorded::samples);
    recorder.count(recorded::iterations,
                   static_cast<double>(sample.iterations));
    if (!sample.failure.empty())
      report_failure(recorder,
                     "sample at " + where + " failed: " + sample.failure);
    if (sample.shape)
      recorder.list(*sample.shape);
  }

  std::vector<std::size_t>
  chain_lengths(const std::size_t n, const std::size_t n_chains)
  {
    const std::size_t        m = std::min(n, n_chains);
    std::vector<std::size_t> lengths;
    for (std::size_t i = 0; i < m; ++i)
      lengths.push_back((i + 1) * n / m - i * n / m);
    return lengths;
  }
} // namespace slender
