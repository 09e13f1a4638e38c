// The options of functions that read and write files, with the execution they run on.
#pragma once
#include <copse/io.hpp>

#include "core/request.hpp"
#include "ids/id_signs.hpp"

namespace copse::io {

struct read_request : request<read_options> {
  using request<read_options>::request;
  ids::id_signs* signs = nullptr;  ///< checks the signs of ids in the whole input; set by parse()
  bool erases = false;             ///< true if records of a stream may begin with -, which erases an edge
};
using write_request = request<write_options>;

}  // namespace copse::io
