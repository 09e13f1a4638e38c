// What is thrown for an array of successors that is no set of lists.
#pragma once
#include <copse/core/error.hpp>

namespace copse {

/// An array that is no set of lists: a successor out of range, an element behind two others, or a cycle. `what()` names the element, the
/// first that is wrong whatever the variant and the threads.
class list_error : public input_error {
public:
  using input_error::input_error;
};

}  // namespace copse
