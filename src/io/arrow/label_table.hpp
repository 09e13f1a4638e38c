// An answer as a table of two columns: ids, and the component of each.
#pragma once
#include <copse/execution.hpp>
#include <copse/labels.hpp>

#include <cstdint>
#include <memory>
#include <memory_resource>
#include <string>

#include "io/arrow/table_stream.hpp"

namespace copse::arrow {

/// What ids are: of an answer without vertices nothing else says it.
enum class table_ids : std::uint8_t { integers, text, bytes };

/// What the ids are where only the names say it: strings are text if all of them are UTF-8.
[[nodiscard]] table_ids ids_by_names(const vertex_names& names) noexcept;

/// The type of a column of such ids, in the format strings of the Arrow C interface: int64 (uint64 where an id is larger), large_string or
/// large_binary.
[[nodiscard]] std::string format_of_ids(const vertex_names& names, table_ids kind);

/// Rows [begin, end) of such a table, for its writer: the vertices that are present among these slots, whose strings stay where they are,
/// so `labels` outlive it. `format`: of ids. Throws resource_error.
std::shared_ptr<const ready_table> label_rows(const labelling& labels, std::uint64_t begin, std::uint64_t end, const std::string& format,
                                              std::pmr::memory_resource* memory);

/// The vertices that are present in ascending order, and their labels (or the numbers of their components, where labels are numbered), both
/// as int64 (uint64 where an id is larger), large_string or large_binary. `kept` keeps `labels`, whose strings the table points to, and
/// on.memory. Throws resource_error.
std::shared_ptr<const ready_table> label_table(const labelling& labels, std::shared_ptr<const void> kept, std::string id, std::string label,
                                               table_ids kind, const execution& on);

}  // namespace copse::arrow
