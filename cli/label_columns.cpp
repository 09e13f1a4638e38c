#include "label_columns.hpp"

#include "table_file.hpp"

namespace copse::cli {

void write_label_columns(const std::vector<label_column>& columns, const std::filesystem::path& path) {
  table_file file{path, label_columns_text, {}};
  if (path.extension() == ".csv") {
    file.text("id");
    for (const label_column& c : columns) file.text(c.name);
    file.end_line();
  }
  const std::uint64_t vertices = columns.empty() ? 0 : columns.front().labels.slots();
  for (std::uint64_t v = 0; v < vertices; ++v) {
    file.name(columns.front().labels.names(), v);
    for (const label_column& c : columns) file.name(c.labels.names(), c.labels.label(v));
    file.end_line();
  }
  file.commit();
}

}  // namespace copse::cli
