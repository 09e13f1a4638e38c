#include "arrow_column.hpp"

#include <copse/errors.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace copse::python {
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
                                   plain_format{"tdD", "date32", layout::other}};

/// Formats with parameters, by how they begin.
constexpr std::array families{plain_format{"d:", "decimal", layout::decimal}, plain_format{"ts", "timestamp", layout::other},
                              plain_format{"+s", "struct", layout::other},    plain_format{"+l", "list", layout::other},
                              plain_format{"+L", "list", layout::other},      plain_format{"+r", "run_end_encoded", layout::other}};

/// Of `d:precision,scale` or `d:precision,scale,bits`.
struct decimal_format {
  int scale = 0;
  std::size_t bytes = 16;
};
decimal_format decimal_format_of(std::string_view format) {
  decimal_format found;
  const std::size_t scale = format.find(',') + 1, bits = format.find(',', scale);
  found.scale = std::stoi(std::string{format.substr(scale)});
  if (bits != std::string_view::npos) found.bytes = std::stoul(std::string{format.substr(bits + 1)}) / 8;
  return found;
}

/// IEEE 754's numbers of 16 bits.
double from_half(std::uint16_t bits) noexcept {
  const int exponent = bits >> 10 & 31;
  const double fraction = bits & 1023;
  double size = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25);
  if (exponent == 31) size = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  return (bits >> 15) != 0 ? -size : size;
}

/// A string of the view layout: 16 bytes, the text itself if it is short, otherwise where it is.
struct text_view {
  std::int32_t size;
  std::array<char, 4> prefix;
  std::int32_t buffer, offset;
};

}  // namespace

column_type::column_type(const ArrowSchema& schema) : name{schema.name != nullptr ? schema.name : ""}, format{schema.format} {
  const auto* found = std::find_if(plain_formats.begin(), plain_formats.end(), [&](const plain_format& f) { return f.format == format; });
  if (found != plain_formats.end()) {
    values = found->values;
    binary = format.back() == 'z' || format.back() == 'Z';
  } else if (format.starts_with("w:")) {
    values = layout::fixed_bytes;
    width = std::stoul(format.substr(2));
    binary = true;
  } else if (format.starts_with("d:")) {
    const decimal_format found_format = decimal_format_of(format);
    if (found_format.bytes <= 16) values = layout::decimal;
    scale = found_format.scale;
    width = found_format.bytes;
  }
  if (schema.dictionary != nullptr) {
    entries = std::make_shared<const column_type>(*schema.dictionary);
    binary = entries->binary;
  }
}

std::string column_type::described() const {
  if (entries) return "dictionary of " + entries->described();
  const auto* found = std::find_if(plain_formats.begin(), plain_formats.end(), [&](const plain_format& f) { return f.format == format; });
  if (found != plain_formats.end()) return std::string{found->name};
  const auto* family = std::find_if(families.begin(), families.end(), [&](const plain_format& f) { return format.starts_with(f.format); });
  return family != families.end() ? std::string{family->name} : "Arrow type '" + format + "'";
}

column_rows::column_rows(const column_type& type, const ArrowArray& array, std::int64_t parent_offset, std::int64_t rows)
    : type_{&type}, array_{&array}, first_{array.offset + parent_offset}, rows_{rows} {
  if (type.entries) {
    entries_ = std::make_unique<column_rows>(*type.entries, *array.dictionary, 0, array.dictionary->length);
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
  return entries_ && entries_->has_nulls() && entries_->is_null(raw_integer(at));
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
  const std::int64_t value = raw_integer(first_ + row);
  return entries_ ? entries_->integer(value) : value;
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
  // The usual types have loops without a choice in them.
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

double column_rows::decimal(std::int64_t at) const noexcept {
  const auto* bytes = static_cast<const unsigned char*>(array_->buffers[1]) + static_cast<std::size_t>(at) * type_->width;
  if (type_->width < 16) {
    std::int64_t value = 0;
    std::memcpy(&value, bytes, type_->width);
    if (type_->width == 4) value = static_cast<std::int32_t>(value);
    return static_cast<double>(value) / std::pow(10.0, type_->scale);
  }
  std::uint64_t low = 0;
  std::int64_t high = 0;
  std::memcpy(&low, bytes, sizeof low);
  std::memcpy(&high, bytes + sizeof low, sizeof high);
  const bool small = high == (static_cast<std::int64_t>(low) < 0 ? -1 : 0);  // then one rounding, as for the same number in text
  const double value = small ? static_cast<double>(static_cast<std::int64_t>(low)) : std::ldexp(high, 64) + static_cast<double>(low);
  return value / std::pow(10.0, type_->scale);
}

double column_rows::score(std::int64_t row) const noexcept {
  if (type_->values == layout::decimal) return decimal(first_ + row);
  if (type_->values == layout::float16) return from_half(element<std::uint16_t>(first_ + row));
  if (type_->values == layout::float32) return element<float>(first_ + row);
  if (type_->values == layout::float64) return element<double>(first_ + row);
  if (type_->values == layout::uint64) return static_cast<double>(element<std::uint64_t>(first_ + row));
  return static_cast<double>(raw_integer(first_ + row));
}

std::string_view column_rows::string(std::int64_t row) const noexcept {
  const std::int64_t at = first_ + row;
  if (entries_) return entries_->string(raw_integer(at));
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
  const auto* view = static_cast<const text_view*>(array_->buffers[1]) + at;
  constexpr std::int32_t longest_inside = 12;
  const auto size = static_cast<std::size_t>(view->size);
  if (view->size <= longest_inside) return {view->prefix.data(), size};
  return {static_cast<const char*>(array_->buffers[2 + view->buffer]) + view->offset, size};
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

}  // namespace copse::python
