#include "io/operation_parser.hpp"

#include "io/fields.hpp"
#include "io/id_columns.hpp"
#include "io/plain_pairs.hpp"
#include "io/records.hpp"

#include <copse/errors.hpp>

#include <algorithm>
#include <array>

namespace copse::io {
operation_parser::operation_parser(const stream_rules& rules)
    : rules_{rules},
      layout_{rules.layout},
      options_{rules.options},
      inserts_{layout_.syntax, layout_.columns},
      queries_{layout_.syntax, std::span{layout_.columns}.first(layout_.ids)},
      any_simple_{layout_.named && layout_.ids == 2 && !rules.keeps_weights && std::ranges::equal(layout_.columns, std::array{1u, 2u})},
      late_comments_{layout_, layout_.named, options_} {
  const std::size_t ids = layout_.named ? layout_.ids : 0;
  inserts_.watch(0, ids);
  queries_.watch(0, ids);
}

void operation_parser::parse(std::string_view text, std::uint64_t first_line, operation_batch& to) {
  first_line_ = next_line_ = first_line;
  sign_lines_ = {};
  while (!text.empty()) {
    if (any_simple_ && take_simple(text, to)) continue;
    const std::string_view before = text;
    const std::string_view record = cut_record(text, layout_.syntax);
    line_ = next_line_;
    const std::string_view taken = before.substr(0, before.size() - text.size());
    const bool one_line = !layout_.syntax.quotes || record.find('"') == std::string_view::npos;
    next_line_ += one_line ? static_cast<std::uint64_t>(taken.size() != record.size()) : count_line_ends(taken);
    if (is_record(record)) add(record, to);
  }
}

bool operation_parser::take_simple(std::string_view& text, operation_batch& to) {
  std::string_view names = text;
  operation kind = operation::insert;
  if (begins_with_sign(text, layout_.erases)) {
    if (text.size() <= 2 || !layout_.syntax.separates(text[1])) return false;
    kind = text[0] == '+' ? operation::insert : text[0] == '?' ? operation::query : operation::erase;
    names.remove_prefix(2);
  }
  const auto pair = plain_pair(names, layout_.syntax);
  if (!pair || (!options_.missing.empty() && (is_missing(pair->u) || is_missing(pair->v)))) return false;
  to.add(kind, *pair);
  cut_behind(*pair, text);
  any_record_ = true;
  ++next_line_;
  return true;
}

/// True if the text is a record; false for comments and blank lines.
bool operation_parser::is_record(std::string_view record) {
  if (is_blank_record(record, layout_.syntax)) return false;
  if (!is_comment(record, layout_.syntax)) return any_record_ = true;
  if (options_.counts != nullptr) options_.counts->comment_lines.fetch_add(1, std::memory_order_relaxed);
  if (any_record_) {
    late_comments_.take(record, [&](const std::string& found, const std::string& expected, std::vector<remedy> remedies) {
      throw ambiguous_input{input_error::at(rules_.name, line_, found, expected), std::move(remedies)};
    });
  }
  return false;
}

void operation_parser::add(std::string_view text, operation_batch& to) {
  const std::string_view whole = text;
  const auto sign = take_sign(text, layout_.syntax, layout_.erases);
  if (!sign && !layout_.named && begins_with_minus(trimmed(text))) {
    refuse(quoted(whole), "a sign before an id that is negative, such as + -5 7 or ? -5 7, as a record may not begin with - and a digit");
  }
  if (!sign && begins_with_sign(text, layout_.erases)) {
    refuse(quoted(whole), "a delimiter behind the sign, or a sign before an id that begins with one");
  }
  const operation kind = sign.value_or(operation::insert);
  field_picker& fields = kind == operation::insert ? inserts_ : queries_;
  if (const auto fault = fields.pick(text); fault != record_fault::none) refuse_fault(fields, fault, whole, text);
  if (layout_.two_only && fields.has_more()) {
    refuse("more than two ids in " + quoted(whole), "a record such as + u v or ? u v (the option columns 1,2 passes over further columns)");
  }
  const auto ids = std::span{fields.fields()}.first(layout_.ids);
  const bool missing = std::any_of(ids.begin(), ids.end(), [&](std::string_view id) { return is_missing(id); });
  if (missing && options_.counts != nullptr) options_.counts->missing_ends.fetch_add(1, std::memory_order_relaxed);
  const bool weighs = kind == operation::insert && layout_.columns.size() != layout_.ids && !missing;
  const judged_weight weight = weighs ? judged(fields[layout_.ids]) : judged_weight{weight_verdict::taken, 0};
  if (!missing && (!weighs || weighed_.count(weight))) {
    if (layout_.named) {
      const std::string_view u = name_of(ids.first(layout_.left), joined_[0]);
      to.add(kind, named_edge{u, name_of(ids.subspan(layout_.left), joined_[1])});
    } else {
      const integer_id u = id_in(fields[0]), v = id_in(fields[1]);
      const bool negative = u.negative || v.negative;
      if (has_sign_bit(u.word | v.word)) [[unlikely]] {
        if (has_sign_bit(u.word & v.word) && u.negative != v.negative) {
          refuse(quoted(whole), "ids that are all below 2^63 where one is negative");
        }
        if (std::uint64_t& line = sign_lines_[negative ? 1 : 0]; line == 0) line = line_;
      }
      to.add(kind, {u.word, v.word}, negative);
    }
    if (rules_.keeps_weights) to.add_weight(weight.weight);
  }
  fields.forget();
}

bool operation_parser::is_missing(std::string_view field) const {
  return std::find(options_.missing.begin(), options_.missing.end(), field) != options_.missing.end();
}

judged_weight operation_parser::judged(std::string_view field) const {
  const judged_weight weight = rules_.weights.judge(trimmed(field));
  if (weight.verdict == weight_verdict::not_a_number) {
    refuse(quoted(field), "a number as weight in column " + std::to_string(layout_.columns[layout_.ids]));
  }
  return weight;
}

std::string_view operation_parser::name_in(std::string_view field) const {
  if (field.empty()) refuse("an empty field", "a string id (the option na '' drops such records)");
  if (options_.ids != id_kind::bytes && !is_utf8(field))
    refuse(quoted(field), "a string id in UTF-8 (the option ids bytes takes any bytes)");
  return field;
}

/// The string id of these columns; an id of several columns is built in `joined`.
std::string_view operation_parser::name_of(std::span<const std::string_view> parts, std::string& joined) const {
  for (const std::string_view part : parts) static_cast<void>(name_in(part));
  if (parts.size() == 1) return parts.front();
  joined.clear();
  if (const auto bad = join_parts(parts, options_.id_delimiter, joined)) {
    const auto [found, expected] = refusal_of_part(parts[*bad], options_.id_delimiter);
    refuse(found, expected);
  }
  return joined;
}

integer_id operation_parser::id_in(std::string_view field) const {
  const auto id = signed_integer(field);
  if (!id || (id->negative && rules_.largest_id != UINT64_MAX)) refuse(describe_not_integer(field), ids_up_to(rules_.largest_id));
  if (options_.ids == id_kind::automatic && has_leading_zeros(field)) {
    refuse("the id " + std::string{field} + " with leading zeros",
           "the option ids int, which takes it for " + id->text() + ", or the option ids string, which tells them apart");
  }
  if (id->word > rules_.largest_id) refuse("the too large number " + quoted(field), ids_up_to(rules_.largest_id));
  return *id;
}

void operation_parser::refuse(std::string_view found, std::string_view expected) const {
  throw input_error::at(rules_.name, line_, found, expected);
}

void operation_parser::refuse_fault(const field_picker& fields, record_fault fault, std::string_view whole, std::string_view text) const {
  if (fault == record_fault::missing_column && fields.last_column() == 2 && layout_.ids == 2) {
    refuse("no second id in " + quoted(whole), "a record such as + u v or ? u v, separated by " + delimiter_text(layout_.syntax));
  }
  const auto [found, expected] = fields.refusal_of(fault, text);
  refuse(found, expected);
}

}  // namespace copse::io
