#include "io/header_of_parts.hpp"

#include "io/fields.hpp"
#include "io/table_layout.hpp"
#include "io/text_source.hpp"

#include <copse/errors.hpp>

#include <algorithm>
#include <system_error>

namespace copse::io {
namespace {

bool any_by_name(const read_options& options) {
  return std::ranges::any_of(options.columns, [](const id_columns& id) { return id.named(); }) ||
         (options.weight_column && options.weight_column->named());
}

/// True if the line could be a record of two numbers.
bool begins_with_digit(std::string_view record) {
  record = trimmed(record);
  if (record.starts_with('"')) record.remove_prefix(1);
  return !record.empty() && (is_digit(record.front()) || record.front() == '-');
}

struct part_head {
  std::string first;
  bool alone = false;  ///< true if `first` is the only record of the file
};

// Reads the first record of an edge list.
part_head look_at(const std::filesystem::path& path, format f, const read_request& options) {
  std::error_code unknown;
  if (!is_edge_list(f) || !std::filesystem::is_regular_file(path, unknown)) return {};
  read_request quiet = options;
  quiet.observer = nullptr;
  quiet.threads = 1;
  text_source source{path, quiet};
  const auto [text, whole] = source.head(first_look_bytes);
  const first_records head = find_first_records(text, syntax_without_separator(f, options), whole, 2);
  if (head.empty()) return {};
  return {std::string{head.records.front()}, head.records.size() == 1 && whole};
}

}  // namespace

header_of_parts::header_of_parts(std::span<const std::filesystem::path> paths, const read_request& options,
                                 const std::function<format(const std::filesystem::path&)>& format_of_part)
    : asked_{options.header} {
  if (options.header || any_by_name(options)) return;
  const auto head_of = [&](const std::filesystem::path& path) {
    try {
      return look_at(path, format_of_part(path), options);
    } catch (const error&) {  // is reported when the file itself is read
      return part_head{};
    }
  };
  const auto may_be_header = [&](const std::filesystem::path& path) {
    std::error_code unknown;
    if (std::filesystem::file_size(path, unknown) > first_look_bytes || unknown) return false;
    const part_head head = head_of(path);
    return head.alone && !begins_with_digit(head.first);
  };
  if (std::ranges::none_of(paths, may_be_header)) return;
  std::vector<part_head> heads;
  for (const auto& path : paths) heads.push_back(head_of(path));
  for (std::size_t i = 0; i < heads.size() && header_.empty(); ++i) {
    if (!heads[i].alone || begins_with_digit(heads[i].first)) continue;
    const auto other = std::ranges::find_if(heads, [&](const part_head& head) { return !head.alone && head.first == heads[i].first; });
    if (other == heads.end()) continue;
    header_ = heads[i].first;
    if (options.observer != nullptr) {
      options.observer->note(paths[i].string() + ": its only record is the first one of " +
                             paths[static_cast<std::size_t>(other - heads.begin())].string() +
                             ", too: it is taken as their header (the option header decides otherwise)");
    }
  }
  for (part_head& head : heads) firsts_.push_back(std::move(head.first));
}

std::optional<bool> header_of_parts::header_of(std::size_t i) const {
  return !header_.empty() && firsts_[i] == header_ ? std::optional{true} : asked_;
}

}  // namespace copse::io
