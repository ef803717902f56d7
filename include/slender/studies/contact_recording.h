// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_contact_recording_h
#define slender_studies_contact_recording_h

#include <slender/contact/frictional_search.h>
#include <slender/output/recorder.h>

#include <vector>

namespace slender
{
  /// Of all contacts of a body, on all ranks.
  struct ContactSums
  {
    long    touching = 0, slipping = 0;
    double  pressure   = 0.; ///< of all together [force]
    Vector3 force      = Vector3::Zero();
    double  dissipated = 0.; ///< by friction, since the step began [energy]
  };

  /// Collective.
  ContactSums
  sum_of_contacts(MPI_Comm communicator, const std::vector<Contact> &contacts);

  /// The table "contacts": gaps, forces, slip and state of every contact.
  void
  begin_contact_table(Recorder &recorder);

  /// Adds the contacts of one moment, with where they are. Collective.
  void
  record_contacts(Recorder                   &recorder,
                  MPI_Comm                    communicator,
                  double                      time,
                  const Obstacles            &obstacles,
                  const std::vector<Contact> &contacts,
                  const Eigen::Matrix3Xd     &places);
} // namespace slender

#endif
