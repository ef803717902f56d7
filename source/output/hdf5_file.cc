// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/output/hdf5_file.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <hdf5.h>
#include <system_error>
#include <utility>

namespace slender
{
  namespace fs = std::filesystem;

  namespace
  {
    static_assert(sizeof(hid_t) == sizeof(std::int64_t),
                  "handles of HDF5 are kept as numbers of 64 bits");

    /// Stops HDF5 from printing its stack of errors while we look at results
    /// of its functions.
    class Silence
    {
    public:
      Silence()
      {
        // A damaged file may leave something open inside HDF5, which would not
        // let go of it at the end of the program. Nothing of ours waits for
        // that: files are closed when they are written.
        static const herr_t no_farewell = H5dont_atexit();
        (void)no_farewell;
        H5Eget_auto2(H5E_DEFAULT, &function, &data);
        H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
      }

      ~Silence()
      {
        H5Eset_auto2(H5E_DEFAULT, function, data);
      }

      Silence(const Silence &) = delete;
      Silence &
      operator=(const Silence &) = delete;

    private:
      H5E_auto2_t function = nullptr;
      void       *data     = nullptr;
    };



    /// Anything of HDF5 that has to be closed.
    class Handle
    {
    public:
      Handle(const hid_t handle, herr_t (*closing_function)(hid_t))
        : id(handle)
        , close(closing_function)
      {}

      ~Handle()
      {
        if (id >= 0)
          close(id);
      }

      Handle(const Handle &) = delete;
      Handle &
      operator=(const Handle &) = delete;

      bool
      is_valid() const
      {
        return id >= 0;
      }

      operator hid_t() const
      {
        return id;
      }

    private:
      hid_t id;
      herr_t (*close)(hid_t);
    };



    /// A slash in a name would be a path, and a dot alone the group itself. '%'
    /// and two digits stand for such characters.
    std::string
    encoded(const std::string &name)
    {
      std::string result;
      for (const char c : name)
        {
          const auto code = static_cast<unsigned char>(c);
          if (c == '/' || c == '%' || name == "." || code < 32 || code == 127)
            {
              char text[4];
              std::snprintf(text, sizeof(text), "%%%02X", code);
              result += text;
            }
          else
            result += c;
        }
      return result;
    }



    std::string
    decoded(const std::string &name)
    {
      const auto digit = [](const char c) {
        return c >= '0' && c <= '9'   ? c - '0'
               : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                      : -1;
      };
      std::string result;
      for (std::size_t i = 0; i < name.size(); ++i)
        if (name[i] == '%' && i + 2 < name.size() && digit(name[i + 1]) >= 0 &&
            digit(name[i + 2]) >= 0)
          {
            result +=
              static_cast<char>(16 * digit(name[i + 1]) + digit(name[i + 2]));
            i += 2;
          }
        else
          result += name[i];
      return result;
    }



    std::string
    path_of(const std::string &group, const std::string &name)
    {
      return '/' + (group.empty() ? "" : group + '/') + encoded(name);
    }



    [[noreturn]] void
    fail_to_write(const fs::path &file)
    {
      // HDF5 keeps the reason in words of its own; that of the system is still
      // there, unless MPI came between.
      throw DiskError("cannot write '" + file.string() + "': " +
                      (errno != 0 ? std::generic_category().message(errno)
                                  : std::string("the disk may be full")));
    }



    /// The newest form of the file, in which all that is not data has
    /// checksums.
    Handle
    file_access()
    {
      const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
      H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
      // Files are written under a name of their own and then renamed; locks
      // only keep us from file systems that have none.
      H5Pset_file_locking(access, false, true);
      return {access, H5Pclose};
    }



    Handle
    string_type(const std::size_t length)
    {
      const hid_t type = H5Tcopy(H5T_C_S1);
      H5Tset_size(type, std::max<std::size_t>(length, 1));
      H5Tset_strpad(type, H5T_STR_NULLPAD);
      H5Tset_cset(type, H5T_CSET_UTF8);
      return {type, H5Tclose};
    }



