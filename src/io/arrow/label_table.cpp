#include "io/arrow/label_table.hpp"

#include <cstdint>
#include <utility>

#include "io/fields.hpp"

namespace copse::arrow {

table_ids ids_by_names(const vertex_names& names) noexcept {
  if (names.what() != vertex_names::kind::strings) return table_ids::integers;
  for (std::uint64_t v = 0; v < names.size(); ++v) {
    if (!io::is_utf8(names.string(v))) return table_ids::bytes;
  }
  return table_ids::text;
}

std::shared_ptr<const ready_table> label_table(const labelling& labels, std::shared_ptr<const void> kept, std::string id, std::string label,
                                               table_ids kind, const execution& on) {
  auto result = std::make_shared<ready_table>();
  result->kept = std::move(kept);
  result->columns.resize(2);
  const vertex_names& names = labels.names();
  ready_column& ids = result->columns[0];
  ready_column& marks = result->columns[1];
  ids.name = std::move(id);
  marks.name = std::move(label);
  const bool strings = kind != table_ids::integers;
  if (strings) ids.format = marks.format = kind == table_ids::bytes ? "Z" : "U";
  if (strings && names.what() != vertex_names::kind::strings) {  // no vertex, so that nothing said what ids are
    for (ready_column& side : result->columns) {
      side.words = buffer<std::uint64_t>{1, on.memory};
      side.words[0] = 0;
      side.buffers = {nullptr, side.words.data(), ""};
    }
    return result;
  }
  if (strings) {  // all of them are present
    result->rows = static_cast<std::int64_t>(names.size());
    ids.words = name_offsets(names, on);  // the names themselves stay where they are
    ids.buffers = {nullptr, ids.words.data(), names.size() == 0 ? "" : names.string(0).data()};
    if (labels.is_numbered()) {
      marks.fill(names.size(), "l", on.memory, [&](std::size_t i) { return labels.label(i); });
      return result;
    }
    string_column all = label_strings(labels, on);
    marks.words = std::move(all.offsets);
    marks.bytes = std::move(all.bytes);
    marks.buffers = {nullptr, marks.words.data(), marks.bytes.data()};
    return result;
  }
  std::size_t count = 0;
  for (std::uint64_t v = 0; v < labels.slots(); ++v) count += labels.present(v) ? 1 : 0;
  buffer<std::uint64_t> present{count, on.memory};
  std::size_t next = 0;
  for (std::uint64_t v = 0; v < labels.slots(); ++v) {
    if (labels.present(v)) present[next++] = v;
  }
  result->rows = static_cast<std::int64_t>(count);
  // Labels are ids, so that both columns have one type: the last id is the largest.
  const std::uint64_t largest = present.empty() ? 0 : names.integer(present[count - 1]);
  const char* const format = names.is_signed() || !has_sign_bit(largest) ? "l" : "L";
  ids.fill(count, format, on.memory, [&](std::size_t i) { return names.integer(present[i]); });
  marks.fill(count, format, on.memory, [&](std::size_t i) {
    const std::uint64_t found = labels.label(present[i]);
    return labels.is_numbered() ? found : names.integer(found);
  });
  return result;
}

}  // namespace copse::arrow
