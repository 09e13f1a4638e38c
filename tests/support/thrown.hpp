// What an error says.
#pragma once
#include <string>

namespace copse::test {

/// The text of the Error that `work()` throws; empty when it throws none.
template <class Error, class Work>
std::string thrown(Work work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace copse::test