    /// Contiguous storage that is there at once, so that ranks can write to it
    /// without a change of the file's structure.
    Handle
    contiguous_storage()
    {
      const hid_t storage = H5Pcreate(H5P_DATASET_CREATE);
      H5Pset_layout(storage, H5D_CONTIGUOUS);
      H5Pset_alloc_time(storage, H5D_ALLOC_TIME_EARLY);
      H5Pset_fill_time(storage, H5D_FILL_TIME_NEVER);
      // The same state is the same file, whenever it is written.
      H5Pset_obj_track_times(storage, false);
      return {storage, H5Pclose};
    }



    /// Creates an item and writes it unless there is no data.
    void
    write_item(const fs::path    &path,
               const hid_t        file,
               const std::string &name,
               const hid_t        type_in_file,
               const hid_t        type_in_memory,
               const hid_t        space,
               const void        *data)
    {
      errno                = 0;
      const Handle storage = contiguous_storage();
      const Handle item(H5Dcreate2(file,
                                   name.c_str(),
                                   type_in_file,
                                   space,
                                   H5P_DEFAULT,
                                   storage,
                                   H5P_DEFAULT),
                        H5Dclose);
      if (!item.is_valid() ||
          (data != nullptr &&
           H5Dwrite(item, type_in_memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) <
             0))
        fail_to_write(path);
    }



    Handle
    line(const hsize_t size)
    {
      return {H5Screate_simple(1, &size, nullptr), H5Sclose};
    }
  } // namespace



  // -------------------------------------------------------------- files ---

  Hdf5File::Hdf5File(const fs::path &file, const std::int64_t hdf5_handle)
    : path(file)
    , handle(hdf5_handle)
  {}



  Hdf5File::Hdf5File(Hdf5File &&other) noexcept
    : path(std::move(other.path))
    , handle(std::exchange(other.handle, -1))
    , n_bytes(other.n_bytes)
    , is_shared(other.is_shared)
  {}



  Hdf5File::~Hdf5File()
  {
    const Silence silence;
    if (handle >= 0)
      H5Fclose(handle);
  }



  Hdf5File
  Hdf5File::create(const fs::path &file)
  {
    const Silence silence;
    errno               = 0;
    const Handle access = file_access();
    const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
    H5Pset_obj_track_times(creation, false);
    const hid_t id = H5Fcreate(file.c_str(), H5F_ACC_TRUNC, creation, access);
    if (id < 0)
      fail_to_write(file);
    return {file, id};
  }



  Hdf5File
  Hdf5File::open_shared(const fs::path &file, MPI_Comm communicator)
  {
    const Silence silence;
    int           n_ranks = 1;
    MPI_Comm_size(communicator, &n_ranks);
    errno               = 0;
    const Handle access = file_access();
    // On one rank the ordinary functions of the system do, which also say what
    // went wrong.
    if (n_ranks > 1)
      H5Pset_fapl_mpio(access, communicator, MPI_INFO_NULL);
    const hid_t id = H5Fopen(file.c_str(), H5F_ACC_RDWR, access);
    if (id < 0)
      fail_to_write(file);
    Hdf5File result(file, id);
    result.is_shared = n_ranks > 1;
    return result;
  }



  Hdf5File
  Hdf5File::open(const fs::path &file)
  {
    const Silence   silence;
    std::error_code error;
    const auto      status = fs::status(file, error);
    if (!fs::exists(status))
      throw InputError("there is no file '" + file.string() + "'");
    if (!fs::is_regular_file(status))
      throw InputError("'" + file.string() + "' is not a file");
    const Handle access = file_access();
    const hid_t  id     = H5Fopen(file.c_str(), H5F_ACC_RDONLY, access);
    Hdf5File     result(file, id);
    if (id < 0)
      result.refuse("it is damaged, or from another program");
    result.n_bytes = static_cast<std::int64_t>(fs::file_size(file));
    return result;
  }



  void
  Hdf5File::close()
  {
    const Silence silence;
    errno = 0;
    if (H5Fclose(std::exchange(handle, -1)) < 0)
      fail_to_write(path);
  }



  void
  Hdf5File::refuse(const std::string &reason) const
  {
    throw InputError("'" + path.string() + "' is not a saved state: " + reason);
  }



  // ------------------------------------------------------------ writing ---

