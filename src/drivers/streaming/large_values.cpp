// Which values came more often than they may, in an order that depends on nothing but the input.
#include <copse/errors.hpp>
#include <io/fields.hpp>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "group_forest.hpp"

namespace copse {
namespace streaming {

std::vector<large_value> group_forest::values_above(std::uint64_t limit,
                                                    const std::function<std::string(unsigned, std::uint64_t)>& text_of) const {
  std::vector<large_value> found;
  if (limit >= UINT32_MAX) return found;  // as far as is counted
  const auto least = static_cast<std::uint32_t>(limit);
  for (unsigned column = 0; column < columns_.size(); ++column) {
    if (const auto* strings = std::get_if<std::unique_ptr<string_holders>>(&columns_[column])) {
      (*strings)->for_each([&](std::string_view value, const value_holder& held) {
        if (held.count > least) found.push_back({column, std::string{value}, held.count});
      });
    } else if (const auto* integers = std::get_if<std::unique_ptr<integer_holders>>(&columns_[column])) {
      (*integers)->for_each([&](std::uint64_t value, const value_holder& held) {
        if (held.count > least) found.push_back({column, text_of(column, value), held.count});
      });
    }
  }
  std::sort(found.begin(), found.end(), [](const large_value& a, const large_value& b) {
    return std::tie(b.count, a.column, a.value) < std::tie(a.count, b.column, b.value);
  });
  return found;
}

}  // namespace streaming

namespace {

std::string text_of(const std::vector<large_value>& found, const std::vector<std::string>& column_names, std::uint64_t max_group) {
  constexpr std::size_t shown = 5;
  std::string text = "found " + std::to_string(found.size()) + (found.size() == 1 ? " value" : " values") + " that more than " +
                     std::to_string(max_group) + (max_group == 1 ? " record has: " : " records have: ");
  for (std::size_t i = 0; i < std::min(shown, found.size()); ++i) {
    const auto& [column, value, count] = found[i];
    const std::string name = column < column_names.size() ? column_names[column] : "keys[" + std::to_string(column) + "]";
    text.append(i == 0 ? "" : ", ")
        .append(name)
        .append(" ")
        .append(io::quoted(value))
        .append(" (")
        .append(std::to_string(count))
        .append(")");
  }
  return text.append(found.size() > shown ? ", ..." : "").append("; expected none");
}

}  // namespace

large_value_error::large_value_error(std::vector<large_value> found, const std::vector<std::string>& column_names, std::uint64_t max_group)
    : input_error{text_of(found, column_names, max_group)}, values_{std::move(found)} {}

}  // namespace copse
