// What readers of saved files say of what they cannot use.
#pragma once
#include <copse/errors.hpp>

#include <string_view>

namespace copse::drivers {

/// Throws input_error, in which the file is called `name`.
class refuser {
public:
  explicit refuser(std::string_view name) : name_{name} {}
  [[noreturn]] void operator()(std::string_view found, std::string_view expected) const {
    throw input_error::at(name_, 0, found, expected);
  }

private:
  std::string_view name_;
};

}  // namespace copse::drivers
