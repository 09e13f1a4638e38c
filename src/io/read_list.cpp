// Reads one column of numbers: the successors of a linked list, or weights.
#include "io/binary_source.hpp"
#include "io/npy.hpp"
#include "io/written_suffix.hpp"

#include <copse/io.hpp>
#include <copse/types.hpp>

#include <charconv>
#include <memory_resource>
#include <vector>

namespace copse::io {
namespace {

constexpr std::string_view known_suffixes = ".npy .bin .bin64 or .txt";

/// Parses one number per line into 64 bits, negative ones as two's complement. Allows up to 2^63 - 1 if `is_signed`, otherwise up to 2^64 -
/// 1, and -1.
std::pmr::vector<std::uint64_t> numbers_of(const binary_source& source, bool is_signed, std::pmr::memory_resource* memory) {
  std::pmr::vector<std::uint64_t> numbers{memory};
  std::string_view rest = source.bytes();
  if (rest.starts_with(byte_order_mark)) rest.remove_prefix(byte_order_mark.size());
  for (std::uint64_t line = 1; !rest.empty(); ++line) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view text = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (text.ends_with('\r')) text.remove_suffix(1);
    if (text.starts_with('#')) continue;
    std::uint64_t value = 0;
    std::int64_t negative = 0;
    const char* const last = text.data() + text.size();
    const bool minus = text.starts_with('-');
    const auto [stop, fault] =
        minus || is_signed ? std::from_chars(text.data(), last, negative) : std::from_chars(text.data(), last, value);
    if (fault != std::errc{} || stop != last || (minus && !is_signed && negative != -1)) {
      throw input_error::at(source.name(), line, text.empty() ? "an empty line" : std::string{text.substr(0, 60)},
                            is_signed ? "one whole number of 64 bits" : "one element, or -1 where a list ends");
    }
    numbers.push_back(minus || is_signed ? static_cast<std::uint64_t>(negative) : value);
  }
  return numbers;
}

std::filesystem::path suffix_of(const std::filesystem::path& path) {
  auto plain = path.filename();
  if (plain.extension() == ".gz" || plain.extension() == ".zst") plain = plain.stem();
  return plain.extension();
}

/// The numbers of a binary file; `is_signed` is used if the format does not tell.
packed_integers packed_of(const binary_source& source, const std::filesystem::path& suffix, bool is_signed, std::string_view what) {
  if (suffix == ".npy") {
    const npy_array array = npy_array_of(source.name(), source.bytes());
    if (array.shape.size() != 1) refuse_byte(source.name(), 10, "the shape " + shape_text(array), "one dimension");
    return integers_of(source.name(), array, what);
  }
  const unsigned width = suffix == ".bin" ? 4 : 8;
  if (source.bytes().size() % width != 0) {
    throw input_error::at(source.name(), 0, std::to_string(source.bytes().size()) + " bytes",
                          std::string{what} + " of " + std::to_string(width) + " bytes each");
  }
  return {source.bytes(), width, is_signed, 0, source.name()};
}

template <unsigned_index Id, class T>
buffer<Id> narrowed(const packed_integers& all, const execution& on) {
  buffer<Id> successors{all.size(), on.memory};
  const std::uint64_t n = all.size();
  for (std::uint64_t i = 0; i < n; ++i) {
    const T value = load<T>(all.bytes.data() + i * sizeof(T));
    if (value == static_cast<T>(-1)) {  // -1 ends a list; but in an unsigned type of 1 or 2 bytes, that value may be an element
      successors[i] =
          sizeof(T) >= 4 || std::is_signed_v<T> || n <= static_cast<std::uint64_t>(value) ? no_vertex<Id> : static_cast<Id>(value);
      continue;
    }
    if (value < 0 || (sizeof(T) > sizeof(Id) && static_cast<std::uint64_t>(value) >= n)) {
      all.refuse(i, "the successor", "an element below " + std::to_string(n) + ", or -1 where a list ends");
    }
    successors[i] = static_cast<Id>(value);
  }
  return successors;
}

successor_list list_of(const packed_integers& all, const execution& on) {
  return all.with_type([&]<class T>(T) -> successor_list {
    if (all.size() < no_vertex<std::uint32_t>) return narrowed<std::uint32_t, T>(all, on);
    return narrowed<std::uint64_t, T>(all, on);
  });
}

void expect_known(const std::filesystem::path& path, const std::filesystem::path& suffix, std::string_view what) {
  if (suffix == ".npy" || suffix == ".bin" || suffix == ".bin64" || suffix == ".txt" || path == "-") return;
  throw input_error::at(path.string(), 0, suffix.empty() ? "a name without a suffix" : "the suffix " + suffix.string(),
                        std::string{known_suffixes}.append(" for ").append(what));
}

}  // namespace

void expect_list_suffix(const std::filesystem::path& path, const write_options& options) {
  expect_known(path, written_suffix(path, options), "a list");
}

successor_list read_list(const std::filesystem::path& path, const execution& on) {
  const auto suffix = suffix_of(path);
  expect_known(path, suffix, "a list");
  const binary_source source{path, read_request{{}, on}};
  if (suffix != ".txt" && path != "-") return list_of(packed_of(source, suffix, false, "the successors"), on);
  const auto numbers = numbers_of(source, false, on.memory);
  const std::string_view bytes{reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(std::uint64_t)};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] < numbers.size() || numbers[i] == no_vertex<std::uint64_t>) continue;
    throw input_error::at(source.name(), 0, std::to_string(numbers[i]) + " after element " + std::to_string(i),
                          "an element below " + std::to_string(numbers.size()) + ", or itself or -1 where a list ends");
  }
  return list_of({bytes, 8, false, 0, source.name()}, on);
}

buffer<std::int64_t> read_weights(const std::filesystem::path& path, const execution& on) {
  const auto suffix = suffix_of(path);
  expect_known(path, suffix, "weights");
  const binary_source source{path, read_request{{}, on}};
  if (suffix == ".txt" || path == "-") {
    const auto numbers = numbers_of(source, true, on.memory);
    buffer<std::int64_t> weights{numbers.size(), on.memory};
    for (std::size_t i = 0; i < numbers.size(); ++i) weights[i] = static_cast<std::int64_t>(numbers[i]);
    return weights;
  }
  const packed_integers all = packed_of(source, suffix, true, "the weights");
  buffer<std::int64_t> weights{all.size(), on.memory};
  all.with_type([&]<class T>(T) {
    for (std::uint64_t i = 0; i < all.size(); ++i) {
      const T value = load<T>(all.bytes.data() + i * sizeof(T));
      if (!std::is_signed_v<T> && static_cast<std::uint64_t>(value) >> 63 != 0) all.refuse(i, "the weight", "a number below 2^63");
      weights[i] = static_cast<std::int64_t>(value);
    }
  });
  return weights;
}

}  // namespace copse::io
