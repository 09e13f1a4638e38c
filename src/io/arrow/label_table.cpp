#include "io/arrow/label_table.hpp"

#include <cstdint>
#include <string_view>
#include <utility>

#include "io/fields.hpp"

namespace copse::arrow {

namespace {

/// Fills both columns with integers for the present vertices among [begin, end): the ids, and the labels, which are ids or component
/// numbers.
void fill_numbers(ready_table& table, const labelling& labels, std::uint64_t begin, std::uint64_t end, const char* format,
                  std::pmr::memory_resource* memory) {
  const vertex_names& names = labels.names();
  std::size_t count = 0;
  for (std::uint64_t v = begin; v < end; ++v) count += labels.present(v) ? 1 : 0;
  buffer<std::uint64_t> present{count, memory};
  std::size_t next = 0;
  for (std::uint64_t v = begin; v < end; ++v) {
    if (labels.present(v)) present[next++] = v;
  }
  table.rows = static_cast<std::int64_t>(count);
  table.columns[0].fill(count, format, memory, [&](std::size_t i) { return names.integer(present[i]); });
  table.columns[1].fill(count, labels.is_numbered() ? "l" : format, memory, [&](std::size_t i) {
    const std::uint64_t found = labels.label(present[i]);
    return labels.is_numbered() ? found : names.integer(found);
  });
}

}  // namespace

table_ids ids_by_names(const vertex_names& names) noexcept {
  if (names.what() != vertex_names::kind::strings) return table_ids::integers;
  if (names.size() == 0) return table_ids::text;
  const char* const first = names.string(0).data();
  const std::string_view last = names.string(names.size() - 1);
  if (io::is_ascii({first, static_cast<std::size_t>(last.data() + last.size() - first)})) return table_ids::text;
  for (std::uint64_t v = 0; v < names.size(); ++v) {
    if (!io::is_utf8(names.string(v))) return table_ids::bytes;
  }
  return table_ids::text;
}

std::string format_of_ids(const vertex_names& names, table_ids kind) {
  if (kind != table_ids::integers) return kind == table_ids::bytes ? "Z" : "U";
  // Both columns have the type of ids, because labels are ids. Ids ascend, so the last one is the largest.
  return names.size() != 0 && !names.is_signed() && has_sign_bit(names.integer(names.size() - 1)) ? "L" : "l";
}

std::shared_ptr<const ready_table> label_rows(const labelling& labels, std::uint64_t begin, std::uint64_t end, const std::string& format,
                                              std::pmr::memory_resource* memory) {
  auto result = std::make_shared<ready_table>();
  result->columns.resize(2);
  result->columns[0].name = "id";
  result->columns[1].name = "component";
  if (format != "U" && format != "Z") {
    fill_numbers(*result, labels, begin, end, format.c_str(), memory);
    return result;
  }
  const vertex_names& names = labels.names();
  const auto rows = static_cast<std::size_t>(end - begin);  // string ids leave no gaps, so every vertex is present and has a row
  result->rows = static_cast<std::int64_t>(rows);
  ready_column& ids = result->columns[0];
  const char* const first = rows == 0 ? "" : names.string(begin).data();
  ids.fill(rows + 1, format.c_str(), memory, [&](std::size_t i) {
    if (i == 0) return std::uint64_t{0};
    const std::string_view text = names.string(begin + i - 1);
    return static_cast<std::uint64_t>(text.data() + text.size() - first);
  });
  ids.buffers[2] = first;
  if (labels.is_numbered()) {
    result->columns[1].fill(rows, "l", memory, [&](std::size_t i) { return labels.label(begin + i); });
  } else {
    result->columns[1].fill_strings(rows, format == "Z", memory, [&](std::size_t i) { return names.string(labels.label(begin + i)); });
  }
  return result;
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
  // without vertices there are no names, which would give the type of the ids
  if (strings && names.what() != vertex_names::kind::strings) {
    for (ready_column& side : result->columns) {
      side.words = buffer<std::uint64_t>{1, on.memory};
      side.words[0] = 0;
      side.buffers = {nullptr, side.words.data(), ""};
    }
    return result;
  }
  if (strings) {  // no vertex is absent if ids are strings, so each name has a row
    result->rows = static_cast<std::int64_t>(names.size());
    ids.words = name_offsets(names, on);  // the strings are not copied
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
  fill_numbers(*result, labels, 0, labels.slots(), format_of_ids(names, kind).c_str(), on.memory);
  return result;
}

}  // namespace copse::arrow
