// Which id a vertex had, for formats that have no place for it.
#include "io/text_writer.hpp"
#include "io/write_whole.hpp"
#include "io/written_suffix.hpp"

namespace copse::io {

void expect_names_suffix(const std::filesystem::path& path, const write_options& options) {
  expect_suffix(path, options, {".csv", ".txt", ".npy"}, ".csv .txt or .npy for a map of ids");
}

void write_names(const vertex_names& names, std::uint64_t first_position, const std::filesystem::path& path, const write_options& options) {
  expect_names_suffix(path, options);
  const std::string suffix = written_suffix(path, options);
  const std::uint64_t count = names.size();
  write_progress progress{options.observer, count, "vertices"};
  if (suffix == ".npy") {
    expect_numbers(names, path);
    return write_numbers(path, {count}, largest_name(names), [&](auto put) {
      for (std::uint64_t i = 0; i < count; ++i) put(names.integer(i));
    });
  }
  const bool csv = suffix == ".csv";
  write_text(path, csv ? "position,id\n" : "", [&](text_writer& out) {
    with_names(names, out, csv ? quoting::csv : quoting::tabs, path, [&](auto put_name) {
      for (std::uint64_t i = 0; i < count; ++i) {
        progress.at(i);
        out.put(first_position + i);
        out.put(csv ? ',' : '\t');
        put_name(i);
        out.put('\n');
      }
    });
  });
}

}  // namespace copse::io
