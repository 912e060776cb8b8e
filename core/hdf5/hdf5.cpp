// SPDX-License-Identifier: BSD-3-Clause
#include "hdf5.hpp"

#include <algorithm>
#include <cstring>

#include <suite/plugin.hpp>
#include <suite/sha256.hpp>

#include "element_type.hpp"
#include "handles.hpp"

namespace suite::hdf5 {

static_assert(sizeof(hid_t) == sizeof(int64_t));

namespace {

std::string shape_text(const std::vector<int64_t>& shape) {
  std::string out = "(";
  for (size_t i = 0; i < shape.size(); ++i) out += (i ? ", " : "") + (shape[i] == any ? std::string("any") : std::to_string(shape[i]));
  return out + ")";
}

template <class T> constexpr H5T_class_t type_class = std::is_integral_v<T> ? H5T_INTEGER : H5T_FLOAT;

// By another filter than those that leave the size as it is.
bool is_compressed(hid_t properties) {
  const int count = properties >= 0 ? H5Pget_nfilters(properties) : 0;
  for (int i = 0; i < count; ++i) {
    size_t values = 0;
    const H5Z_filter_t filter = H5Pget_filter2(properties, static_cast<unsigned>(i), nullptr, &values, nullptr, 0, nullptr, nullptr);
    if (filter != H5Z_FILTER_FLETCHER32 && filter != H5Z_FILTER_SHUFFLE) return true;
  }
  return false;
}

// An open dataset with its shape.
struct Dataset {
  Dataset(const File& file, hid_t id, const std::string& name)
      : set(H5Dopen2(id, name.c_str(), H5P_DEFAULT), H5Dclose), space(set >= 0 ? H5Dget_space(set) : -1, H5Sclose) {
    if (set < 0) file.fail(name, file.has(name) ? "it cannot be opened" : "there is no such dataset");
    const int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
    if (rank < 0 || rank > H5S_MAX_RANK) file.fail(name, "its shape cannot be read: " + last_error());
    hsize_t extent[H5S_MAX_RANK];
    H5Sget_simple_extent_dims(space, extent, nullptr);
    for (int d = 0; d < rank; ++d) {
      if (extent[d] > static_cast<hsize_t>(1) << 40) file.fail(name, concat("extent ", extent[d], " is absurd"));
      shape.push_back(static_cast<int64_t>(extent[d]));
    }
  }
  void check_shape(const File& file, const std::string& name, const std::vector<int64_t>& expected) const {
    bool same = shape.size() == expected.size();
    for (size_t d = 0; same && d < shape.size(); ++d) same = expected[d] == any || shape[d] == expected[d];
    if (!same) file.fail(name, "its shape is " + shape_text(shape) + " where " + shape_text(expected) + " is expected");
  }
  // Type, shape, and that the file really holds as many bytes as the shape promises.
  template <class T> void check(const File& file, const std::string& name, const std::vector<int64_t>& expected) const {
    check_shape(file, name, expected);
    Handle type(H5Dget_type(set), H5Tclose);
    if (type < 0 || H5Tget_class(type) != type_class<T>)
      file.fail(name, std::is_integral_v<T> ? "integers are expected" : "floating-point numbers are expected");
    check_stored(file, name, static_cast<double>(H5Tget_size(type)));
  }
  // element: its bytes in the file.
  void check_stored(const File& file, const std::string& name, double element) const {
    double bytes = element;
    for (int64_t e : shape) bytes *= static_cast<double>(e);
    const Handle properties(H5Dget_create_plist(set), H5Pclose);
    const double stored = static_cast<double>(H5Dget_storage_size(set));
    const bool compressed = is_compressed(properties);
    if (bytes > 0 && (stored == 0 || (!compressed && stored < bytes) || stored * 2000 < bytes))
      file.fail(name, concat("its shape ", shape_text(shape), " needs ", static_cast<int64_t>(bytes), " bytes but the file holds ",
                             static_cast<int64_t>(stored), " for it"));
  }
  // Which suite_type the numbers have, or 0.
  int32_t element_type() const {
    const Handle type(H5Dget_type(set), H5Tclose);
    for (const int32_t known : {SUITE_INT32, SUITE_INT64, SUITE_REAL32, SUITE_REAL64, SUITE_COMPLEX64, SUITE_COMPLEX128})
      if (type >= 0 && H5Tequal(type, ElementType(known)) > 0) return known;
    return 0;
  }
  Handle set, space;
  std::vector<int64_t> shape;
};

}  // namespace

File::File(std::filesystem::path path) : path_(std::move(path)) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path_, error)) throw Failure(SUITE_NOT_FOUND, path_.string() + ": there is no such file");
  Quiet quiet;
  id_ = H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (id_ < 0) throw Failure(SUITE_INVALID_ARGUMENT, path_.string() + ": not a complete HDF5 file: " + last_error());
}

File::~File() {
  Quiet quiet;
  if (id_ >= 0) H5Fclose(id_);
}

