// What the functions that read and write files were asked.
#pragma once
#include <copse/io.hpp>

#include "core/request.hpp"
#include "ids/id_signs.hpp"

namespace copse::io {

struct read_request : request<read_options> {
  using request<read_options>::request;
  ids::id_signs* signs = nullptr;  ///< one for the whole input; set by parse()
  bool erases = false;             ///< records of a stream may have the sign -
};
using write_request = request<write_options>;

}  // namespace copse::io
