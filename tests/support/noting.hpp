// An observer who keeps what it is told.
#pragma once
#include <copse/execution.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace copse::test {

class noting final : public observer {
public:
  void progress(std::string_view, std::uint64_t, std::uint64_t, std::string_view) override {}
  void note(std::string_view text) override { notes.emplace_back(text); }
  std::vector<std::string> notes;
};

}  // namespace copse::test
