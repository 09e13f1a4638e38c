#include "io/arrow/column.hpp"

#include "io/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <utility>

namespace copse::arrow {
namespace {

struct plain_format {
  std::string_view format, name;
  layout values;
};
constexpr std::array plain_formats{plain_format{"c", "int8", layout::int8},
                                   plain_format{"s", "int16", layout::int16},
                                   plain_format{"i", "int32", layout::int32},
                                   plain_format{"l", "int64", layout::int64},
                                   plain_format{"C", "uint8", layout::uint8},
                                   plain_format{"S", "uint16", layout::uint16},
                                   plain_format{"I", "uint32", layout::uint32},
                                   plain_format{"L", "uint64", layout::uint64},
                                   plain_format{"f", "float32", layout::float32},
                                   plain_format{"g", "float64", layout::float64},
                                   plain_format{"u", "string", layout::string32},
                                   plain_format{"U", "large_string", layout::string64},
                                   plain_format{"vu", "string_view", layout::string_view},
                                   plain_format{"z", "binary", layout::string32},
                                   plain_format{"Z", "large_binary", layout::string64},
                                   plain_format{"vz", "binary_view", layout::string_view},
                                   plain_format{"n", "null", layout::nothing},
                                   plain_format{"b", "bool", layout::other},
                                   plain_format{"e", "float16", layout::float16},
                                   plain_format{"tdD", "date32", layout::other},
                                   plain_format{"tdm", "date64", layout::other}};

/// Arrow formats with parameters, by their prefixes.
constexpr std::array families{plain_format{"d:", "decimal", layout::decimal},
                              plain_format{"ts", "timestamp", layout::other},
                              plain_format{"tt", "time", layout::other},
                              plain_format{"tD", "duration", layout::other},
                              plain_format{"ti", "interval", layout::other},
                              plain_format{"+m", "map", layout::other},
                              plain_format{"+u", "union", layout::other},
                              plain_format{"+w", "list", layout::other},
                              plain_format{"+s", "struct", layout::other},
                              plain_format{"+l", "list", layout::other},
                              plain_format{"+L", "list", layout::other},
                              plain_format{"+r", "run_end_encoded", layout::other},
                              plain_format{"w:", "fixed_size_binary", layout::fixed_bytes}};

template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number value{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Parses the Arrow format `d:precision,scale` or `d:precision,scale,bits` of decimals.
struct decimal_format {
  int scale = 0;
  std::size_t bytes = 16;
};
std::optional<decimal_format> decimal_format_of(std::string_view format) {
  const std::size_t comma = format.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const std::size_t bits = format.find(',', comma + 1);
  const auto scale = number_in<int>(format.substr(comma + 1, bits == std::string_view::npos ? bits : bits - comma - 1));
  const auto size = bits == std::string_view::npos ? std::optional{128} : number_in<int>(format.substr(bits + 1));
  if (!scale || !size || (*size != 32 && *size != 64 && *size != 128)) return std::nullopt;
  return decimal_format{*scale, static_cast<std::size_t>(*size / 8)};
}

constexpr bool is_int64(int128 value) noexcept { return value == static_cast<std::int64_t>(value); }

/// The name of the extension type in the metadata of a schema: the metadata are pairs of key and value, each a text preceded by its size.
std::string_view extension_of(const char* metadata) {
  if (metadata == nullptr) return {};
  const auto size = [&metadata] {
    std::int32_t value = 0;
    std::memcpy(&value, metadata, sizeof value);
    metadata += sizeof value;
    return value;
  };
  const auto text = [&] {
    const std::int32_t bytes = std::max(size(), 0);
    const std::string_view found{metadata, static_cast<std::size_t>(bytes)};
    metadata += bytes;
    return found;
  };
  for (std::int32_t pairs = size(); pairs > 0; --pairs) {
    const std::string_view key = text(), value = text();
    if (key == "ARROW:extension:name") return value;
  }
  return {};
}

}  // namespace

column_type::column_type(const ArrowSchema& schema)
    : name{schema.name != nullptr ? schema.name : ""}, format{schema.format != nullptr ? schema.format : ""} {
  const auto* found = std::find_if(plain_formats.begin(), plain_formats.end(), [&](const plain_format& f) { return f.format == format; });
  if (found != plain_formats.end()) {
    values = found->values;
    binary = format.back() == 'z' || format.back() == 'Z';
  } else if (format.starts_with("w:")) {
    const auto bytes = number_in<std::uint32_t>(std::string_view{format}.substr(2));
    if (bytes) values = layout::fixed_bytes;
    width = bytes.value_or(0);
    binary = true;
    uuid = width == 16 && extension_of(schema.metadata) == "arrow.uuid";
  } else if (format.starts_with("d:")) {
    if (const auto decimals = decimal_format_of(format)) {
      values = layout::decimal;
      scale = decimals->scale;
      width = decimals->bytes;
    }
  }
  const std::string_view extension = extension_of(schema.metadata);
  // periods and 8-bit booleans are stored as integers, but are not ids
  if (extension == "pandas.period" || extension == "arrow.bool8") {
    values = layout::other;
    format = extension;
  }
  if (schema.dictionary != nullptr) {
    entries = std::make_shared<const column_type>(*schema.dictionary);
    binary = entries->binary;
    uuid = entries->uuid;
  }
}

std::string column_type::described() const {
  if (entries) return "dictionary of " + entries->described();
  if (uuid) return "uuid";
  const auto* found = std::find_if(plain_formats.begin(), plain_formats.end(), [&](const plain_format& f) { return f.format == format; });
  if (found != plain_formats.end()) return std::string{found->name};
  const auto* family = std::find_if(families.begin(), families.end(), [&](const plain_format& f) { return format.starts_with(f.format); });
  return family != families.end() ? std::string{family->name} : "the Arrow type '" + format + "'";
}

column_rows::column_rows(const column_type& type, const ArrowArray& array, std::int64_t parent_offset, std::int64_t rows)
    : type_{&type}, array_{&array}, first_{array.offset + parent_offset}, rows_{rows} {
  if (array.offset < 0 || array.length < 0 || rows > array.length - parent_offset) {
    throw array_fault{"an array of " + std::to_string(array.length) + " rows from " + std::to_string(array.offset),
                      std::to_string(parent_offset + rows)};
  }
  expect_buffers();
  if (type.entries) {
    if (array.dictionary == nullptr) throw array_fault{"no dictionary", "one, which the indices are of"};
    entries_ = std::make_unique<column_rows>(*type.entries, *array.dictionary, 0, array.dictionary->length);
    // with more dictionary entries per row than this, it is quicker to check only those that rows refer to
    constexpr std::int64_t most_per_row = 4;
    entries_are_sound_ = entries_->size() / most_per_row <= rows && entries_->are_sound(0, entries_->size());
  }
  const bool has_bitmap = array.null_count != 0 && array.n_buffers > 0 && array.buffers[0] != nullptr;
  has_nulls_ = type.values == layout::nothing || has_bitmap || (entries_ && entries_->has_nulls());
}

bool column_rows::is_null(std::int64_t row) const noexcept {
  if (type_->values == layout::nothing) return true;
  const std::int64_t at = first_ + row;
  if (array_->null_count != 0 && array_->buffers[0] != nullptr) {
    const auto* bits = static_cast<const std::uint8_t*>(array_->buffers[0]);
    if ((bits[at >> 3] >> (at & 7) & 1) == 0) return true;
  }
  if (!entries_ || !entries_->has_nulls()) return false;
  const std::int64_t index = raw_integer(at);
  return has_index(index) && entries_->is_null(index);
}

std::int64_t column_rows::raw_integer(std::int64_t at) const noexcept {
  switch (type_->values) {
    case layout::int8:
      return element<std::int8_t>(at);
    case layout::int16:
      return element<std::int16_t>(at);
    case layout::int32:
      return element<std::int32_t>(at);
    case layout::uint8:
      return element<std::uint8_t>(at);
    case layout::uint16:
      return element<std::uint16_t>(at);
    case layout::uint32:
      return element<std::uint32_t>(at);
    default:
      return element<std::int64_t>(at);
  }
}

std::int64_t column_rows::integer(std::int64_t row) const noexcept {
  if (type_->values == layout::decimal) return is_int64(whole_number(row)) ? static_cast<std::int64_t>(whole_number(row)) : 0;
  const std::int64_t value = raw_integer(first_ + row);
  if (!entries_) return value;
  return has_index(value) ? entries_->integer(value) : 0;
}

template <class Row>
std::uint64_t column_rows::integers_at(std::size_t count, Row row, std::uint64_t* to) const noexcept {
  std::uint64_t bits = 0;
  const auto each = [&](auto value_of) {
    for (std::size_t i = 0; i < count; ++i) {
      to[i] = static_cast<std::uint64_t>(static_cast<std::int64_t>(value_of(first_ + row(i))));
      bits |= to[i];
    }
    return bits;
  };
  // Integers of 32 and 64 bits, the usual ids, have loops of their own without a branch per row.
  if (!entries_) {
    switch (type_->values) {
      case layout::int32:
        return each([from = element_at<std::int32_t>(0)](std::int64_t at) { return from[at]; });
      case layout::uint32:
        return each([from = element_at<std::uint32_t>(0)](std::int64_t at) { return from[at]; });
      case layout::int64:
      case layout::uint64:
        return each([from = element_at<std::int64_t>(0)](std::int64_t at) { return from[at]; });
      default:
        break;
    }
  }
  return each([this](std::int64_t at) { return integer(at - first_); });
}

std::uint64_t column_rows::integers(std::int64_t begin, std::int64_t end, std::uint64_t* to) const noexcept {
  return integers_at(
      static_cast<std::size_t>(end - begin), [begin](std::size_t i) { return begin + static_cast<std::int64_t>(i); }, to);
}

std::uint64_t column_rows::integers(std::span<const std::int64_t> rows, std::uint64_t* to) const noexcept {
  return integers_at(
      rows.size(), [rows](std::size_t i) { return rows[i]; }, to);
}

std::string_view column_rows::string(std::int64_t row) const noexcept {
  const std::int64_t at = first_ + row;
  if (entries_) {
    const std::int64_t index = raw_integer(at);
    return has_index(index) ? entries_->string(index) : std::string_view{};
  }
  switch (type_->values) {
    case layout::string32:
      return between<std::int32_t>(at);
    case layout::string64:
      return between<std::int64_t>(at);
    case layout::fixed_bytes:
      return {static_cast<const char*>(array_->buffers[1]) + static_cast<std::size_t>(at) * type_->width, type_->width};
    default:
      break;
  }
  return viewed(at).value_or(std::string_view{});
}

void column_rows::strings(std::span<const std::int64_t> rows, std::string_view* to) const noexcept {
  const auto each = [&](auto string_of) { std::transform(rows.begin(), rows.end(), to, string_of); };
  if (!entries_ && type_->values == layout::string32) {
    each([this](std::int64_t row) { return between<std::int32_t>(first_ + row); });
  } else if (!entries_ && type_->values == layout::string64) {
    each([this](std::int64_t row) { return between<std::int64_t>(first_ + row); });
  } else {
    each([this](std::int64_t row) { return string(row); });
  }
}

// Checks, before the values of an Arrow array are read, what its schema does not guarantee: that buffers exist, and that offsets, indices
// and texts are valid.

namespace {

/// A string in Arrow's view layout, in 16 bytes: a short text is stored in the view itself, a longer one in a buffer that the view points
/// into.
struct text_view {
  std::int32_t size;
  std::array<char, 4> prefix;
  std::int32_t buffer, offset;
};

}  // namespace

void column_rows::expect_buffers() const {
  const layout values = type_->values;
  const std::int64_t expected = values == layout::nothing || values == layout::other       ? 0
                                : values == layout::string32 || values == layout::string64 ? 3
                                : values == layout::string_view                            ? 3
                                                                                           : 2;
  if (array_->n_buffers < expected || (expected != 0 && array_->buffers == nullptr)) {
    throw array_fault{std::to_string(array_->n_buffers) + " buffers", std::to_string(expected) + " of " + type_->described()};
  }
  if (expected != 0 && rows_ != 0 && array_->buffers[1] == nullptr) throw array_fault{"no buffer", "one of " + type_->described()};
}

std::optional<std::string_view> column_rows::viewed(std::int64_t at) const noexcept {
  const auto* view = static_cast<const text_view*>(array_->buffers[1]) + at;
  constexpr std::int32_t longest_inside = 12;
  if (view->size < 0) return std::nullopt;
  const auto size = static_cast<std::size_t>(view->size);
  if (view->size <= longest_inside) return std::string_view{view->prefix.data(), size};
  // The last buffer holds the sizes of the buffers of text, which begin at index 2.
  const std::int64_t texts = array_->n_buffers - 3;
  if (view->buffer < 0 || view->buffer >= texts || view->offset < 0) return std::nullopt;
  const auto* sizes = static_cast<const std::int64_t*>(array_->buffers[array_->n_buffers - 1]);
  const auto* text = static_cast<const char*>(array_->buffers[2 + view->buffer]);
  if (sizes == nullptr || text == nullptr || std::int64_t{view->offset} + view->size > sizes[view->buffer]) return std::nullopt;
  return std::string_view{text + view->offset, size};
}

bool column_rows::has_fault(std::int64_t row) const noexcept {
  const std::int64_t at = first_ + row;
  if (entries_) {
    const std::int64_t index = raw_integer(at);
    return !has_index(index) || (!entries_are_sound_ && entries_->may_have_faults() && entries_->has_fault(index));
  }
  switch (type_->values) {
    case layout::string32:
      if (!ascends<std::int32_t>(at)) return true;
      break;
    case layout::string64:
      if (!ascends<std::int64_t>(at)) return true;
      break;
    case layout::string_view:
      if (!viewed(at)) return true;
      break;
    case layout::decimal:
      return !is_int64(whole_number(row));
    default:
      return false;
  }
  return !type_->binary && !io::is_utf8(string(row));
}

template <class Offset>
bool column_rows::is_plain_text(std::int64_t begin, std::int64_t end) const noexcept {
  const auto* const offsets = element_at<Offset>(first_);
  bool ascending = offsets[begin] >= 0 && (array_->buffers[2] != nullptr || offsets[begin] == offsets[end]);
  for (std::int64_t row = begin; row < end; ++row) ascending &= offsets[row] <= offsets[row + 1];
  if (!ascending || type_->binary) return ascending;
  const std::string_view all{static_cast<const char*>(array_->buffers[2]) + offsets[begin],
                             static_cast<std::size_t>(offsets[end] - offsets[begin])};
  return io::is_ascii(all);
}

bool column_rows::are_sound(std::int64_t begin, std::int64_t end) const noexcept {
  if (!may_have_faults() || begin == end) return true;
  if (!entries_ && type_->values == layout::string32 && is_plain_text<std::int32_t>(begin, end)) return true;
  if (!entries_ && type_->values == layout::string64 && is_plain_text<std::int64_t>(begin, end)) return true;
  for (std::int64_t row = begin; row < end; ++row) {
    if (has_fault(row)) return false;
  }
  return true;
}

array_fault column_rows::fault(std::int64_t row) const {
  const std::int64_t at = first_ + row;
  if (entries_) {
    const std::int64_t index = raw_integer(at);
    if (has_index(index)) return entries_->fault(index);
    const std::string shown = type_->values == layout::uint64 ? std::to_string(static_cast<std::uint64_t>(index)) : std::to_string(index);
    return {"the dictionary index " + shown, "one from 0 to " + std::to_string(entries_->size() - 1)};
  }
  const auto offsets = [](std::int64_t first, std::int64_t last) {
    return array_fault{"the string offsets " + std::to_string(first) + " and " + std::to_string(last), "ascending ones from 0 in a buffer"};
  };
  if (type_->values == layout::string32 && !ascends<std::int32_t>(at)) {
    return offsets(element<std::int32_t>(at), element<std::int32_t>(at + 1));
  }
  if (type_->values == layout::string64 && !ascends<std::int64_t>(at)) {
    return offsets(element<std::int64_t>(at), element<std::int64_t>(at + 1));
  }
  if (type_->values == layout::string_view && !viewed(at)) {
    const auto* view = static_cast<const text_view*>(array_->buffers[1]) + at;
    return {"a view of " + std::to_string(view->size) + " bytes from " + std::to_string(view->offset) + " in buffer " +
                std::to_string(view->buffer),
            "one inside of its buffer"};
  }
  if (type_->values == layout::decimal) return {fmt::format("the decimal {}", whole_number(row)), "ids from -2^63 to 2^63 - 1"};
  return {"bytes that are no UTF-8", "text; columns of binaries hold any bytes"};
}

}  // namespace copse::arrow
