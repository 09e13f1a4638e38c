// The language of sh: a text as a word of it, and the places of a command where such a word may stand.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace copse::cli {

/// One word of sh, in single quotes, whatever the text holds.
std::string quoted_for_shell(std::string_view text);
/// One word of sh, without quotes if the text needs none.
std::string shell_word(const std::string& text);

/// Reads a command from its beginning on, as sh does.
class shell_reader {
public:
  /// `quoted`: in quotes, in backquotes, in ${}, and all that is behind << or $'.
  enum class place : unsigned char { bare, comment, quoted };
  /// Where the next character is.
  [[nodiscard]] place where() const noexcept;
  /// Passes over the first character of `rest`, and the second one if both belong together. Returns how many these are.
  std::size_t pass(std::string_view rest);

private:
  std::string open_ = "(";  ///< what is open, the innermost last; the first is the command; `<` never ends
  char last_ = ' ';         ///< what was passed last, for # begins a comment only where a word can begin
};

}  // namespace copse::cli
