// Parents of vertices that are named by strings: a table numbers the strings in the order of arrival, the forest is over the numbers.
#pragma once
#include <copse/io.hpp>
#include <copse/labels.hpp>
#include <drivers/streaming/compact_forest.hpp>
#include <drivers/streaming/unite_batch.hpp>

#include <memory>
#include <span>
#include <vector>

namespace copse::streaming {

class interned_forest {
public:
  interned_forest(unsigned workers, std::pmr::memory_resource* memory);

  template <bool Shared>
  void unite(unsigned worker, std::span<const io::named_edge> batch, link_list* links = nullptr);

  /// Names ascending by bytes, labels their indices. `positions`: of the strings among the names, by the numbers of their arrival, unless
  /// it is null. The forest is used up.
  labelling take_labelling(unsigned threads, buffer<std::uint32_t>* positions = nullptr);

private:
  struct alignas(64) worker_state {
    compact_forest::run_of_indices run;
    std::unique_ptr<lookup_scratch<std::string_view>> piece = std::make_unique<lookup_scratch<std::string_view>>();
  };

  std::pmr::memory_resource* memory_;
  std::vector<worker_state> workers_;
  string_numbers table_;
  std::unique_ptr<compact_forest> forest_;
};

}  // namespace copse::streaming
