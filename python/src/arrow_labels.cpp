// An answer as an Arrow stream of one batch, in a capsule: two columns, ids and labels.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "bindings.hpp"
#include "io/arrow/label_table.hpp"
#include "labels.hpp"

namespace copse::python {
namespace {

/// Makes the stream. `kind` is 'text' or 'bytes' if ids are strings, so that an answer without rows has the right type, too.
nb::object stream_of(const held_labels& held, std::string id, std::string label, const std::string& kind) {
  auto stream = std::make_unique<ArrowArrayStream>();
  {
    const nb::gil_scoped_release unlocked;
    const arrow::table_ids ids = kind == "text"    ? arrow::table_ids::text
                                 : kind == "bytes" ? arrow::table_ids::bytes
                                                   : arrow::table_ids::integers;
    const execution on{.threads = std::max(held.report().threads, 1u), .memory = held.memory().get()};
    auto kept = std::make_shared<const held_labels>(held);
    arrow::give_stream(arrow::label_table(kept->labels(), kept, std::move(id), std::move(label), ids, on), *stream);
  }
  PyObject* capsule = PyCapsule_New(stream.get(), "arrow_array_stream", [](PyObject* self) {
    auto* held_stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(self, "arrow_array_stream"));
    if (held_stream->release != nullptr) held_stream->release(held_stream);
    delete held_stream;
  });
  if (capsule == nullptr) {
    stream->release(stream.get());
    throw nb::python_error{};
  }
  static_cast<void>(stream.release());
  return nb::steal(capsule);
}

}  // namespace

void bind_table_output(nb::module_& m) {
  m.def("label_stream", &stream_of, nb::arg("labels"), nb::arg("id"), nb::arg("label"), nb::arg("kind"));
}

}  // namespace copse::python