  void
  Hdf5File::create_group(const std::string &group)
  {
    const Silence silence;
    errno = 0;
    const Handle creation(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
    H5Pset_obj_track_times(creation, false);
    const Handle result(
      H5Gcreate2(handle, group.c_str(), H5P_DEFAULT, creation, H5P_DEFAULT),
      H5Gclose);
    if (!result.is_valid())
      fail_to_write(path);
  }



  void
  Hdf5File::write_text(const std::string &group,
                       const std::string &name,
                       const std::string &text)
  {
    const Silence silence;
    const Handle  type = string_type(text.size());
    const Handle  scalar(H5Screate(H5S_SCALAR), H5Sclose);
    // An empty text has one character, which is no one.
    write_item(
      path, handle, path_of(group, name), type, type, scalar, text.c_str());
  }



  void
  Hdf5File::write_texts(const std::string              &group,
                        const std::string              &name,
                        const std::vector<std::string> &texts)
  {
    const Silence silence;
    std::size_t   length = 1;
    for (const std::string &text : texts)
      length = std::max(length, text.size());
    std::string all;
    for (std::string text : texts)
      {
        text.resize(length);
        all += text;
      }
    const Handle type  = string_type(length);
    const Handle space = line(texts.size());
    write_item(
      path, handle, path_of(group, name), type, type, space, all.data());
  }



  void
  Hdf5File::write_numbers(const std::string         &group,
                          const std::string         &name,
                          const std::vector<double> &numbers)
  {
    const Silence silence;
    const Handle  space = line(numbers.size());
    write_item(path,
               handle,
               path_of(group, name),
               H5T_IEEE_F64LE,
               H5T_NATIVE_DOUBLE,
               space,
               numbers.empty() ? nullptr : numbers.data());
  }



  void
  Hdf5File::reserve_numbers(const std::string &group,
                            const std::string &name,
                            const std::int64_t size)
  {
    const Silence silence;
    const Handle  space = line(static_cast<hsize_t>(size));
    write_item(path,
               handle,
               path_of(group, name),
               H5T_IEEE_F64LE,
               H5T_NATIVE_DOUBLE,
               space,
               nullptr);
  }



  void
  Hdf5File::write_block(const std::string &group,
                        const std::string &name,
                        const std::int64_t begin,
                        const Vector      &values)
  {
    const Silence silence;
    errno = 0;
    const Handle item(
      H5Dopen2(handle, path_of(group, name).c_str(), H5P_DEFAULT), H5Dclose);
    if (!item.is_valid())
      fail_to_write(path);
    const auto   first = static_cast<hsize_t>(begin);
    const auto   count = static_cast<hsize_t>(values.size());
    const Handle in_file(H5Dget_space(item), H5Sclose);
    const Handle in_memory = line(count);
    if (count > 0)
      H5Sselect_hyperslab(
        in_file, H5S_SELECT_SET, &first, nullptr, &count, nullptr);
    else
      H5Sselect_none(in_file);
    const Handle transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
    if (is_shared)
      H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
    if (H5Dwrite(item,
                 H5T_NATIVE_DOUBLE,
                 in_memory,
                 in_file,
                 transfer,
                 values.data()) < 0)
      fail_to_write(path);
  }



  // ------------------------------------------------------------ reading ---

  namespace
  {
    extern "C" herr_t
    collect_name(hid_t, const char *name, const H5L_info_t *info, void *names)
    {
      // A link to elsewhere, even to another file, is nothing that we wrote.
      if (info->type != H5L_TYPE_HARD)
        return -1;
      static_cast<std::vector<std::string> *>(names)->push_back(name);
      return 0;
    }



    /// An item of a file that is read, with all about it that can be checked.
    struct Item
    {
      Item(const hid_t file, const std::string &name)
        : dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose)
        , type(H5Dget_type(dataset), H5Tclose)
        , space(H5Dget_space(dataset), H5Sclose)
      {}

      /// The number of entries, if all of them are where the file says they
      /// are; -1 if the item is none that we wrote.
      std::int64_t
      size(const std::int64_t n_bytes) const
      {
        if (!dataset.is_valid() || !type.is_valid() || !space.is_valid())
          return -1;
        const Handle storage(H5Dget_create_plist(dataset), H5Pclose);
        if (H5Pget_layout(storage) != H5D_CONTIGUOUS ||
            H5Pget_external_count(storage) != 0 ||
            H5Sget_simple_extent_ndims(space) > 1)
          return -1;
        const hssize_t n_entries = H5Sget_simple_extent_npoints(space);
        const auto     width     = static_cast<std::int64_t>(H5Tget_size(type));
        if (n_entries < 0 || width < 1 || n_entries > n_bytes / width)
          return -1;
        if (n_entries == 0)
          return 0;
        const haddr_t offset = H5Dget_offset(dataset);
        const auto    needed = static_cast<std::uint64_t>(n_entries * width);
        if (offset == HADDR_UNDEF || H5Dget_storage_size(dataset) != needed ||
            offset > static_cast<std::uint64_t>(n_bytes) - needed)
          return -1;
        return n_entries;
      }

      bool
      is_text() const
      {
        return H5Tget_class(type) == H5T_STRING &&
               H5Tis_variable_str(type) == 0;
      }

      bool
      is_numbers() const
      {
        return H5Tequal(type, H5T_IEEE_F64LE) > 0 &&
               H5Sget_simple_extent_ndims(space) == 1;
      }

      Handle dataset;
      Handle type;
      Handle space;
    };
  } // namespace



