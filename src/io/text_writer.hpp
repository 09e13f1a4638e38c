// Shared by the writers of files: fast output of text, names of vertices, progress, and files that appear under their names only when all
// is written.
#pragma once
#include "io/holds_any.hpp"
#include "io/npy.hpp"

#include <copse/errors.hpp>
#include <copse/execution.hpp>
#include <copse/graph.hpp>
#include <copse/io.hpp>
#include <copse/types.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

namespace copse::io {

/// Formats numbers into a buffer, which is written to a file or appended to a string whenever it is full.
class text_writer {
public:
  explicit text_writer(output_file& file) : file_{&file} {}
  explicit text_writer(std::string& text) : text_{&text} {}

  void put(char c) {
    room(1);
    *next_++ = c;
  }
  void put(std::uint64_t number) {
    room(longest_number);
    next_ += digits(number, next_);
  }
  template <class Number>
  void put_signed(Number number) {
    if (number < 0) put('-');
    put(number < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number));
  }
  /// Puts a short text that reads back as the same number of its type, such as `0.5`, `3` or `inf`; with an exponent from 1e16 on and below
  /// 0.0001.
  template <class Number>
  void put_real(Number number) {
    room(longest_real);
    const Number size = number < 0 ? -number : number;
    const bool plain = number == 0 || (size >= Number{1e-4F} && size < Number{1e16F});
    next_ = plain ? std::to_chars(next_, next_ + longest_real, number, std::chars_format::fixed).ptr
                  : std::to_chars(next_, next_ + longest_real, number).ptr;
  }
  void put(std::string_view text) {
    if (text.size() > buffer_bytes) {
      flush();
      take(text.data(), text.size());
      return;
    }
    room(text.size());
    next_ = std::copy(text.begin(), text.end(), next_);
  }
  /// Puts a field by RFC 4180: in quotes if it contains a comma, a quote or a line end, has a blank at either end, begins with # or %, or
  /// is empty.
  void put_csv(std::string_view text) {
    const bool plain = !text.empty() && !holds_any<',', '"', '\r', '\n'>(text) && !is_space(text.front()) && !is_space(text.back()) &&
                       text.front() != '#' && text.front() != '%';
    plain ? put(text) : put_quoted(text);
  }
  void put_quoted(std::string_view text) {
    put('"');
    for (const char c : text) {
      if (c == '"') put('"');
      put(c);
    }
    put('"');
  }
  void flush() {
    if (next_ == buffer_.get()) return;
    take(buffer_.get(), static_cast<std::size_t>(next_ - buffer_.get()));
    next_ = buffer_.get();
  }

private:
  static constexpr std::size_t buffer_bytes = std::size_t{1} << 16;
  static constexpr std::size_t longest_number = 20, longest_real = 32;

  static bool is_space(char c) noexcept { return c == ' ' || c == '\t'; }

  void take(const char* from, std::size_t count) {
    if (file_ != nullptr) {
      file_->write(from, count);
    } else {
      text_->append(from, count);
    }
  }
  void room(std::size_t count) {
    if (static_cast<std::size_t>(buffer_.get() + buffer_bytes - next_) < count) flush();
  }
  /// The number of digits: estimated from the number of bits, and corrected if the estimate is one too many.
  static std::size_t length_of(std::uint64_t number) noexcept {
    const std::size_t guess = static_cast<std::size_t>(std::bit_width(number | 1)) * 1233 / 4096 + 1;
    return guess - (number < powers[guess - 1] && guess > 1 ? 1 : 0);
  }
  /// Writes the digits from the end, two at a time. `Number` is a 32-bit type if the number fits, because it divides faster.
  template <class Number>
  static void fill(Number number, char* end) noexcept {
    while (number >= 100) {
      end -= 2;
      std::memcpy(end, pairs.data() + 2 * (number % 100), 2);
      number /= 100;
    }
    if (number >= 10) {
      std::memcpy(end - 2, pairs.data() + 2 * number, 2);
    } else {
      end[-1] = static_cast<char>('0' + number);
    }
  }
  static std::size_t digits(std::uint64_t number, char* to) noexcept {
    const std::size_t length = length_of(number);
    if (number <= UINT32_MAX) {
      fill(static_cast<std::uint32_t>(number), to + length);
    } else {
      fill(number, to + length);
    }
    return length;
  }
  static constexpr std::array<std::uint64_t, 20> powers = [] {
    std::array<std::uint64_t, 20> all{1};
    for (std::size_t i = 1; i < all.size(); ++i) all[i] = 10 * all[i - 1];
    return all;
  }();
  static constexpr std::array<char, 200> pairs = [] {
    std::array<char, 200> all{};
    for (std::size_t i = 0; i < 100; ++i) {
      all[2 * i] = static_cast<char>('0' + i / 10);
      all[2 * i + 1] = static_cast<char>('0' + i % 10);
    }
    return all;
  }();

