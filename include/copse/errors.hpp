// The exceptions of the library, by kind.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace copse {

// Everything copse throws, except std::bad_alloc if even a small allocation fails: failure to allocate an array that grows with the input
// is a resource_error. Exceptions thrown by a caller's functions and memory resources are passed on. The library never prints and never
// exits: the command line maps these types to exit codes.

/// Base of all errors of copse; `what()` is one line, ready to show.
class error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// The call itself is wrong: unknown variant, refused combination, option out of range. Exit code 2.
class usage_error : public error {
public:
  using error::error;
};

/// The input is not what it claims to be, or a file cannot be opened or created. Exit code 2.
class input_error : public error {
public:
  using error::error;

  /// The error `file:line: found X, expected Y`, or for line 0 `file: found X, expected Y`.
  [[nodiscard]] static input_error at(std::string_view file, std::uint64_t line, std::string_view found, std::string_view expected) {
    std::string text{file};
    if (line != 0) text.append(":").append(std::to_string(line));
    return input_error{text.append(": found ").append(found).append(", expected ").append(expected)};
  }
};

/// Memory, disk or ids ran out; the text holds the numbers. Exit code 3.
class resource_error : public error {
public:
  using error::error;
};

/// Thrown when the observer asked to stop (Ctrl-C, a caller's cancel button). No partly written output is left behind.
class cancelled : public error {
public:
  cancelled() : error{"cancelled"} {}
};

// The exception for an array of successors that does not describe a set of lists.

/// An array that does not describe a set of lists: a successor is out of range, two elements have the same successor, or there is a cycle.
/// `what()` names the first wrong element, which depends on neither the variant nor the threads.
class list_error : public input_error {
public:
  using input_error::input_error;
};

}  // namespace copse
