// What is thrown where memory ends; users see a resource_error.
#pragma once
#include <copse/errors.hpp>

#include <string>
#include <string_view>

namespace copse {

/// Memory ran out: the system refused it, or a limit did.
class memory_error : public resource_error {
public:
  explicit memory_error(const std::string& text) : resource_error{text} {}

  /// The same behind the file and the step for which memory was wanted, `file: step: text`; unchanged if it names them already.
  [[nodiscard]] memory_error in_step(std::string_view file, std::string_view step) const {
    if (names_step_) return *this;
    memory_error named{std::string{file}.append(": ").append(step).append(": ").append(what())};
    named.names_step_ = true;
    return named;
  }

private:
  bool names_step_ = false;
};

}  // namespace copse
