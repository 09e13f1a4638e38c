#include "c/tables.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace copse::c {
namespace {

template <class Structure>
arrow::arrow_owner<Structure> taken(Structure* given, const char* name) {
  auto owner = arrow::arrow_owner<Structure>::take(expect_given(given, name));
  if (!owner) throw usage_error{std::string{name} + " must be a structure that was not released"};
  return owner;
}

arrow::arrow_stream taken(ArrowSchema* schema, ArrowArray* array) {
  // The library takes ownership of the schema and the array, even if one of them is invalid.
  arrow::arrow_owner<ArrowSchema> first;
  arrow::arrow_owner<ArrowArray> second;
  if (schema != nullptr) first = arrow::arrow_owner<ArrowSchema>::take(*schema);
  if (array != nullptr) second = arrow::arrow_owner<ArrowArray>::take(*array);
  if (!first || !second) throw usage_error{"table needs a schema and an array, neither NULL nor released"};
  return {std::move(first), std::move(second)};
}

/// The index of a column, found by its name, or if `name` is null at index `place`.
std::size_t column_of(const std::vector<arrow::column_type>& columns, const char* name, std::size_t place, const char* what) {
  if (name == nullptr) {
    if (place < columns.size()) return place;
    throw usage_error{"table: the " + std::string{what} + " must be column " + std::to_string(place) + " or be named; there are " +
                      std::to_string(columns.size()) + " columns"};
  }
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name != name) continue;
    if (found) throw usage_error{"table must have one column '" + std::string{name} + "', not two"};
    found = i;
  }
  if (found) return *found;
  std::string names;
  for (const arrow::column_type& column : columns) names += (names.empty() ? "'" : ", '") + column.name + "'";
  throw usage_error{"table has no column '" + std::string{name} + "'; its columns are " + (names.empty() ? "none" : names)};
}

}  // namespace

given_table::given_table(ArrowArrayStream* stream) : stream_{taken(stream, "stream")} {}
given_table::given_table(ArrowSchema* schema, ArrowArray* array) : stream_{taken(schema, array)} {}

arrow::row_rules given_table::rules(const copse_table* table, bool weighted) const {
  const copse_table given = sized(table, copse_table COPSE_TABLE_INIT, "table");
  const auto& columns = stream_.columns();
  std::vector<std::size_t> ids{column_of(columns, given.source, 0, "source")};
  std::optional<std::size_t> weight;
  if (given.vertices_only != 0) {
    if (given.target != nullptr || given.weight != nullptr) {
      throw usage_error{"table: vertices_only cannot be used with a target or a weight"};
    }
  } else {
    ids.push_back(column_of(columns, given.target, 1, "target"));
    if (given.weight != nullptr || weighted) weight = column_of(columns, given.weight, 2, "weight");
  }
  std::optional<arrow::score_threshold> threshold;
  if (given.threshold != nullptr) {
    if (!weight) throw usage_error{"table: a threshold needs a column of weights"};
    threshold.emplace(given.threshold);
  }
  return {stream_, std::move(ids), weight, threshold, given.drop_nulls != 0};
}

bool has_binaries(const arrow::row_rules& rules) noexcept { return rules.strings && rules.types[rules.ids[0]].binary; }

}  // namespace copse::c
