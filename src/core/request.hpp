// A request: the options of a public function, together with the execution it runs on.
#pragma once
#include <copse/execution.hpp>
#include <copse/options.hpp>

#include <utility>

namespace copse {

/// The last two arguments of a public function (options and execution) in one object, which is passed on to its implementation.
template <class Options>
struct request : Options, execution {
  request() = default;
  request(Options options, execution on) : Options(std::move(options)), execution(std::move(on)) {}

  /// The options without the execution, for calls of other public functions.
  [[nodiscard]] const Options& options() const noexcept { return *this; }
  [[nodiscard]] const execution& on() const noexcept { return *this; }
};

using solve_request = request<solve_options>;

}  // namespace copse
