#include "io/id_columns.hpp"

#include "io/fields.hpp"

#include <copse/errors.hpp>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace copse::io {

ambiguous_input::ambiguous_input(const input_error& fault, std::vector<remedy> remedies)
    : input_error{fault}, remedies_{std::make_shared<const std::vector<remedy>>(std::move(remedies))} {}

std::span<const remedy> ambiguous_input::remedies() const noexcept { return *remedies_; }

std::string column::text() const { return named() ? name_ : std::to_string(number_); }

id_columns id_columns::presumed(unsigned number) {
  id_columns columns{number};
  columns.presumed_ = true;
  return columns;
}

id_columns::id_columns(column only) : columns_{std::move(only)} {}
id_columns::id_columns(unsigned number) : columns_{column{number}} {}
id_columns::id_columns(std::string name) : columns_{column{std::move(name)}} {}
id_columns::id_columns(const char* name) : columns_{column{name}} {}

bool id_columns::named() const noexcept {
  return std::any_of(columns_.begin(), columns_.end(), [](const column& c) { return c.named(); });
}

std::string id_columns::text() const {
  std::string text;
  for (const column& c : columns_) text.append(text.empty() ? "" : ",").append(c.text());
  return text;
}

void expect_id_columns(const id_columns& id, const read_options& options) {
  const auto& columns = id.columns();
  for (auto c = columns.begin(); c != columns.end(); ++c) {
    if ((!c->named() && c->number() == 0) || std::find(columns.begin(), c, *c) != c) {
      throw usage_error{"columns " + id.text() + " of an id: found " + c->text() +
                        ", expected different columns, counted from 1 or by their names"};
    }
  }
  if (columns.empty()) throw usage_error{"an id needs at least one column"};
  if (!id.joined()) return;
  if (options.id_delimiter.empty()) throw usage_error{"ids of several columns need a separator: set the option id-delimiter"};
  if (options.ids == id_kind::integers) refuse_joined_integers();
}

void refuse_joined_integers() { throw usage_error{"ids made of several columns must be strings or bytes, not integers"}; }

void expect_edge_columns(const read_options& options) {
  const auto& [u, v] = options.columns;
  for (const id_columns& id : options.columns) expect_id_columns(id, options);
  if (u.columns() == v.columns()) throw usage_error{"columns " + u.text() + " for both ids: two different ones are needed"};
  if (u.size() != v.size()) throw usage_error{"ids of columns " + u.text() + " and " + v.text() + ": as many are needed for both"};
  if (options.weight_column == column{0u}) throw usage_error{"weight column 0: columns are counted from 1"};
  if (options.min_weight && !options.weight_column)
    throw usage_error{"a least weight (the option min-weight) needs a column of weights (the option weight)"};
  if (options.weight_column && !options.min_weight) {
    throw usage_error{"a column of weights (the option weight) has no effect without a least weight (the option min-weight)"};
  }
}

std::vector<column> columns_of_edges(const read_options& options) {
  std::vector<column> both = options.columns[0].columns();
  const auto& right = options.columns[1].columns();
  both.insert(both.end(), right.begin(), right.end());
  return both;
}

std::optional<std::size_t> join_parts(std::span<const std::string_view> parts, std::string_view delimiter, std::string& whole) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t begin = whole.size();
    whole.append(parts[i]);
    if (i + 1 == parts.size()) break;
    const std::size_t end = whole.size();
    whole.append(delimiter);
    if (whole.find(delimiter, begin) != end) return i;
  }
  return std::nullopt;
}

part_refusal refusal_of_part(std::string_view part, std::string_view delimiter) {
  return {quoted(part) + " as a part of an id", "a part that neither contains the separator " + quoted(delimiter) +
                                                    " nor ends with the beginning of it; the option id-delimiter sets another separator"};
}

}  // namespace copse::io
