// What the functions that read and write files were asked.
#pragma once
#include <copse/io.hpp>

#include "core/request.hpp"

namespace copse::io {

using read_request = request<read_options>;
using write_request = request<write_options>;

}  // namespace copse::io
