#include "io/collect.hpp"
#include "io/readers.hpp"

#include <utility>

namespace copse::io {

graph read_graph(const std::filesystem::path& path, const read_options& options) {
  const format f = options.format ? *options.format : format_of(path);
  if (has_rows(f)) return read_rows(path, f, options);
  collecting_sink sink{options};
  parse(path, options, sink);
  return std::move(sink).take();
}

}  // namespace copse::io