  std::vector<std::string>
  Hdf5File::names_in(const std::string &group) const
  {
    const Silence            silence;
    std::vector<std::string> names;
    const Handle opened(H5Gopen2(handle, group.c_str(), H5P_DEFAULT), H5Gclose);
    hsize_t      position = 0;
    if (!opened.is_valid() ||
        H5Literate(
          opened, H5_INDEX_NAME, H5_ITER_INC, &position, collect_name, &names) <
          0)
      refuse("its group '" + group + "' is missing or damaged");
    std::transform(names.begin(), names.end(), names.begin(), decoded);
    return names;
  }



  std::string
  Hdf5File::read_text(const std::string &group, const std::string &name) const
  {
    const std::vector<std::string> texts = read_texts(group, name);
    if (texts.size() != 1)
      refuse("'" + name + "' is not a text");
    return texts.front();
  }



  std::vector<std::string>
  Hdf5File::read_texts(const std::string &group, const std::string &name) const
  {
    const Silence      silence;
    const Item         item(handle, path_of(group, name));
    const std::int64_t size = item.size(n_bytes);
    if (size < 0 || !item.is_text())
      refuse("'" + name + "' is missing, damaged or not a text");
    const std::size_t length = H5Tget_size(item.type);
    std::string       all(length * static_cast<std::size_t>(size), '\0');
    const Handle      in_memory = string_type(length);
    if (size > 0 &&
        H5Dread(
          item.dataset, in_memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()) <
          0)
      refuse("'" + name + "' cannot be read");
    std::vector<std::string> texts;
    for (std::size_t begin = 0; begin < all.size(); begin += length)
      {
        std::string text = all.substr(begin, length);
        text.erase(text.find_last_not_of('\0') + 1);
        texts.push_back(std::move(text));
      }
    return texts;
  }



  std::int64_t
  Hdf5File::size_of(const std::string &group, const std::string &name) const
  {
    const Silence      silence;
    const Item         item(handle, path_of(group, name));
    const std::int64_t size = item.size(n_bytes);
    if (size < 0 || !item.is_numbers())
      refuse("'" + name + "' is missing, damaged or not an array of numbers");
    return size;
  }



  Vector
  Hdf5File::read_block(const std::string &group,
                       const std::string &name,
                       const std::int64_t begin,
                       const std::int64_t end) const
  {
    if (begin < 0 || end < begin || end > size_of(group, name))
      refuse("'" + name + "' is shorter than it should be");
    const Silence silence;
    Vector        values(static_cast<Eigen::Index>(end - begin));
    if (values.size() == 0)
      return values;
    const Item   item(handle, path_of(group, name));
    const auto   first     = static_cast<hsize_t>(begin);
    const auto   count     = static_cast<hsize_t>(values.size());
    const Handle in_memory = line(count);
    if (H5Sselect_hyperslab(
          item.space, H5S_SELECT_SET, &first, nullptr, &count, nullptr) < 0 ||
        H5Dread(item.dataset,
                H5T_NATIVE_DOUBLE,
                in_memory,
                item.space,
                H5P_DEFAULT,
                values.data()) < 0)
      refuse("'" + name + "' cannot be read");
    return values;
  }
} // namespace slender
