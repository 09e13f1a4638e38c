// What everything of a GPU says in a build without the GPU part.
#pragma once
#include <copse/errors.hpp>

namespace copse {

[[noreturn]] inline void refuse_build() { throw resource_error{"cuda: found a build without the GPU part, expected one with it"}; }

}  // namespace copse
