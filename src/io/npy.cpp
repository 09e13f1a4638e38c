// Edge lists as numpy.save writes them: an integer array of shape (m, 2), or (2, m) with all u before all v as PyTorch Geometric keeps
// them; (2, 2) is two edges, a row each. C or Fortran order. The ids that occur are the vertices.
#include "io/npy.hpp"

#include "io/binary_source.hpp"
#include "io/readers.hpp"

#include <charconv>
#include <optional>

namespace copse::io {

void parse_npy(const std::filesystem::path& path, const read_request& options, edge_sink& sink, part_of_file part) {
  const binary_source source{path, options};
  const npy_array array = npy_array_of(source.name(), source.bytes());
  const packed_integers all = integers_of(source.name(), array, "the ids");
  const bool pairs = array.shape.size() == 2 && array.shape[1] == 2;
  if (!pairs && !(array.shape.size() == 2 && array.shape[0] == 2)) {
    refuse_byte(source.name(), 10, "the shape " + shape_text(array), "two columns (m, 2) or two rows (2, m)");
  }
  const std::uint64_t count = all.size() / 2, begin = part.begin_of(part.index, count), end = part.begin_of(part.index + 1, count);
  if (pairs != array.fortran) {
    pass_on({all, begin, end, 1, 2}, options, sink);
  } else {
    pass_on({all, begin, end, count, 1}, options, sink);
  }
}

namespace {

constexpr std::string_view magic{"\x93NUMPY", 6};

/// Reads the dictionary of the header, a line of Python: {'descr': '<i8', 'fortran_order': False, 'shape': (3, 2), }
class header_parser {
public:
  header_parser(std::string_view file, std::string_view text, std::uint64_t at) : file_{file}, text_{text}, at_{at} {}

  void parse(npy_array& array) {
    bool descr = false;
    bool order = false;
    bool shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr") {
        array.dtype = quoted();
        descr = true;
      } else if (key == "fortran_order") {
        array.fortran = boolean();
        order = true;
      } else if (key == "shape") {
        array.shape = tuple();
        shape = true;
      } else {
        refuse("the key " + key, "descr, fortran_order or shape");
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    if (!descr || !order || !shape) refuse("the end of the header", "the keys descr, fortran_order and shape");
  }

private:
  [[noreturn]] void refuse(std::string_view found, std::string_view expected) const { refuse_byte(file_, at_ + next_, found, expected); }

