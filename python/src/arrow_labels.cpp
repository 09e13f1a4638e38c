// An answer as an Arrow stream of one batch: two columns, ids and labels.
#include <copse/edge_batch_sink.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "arrow_column.hpp"
#include "bindings.hpp"
#include "labels.hpp"

namespace copse::python {
namespace {

/// A column that is ready: its buffers, as Arrow has them.
struct ready_column {
  std::string name, format;
  buffer<std::uint64_t> words;  ///< integers, or offsets of strings
  buffer<char> bytes;           ///< of strings, unless they lie in the answer
  std::array<const void*, 3> buffers{};
};

struct table {
  explicit table(const held_labels& from) : answer{from} {}

  held_labels answer;  ///< whose strings a column may point at
  std::int64_t rows = 0;
  std::array<ready_column, 2> columns;
};

template <class Value>
void fill_integers(ready_column& to, std::size_t rows, const char* format, Value value) {
  to.words = buffer<std::uint64_t>{rows};
  for (std::size_t i = 0; i < rows; ++i) to.words[i] = value(i);
  to.format = format;
  to.buffers = {nullptr, to.words.data(), nullptr};
}

/// `kind`: 'text' or 'bytes' where ids are strings, also of an answer without any.
std::unique_ptr<table> table_of(const held_labels& held, std::string id, std::string label, const std::string& kind) {
  auto result = std::make_unique<table>(held);
  const labelling& labels = held.labels();
  const vertex_names& names = labels.names();
  auto& [ids, marks] = result->columns;
  ids.name = std::move(id);
  marks.name = std::move(label);
  const bool strings = kind != "integers";
  if (strings) ids.format = marks.format = kind == "bytes" ? "Z" : "U";
  if (strings && names.what() != vertex_names::kind::strings) {  // no vertex, so that nothing said what ids are
    for (ready_column& side : result->columns) {
      side.words = buffer<std::uint64_t>{1};
      side.words[0] = 0;
      side.buffers = {nullptr, side.words.data(), ""};
    }
    return result;
  }
  if (strings) {  // all of them are present
    const execution on{.threads = std::max(held.report().threads, 1u)};
    result->rows = static_cast<std::int64_t>(names.size());
    ids.words = name_offsets(names, on);  // the names themselves stay where they are
    ids.buffers = {nullptr, ids.words.data(), names.size() == 0 ? "" : names.string(0).data()};
    string_column strings = label_strings(labels, on);
    marks.words = std::move(strings.offsets);
    marks.bytes = std::move(strings.bytes);
    marks.buffers = {nullptr, marks.words.data(), marks.bytes.data()};
    return result;
  }
  buffer<std::uint64_t> present{present_count(labels)};
  std::size_t next = 0;
  for (std::uint64_t v = 0; v < labels.slots(); ++v) {
    if (labels.present(v)) present[next++] = v;
  }
  result->rows = static_cast<std::int64_t>(present.size());
  // Labels are ids, so that both columns have one type: the last id is the largest.
  const std::uint64_t largest = present.empty() ? 0 : names.integer(present[present.size() - 1]);
  const char* const format = names.is_signed() || !has_sign_bit(largest) ? "l" : "L";
  fill_integers(ids, present.size(), format, [&](std::size_t i) { return names.integer(present[i]); });
  fill_integers(marks, present.size(), format, [&](std::size_t i) { return names.integer(labels.label(present[i])); });
  return result;
}

// What consumers release: the parts point to each other, and are freed with the whole.

struct schema_parts {
  std::array<std::string, 2> names, formats;
  std::array<ArrowSchema, 2> columns{};
  std::array<ArrowSchema*, 2> pointers{};
};
void release_child_schema(ArrowSchema* schema) { schema->release = nullptr; }
void release_schema(ArrowSchema* schema) {
  delete static_cast<schema_parts*>(schema->private_data);
  schema->release = nullptr;
}

struct array_parts {
  std::shared_ptr<const table> held;
  std::array<ArrowArray, 2> columns{};
  std::array<ArrowArray*, 2> pointers{};
  const void* no_nulls = nullptr;
};
struct child_parts {
  std::shared_ptr<const table> held;
  std::array<const void*, 3> buffers{};
};
/// Consumers may move a child out and release it later than the whole.
void release_child(ArrowArray* array) {
  delete static_cast<child_parts*>(array->private_data);
  array->release = nullptr;
}
void release_array(ArrowArray* array) {
  auto* parts = static_cast<array_parts*>(array->private_data);
  for (ArrowArray& child : parts->columns) {
    if (child.release != nullptr) child.release(&child);
  }
  delete parts;
  array->release = nullptr;
}

struct stream_state {
  std::shared_ptr<const table> held;
  bool given = false;
};

int get_schema(ArrowArrayStream* stream, ArrowSchema* to) {
  const table& from = *static_cast<stream_state*>(stream->private_data)->held;
  auto parts = std::make_unique<schema_parts>();
  for (std::size_t i = 0; i < 2; ++i) {
    parts->names[i] = from.columns[i].name;
    parts->formats[i] = from.columns[i].format;
    parts->columns[i] = {
        parts->formats[i].c_str(), parts->names[i].c_str(), nullptr, 0, 0, nullptr, nullptr, release_child_schema, nullptr};
    parts->pointers[i] = &parts->columns[i];
  }
  *to = {"+s", "", nullptr, 0, 2, parts->pointers.data(), nullptr, release_schema, nullptr};
  to->private_data = parts.release();
  return 0;
}

int get_next(ArrowArrayStream* stream, ArrowArray* to) {
  auto& state = *static_cast<stream_state*>(stream->private_data);
  to->release = nullptr;
  if (state.given) return 0;
  state.given = true;
  auto parts = std::make_unique<array_parts>();
  parts->held = state.held;
  for (std::size_t i = 0; i < 2; ++i) {
    const ready_column& from = state.held->columns[i];
    auto child = std::make_unique<child_parts>(child_parts{state.held, from.buffers});
    const std::int64_t buffers = from.format == "U" || from.format == "Z" ? 3 : 2;
    parts->columns[i] = {state.held->rows, 0, 0, buffers, 0, child->buffers.data(), nullptr, nullptr, release_child, nullptr};
    parts->columns[i].private_data = child.release();
    parts->pointers[i] = &parts->columns[i];
  }
  *to = {state.held->rows, 0, 0, 1, 2, &parts->no_nulls, parts->pointers.data(), nullptr, release_array, nullptr};
  to->private_data = parts.release();
  return 0;
}

const char* get_last_error(ArrowArrayStream*) { return nullptr; }

void release_stream(ArrowArrayStream* stream) {
  delete static_cast<stream_state*>(stream->private_data);
  stream->release = nullptr;
}

nb::object stream_of(const held_labels& held, std::string id, std::string label, const std::string& kind) {
  std::shared_ptr<const table> labels;
  {
    const nb::gil_scoped_release unlocked;
    labels = table_of(held, std::move(id), std::move(label), kind);
  }
  auto stream = std::make_unique<ArrowArrayStream>(
      ArrowArrayStream{get_schema, get_next, get_last_error, release_stream, new stream_state{std::move(labels)}});
  PyObject* capsule = PyCapsule_New(stream.get(), "arrow_array_stream", [](PyObject* self) {
    auto* held_stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(self, "arrow_array_stream"));
    if (held_stream->release != nullptr) held_stream->release(held_stream);
    delete held_stream;
  });
  if (capsule == nullptr) throw nb::python_error{};
  static_cast<void>(stream.release());
  return nb::steal(capsule);
}

}  // namespace

void bind_table_output(nb::module_& m) {
  m.def("label_stream", &stream_of, nb::arg("labels"), nb::arg("id"), nb::arg("label"), nb::arg("kind"));
}

}  // namespace copse::python
