// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_base_window_h
#define slender_base_window_h

#include <slender/base/types.h>

#include <vector>

namespace slender
{
  /**
   * The entries [begin, end) of a longer array, addressed by their numbers
   * there: what one rank holds of an array that no rank holds as a whole.
   */
  template <class T>
  class Window
  {
  public:
    Window() = default;

    Window(const Index begin, const Index end)
      : first(begin)
      , values(end - begin)
    {}

    T &
    operator[](const Index i)
    {
      return values[i - first];
    }

    const T &
    operator[](const Index i) const
    {
      return values[i - first];
    }

    Index
    begin() const
    {
      return first;
    }

    Index
    end() const
    {
      return first + static_cast<Index>(values.size());
    }

  private:
    Index          first = 0;
    std::vector<T> values;
  };
} // namespace slender

#endif
