// A running checksum of the records of a stream, in their order: what a checkpoint was made of, to be compared with what is handed in
// again. It detects change, not malice. The same records have the same sum, however they are cut into batches, spelled or compressed.
#pragma once
#include <copse/operations.hpp>
#include <core/random.hpp>

#include <cstdint>
#include <cstring>
#include <string_view>

namespace copse::api {

class record_sum {
public:
  explicit record_sum(std::uint64_t value = 0) noexcept : value_{value} {}

  void add(const io::operation_batch& batch) noexcept {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      std::uint64_t u = 0, v = 0;
      if (batch.named()) {
        const auto names = batch.names(i);
        u = sum_of(names.u);
        v = sum_of(names.v);
      } else {
        u = batch.pairs()[i].u;
        v = batch.pairs()[i].v;
      }
      const std::uint64_t kind = batch.kinds()[i] == operation::query ? 2 : 1;
      value_ = mix(mix(value_ + u * 0x9E3779B97F4A7C15u + kind) + v);
    }
  }
  [[nodiscard]] std::uint64_t value() const noexcept { return value_; }

private:
  static std::uint64_t sum_of(std::string_view name) noexcept {
    std::uint64_t sum = mix(name.size() + 1);
    while (!name.empty()) {
      std::uint64_t word = 0;
      const std::size_t count = std::min<std::size_t>(name.size(), sizeof word);
      std::memcpy(&word, name.data(), count);
      sum = mix(sum ^ word);
      name.remove_prefix(count);
    }
    return sum;
  }

  std::uint64_t value_;
};

}  // namespace copse::api
