// Which id a vertex had, for formats that have no place for it.
#include "io/array_writer.hpp"
#include "io/npy_header.hpp"
#include "io/text_writer.hpp"
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
    if (names.what() == vertex_names::kind::strings) {
      throw input_error::at(path.string(), 0, "names that are strings", "ids that are numbers, or .txt or .csv");
    }
    output_file file{path};
    const auto run = [&]<class T>(T) {
      write_npy_header(file, 'u', sizeof(T), {count});
      array_writer<T> out{file};
      for (std::uint64_t i = 0; i < count; ++i) out.put(names.integer(i));
      out.flush();
    };
    count == 0 || names.integer(count - 1) < no_vertex<std::uint32_t> ? run(std::uint32_t{}) : run(std::uint64_t{});
    return file.commit();
  }
  const bool csv = suffix == ".csv";
  output_file file{path};
  text_writer out{file};
  if (csv) out.put(std::string_view{"position,id\n"});
  with_names(names, out, csv ? quoting::csv : quoting::tabs, path, [&](auto put_name) {
    for (std::uint64_t i = 0; i < count; ++i) {
      progress.at(i);
      out.put(first_position + i);
      out.put(csv ? ',' : '\t');
      put_name(i);
      out.put('\n');
    }
  });
  out.flush();
  file.commit();
}

}  // namespace copse::io
