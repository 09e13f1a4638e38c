// The output of `copse --version`, as text and as JSON.
#pragma once
#include "json.hpp"

namespace copse::cli {

const char* version_text() noexcept;
/// {version, commit, compiler, build_type, built_with: {name: version or null ..}}
json version_json();

}  // namespace copse::cli
