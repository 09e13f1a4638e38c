// Turns an answer into a table of two columns: the ids of the vertices, and the component of each.
#pragma once
#include <copse/execution.hpp>
#include <copse/labels.hpp>

#include <cstdint>
#include <memory>
#include <memory_resource>
#include <string>

#include "io/arrow/table_stream.hpp"

namespace copse::arrow {

/// The type of ids in a table. It is given separately, because an answer without vertices has no names from which to derive it.
enum class table_ids : std::uint8_t { integers, text, bytes };

/// The type of ids that the names imply: integers, text if all strings are UTF-8, or else bytes.
[[nodiscard]] table_ids ids_by_names(const vertex_names& names) noexcept;

/// The type of a column of ids of this kind, as a format string of the Arrow C interface: int64 (uint64 if an id exceeds 2^63 - 1),
/// large_string or large_binary.
[[nodiscard]] std::string format_of_ids(const vertex_names& names, table_ids kind);

/// A table of the ids and the components of the present vertices among [begin, end). Strings are not copied, so `labels` must outlive the
/// result. `format` is the Arrow format string of the column of ids. Throws resource_error.
std::shared_ptr<const ready_table> label_rows(const labelling& labels, std::uint64_t begin, std::uint64_t end, const std::string& format,
                                              std::pmr::memory_resource* memory);

/// A table of the vertices that are present, in ascending order, and their labels (or the numbers of their components, if labels are
/// numbered). Both columns are int64 (uint64 if an id exceeds 2^63 - 1), large_string or large_binary. `kept` must keep alive `labels`,
/// whose strings the table points to, and `on.memory`. Throws resource_error.
std::shared_ptr<const ready_table> label_table(const labelling& labels, std::shared_ptr<const void> kept, std::string id, std::string label,
                                               table_ids kind, const execution& on);

}  // namespace copse::arrow
