// The lines of a file of labels: two fields each. In CSV, blanks around a field without quotes are no part of it, as in any table.
#pragma once
#include "io/fields.hpp"

#include <copse/errors.hpp>

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace copse::io {

class label_lines {
public:
  label_lines(std::string_view file, std::string_view bytes, bool csv, bool header, bool trim)
      : file_{file}, rest_{bytes}, csv_{csv}, trim_{csv && trim} {
    if (header && !rest_.empty()) take_line();
  }

  /// False at the end. Blank lines are skipped.
  bool next() {
    while (!rest_.empty()) {
      line_ = next_line_;
      if (csv_ && rest_.front() == '"') {
        split_csv();
        return true;
      }
      const std::string_view text = take_line();
      if (text.empty()) continue;
      split(text);
      return true;
    }
    return false;
  }

  [[nodiscard]] std::string_view id() const noexcept { return id_; }
  [[nodiscard]] std::string_view label() const noexcept { return label_; }
  [[nodiscard]] std::uint64_t line() const noexcept { return line_; }

  [[noreturn]] void refuse(std::string_view found, std::string_view expected) const {
    throw input_error::at(file_, line_, found, expected);
  }

private:
  std::string_view take_line() {
    const auto end = rest_.find('\n');
    std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    ++next_line_;
    if (text.ends_with('\r')) text.remove_suffix(1);
    return text;
  }

  void split(std::string_view text) {
    auto at = text.find(csv_ ? ',' : '\t');
    if (at == std::string_view::npos && !csv_) at = text.find_last_of(" ,");
    if (at == std::string_view::npos) refuse("one field", csv_ ? "id,component" : "id and component with a tab between");
    id_ = text.substr(0, at);
    label_ = text.substr(at + 1);
    if (trim_) id_ = trimmed(id_);
    if (trim_) label_ = trimmed(label_);
    if (csv_ && label_.starts_with('"')) {
      rest_ = {label_.data(), static_cast<std::size_t>(rest_.data() + rest_.size() - label_.data())};
      --next_line_;
      label_ = csv_field();
      end_csv_line();
    } else if (csv_ && label_.find(',') != std::string_view::npos) {
      refuse("more than two fields", "id,component");
    }
  }
  void split_csv() {
    id_ = csv_field();
    if (rest_.empty() || rest_.front() != ',') refuse("one field", "id,component");
    rest_.remove_prefix(1);
    label_ = csv_field();
    end_csv_line();
  }
  void end_csv_line() {
    if (!take_line().empty()) refuse("more than two fields", "id,component");
  }
  /// The field at the front of what is left, unquoted; takes no separator.
  std::string_view csv_field() {
    skip_blanks();
    if (!rest_.starts_with('"')) {
      const std::string_view field = rest_.substr(0, rest_.find_first_of(",\r\n"));
      rest_.remove_prefix(field.size());
      return trim_ ? trimmed(field) : field;
    }
    std::size_t at = 1;
    bool doubled = false;
    for (;; at += 2) {
      at = rest_.find('"', at);
      if (at == std::string_view::npos) refuse("a quote that is never closed", "a closing quote");
      if (at + 1 == rest_.size() || rest_[at + 1] != '"') break;
      doubled = true;
    }
    std::string_view field = rest_.substr(1, at - 1);
    for (const char c : field) next_line_ += c == '\n' ? 1 : 0;
    rest_.remove_prefix(at + 1);
    skip_blanks();
    if (!doubled) return field;
    std::string& plain = unquoted_.emplace_back();
    for (std::size_t i = 0; i < field.size(); ++i) {
      plain += field[i];
      if (field[i] == '"') ++i;
    }
    return plain;
  }

  void skip_blanks() {
    while (trim_ && !rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
  }

  std::string_view file_;
  std::string_view rest_;
  bool csv_;
  bool trim_;
  std::uint64_t line_ = 0;
  std::uint64_t next_line_ = 1;
  std::string_view id_;
  std::string_view label_;
  std::deque<std::string> unquoted_;  // fields that were not as they stand in the file
};

}  // namespace copse::io
