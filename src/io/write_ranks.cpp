// Writes ranks and lists: as lines or as arrays.
#include "io/npy.hpp"
#include "io/table_writer.hpp"
#include "io/written_suffix.hpp"

#include <copse/errors.hpp>
#include <copse/io.hpp>
#include <copse/types.hpp>

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

namespace copse::io {
namespace {

template <class T>
void write_raw(output_file& file, std::span<const T> values, const execution& on) {
  constexpr std::size_t block = std::size_t{1} << 20;
  write_progress progress{on.observer, values.size(), "elements"};
  for (std::size_t at = 0; at < values.size(); at += block) {
    progress.at(at);
    file.write(values.data() + at, std::min(block, values.size() - at) * sizeof(T));
  }
}

/// Writes ranks converted to the type `To`, block by block.
template <class To, class T>
void write_converted(output_file& file, std::span<const T> values, const execution& on) {
  std::vector<To> block;
  write_progress progress{on.observer, values.size(), "elements"};
  for (std::size_t at = 0; at < values.size(); at += std::size_t{1} << 16) {
    const auto part = values.subspan(at, std::min(std::size_t{1} << 16, values.size() - at));
    block.assign(part.begin(), part.end());
    progress.at(at);
    file.write(block.data(), block.size() * sizeof(To));
  }
}

template <class T>
void write_lines(std::span<const T> ranks, const std::filesystem::path& path, const write_options& options, const execution& on) {
  write_progress progress{on.observer, ranks.size(), "elements"};
  table_writer out{path, options, {{"element", column_kind::numbers}, {"rank", column_kind::signed_numbers}}};
  for (std::size_t e = 0; e < ranks.size(); ++e) {
    progress.at(e);
    out.number(e);
    if constexpr (std::is_signed_v<T>) {
      out.signed_number(ranks[e]);
    } else {
      out.number(ranks[e]);
    }
    out.end_row();
  }
  out.commit();
}

template <class T>
void write(std::span<const T> ranks, const std::filesystem::path& path, const write_options& options, const execution& on) {
  expect_ranks_suffix(path, options);
  const std::string suffix = written_suffix(path, options);
  if (suffix == ".txt" || suffix == ".csv" || is_columnar_suffix(suffix)) return write_lines(ranks, path, options, on);
  if (suffix == ".bin" && sizeof(T) != 4) {
    throw input_error::at(path.string(), 0, std::is_signed_v<T> ? "weighted ranks, of 64 bits" : "ranks of 64 bits",
                          "the suffix .bin64 or .npy");
  }
  output_file file{path};
  if (suffix == ".npy") write_npy_header(file, std::is_signed_v<T> ? 'i' : 'u', sizeof(T), {ranks.size()});
  if (suffix == ".bin64") {
    write_converted<std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>(file, ranks, on);
  } else {
    write_raw(file, ranks, on);
  }
  file.commit();
}

}  // namespace

void expect_ranks_suffix(const std::filesystem::path& path, const write_options& options) {
  expect_table_suffix(path, options, {".txt", ".csv", ".npy", ".bin", ".bin64"}, "ranks");
}

void write_ranks(std::span<const std::uint32_t> ranks, const std::filesystem::path& path, const write_options& options,
                 const execution& on) {
  write(ranks, path, options, on);
}
void write_ranks(std::span<const std::uint64_t> ranks, const std::filesystem::path& path, const write_options& options,
                 const execution& on) {
  write(ranks, path, options, on);
}
void write_ranks(std::span<const std::int64_t> ranks, const std::filesystem::path& path, const write_options& options,
                 const execution& on) {
  write(ranks, path, options, on);
}

void write_list(const successor_list& successors, const std::filesystem::path& path, const write_options& options, const execution& on) {
  expect_list_suffix(path, options);
  std::visit(
      [&]<class Id>(const buffer<Id>& list) {
        if (written_suffix(path, options) != ".txt") return write(list.span(), path, options, on);
        write_text(path, "", [&](text_writer& out) {
          for (const Id next : list) {
            next == no_vertex<Id> ? out.put(std::string_view{"-1"}) : out.put(std::uint64_t{next});
            out.put('\n');
          }
        });
      },
      successors);
}

}  // namespace copse::io