  output_file* file_ = nullptr;
  std::string* text_ = nullptr;
  std::unique_ptr<char[]> buffer_{std::make_unique<char[]>(buffer_bytes)};
  char* next_ = buffer_.get();
};

/// How string names are separated from the text around them.
enum class quoting : std::uint8_t {
  csv,   ///< in quotes if necessary (RFC 4180)
  tabs,  ///< no quotes; a name with a tab or a line end is refused
  /// no quotes; refuses names that a list of edges would not read back: empty, with a tab or line end, with blanks at either end, or like a
  /// comment
  tsv,
  words  ///< no quotes; refuses what `tsv` refuses, and names with a blank, a quote or a character that might separate columns
};

[[noreturn]] void refuse_name(std::string_view name, quoting style, const std::filesystem::path& path);
void put_string(text_writer& out, std::string_view name, quoting style, const std::filesystem::path& path);

/// Calls `use(put_name)`, where put_name(i) writes the name of vertex i to `out`; put_name has a type of its own for each kind of names.
template <class Use>
void with_names(const vertex_names& names, text_writer& out, quoting style, const std::filesystem::path& path, Use use) {
  switch (names.what()) {
    case vertex_names::kind::identity:
      return use([&](std::uint64_t i) { out.put(i); });
    case vertex_names::kind::integers:
      if (names.is_signed()) return use([&](std::uint64_t i) { out.put_signed(static_cast<std::int64_t>(names.integer(i))); });
      return use([&](std::uint64_t i) { out.put(names.integer(i)); });
    case vertex_names::kind::strings:
      return use([&](std::uint64_t i) { put_string(out, names.string(i), style, path); });
  }
}

/// Tells the observer the progress of a long write, and throws cancelled if the observer requests it.
class write_progress {
public:
  write_progress(observer* who, std::uint64_t total, std::string_view unit) : who_{who}, total_{total}, unit_{unit} {}
  /// Reports progress. Cheap enough to be called for every item.
  void at(std::uint64_t done) {
    if (done % step == 0 && who_ != nullptr) tell(done);
  }

private:
  static constexpr std::uint64_t step = std::uint64_t{1} << 20;
  void tell(std::uint64_t done);

  observer* who_;
  std::uint64_t total_;
  std::string_view unit_;
};

/// Writes a text file. `fill(out)` writes what follows the header.
template <class Fill>
void write_text(const std::filesystem::path& path, std::string_view header, Fill fill) {
  output_file file{path};
  text_writer out{file};
  out.put(header);
  fill(out);
  out.flush();
  file.commit();
}

/// The largest of the integers in a file, and whether they are signed, which determine how wide they are stored.
struct number_range {
  std::uint64_t largest = 0;  ///< the largest number, if they are unsigned
  bool is_signed = false;

  /// The range of integer names, extended to include `least` if they are unsigned.
  static number_range of(const vertex_names& names, std::uint64_t least = 0) {
    return {names.size() == 0 ? least : std::max(least, names.integer(names.size() - 1)), names.is_signed()};
  }
  /// The width in bytes in an `.npy` file: 4 if all numbers are unsigned and below 2^32 - 1, otherwise 8.
  [[nodiscard]] unsigned width() const noexcept { return !is_signed && largest < no_vertex<std::uint32_t> ? 4 : 8; }
  [[nodiscard]] char kind() const noexcept { return is_signed ? 'i' : 'u'; }
};

/// Writes numbers to an `.npy` file. `fill(put)` must call put(number) for each of them.
template <class Fill>
void write_numbers(const std::filesystem::path& path, std::initializer_list<std::uint64_t> shape, const number_range& range, Fill fill) {
  output_file file{path};
  write_npy_header(file, range.kind(), range.width(), shape);
  const auto run = [&]<class T>(T) {
    array_writer<T> out{file};
    fill([&](std::uint64_t value) { out.put(value); });
    out.flush();
  };
  range.width() == 4 ? run(std::uint32_t{}) : run(std::uint64_t{});
  file.commit();
}

/// Throws input_error for string names, for formats that hold only numbers.
inline void expect_numbers(const vertex_names& names, const std::filesystem::path& path) {
  if (names.what() == vertex_names::kind::strings)
    throw input_error::at(path.string(), 0, "names that are strings", "ids that are numbers, or .txt or .csv");
}

}  // namespace copse::io
