// SPDX-License-Identifier: LGPL-2.1-or-later
// Precompiled for every translation unit of the library: what nearly all of
// them read, and nothing that only some of them need (no finite elements, no
// Trilinos).
#include <deal.II/base/parameter_handler.h>

#include <Eigen/Dense>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>
