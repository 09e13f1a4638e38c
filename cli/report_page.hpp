// The page that copse report writes: what each kind of result says, as tables, charts and words.
#pragma once
#include <string>

#include "json.hpp"

namespace copse::cli {

/// `results`: an array of what --json printed. Every number that is shown as it stands carries its place in that array (`data-key`, a JSON
/// pointer). Throws usage_error for a result that is of none of the kinds that are shown.
std::string report_page(const json& results, const std::string& title);

}  // namespace copse::cli