void File::fail(const std::string& dataset, const std::string& sentence) const {
  throw Failure(SUITE_INVALID_ARGUMENT, path_.string() + ": dataset " + dataset + ": " + sentence);
}

bool File::has(const std::string& dataset) const {
  Quiet quiet;
  // Every group on the way must exist before the next may be asked for.
  for (size_t slash = dataset.find('/', 1);; slash = dataset.find('/', slash + 1)) {
    if (H5Lexists(id_, dataset.substr(0, slash).c_str(), H5P_DEFAULT) <= 0) return false;
    if (slash == std::string::npos) return true;
  }
}

std::vector<int64_t> File::shape(const std::string& dataset) const {
  Quiet quiet;
  return Dataset(*this, id_, dataset).shape;
}

template <class T> std::vector<T> File::read(const std::string& dataset, const std::vector<int64_t>& expected) const {
  Quiet quiet;
  const Dataset data(*this, id_, dataset);
  data.check<T>(*this, dataset, expected);
  int64_t count = 1;
  for (int64_t e : data.shape) count *= e;
  std::vector<T> out(count);
  if (count > 0 && H5Dread(data.set, memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()) < 0)
    fail(dataset, "it cannot be read: " + last_error());
  check_digest(dataset, out.data(), out.size() * sizeof(T), Digest::wanted);
  return out;
}

template <class T>
void File::read_block(const std::string& dataset, const std::vector<int64_t>& expected, const std::vector<int64_t>& offset,
                      const std::vector<int64_t>& count, T* out) const {
  Quiet quiet;
  const Dataset data(*this, id_, dataset);
  data.check<T>(*this, dataset, expected);
  std::vector<hsize_t> from(offset.begin(), offset.end()), size(count.begin(), count.end());
  for (size_t d = 0; d < data.shape.size(); ++d)
    if (offset[d] < 0 || count[d] < 1 || offset[d] + count[d] > data.shape[d])
      fail(dataset, concat("elements ", offset[d], " to ", offset[d] + count[d] - 1, " of dimension ", d,
                           " were requested, but the extent is ", data.shape[d]));
  H5Sselect_hyperslab(data.space, H5S_SELECT_SET, from.data(), nullptr, size.data(), nullptr);
  const Handle memory(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr), H5Sclose);
  if (H5Dread(data.set, memory_type<T>(), memory, data.space, H5P_DEFAULT, out) < 0) fail(dataset, "it cannot be read: " + last_error());
}

template <class T>
std::vector<T> File::read_block(const std::string& dataset, const std::vector<int64_t>& expected, const std::vector<int64_t>& offset,
                                const std::vector<int64_t>& count) const {
  // Of its part that the dataset has: more is refused before memory is taken for it.
  const auto there = shape(dataset);
  int64_t total = 1;
  for (size_t d = 0; d < std::min(count.size(), there.size()); ++d) total *= std::clamp<int64_t>(count[d], 0, there[d]);
  std::vector<T> out(static_cast<size_t>(total));
  read_block(dataset, expected, offset, count, out.data());
  return out;
}

template <class T> T File::scalar(const std::string& dataset) const {
  const auto found = shape(dataset);
  int64_t count = 1;
  for (int64_t e : found) count *= e;
  if (count != 1) fail(dataset, "its shape is " + shape_text(found) + " where one number is expected");
  return read<T>(dataset, found)[0];
}

int File::integer(const std::string& dataset, int low, int high) const {
  const int value = scalar<int>(dataset);
  if (value < low || value > high)
    fail(dataset, concat("its value is ", value, " where ", low, low == high ? "" : concat(" to ", high), " is expected"));
  return value;
}

double File::real(const std::string& dataset, double low, double high) const {
  const double value = scalar<double>(dataset);
  char line[96];
  std::snprintf(line, sizeof line, "its value is %g where %g to %g is expected", value, low, high);
  if (!(value >= low && value <= high)) fail(dataset, line);
  return value;
}

Array File::array(const std::string& dataset) const {
  Quiet quiet;
  const Dataset data(*this, id_, dataset);
  Array out;
  out.array.type = data.element_type();
  if (out.array.type == 0) fail(dataset, "its element type is none of those of kernel arguments");
  if (data.shape.size() > SUITE_MAX_RANK)
    fail(dataset, concat("it has ", data.shape.size(), " dimensions; it must have at most ", SUITE_MAX_RANK));
  const ElementType type(out.array.type);
  const size_t element = H5Tget_size(type);
  data.check_stored(*this, dataset, static_cast<double>(element));
  out.array.rank = static_cast<int32_t>(data.shape.size());
  for (auto& extent : out.array.extent) extent = 1;
  std::copy(data.shape.rbegin(), data.shape.rend(), out.array.extent);
  size_t count = 1;
  for (int64_t e : data.shape) count *= static_cast<size_t>(e);
  if (count == 0) fail(dataset, "it is empty: its shape is " + shape_text(data.shape));
  out.bytes.resize(count * element);
  if (H5Dread(data.set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.bytes.data()) < 0) fail(dataset, "it cannot be read: " + last_error());
  check_digest(dataset, out.bytes.data(), out.bytes.size(), Digest::needed);
  return out;
}

