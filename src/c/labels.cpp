#include "c/labels.hpp"

#include <cstdint>
#include <string>

namespace copse::c {

std::shared_ptr<const arrow::ready_table> table_of(const copse_labels& labels) {
  const held_answer& held = *labels.held;
  return arrow::label_table(held.labels, labels.held, "id", "component", held.ids, without_callbacks(*held.options));
}

}  // namespace copse::c

using namespace copse;
using namespace copse::c;

void copse_labels_count(const copse_labels* labels, uint64_t* vertices, uint64_t* components) {
  std::uint64_t present = 0, roots = 0;
  if (labels != nullptr) {
    const labelling& all = labels->held->labels;
    for (std::uint64_t v = 0; v < all.slots(); ++v) {
      present += all.present(v) ? 1 : 0;
      roots += all.label(v) == v ? 1 : 0;
    }
  }
  if (vertices != nullptr) *vertices = present;
  if (components != nullptr) *components = roots;
}

copse_type copse_labels_type(const copse_labels* labels) {
  if (labels == nullptr) return COPSE_INT64;
  const labelling& all = labels->held->labels;
  if (all.names().what() == vertex_names::kind::strings) return COPSE_STRINGS;
  std::uint64_t end = all.slots();
  while (end != 0 && !all.present(end - 1)) --end;
  const std::uint64_t largest = end == 0 ? 0 : all.names().integer(end - 1);
  return all.names().is_signed() || !has_sign_bit(largest) ? COPSE_INT64 : COPSE_UINT64;
}

copse_status copse_labels_copy(const copse_labels* labels, copse_type type, void* ids, void* components, uint64_t size,
                               copse_error* error) {
  return guarded(error, [&] {
    const labelling& all = expect_given(labels, "labels").held->labels;
    std::uint64_t vertices = 0;
    copse_labels_count(labels, &vertices, nullptr);
    if (size != vertices) {
      throw usage_error{"size must be the number of vertices, " + std::to_string(vertices) + ", not " + std::to_string(size)};
    }
    std::uint64_t slot = 0;
    const auto next = [&all, &slot](std::uint64_t i) {  // the index in `all` of the i-th id that is a vertex; called for i = 0, 1, ...
      slot = i == 0 ? 0 : slot + 1;
      while (!all.present(slot)) ++slot;
      return slot;
    };
    copy_names(all.names(), type, ids, size, next);
    copy_names(all.names(), type, components, size, [&](std::uint64_t i) { return all.label(next(i)); });
  });
}

copse_status copse_labels_stream(const copse_labels* labels, struct ArrowArrayStream* to, copse_error* error) {
  return guarded(error, [&] { arrow::give_stream(table_of(expect_given(labels, "labels")), expect_given(to, "to")); });
}

copse_status copse_labels_array(const copse_labels* labels, struct ArrowSchema* schema, struct ArrowArray* array, copse_error* error) {
  return guarded(error, [&] {
    arrow::give_array(table_of(expect_given(labels, "labels")), expect_given(schema, "schema"), expect_given(array, "array"));
  });
}

void copse_labels_free(copse_labels* labels) { delete labels; }
