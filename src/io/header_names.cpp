#include "io/header_names.hpp"

#include "io/fields.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace copse::io {
namespace {

using name_pair = std::pair<std::string_view, std::string_view>;

constexpr std::array<name_pair, 6> strong_pairs{
    {{"unique_id_l", "unique_id_r"}, {"id_l", "id_r"}, {"id1", "id2"}, {"id_1", "id_2"}, {"source", "target"}, {"src", "dst"}}};
constexpr std::array<name_pair, 3> weak_pairs{{{"from", "to"}, {"u", "v"}, {"left", "right"}}};
constexpr std::string_view left_end = "_l", right_end = "_r";

/// In lower case, without the mark of a comment in front, as in `#source`.
std::string plain_name(std::string_view name) {
  std::string word = lower(trimmed(name));
  if (word.starts_with('#')) word = std::string{trimmed(std::string_view{word}.substr(1))};
  return word;
}

class plain_header {
public:
  explicit plain_header(std::span<const std::string> names) {
    for (const std::string& name : names) names_.push_back(plain_name(name));
  }

  [[nodiscard]] named_ends ends() const {
    std::vector<end_columns> pairs;
    for (const auto& [left, right] : strong_pairs) add_pair(left, right, pairs);
    if (!pairs.empty()) {
      named_ends found = only_one(std::move(pairs), named_ends::kind::clear);
      found.strong = true;
      return found;
    }
    for (const auto& [left, right] : weak_pairs) add_pair(left, right, pairs);
    for (const std::string& name : names_) {
      if (name.size() > left_end.size() && name.ends_with(left_end)) {
        std::string other = name.substr(0, name.size() - left_end.size());
        add_pair(name, other.append(right_end), pairs);
      }
    }
    if (pairs.empty()) return {};
    return only_one(pairs, stands_in_front(pairs.front()) ? named_ends::kind::clear : named_ends::kind::elsewhere);
  }

  [[nodiscard]] std::vector<unsigned> id(std::size_t parts) const {
    std::optional<unsigned> id;
    for (const std::string_view name : {"unique_id", "id"}) {
      if (!id) id = only_column(name);
    }
    if (!id) return {};
    if (parts == 1) return {*id};
    const auto source = only_column("source_dataset");
    return parts == 2 && source ? std::vector{*source, *id} : std::vector<unsigned>{};
  }

private:
  static named_ends only_one(std::vector<end_columns> pairs, named_ends::kind found) {
    if (pairs.size() == 1) return {.found = found, .columns = std::move(pairs[0]), .others = {}};
    return {.found = named_ends::kind::several, .columns = std::move(pairs[0]), .others = std::move(pairs[1])};
  }

  /// A name that comes twice makes several pairs.
  void add_pair(std::string_view left, std::string_view right, std::vector<end_columns>& pairs) const {
    for (const unsigned l : columns_of(left)) {
      for (const unsigned r : columns_of(right)) {
        end_columns pair{{{l}, {r}}};
        const auto source_l = only_column("source_dataset_l"), source_r = only_column("source_dataset_r");
        if ((left == "unique_id_l" || left == "id_l") && source_l && source_r) pair = {{{*source_l, l}, {*source_r, r}}};
        if (std::ranges::find(pairs, pair) == pairs.end()) pairs.push_back(std::move(pair));
      }
    }
  }

  [[nodiscard]] bool stands_in_front(const end_columns& pair) const {
    const unsigned first = std::min(pair[0].front(), pair[1].front()), last = std::max(pair[0].front(), pair[1].front());
    for (unsigned c = 1; c < last; ++c) {
      const std::string& name = names_[c - 1];
      if (c != first && !names_an_index(name) && name != "id" && name != "weight") return false;
    }
    return true;
  }

  [[nodiscard]] std::vector<unsigned> columns_of(std::string_view name) const {
    std::vector<unsigned> found;
    for (unsigned c = 1; c <= names_.size(); ++c) {
      if (names_[c - 1] == name) found.push_back(c);
    }
    return found;
  }
  [[nodiscard]] std::optional<unsigned> only_column(std::string_view name) const {
    const auto found = columns_of(name);
    return found.size() == 1 ? std::optional{found.front()} : std::nullopt;
  }

  std::vector<std::string> names_;
};

}  // namespace

named_ends ends_named_in(std::span<const std::string> names) { return plain_header{names}.ends(); }

std::vector<unsigned> id_named_in(std::span<const std::string> names, std::size_t parts) { return plain_header{names}.id(parts); }

bool names_an_index(std::string_view name) {
  const std::string word = lower(trimmed(name));
  return word.empty() || word == "index" || word == "unnamed: 0";
}

bool names_a_column(std::string_view field) {
  static constexpr std::array<std::string_view, 50> names{
      "id",      "ids",      "id1",        "id2",         "id_1",      "id_2",      "ida",      "idb",      "source",   "target",
      "src",     "dst",      "dest",       "destination", "from",      "to",        "left",     "right",    "u",        "v",
      "node",    "node1",    "node2",      "node_1",      "node_2",    "vertex",    "vertex1",  "vertex2",  "vertex_1", "vertex_2",
      "from_id", "to_id",    "fromid",     "toid",        "source_id", "target_id", "sourceid", "targetid", "src_id",   "dst_id",
      "left_id", "right_id", "fromnodeid", "tonodeid",    "from_node", "to_node",   "entity1",  "entity2",  "record1",  "record2"};
  static constexpr std::array<std::string_view, 8> endings{"_l", "_r", "_x", "_y", "_left", "_right", "_source", "_target"};
  const std::string word = plain_name(field);
  if (std::find(names.begin(), names.end(), word) != names.end()) return true;
  return std::any_of(endings.begin(), endings.end(), [&](std::string_view end) { return word.size() > end.size() && word.ends_with(end); });
}

}  // namespace copse::io
