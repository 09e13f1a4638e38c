// What the groups of records are, found by the slowest and plainest means: a map from values to records, and labels lowered until all
// agree.
#pragma once
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace copse::test {

/// Rows of an id and a value, or none, in each column.
template <class Id, class Value>
struct keyed_rows {
  std::vector<Id> ids;
  std::vector<std::vector<std::optional<Value>>> columns;
};

/// The smallest id in the group of each. `one_namespace`: a value is the same in all columns.
template <class Id, class Value>
std::map<Id, Id> groups_of(const keyed_rows<Id, Value>& rows, bool one_namespace = false) {
  std::map<Id, Id> label;
  for (const Id& id : rows.ids) label[id] = id;
  for (bool lowered = true; lowered;) {
    lowered = false;
    std::map<std::pair<std::size_t, Value>, Id> least;
    for (const bool gather : {true, false}) {
      for (std::size_t c = 0; c < rows.columns.size(); ++c) {
        for (std::size_t i = 0; i < rows.ids.size(); ++i) {
          if (!rows.columns[c][i]) continue;
          Id& own = label[rows.ids[i]];
          Id& of_value = least.try_emplace({one_namespace ? 0 : c, *rows.columns[c][i]}, own).first->second;
          if (gather && own < of_value) of_value = own;
          if (!gather && of_value < own) {
            own = of_value;
            lowered = true;
          }
        }
      }
    }
  }
  return label;
}

}  // namespace copse::test