  void skip_space() {
    while (next_ < text_.size() && (text_[next_] == ' ' || text_[next_] == '\n')) ++next_;
  }
  bool accept(char wanted) {
    skip_space();
    if (next_ == text_.size() || text_[next_] != wanted) return false;
    ++next_;
    return true;
  }
  void expect(char wanted) {
    if (!accept(wanted)) refuse(rest(), std::string{"'"} + wanted + "' in the header");
  }
  [[nodiscard]] std::string rest() const {
    return next_ == text_.size() ? "the end of the header" : "the character " + std::to_string(static_cast<unsigned char>(text_[next_]));
  }
  std::string quoted() {
    skip_space();
    const char mark = next_ < text_.size() ? text_[next_] : ' ';
    const auto end = mark == '\'' || mark == '"' ? text_.find(mark, next_ + 1) : std::string_view::npos;
    if (end == std::string_view::npos) refuse(rest(), "a quoted word (arrays of records are not read)");
    const std::string word{text_.substr(next_ + 1, end - next_ - 1)};
    next_ = end + 1;
    return word;
  }
  bool boolean() {
    skip_space();
    for (const std::string_view word : {"True", "False"}) {
      if (text_.substr(next_).starts_with(word)) {
        next_ += word.size();
        return word == "True";
      }
    }
    refuse(rest(), "True or False");
  }
  std::vector<std::uint64_t> tuple() {
    std::vector<std::uint64_t> numbers;
    expect('(');
    while (!accept(')')) {
      skip_space();
      std::uint64_t number = 0;
      const auto [end, fault] = std::from_chars(text_.data() + next_, text_.data() + text_.size(), number);
      if (fault != std::errc{}) refuse(rest(), "a length below 2^64");
      numbers.push_back(number);
      next_ = static_cast<std::size_t>(end - text_.data());
      accept('L');  // Python 2 wrote long integers so
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return numbers;
  }

  std::string_view file_;
  std::string_view text_;
  std::uint64_t at_;
  std::size_t next_ = 0;
};

/// '<i8' and the like. Bytes of one byte have no order ('|'); big-endian arrays ('>') are refused.
bool set_type(npy_array& array) {
  const std::string_view text = array.dtype;
  if (text.size() < 3 || std::string_view{"<|="}.find(text[0]) == std::string_view::npos) return false;
  array.kind = text[1];
  const auto [end, fault] = std::from_chars(text.data() + 2, text.data() + text.size(), array.width);
  if (fault != std::errc{} || end != text.data() + text.size()) return false;
  const bool power_of_two = array.width == 1 || array.width == 2 || array.width == 4 || array.width == 8;
  switch (array.kind) {
    case 'i':
    case 'u':
      return power_of_two;
    case 'f':
      return array.width == 4 || array.width == 8;
    case 'b':
      return array.width == 1;
    case 'S':
      return array.width <= 4096;
    default:
      return false;
  }
}

std::optional<std::uint64_t> product(const std::vector<std::uint64_t>& shape) {
  std::uint64_t size = 1;
  for (const std::uint64_t length : shape) {
    if (__builtin_mul_overflow(size, length, &size)) return std::nullopt;
  }
  return size;
}

}  // namespace

npy_array npy_array_of(std::string_view file, std::string_view bytes) {
  const auto refuse_end = [&](std::uint64_t wanted, std::string_view what) {
    throw input_error::at(file, 0, "the end at byte " + std::to_string(bytes.size()),
                          std::to_string(wanted) + " bytes of " + std::string{what});
  };
  if (!bytes.starts_with(magic.substr(0, std::min(bytes.size(), magic.size()))) || bytes.empty()) {
    refuse_byte(file, 0, bytes.empty() ? "no byte" : "other bytes", "\\x93NUMPY, the mark of an .npy array");
  }
  if (bytes.size() < 10) refuse_end(10, "magic, version and length of the header");
  const auto version = static_cast<unsigned char>(bytes[6]);
  if (version < 1 || version > 3) refuse_byte(file, 6, "version " + std::to_string(version), "version 1, 2 or 3");
  const std::size_t header_at = version == 1 ? 10 : 12;
  if (bytes.size() < header_at) refuse_end(header_at, "magic, version and length of the header");
  const std::uint64_t header_size = version == 1 ? load<std::uint16_t>(bytes.data() + 8) : load<std::uint32_t>(bytes.data() + 8);
  if (header_size > bytes.size() - header_at) refuse_end(header_at + header_size, "header");

  npy_array array;
  header_parser{file, bytes.substr(header_at, header_size), header_at}.parse(array);
  if (!set_type(array)) {
    refuse_byte(file, header_at, "the type " + array.dtype, "integers, floating point or bool, little-endian (such as <i8)");
  }
  array.data_at = header_at + header_size;
  array.data = bytes.substr(array.data_at);
  const auto items = product(array.shape);
  std::uint64_t wanted = 0;
  if (!items || __builtin_mul_overflow(*items, std::uint64_t{array.width}, &wanted)) {
    refuse_byte(file, header_at, "the shape " + shape_text(array), "fewer than 2^64 bytes");
  }
  if (wanted > array.data.size()) refuse_end(array.data_at + wanted, "header and data of shape " + shape_text(array));
  if (wanted < array.data.size()) {
    refuse_byte(file, array.data_at + wanted, std::to_string(array.data.size() - wanted) + " more bytes", "the end of the array");
  }
  return array;
}

packed_integers integers_of(std::string_view file, const npy_array& array, std::string_view what) {
  if (array.kind != 'i' && array.kind != 'u') {
    refuse_byte(file, 0, "the type " + array.dtype + " of " + std::string{what}, "integers (such as <i8)");
  }
  return {array.data, array.width, array.kind == 'i', array.data_at, file};
}

std::string shape_text(const npy_array& array) {
  std::string text = "(";
  for (std::size_t i = 0; i < array.shape.size(); ++i) text.append(i == 0 ? "" : ", ").append(std::to_string(array.shape[i]));
  return text.append(array.shape.size() == 1 ? ",)" : ")");
}

}  // namespace copse::io
