#include "io/late_comments.hpp"

#include "io/fields.hpp"

#include <algorithm>
#include <span>

namespace copse::io {
namespace {

std::string_view without_marks(std::string_view text, const std::string& marks) {
  text.remove_prefix(std::min(text.find_first_not_of(marks), text.size()));
  return trimmed(text);
}

}  // namespace

bool splits_like_record(std::string_view line, const record_syntax& syntax, unsigned fields) {
  field_picker all{syntax, {}};
  if (all.pick(line) != record_fault::none || all.seen() != fields) return false;
  return !syntax.blanks || !without_marks(all.fields().front(), syntax.comments).empty();
}

std::vector<remedy> remedies_for_comments(const std::string& marks) {
  return {{"comment", "", "if such lines are records"}, {"comment", marks, "if they are comments"}};
}

bool late_comments::may_be_record(std::string_view line) const {
  if (!splits_like_record(line, layout_.syntax, layout_.fields)) return false;
  if (named_ || !layout_.has_data) return true;
  field_picker ids{layout_.syntax, std::span{layout_.columns}.first(layout_.ids)};
  return ids.pick(line) == record_fault::none && std::ranges::all_of(ids.fields(), [&](std::string_view id) {
           return signed_integer(without_marks(id, layout_.syntax.comments)).has_value();
         });
}

}  // namespace copse::io
