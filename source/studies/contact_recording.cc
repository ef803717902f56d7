// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/studies/contact_recording.h>

#include <array>

namespace slender
{
  namespace
  {
    /// Obstacle, place, gap, force, pressure, slip, state.
    constexpr int n_numbers = 11;

    constexpr const char *contact_table = "contacts";

    const char *
    name_of(const double state)
    {
      return state > 0. ? "stick" : "slip";
    }
  } // namespace

  ContactSums
  sum_of_contacts(MPI_Comm communicator, const std::vector<Contact> &contacts)
  {
    std::array<double, 7> sums = {};
    for (const Contact &contact : contacts)
      if (contact.state != ContactState::open)
        {
          sums[0] += 1.;
          sums[1] += contact.state == ContactState::slip ? 1. : 0.;
          sums[2] += contact.pressure();
          for (int c = 0; c < 3; ++c)
            sums[3 + c] += contact.force(c);
          sums[6] -= contact.friction().dot(contact.slip);
        }
    MPI_Allreduce(MPI_IN_PLACE,
                  sums.data(),
                  static_cast<int>(sums.size()),
                  MPI_DOUBLE,
                  MPI_SUM,
                  communicator);
    return {static_cast<long>(sums[0]),
            static_cast<long>(sums[1]),
            sums[2],
            {sums[3], sums[4], sums[5]},
            sums[6]};
  }

  void
  begin_contact_table(Recorder &recorder)
  {
    recorder.begin_table(contact_table,
                         {"time",
                          "obstacle",
                          "x",
                          "y",
                          "z",
                          "gap",
                          "force_x",
                          "force_y",
                          "force_z",
                          "pressure",
                          "slip",
                          "state"});
  }

  void
  record_contacts(Recorder                   &recorder,
                  MPI_Comm                    communicator,
                  const double                time,
                  const Obstacles            &obstacles,
                  const std::vector<Contact> &contacts,
                  const Eigen::Matrix3Xd     &places)
  {
    std::vector<double> own;
    for (const Contact &contact : contacts)
      if (contact.state != ContactState::open)
        {
          const Vector3 x = places.col(contact.point), f = contact.force;
          own.insert(own.end(),
                     {static_cast<double>(obstacles[contact.obstacle].number),
                      x(0),
                      x(1),
                      x(2),
                      contact.gap,
                      f(0),
                      f(1),
                      f(2),
                      contact.pressure(),
                      contact.slip.norm(),
                      contact.state == ContactState::stick ? 1. : 0.});
        }
    int rank = 0, n_ranks = 1;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &n_ranks);
    const int        n = static_cast<int>(own.size());
    std::vector<int> counts(n_ranks), begins(n_ranks, 0);
    MPI_Gather(&n, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, communicator);
    for (int r = 1; r < n_ranks; ++r)
      begins[r] = begins[r - 1] + counts[r - 1];
    std::vector<double> all(rank == 0 ? begins.back() + counts.back() : 0);
    MPI_Gatherv(own.data(),
                n,
                MPI_DOUBLE,
                all.data(),
                counts.data(),
                begins.data(),
                MPI_DOUBLE,
                0,
                communicator);
    for (std::size_t i = 0; i + n_numbers <= all.size(); i += n_numbers)
      {
        Table::Row row = {time, static_cast<long>(all[i])};
        for (int c = 1; c + 1 < n_numbers; ++c)
          row.emplace_back(all[i + c]);
        row.emplace_back(name_of(all[i + n_numbers - 1]));
        recorder.row(contact_table, row);
      }
  }
} // namespace slender
