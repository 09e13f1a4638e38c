// How every proof says no.
#pragma once
#include <copse/verify.hpp>

#include <string>
#include <utility>

namespace copse::proving {

inline verdict wrong(std::string reason) { return {.right = false, .reason = std::move(reason)}; }

}  // namespace copse::proving
