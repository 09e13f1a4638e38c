// What a public function was asked: its options, together with how the call runs.
#pragma once
#include <copse/execution.hpp>
#include <copse/options.hpp>

#include <utility>

namespace copse {

/// The two last arguments of a public function as one, which the code behind it passes on.
template <class Options>
struct request : Options, execution {
  request() = default;
  request(Options options, execution on) : Options(std::move(options)), execution(std::move(on)) {}

  /// The options alone, for calls of public functions.
  [[nodiscard]] const Options& options() const noexcept { return *this; }
  [[nodiscard]] const execution& on() const noexcept { return *this; }
};

using solve_request = request<solve_options>;

}  // namespace copse
