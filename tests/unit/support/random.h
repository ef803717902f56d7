// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_tests_support_random_h
#define slender_tests_support_random_h

#include <slender/base/types.h>

#include <random>

namespace slender::test
{
  /// Numbers between -1 and 1 that are the same in every run.
  class Random
  {
  public:
    explicit Random(const unsigned int seed)
      : engine(seed)
    {}

    double
    number()
    {
      // Not std::uniform_real_distribution, whose numbers differ between
      // standard libraries.
      return 2. * (engine() / 4294967295.) - 1.;
    }

    Vector
    vector(const Index n)
    {
      Vector v(n);
      for (Index i = 0; i < n; ++i)
        v(i) = number();
      return v;
    }

    Vector
    unit_vector(const Index n)
    {
      return vector(n).normalized();
    }

    /// A quaternion of unit length.
    Vector4
    rotation()
    {
      return unit_vector(4);
    }

  private:
    std::mt19937 engine;
  };
} // namespace slender::test

#endif
