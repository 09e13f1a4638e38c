#include "shell.hpp"

#include <algorithm>
#include <cctype>

namespace copse::cli {

std::string quoted_for_shell(std::string_view text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string{"'\\''"} : std::string{c};
  return word + "'";
}

std::string shell_word(const std::string& text) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view{",.:_/-"}.find(c) != std::string_view::npos;
  };
  return !text.empty() && std::ranges::all_of(text, plain) ? text : quoted_for_shell(text);
}

shell_reader::place shell_reader::where() const noexcept {
  const char in = open_.back();
  return in == '(' ? place::bare : in == '#' ? place::comment : place::quoted;
}

std::size_t shell_reader::pass(std::string_view rest) {
  const char c = rest[0], next = rest.size() > 1 ? rest[1] : '\0', in = open_.back();
  const bool begins_word = std::string_view{" \t\n;&|()"}.find(last_) != std::string_view::npos;
  last_ = c;
  if (in == '<') return 1;
  if (in == '#' || in == '\'') {
    if (c == (in == '#' ? '\n' : '\'')) open_.pop_back();
    return 1;
  }
  if (c == '\\') return std::min<std::size_t>(rest.size(), 2);
  if (in == '`') {
    if (c == '`') open_.pop_back();
    return 1;
  }
  if (c == '$' && (next == '(' || next == '{')) {
    open_ += last_ = next;
    return 2;
  }
  if (c == '`' || (c == '"' && in != '"')) {
    open_ += c;
  } else if (c == '"' || (c == '}' && in == '{') || (c == ')' && in == '(' && open_.size() > 1)) {
    open_.pop_back();
  } else if (in == '{' && c == '\'') {
    open_ += '<';  // shells differ on whether a single quote in ${} has an effect, so all text after it counts as quoted
  } else if (in == '(' && (c == '\'' || c == '(' || (c == '#' && begins_word))) {
    open_ += c;
  } else if (in == '(' && ((c == '<' && next == '<') || (c == '$' && next == '\''))) {
    open_ += '<';
  }
  return 1;
}

}  // namespace copse::cli