void File::check_digest(const std::string& dataset, const void* data, size_t bytes, Digest digest) const {
  if (H5Aexists_by_name(id_, dataset.c_str(), digest_name, H5P_DEFAULT) <= 0 && digest == Digest::wanted) return;
  if (text(digest_name, dataset) != hexadecimal(sha256(data, bytes)))
    fail(dataset, "it is damaged: its bytes differ from those that were written (SHA-256)");
}

std::vector<std::string> File::texts(const std::string& dataset, const std::vector<int64_t>& expected) const {
  Quiet quiet;
  constexpr size_t longest = 1 << 16;
  const Dataset data(*this, id_, dataset);
  const Handle type(H5Dget_type(data.set), H5Tclose);
  if (type < 0 || H5Tget_class(type) != H5T_STRING) fail(dataset, "texts are expected");
  data.check_shape(*this, dataset, expected);
  const size_t element = H5Tget_size(type);
  if (element > longest) fail(dataset, concat("its texts have ", element, " bytes each; they must have at most ", longest));
  data.check_stored(*this, dataset, static_cast<double>(element));
  size_t count = 1;
  for (int64_t e : data.shape) count *= static_cast<size_t>(e);
  std::vector<std::string> out;
  if (H5Tis_variable_str(type) > 0) {
    std::vector<char*> found(count, nullptr);
    if (count > 0 && H5Dread(data.set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data()) < 0)
      fail(dataset, "it cannot be read: " + last_error());
    for (const char* one : found) out.emplace_back(one ? one : "");
    H5Dvlen_reclaim(type, data.space, H5P_DEFAULT, found.data());
    return out;
  }
  std::vector<char> found(count * element);
  if (count > 0 && H5Dread(data.set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data()) < 0)
    fail(dataset, "it cannot be read: " + last_error());
  for (size_t i = 0; i < count; ++i) {
    const std::string one(found.data() + i * element, element);
    out.push_back(one.substr(0, one.find('\0')));
  }
  return out;
}

bool File::has_attribute(const std::string& name, const std::string& of) const {
  Quiet quiet;
  return (of == "/" || has(of)) && H5Aexists_by_name(id_, of.c_str(), name.c_str(), H5P_DEFAULT) > 0;
}

double File::number(const std::string& name, const std::string& of) const {
  Quiet quiet;
  const Handle attribute(H5Aopen_by_name(id_, of.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  const Handle space(attribute >= 0 ? H5Aget_space(attribute) : -1, H5Sclose);
  if (space < 0 || H5Sget_simple_extent_npoints(space) != 1) fail(name, "one number is expected");
  double value = 0;
  if (H5Aread(attribute, H5T_NATIVE_DOUBLE, &value) < 0) fail(name, "it cannot be read: " + last_error());
  return value;
}

std::string File::text(const std::string& name, const std::string& of) const {
  Quiet quiet;
  constexpr size_t longest = 1 << 20;
  const htri_t there = H5Aexists_by_name(id_, of.c_str(), name.c_str(), H5P_DEFAULT);
  if (there <= 0) fail(name, there == 0 ? "there is no such text" : "it cannot be read: " + last_error());
  const Handle attribute(H5Aopen_by_name(id_, of.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  const Handle type(attribute >= 0 ? H5Aget_type(attribute) : -1, H5Tclose);
  if (type < 0 || H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0) fail(name, "a text of fixed length is expected");
  const Handle space(H5Aget_space(attribute), H5Sclose);
  if (H5Sget_simple_extent_npoints(space) != 1 || H5Tget_size(type) > longest) fail(name, "one text of at most a MiB is expected");
  std::string out(H5Tget_size(type), '\0');
  if (H5Aread(attribute, type, out.data()) < 0) fail(name, "it cannot be read: " + last_error());
  return out.substr(0, out.find('\0'));
}

template std::vector<int> File::read<int>(const std::string&, const std::vector<int64_t>&) const;
template std::vector<int64_t> File::read<int64_t>(const std::string&, const std::vector<int64_t>&) const;
template std::vector<float> File::read<float>(const std::string&, const std::vector<int64_t>&) const;
template std::vector<double> File::read<double>(const std::string&, const std::vector<int64_t>&) const;
template void File::read_block<double>(const std::string&, const std::vector<int64_t>&, const std::vector<int64_t>&,
                                       const std::vector<int64_t>&, double*) const;
template std::vector<float> File::read_block<float>(const std::string&, const std::vector<int64_t>&, const std::vector<int64_t>&,
                                                    const std::vector<int64_t>&) const;
template std::vector<double> File::read_block<double>(const std::string&, const std::vector<int64_t>&, const std::vector<int64_t>&,
                                                      const std::vector<int64_t>&) const;
template std::vector<int> File::read_block<int>(const std::string&, const std::vector<int64_t>&, const std::vector<int64_t>&,
                                                const std::vector<int64_t>&) const;

}  // namespace suite::hdf5
