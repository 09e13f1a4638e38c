// Edge lists as numpy.save writes them: an integer array of shape (m, 2), or of shape (2, m) with all u before all v as PyTorch Geometric
// stores them; (2, 2) is read as (m, 2). C or Fortran order. The vertices are the ids that occur in edges.
#include "io/npy.hpp"

#include "io/pairs.hpp"
#include "io/readers.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace copse::io {

void parse_npy(const std::filesystem::path& path, format /*f*/, const read_request& options, edge_sink& sink, part_of_file part) {
  const binary_input input{path, options.mapped, options.block_bytes, usable_threads(options.threads), options.memory};
  if (!input.mapping && !part.takes_turn()) return pass_on(packed_pairs{.all = {.file = input.name}}, options, sink);
  const npy_array array = input.mapping ? npy_array_of(input.name, input.mapping->bytes())
                                        : npy_head_of(input.name, read_npy_head(*input.stream, options.memory));
  packed_integers all = integers_of(input.name, array, "the ids");
  const bool pairs = array.shape.size() == 2 && array.shape[1] == 2;
  if (!pairs && !(array.shape.size() == 2 && array.shape[0] == 2)) {
    refuse_byte(input.name, 10, "the shape " + shape_text(array), "two columns (m, 2) or two rows (2, m)");
  }
  const bool side_by_side = pairs != array.fortran;
  const std::uint64_t count = array.data_bytes / array.width / 2;
  const auto expect_end = [&](std::uint64_t bytes) { expect_data(input.name, array, bytes); };
  if (!input.mapping && side_by_side) {
    return pass_on(streamed_pairs{.from = *input.stream, .like = all, .count = count, .expect_end = expect_end}, options, sink);
  }
  buffer<char> held;  // the rest of a stream in which all u come before all v: no edge is known until half of it has been read
  if (!input.mapping) {
    held = read_rest(*input.stream, input.likely_bytes, options.memory);
    expect_end(held.size());
    all.bytes = {held.data(), held.size()};
    part = {};
  }
  const std::uint64_t begin = part.begin_of(part.index, count), end = part.begin_of(part.index + 1, count);
  pass_on(side_by_side ? packed_pairs{all, begin, end} : packed_pairs{all, begin, end, count, 1}, options, sink);
}

namespace {

constexpr std::string_view magic{"\x93NUMPY", 6};

/// Parses the dictionary in the header, a Python literal such as {'descr': '<i8', 'fortran_order': False, 'shape': (3, 2), }
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
      accept('L');  // suffix of long integers in Python 2
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

/// Sets the type from a text such as '<i8'. Items of one byte have no byte order ('|'); big-endian arrays ('>') are refused.
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

namespace {

constexpr std::size_t least_head_bytes = 12;  // magic, version, and 4 bytes for the length of the header (2 bytes in version 1)

[[noreturn]] void refuse_end(std::string_view file, std::uint64_t end, std::uint64_t wanted, std::string_view what) {
  throw input_error::at(file, 0, "the end at byte " + std::to_string(end), std::to_string(wanted) + " bytes of " + std::string{what});
}

std::size_t header_begin(std::string_view bytes) { return bytes[6] == 1 ? 10 : 12; }
std::uint64_t header_bytes(std::string_view bytes) {
  return bytes[6] == 1 ? load<std::uint16_t>(bytes.data() + 8) : load<std::uint32_t>(bytes.data() + 8);
}

}  // namespace

std::pmr::string read_npy_head(byte_stream& from, std::pmr::memory_resource* memory) {
  constexpr std::size_t step = std::size_t{1} << 16;  // reading in steps, so that a wrong length in the header costs no memory
  std::pmr::string head{memory};
  const auto read_to = [&](std::uint64_t wanted) {
    while (head.size() < wanted) {
      const std::size_t before = head.size(), now = static_cast<std::size_t>(std::min<std::uint64_t>(step, wanted - before));
      head.resize(before + now);
      const std::size_t got = read_fully(from, head.data() + before, now);
      head.resize(before + got);
      if (got < now) return;
    }
  };
  read_to(least_head_bytes);
  if (head.size() == least_head_bytes && head.starts_with(magic)) read_to(header_begin(head) + header_bytes(head));
  return head;
}

npy_array npy_head_of(std::string_view file, std::string_view bytes) {
  if (!bytes.starts_with(magic.substr(0, std::min(bytes.size(), magic.size()))) || bytes.empty()) {
    refuse_byte(file, 0, bytes.empty() ? "no byte" : "other bytes", "\\x93NUMPY, the mark of an .npy array");
  }
  if (bytes.size() < 10) refuse_end(file, bytes.size(), 10, "magic, version and length of the header");
  const auto version = static_cast<unsigned char>(bytes[6]);
  if (version < 1 || version > 3) refuse_byte(file, 6, "version " + std::to_string(version), "version 1, 2 or 3");
  const std::size_t header_at = header_begin(bytes);
  if (bytes.size() < header_at) refuse_end(file, bytes.size(), header_at, "magic, version and length of the header");
  const std::uint64_t header_size = header_bytes(bytes);
  if (header_size > bytes.size() - header_at) refuse_end(file, bytes.size(), header_at + header_size, "header");

  npy_array array;
  header_parser{file, bytes.substr(header_at, header_size), header_at}.parse(array);
  if (!set_type(array)) {
    refuse_byte(file, header_at, "the type " + array.dtype, "integers, floating point or bool, little-endian (such as <i8)");
  }
  array.data_at = header_at + header_size;
  const auto items = product(array.shape);
  if (!items || __builtin_mul_overflow(*items, std::uint64_t{array.width}, &array.data_bytes)) {
    refuse_byte(file, header_at, "the shape " + shape_text(array), "fewer than 2^64 bytes");
  }
  return array;
}

void expect_data(std::string_view file, const npy_array& array, std::uint64_t bytes) {
  if (array.data_bytes > bytes) {
    refuse_end(file, array.data_at + bytes, array.data_at + array.data_bytes, "header and data of shape " + shape_text(array));
  }
  if (array.data_bytes < bytes) {
    refuse_byte(file, array.data_at + array.data_bytes, std::to_string(bytes - array.data_bytes) + " more bytes", "the end of the array");
  }
}

npy_array npy_array_of(std::string_view file, std::string_view bytes) {
  npy_array array = npy_head_of(file, bytes);
  array.data = bytes.substr(array.data_at);
  expect_data(file, array, array.data.size());
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
