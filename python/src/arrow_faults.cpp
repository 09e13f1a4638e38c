// What can be wrong with the values of an Arrow array that its schema does not rule out: checked before they are read.
#include <cstring>

#include "arrow_column.hpp"

namespace copse::python {
namespace {

/// True if no byte is above 127.
bool is_ascii(std::string_view bytes) noexcept {
  unsigned char any = 0;
  for (const char c : bytes) any |= static_cast<unsigned char>(c);
  return any < 0x80;
}

/// A string of the view layout: 16 bytes, the text itself if it is short, otherwise where it is.
struct text_view {
  std::int32_t size;
  std::array<char, 4> prefix;
  std::int32_t buffer, offset;
};

}  // namespace

bool is_text(std::string_view bytes) noexcept {
  const auto* at = reinterpret_cast<const unsigned char*>(bytes.data());
  const auto* const end = at + bytes.size();
  while (at != end) {
    std::uint64_t word = 0;
    if (end - at >= static_cast<std::ptrdiff_t>(sizeof word)) {
      std::memcpy(&word, at, sizeof word);
      if ((word & 0x8080808080808080U) == 0) {  // eight letters of ASCII
        at += sizeof word;
        continue;
      }
    }
    const unsigned lead = *at++;
    if (lead < 0x80) continue;
    const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
    if (lead < 0xC2 || lead > 0xF4 || end - at < more) return false;
    // The first byte behind the lead is what keeps out forms that are too long, surrogates, and numbers beyond the last.
    const unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (*at < low || *at > high) return false;
    for (int i = 1; i < more; ++i) {
      if (at[i] < 0x80 || at[i] > 0xBF) return false;
    }
    at += more;
  }
  return true;
}

void column_rows::expect_buffers() const {
  const layout values = type_->values;
  const std::int64_t expected = values == layout::nothing || values == layout::other       ? 0
                                : values == layout::string32 || values == layout::string64 ? 3
                                : values == layout::string_view                            ? 3
                                                                                           : 2;
  if (array_->n_buffers < expected || (expected != 0 && array_->buffers == nullptr)) {
    throw array_fault{std::to_string(array_->n_buffers) + " buffers, expected " + std::to_string(expected) + " of " + type_->described()};
  }
  if (expected != 0 && rows_ != 0 && array_->buffers[1] == nullptr) throw array_fault{"no buffer, expected one of " + type_->described()};
}

std::optional<std::string_view> column_rows::viewed(std::int64_t at) const noexcept {
  const auto* view = static_cast<const text_view*>(array_->buffers[1]) + at;
  constexpr std::int32_t longest_inside = 12;
  if (view->size < 0) return std::nullopt;
  const auto size = static_cast<std::size_t>(view->size);
  if (view->size <= longest_inside) return std::string_view{view->prefix.data(), size};
  // Behind the buffers of text stands one of their sizes.
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
    default:
      return false;
  }
  return !type_->binary && !is_text(string(row));
}

template <class Offset>
bool column_rows::is_plain_text(std::int64_t begin, std::int64_t end) const noexcept {
  const auto* const offsets = element_at<Offset>(first_);
  bool ascending = offsets[begin] >= 0 && (array_->buffers[2] != nullptr || offsets[begin] == offsets[end]);
  for (std::int64_t row = begin; row < end; ++row) ascending &= offsets[row] <= offsets[row + 1];
  if (!ascending || type_->binary) return ascending;
  const std::string_view all{static_cast<const char*>(array_->buffers[2]) + offsets[begin],
                             static_cast<std::size_t>(offsets[end] - offsets[begin])};
  return is_ascii(all);
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

std::string column_rows::fault(std::int64_t row) const {
  const std::int64_t at = first_ + row;
  if (entries_) {
    const std::int64_t index = raw_integer(at);
    if (has_index(index)) return entries_->fault(index);
    const std::string shown = type_->values == layout::uint64 ? std::to_string(static_cast<std::uint64_t>(index)) : std::to_string(index);
    return "the dictionary index " + shown + ", expected one from 0 to " + std::to_string(entries_->size() - 1);
  }
  const auto offsets = [](std::int64_t first, std::int64_t last) {
    return "the string offsets " + std::to_string(first) + " and " + std::to_string(last) + ", expected ascending ones from 0 in a buffer";
  };
  if (type_->values == layout::string32 && !ascends<std::int32_t>(at)) {
    return offsets(element<std::int32_t>(at), element<std::int32_t>(at + 1));
  }
  if (type_->values == layout::string64 && !ascends<std::int64_t>(at)) {
    return offsets(element<std::int64_t>(at), element<std::int64_t>(at + 1));
  }
  if (type_->values == layout::string_view && !viewed(at)) {
    const auto* view = static_cast<const text_view*>(array_->buffers[1]) + at;
    return "a view of " + std::to_string(view->size) + " bytes from " + std::to_string(view->offset) + " in buffer " +
           std::to_string(view->buffer) + ", expected one inside of its buffer";
  }
  return "bytes that are no UTF-8, expected text; columns of binaries hold any bytes";
}

}  // namespace copse::python
