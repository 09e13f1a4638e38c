#include "io/npz_matrix.hpp"

#include <string>
#include <type_traits>
#include <utility>

namespace copse::io {

npz_matrix::member::member(const npz_matrix& matrix, const char* name, std::pmr::memory_resource* memory)
    : file{matrix.source_.name() + " (" + name + ".npy)"} {
  auto found = matrix.archive_.find(std::string{name} + ".npy", memory);
  if (!found) {
    throw input_error::at(matrix.source_.name(), 0, "no member " + std::string{name} + ".npy", "what scipy.sparse.save_npz writes");
  }
  content = std::move(*found);
  array = npy_array_of(file, content.bytes);
}

packed_integers npz_matrix::member::integers(std::string_view what) const {
  if (array.shape.size() != 1) refuse_byte(file, 10, "the shape " + shape_text(array), "one dimension");
  return integers_of(file, array, what);
}

void npz_matrix::member::expect_items(std::uint64_t expected) const {
  if (array.size() != expected) throw input_error::at(file, 0, std::to_string(array.size()) + " items", std::to_string(expected));
}

void npz_matrix::read_side(const member& shape) {
  const packed_integers sides = shape.integers("the shape");
  const auto at = [&](std::uint64_t i) {
    return sides.with_type([&]<class T>(T) {
      const auto value = load<T>(sides.bytes.data() + i * sizeof(T));
      if (std::is_signed_v<T> && value < T{0}) sides.refuse(i, "the side", "0 or more");
      return static_cast<std::uint64_t>(value);
    });
  };
  if (sides.size() != 2) throw input_error::at(shape.file, 0, std::to_string(sides.size()) + " dimensions", "two, rows and columns");
  if (at(0) != at(1)) {
    throw input_error::at(shape.file, 0, std::to_string(at(0)) + " rows and " + std::to_string(at(1)) + " columns",
                          "as many of one as of the other: a square matrix is a graph");
  }
  side_ = at(0);
}

npz_matrix::npz_matrix(const std::filesystem::path& path, const read_options& options, numbers data)
    : source_{path, options}, archive_{source_.name(), source_.bytes()} {
  const member format{*this, "format", options.memory};
  const std::string_view kind = format.array.data.substr(0, format.array.data.find('\0'));
  if (kind != "csr" && kind != "csc" && kind != "coo") {
    throw input_error::at(format.file, 0, "the format " + std::string{kind.substr(0, 16)}, "csr, csc or coo");
  }
  coordinates_ = kind == "coo";
  read_side(member{*this, "shape", options.memory});
  first_.emplace(*this, coordinates_ ? "row" : "indptr", options.memory);
  second_.emplace(*this, coordinates_ ? "col" : "indices", options.memory);
  major_ = first_->integers(coordinates_ ? "the rows" : "the offsets");
  minor_ = second_->integers(coordinates_ ? "the columns" : "the targets");
  if (coordinates_) {
    second_->expect_items(major_.size());
  } else {
    if (side_ == UINT64_MAX)
      throw input_error::at(first_->file, 0, std::to_string(major_.size()) + " items", std::to_string(side_) + " and one more");
    first_->expect_items(side_ + 1);
  }
  if (data == numbers::unread) return;
  data_.emplace(*this, "data", options.memory);
  if (data_->array.kind == 'S') refuse_byte(data_->file, 0, "the type " + data_->array.dtype, "numbers, which are weights");
  data_->expect_items(entries());
}

double npz_matrix::weight(std::uint64_t i) const {
  const npy_array& array = data_->array;
  const char* const at = array.data.data() + i * array.width;
  switch (array.kind) {
    case 'f':
      return array.width == 4 ? static_cast<double>(load<float>(at)) : load<double>(at);
    case 'b':
      return *at != 0 ? 1 : 0;
    default:
      return packed_integers{array.data, array.width, array.kind == 'i', 0, data_->file}.with_type(
          [&]<class T>(T) { return largest_double_up_to(load<T>(at)); });
  }
}

weight_precision npz_matrix::precision() const noexcept {
  return data_->array.kind == 'f' && data_->array.width == 4 ? weight_precision::single : weight_precision::full;
}

void npz_matrix::refuse_weight(std::uint64_t i) const {
  refuse_byte(data_->file, data_->array.data_at + i * data_->array.width, "nan", "a number as weight");
}

bool npz_matrix::all_ones() const {
  if (data_->array.kind == 'b') return true;
  for (std::uint64_t i = 0; i < entries(); ++i) {
    if (weight(i) != 1) return false;
  }
  return true;
}

}  // namespace copse::io
