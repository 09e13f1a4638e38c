// Whole files of text or numbers: nothing appears under the name unless all was written.
#pragma once
#include "io/array_writer.hpp"
#include "io/npy_header.hpp"
#include "io/text_writer.hpp"

#include <copse/errors.hpp>
#include <copse/types.hpp>

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string_view>

namespace copse::io {

/// `fill(out)` puts what follows the header.
template <class Fill>
void write_text(const std::filesystem::path& path, std::string_view header, Fill fill) {
  output_file file{path};
  text_writer out{file};
  out.put(header);
  fill(out);
  out.flush();
  file.commit();
}

/// Numbers up to `largest` as an `.npy` of the narrowest width. `fill(put)` puts them all.
template <class Fill>
void write_numbers(const std::filesystem::path& path, std::initializer_list<std::uint64_t> shape, std::uint64_t largest, Fill fill) {
  output_file file{path};
  const auto run = [&]<class T>(T) {
    write_npy_header(file, 'u', sizeof(T), shape);
    array_writer<T> out{file};
    fill([&](std::uint64_t value) { out.put(value); });
    out.flush();
  };
  largest < no_vertex<std::uint32_t> ? run(std::uint32_t{}) : run(std::uint64_t{});
  file.commit();
}

/// Of formats that hold no strings. Throws input_error.
inline void expect_numbers(const vertex_names& names, const std::filesystem::path& path) {
  if (names.what() == vertex_names::kind::strings)
    throw input_error::at(path.string(), 0, "names that are strings", "ids that are numbers, or .txt or .csv");
}

/// 0 of none. Precondition: they are numbers.
inline std::uint64_t largest_name(const vertex_names& names) { return names.size() == 0 ? 0 : names.integer(names.size() - 1); }

}  // namespace copse::io
