// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_app_run_h
#define slender_app_run_h

#include <slender/app/program.h>
#include <slender/app/setup.h>
#include <slender/base/groups.h>

namespace slender
{
  /**
   * Runs the study of a file, from its beginning or from where an earlier run
   * was stopped, and leaves its directory: complete, or unfinished and ready to
   * be resumed. Collective.
   */
  ExitCode
  run_study(const CommandLine &command, Setup &setup, const Groups &groups);
} // namespace slender

#endif
