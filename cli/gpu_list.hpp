// The GPUs of this machine, for `copse info --device`.
#pragma once
#include <string>

#include "json.hpp"

namespace copse::cli {

json gpu_list_json();
std::string gpu_list_text();

}  // namespace copse::cli
