// The exception that is thrown when memory runs out; users catch it as a resource_error.
#pragma once
#include <copse/errors.hpp>

#include <string>
#include <string_view>

namespace copse {

/// Memory ran out: the system refused an allocation, or a memory limit was reached.
class memory_error : public resource_error {
public:
  explicit memory_error(const std::string& text) : resource_error{text} {}

  /// The error for an array that is known in advance not to fit. Its text ends with `plan`, which lists the ways to solve that would fit.
  /// No step of the work needed that memory, so in_step() returns the error unchanged.
  static memory_error before_work(const std::string& text, std::string_view plan) {
    memory_error known = memory_error{text}.with_plan(plan);
    known.names_step_ = true;
    return known;
  }

  /// The error with the file and the step that needed memory in front, as `file: step: text`; unchanged if it names them already.
  [[nodiscard]] memory_error in_step(std::string_view file, std::string_view step) const {
    if (names_step_) return *this;
    memory_error named{std::string{file}.append(": ").append(step).append(": ").append(what())};
    named.names_step_ = true;
    named.has_plan_ = has_plan_;
    return named;
  }

  /// The error with the text `plan` at its end; unchanged if it has one already.
  [[nodiscard]] memory_error with_plan(std::string_view plan) const {
    if (has_plan_ || plan.empty()) return *this;
    memory_error planned{std::string{what()}.append(plan)};
    planned.names_step_ = names_step_;
    planned.has_plan_ = true;
    return planned;
  }
  [[nodiscard]] bool has_plan() const noexcept { return has_plan_; }

private:
  bool names_step_ = false;
  bool has_plan_ = false;
};

}  // namespace copse
