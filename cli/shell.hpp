// The syntax of sh: writing a text as one word, and finding the places in a command where such a word may be inserted.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace copse::cli {

/// Returns the text as one word of sh, in single quotes.
std::string quoted_for_shell(std::string_view text);
/// Returns the text as one word of sh, without quotes if it needs none.
std::string shell_word(const std::string& text);

/// Reads a command character by character and keeps track of quotes and comments as sh does.
class shell_reader {
public:
  /// `quoted` is inside quotes, backquotes or ${}, and everything after << or $'.
  enum class place : unsigned char { bare, comment, quoted };
  /// The kind of place at which the next character is.
  [[nodiscard]] place where() const noexcept;
  /// Consumes the first character of `rest`, and with it the second one behind a backslash and in `$(` and `${`. Returns how many it has
  /// consumed.
  std::size_t pass(std::string_view rest);

private:
  std::string open_ = "(";  ///< the open brackets and quotes, the innermost last; "(" for the command itself is first; `<` is never closed
  char last_ = ' ';         ///< the last consumed character: # begins a comment only at the beginning of a word
};

}  // namespace copse::cli
