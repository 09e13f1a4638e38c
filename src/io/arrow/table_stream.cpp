#include "io/arrow/table_stream.hpp"

#include <cerrno>
#include <new>

namespace copse::arrow {
namespace {

// Private data of the structures that consumers release: the parts of a structure point to each other, and are freed together.

struct schema_parts {
  std::shared_ptr<const ready_table> held;  ///< the table whose texts the schema points to
  std::vector<ArrowSchema> columns;
  std::vector<ArrowSchema*> pointers;
};
/// A child has data of its own, because consumers may move a child out and release it after its parent.
struct child_schema_parts {
  std::shared_ptr<const ready_table> held;
};
void release_child_schema(ArrowSchema* schema) {
  delete static_cast<child_schema_parts*>(schema->private_data);
  schema->release = nullptr;
}
void release_schema(ArrowSchema* schema) {
  auto* parts = static_cast<schema_parts*>(schema->private_data);
  for (ArrowSchema& child : parts->columns) {
    if (child.release != nullptr) child.release(&child);
  }
  delete parts;
  schema->release = nullptr;
}

struct array_parts {
  std::vector<ArrowArray> columns;
  std::vector<ArrowArray*> pointers;
  const void* no_nulls = nullptr;
};
struct child_parts {
  std::shared_ptr<const ready_table> held;
  std::array<const void*, 3> buffers{};
};
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

/// Frees a structure that was made in part, if making the rest throws.
template <class Structure>
struct unfinished {
  ~unfinished() {
    if (made.release != nullptr) made.release(&made);
  }
  Structure give() noexcept {
    const Structure given = made;
    made.release = nullptr;
    return given;
  }
  Structure made{};
};

ArrowSchema schema_of(const std::shared_ptr<const ready_table>& table) {
  const std::size_t columns = table->columns.size();
  unfinished<ArrowSchema> whole;
  auto parts = std::make_unique<schema_parts>(schema_parts{table, std::vector<ArrowSchema>(columns), std::vector<ArrowSchema*>(columns)});
  auto* const held = parts.get();
  whole.made = {"+s", "", nullptr, 0, static_cast<std::int64_t>(columns), held->pointers.data(), nullptr, release_schema, nullptr};
  whole.made.private_data = parts.release();
  for (std::size_t i = 0; i < columns; ++i) {
    const ready_column& from = table->columns[i];
    held->pointers[i] = &held->columns[i];
    auto child = std::make_unique<child_schema_parts>(child_schema_parts{table});
    held->columns[i] = {from.format.c_str(),
                        from.name.c_str(),
                        nullptr,
                        from.nullable ? ARROW_FLAG_NULLABLE : 0,
                        0,
                        nullptr,
                        nullptr,
                        release_child_schema,
                        nullptr};
    held->columns[i].private_data = child.release();
  }
  return whole.give();
}

ArrowArray array_of(const std::shared_ptr<const ready_table>& table) {
  const std::size_t columns = table->columns.size();
  unfinished<ArrowArray> whole;
  auto parts = std::make_unique<array_parts>(array_parts{std::vector<ArrowArray>(columns), std::vector<ArrowArray*>(columns)});
  auto* const held = parts.get();
  whole.made = {table->rows,   0,      0, 1, static_cast<std::int64_t>(columns), &held->no_nulls, held->pointers.data(), nullptr,
                release_array, nullptr};
  whole.made.private_data = parts.release();
  for (std::size_t i = 0; i < columns; ++i) {
    const ready_column& from = table->columns[i];
    held->pointers[i] = &held->columns[i];
    auto child = std::make_unique<child_parts>(child_parts{table, from.buffers});
    const std::int64_t buffers = from.format == "U" || from.format == "Z" ? 3 : 2;
    held->columns[i] = {table->rows, from.nulls, 0, buffers, 0, child->buffers.data(), nullptr, nullptr, release_child, nullptr};
    held->columns[i].private_data = child.release();
  }
  return whole.give();
}

struct stream_state {
  std::shared_ptr<const ready_table> held;
  bool given = false;
};

/// Turns exceptions into an error code, as none may reach a consumer.
template <class Structure, class Make>
int made(Structure* to, Make make) noexcept {
  try {
    *to = make();
    return 0;
  } catch (...) {
    return ENOMEM;
  }
}

int get_schema(ArrowArrayStream* stream, ArrowSchema* to) {
  const auto& state = *static_cast<const stream_state*>(stream->private_data);
  return made(to, [&] { return schema_of(state.held); });
}

int get_next(ArrowArrayStream* stream, ArrowArray* to) {
  auto& state = *static_cast<stream_state*>(stream->private_data);
  to->release = nullptr;
  if (state.given) return 0;
  const int failure = made(to, [&] { return array_of(state.held); });
  state.given = failure == 0;
  return failure;
}

const char* get_last_error(ArrowArrayStream*) { return nullptr; }

void release_stream(ArrowArrayStream* stream) {
  delete static_cast<stream_state*>(stream->private_data);
  stream->release = nullptr;
}

}  // namespace

void give_stream(std::shared_ptr<const ready_table> from, ArrowArrayStream& to) {
  to = {get_schema, get_next, get_last_error, release_stream, new stream_state{std::move(from)}};
}

void give_array(std::shared_ptr<const ready_table> from, ArrowSchema& schema, ArrowArray& array) {
  unfinished<ArrowSchema> first{schema_of(from)};
  array = array_of(from);
  schema = first.give();
}

}  // namespace copse::arrow
