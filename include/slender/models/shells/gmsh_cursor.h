// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_shells_gmsh_cursor_h
#define slender_models_shells_gmsh_cursor_h

#include <cstdint>
#include <string>
#include <string_view>

namespace slender
{
  /**
   * Takes the lines and numbers of a file of gmsh one after another, numbers
   * as text or as bytes. Nothing that the file says is believed: a number that
   * is missing, that is none or that is out of range ends in an InputError of
   * one line, which says where it stands.
   *
   * In text the numbers of a record (a node, an element) stand on one line, so
   * that a number too few is found where it is missing.
   */
  class GmshCursor
  {
  public:
    /// The bytes must outlive the cursor. The path is for errors.
    GmshCursor(std::string_view bytes, std::string path);

    /// How numbers are written from here on.
    enum class Encoding
    {
      text,
      binary,
      swapped ///< binary, in the other order of bytes
    };
    Encoding encoding = Encoding::text;

    /// A line that begins here, without white space around it.
    std::string_view
    line();

    /// Goes on to what is no white space; false at the end of the file.
    bool
    skip_space();

    /// What follows from here on, and by how many bytes to go on.
    std::string_view
    rest() const
    {
      return bytes.substr(place);
    }
    void
    advance(std::size_t n_bytes);

    /// Before the numbers of a record: in text, goes to its line.
    void
    begin_record();

    /// After the numbers of a record: in text, the line must end here.
    void
    end_record();

    /// An integer of four bytes.
    int
    integer();

    /// A count, or a number of a node or an element: not negative; of eight
    /// bytes in format 4.1.
    std::uint64_t
    size();

    /// A finite number of eight bytes.
    double
    number();

    /// Refuses a count for which the rest of the file has no room, so that it
    /// can be trusted to allocate memory.
    void
    check_room(std::uint64_t      count,
               std::size_t        least_bytes_in_text,
               std::size_t        bytes_in_binary,
               const std::string &of_what) const;

    /// Throws InputError: what is wrong at the place where the last number or
    /// line began.
    [[noreturn]] void
    refuse(const std::string &why) const;

  private:
    std::string_view  bytes;
    const std::string path;
    std::size_t       place = 0, last = 0;

    /// The next word of the line.
    std::string_view
    word();

    template <typename Number>
    Number
    from_word(const std::string &expected);

    template <typename Number>
    Number
    from_bytes();
  };
} // namespace slender

#endif
