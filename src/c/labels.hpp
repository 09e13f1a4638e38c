// Labels as the C API stores and returns them.
#pragma once
#include <copse/labels.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "c/call.hpp"
#include "io/arrow/label_table.hpp"

namespace copse::c {

/// Labels that a handle and the tables exported from it share. `options` holds the limit of their memory, so it must be destroyed last.
struct held_answer {
  std::shared_ptr<const caller_options> options;
  labelling labels;
  arrow::table_ids ids = arrow::table_ids::integers;
};

/// The execution without the observer, for calls at a time when the caller's callbacks may no longer exist.
inline execution without_callbacks(const caller_options& options) {
  execution on = options.on();
  on.observer = nullptr;
  return on;
}

/// Writes the name of vertex(i) to element i of the caller's array `to`, which may be null. Throws usage_error for string names, and for
/// names that do not fit the type.
template <class Vertex>
void copy_names(const vertex_names& names, copse_type type, void* to, std::uint64_t count, Vertex vertex) {
  with_type(type, [&]<class Id>(Id) {
    if (names.what() == vertex_names::kind::strings)
      throw usage_error{"ids are strings, which no array of numbers holds; export them as a table"};
    if (to == nullptr) return;
    auto* const ids = static_cast<Id*>(to);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t name = names.integer(vertex(i));
      if (!(names.is_signed() ? std::in_range<Id>(static_cast<std::int64_t>(name)) : std::in_range<Id>(name))) {
        throw usage_error{"type must hold all ids, and does not hold " + id_text(name, names.is_signed())};
      }
      ids[i] = static_cast<Id>(name);
    }
  });
}

}  // namespace copse::c

struct copse_labels {
  std::shared_ptr<const copse::c::held_answer> held;
};

namespace copse::c {

/// Makes the handle of an answer. If `binary`, string ids came from binary columns, and tables return them as binary even if they are
/// UTF-8.
inline std::unique_ptr<copse_labels> labels_handle(std::shared_ptr<const caller_options> options, labelling labels, bool binary) {
  arrow::table_ids ids = arrow::ids_by_names(labels.names());
  if (binary && ids == arrow::table_ids::text) ids = arrow::table_ids::bytes;
  return std::make_unique<copse_labels>(
      copse_labels{std::make_shared<const held_answer>(held_answer{std::move(options), std::move(labels), ids})});
}

/// The Arrow table of an answer, with columns id and component.
std::shared_ptr<const arrow::ready_table> table_of(const copse_labels& labels);

}  // namespace copse::c
