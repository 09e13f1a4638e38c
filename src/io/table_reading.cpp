#include "io/table_reading.hpp"

#include "io/fields.hpp"

#include <copse/errors.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace copse::io {
namespace {

using name_pair = std::pair<std::string_view, std::string_view>;

constexpr std::array<name_pair, 6> strong_pairs{
    {{"unique_id_l", "unique_id_r"}, {"id_l", "id_r"}, {"id1", "id2"}, {"id_1", "id_2"}, {"source", "target"}, {"src", "dst"}}};
constexpr std::array<name_pair, 3> weak_pairs{{{"from", "to"}, {"u", "v"}, {"left", "right"}}};
constexpr std::string_view left_end = "_l", right_end = "_r";

/// The name in lower case, without a comment mark in front, as `#source` has.
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

  /// Adds all pairs of columns with these names; a name that occurs twice gives several pairs.
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

namespace {

/// A name without blanks and, outside CSV, without the quotes that R writes around names.
std::string header_name(std::string_view field, bool quotes) {
  field = trimmed(field);
  if (!quotes && field.size() >= 2 && field.front() == '"' && field.back() == '"') field = field.substr(1, field.size() - 2);
  return std::string{field};
}

bool is_missing(std::string_view field, const read_options& options) {
  return std::ranges::find(options.missing, field) != options.missing.end();
}

}  // namespace

table_reading::table_reading(const record_syntax& syntax, std::string_view text, bool whole)
    : syntax_{syntax}, head_{find_first_records(text, syntax, whole)} {
  field_picker all{syntax_, {}};
  bool even = true, trailing_delimiter = true;
  least_fields_ = std::numeric_limits<unsigned>::max();
  for (std::size_t i = 0; i < head_.records.size(); ++i) {
    const record_fault fault = all.pick(head_.records[i]);
    const unsigned fields = fault == record_fault::none ? all.seen() : 0;
    least_fields_ = std::min(least_fields_, fields);
    if (i == 0) {
      fault_ = fault;
      first_fields_ = all.seen();
      for (const std::string_view field : all.fields()) names_.push_back(header_name(field, syntax_.quotes));
      continue;
    }
    even = even && (i == 1 || fields == other_fields_);
    other_fields_ = fields;
    trailing_delimiter = trailing_delimiter && fields != 0 && all.fields().back().empty();
    all.forget();
  }
  if (!even) other_fields_ = 0;
  shifted_ = fault_ == record_fault::none && other_fields_ != 0 && other_fields_ == first_fields_ + 1 && !trailing_delimiter;
}

unsigned table_reading::last_column() const noexcept {
  const auto needed = std::span{columns_}.first(only_ids_ ? ids_ : columns_.size());
  return needed.empty() ? 0 : *std::ranges::max_element(needed);
}

void table_reading::look(const table_request& request, const read_options& options) {
  only_ids_ = request.only_ids;
  ids_ = request.ids;
  left_ = request.left;
  if (shifted_ && first_fields_ < request.ids) shifted_ = false;
  find_columns(request);
  if (head_.empty() || fault_ != record_fault::none) return;
  std::vector<std::string> names = names_;
  if (shifted_) names.insert(names.begin(), std::string{});
  if (request.presumed == table_request::presumption::ends) ends_ = ends_named_in(names);
  if (request.presumed == table_request::presumption::id) id_column_ = id_named_in(names, request.ids);
  first_ = look_at(0, request, options);
  second_ = look_at(1, request, options);
}

void table_reading::find_columns(const table_request& request) {
  columns_.clear();
  for (const column& wanted : request.columns) {
    if (!wanted.named()) {
      columns_.push_back(wanted.number());
      continue;
    }
    const auto found = std::ranges::find(names_, wanted.name());
    if (found == names_.end() && missing_name_.empty()) missing_name_ = wanted.name();
    if (found != names_.end() && std::find(found + 1, names_.end(), wanted.name()) != names_.end()) repeated_name_ = wanted.name();
    columns_.push_back(static_cast<unsigned>(found - names_.begin()) + (shifted_ ? 2 : 1));
  }
  if (!missing_name_.empty()) columns_.clear();
}

table_reading::looked_at table_reading::look_at(std::size_t record, const table_request& request, const read_options& options) const {
  looked_at seen;
  if (record >= head_.records.size() || columns_.empty()) return seen;
  field_picker picker{syntax_, std::span{columns_}.first(request.only_ids ? ids_ : columns_.size())};
  seen.splits = picker.pick(head_.records[record]) == record_fault::none;
  if (!seen.splits) return seen;
  const auto ids = std::span{picker.fields()}.first(ids_);
  // Missing values do not prevent ids from being numbers, but at least one id must be a number.
  seen.numeric = std::ranges::any_of(ids, looks_numeric) &&
                 std::ranges::all_of(ids, [&](std::string_view id) { return looks_numeric(id) || is_missing(id, options); });
  seen.numbers = std::ranges::all_of(ids, [](std::string_view id) { return looks_numeric(trimmed(id)); });
  seen.padded = seen.numeric && std::ranges::any_of(ids, has_leading_zeros);
  seen.usual_names = std::ranges::all_of(ids, names_a_column);
  return seen;
}

bool table_reading::is_header(const table_request& request, const read_options& options, bool any_splits) {
  const bool by_name = std::ranges::any_of(request.columns, [](const column& c) { return c.named(); });
  if (by_name && options.header == false) throw usage_error{"columns by name need a header, which the options say the file does not have"};
  if (options.header) return *options.header;
  if (by_name) return true;
  if (head_.empty() || first_.numeric || first_.numbers) return false;
  // An empty first field in front of fields that are not numbers is the name of an index column, which shows that the record is a header,
  // unless an empty field may be a missing value.
  const bool unnamed = request.presumed != table_request::presumption::none && fault_ == record_fault::none && names_.size() > 1 &&
                       names_.front().empty() && !is_missing("", options);
  const bool shorter = request.presumed == table_request::presumption::ends && shifted_ && head_.records.size() > 2;
  if (second_.numeric) return any_splits;
  known_by_names_ = ends_.found != named_ends::kind::none || !id_column_.empty() || first_.usual_names;
  return known_by_names_ || unnamed || shorter;
}

void table_reading::decide_header(const table_request& request, const read_options& options, bool any_splits) {
  header_ = is_header(request, options, any_splits);
  if (header_ && shifted_) names_.insert(names_.begin(), std::string{});
  if (header_) take_named_columns(request);
  if (moves_ids_) second_ = look_at(1, request, options);
  const bool alone = head_.records.size() == 1;
  if (alone || other_fields_ == first_fields_) even_fields_ = fault_ == record_fault::none ? first_fields_ : 0;
  if (header_ && shifted_) even_fields_ = other_fields_;
}

// Replaces the columns of ids, which come first; the columns of weights and keys stay.
void table_reading::take_named_columns(const table_request& request) {
  std::vector<unsigned> named;
  if (request.presumed == table_request::presumption::ends && ends_.found == named_ends::kind::clear) {
    left_ = ends_.columns[0].size();
    for (const auto& side : ends_.columns) named.insert(named.end(), side.begin(), side.end());
  } else if (request.presumed == table_request::presumption::id) {
    named = id_column_;
  }
  if (named.empty() || columns_.empty()) return;
  const std::vector<unsigned> presumed{columns_.begin(), columns_.begin() + static_cast<std::ptrdiff_t>(ids_)};
  names_ids_ = true;
  moves_ids_ = named != presumed;
  columns_.erase(columns_.begin(), columns_.begin() + static_cast<std::ptrdiff_t>(ids_));
  columns_.insert(columns_.begin(), named.begin(), named.end());
  ids_ = named.size();
}

}  // namespace copse::io
