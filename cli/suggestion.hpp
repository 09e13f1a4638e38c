// Suggests the known word that a mistyped word probably stands for.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace copse::cli {

/// `; did you mean WORD?` for the known word that takes the fewest edits (letters added, dropped or changed) to make of `word`: at most a
/// third of its letters, and at most two. Empty when there is none.
std::string suggestion_for(std::string_view word, std::span<const std::string> known);

}  // namespace copse::cli
