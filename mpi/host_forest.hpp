// The forests of the processes of one host, united in memory that they share: an array of parents for all ids, as the threads of one
// process have. So between processes of one machine nothing is sent, and all of them merge.
#pragma once
#include <copse/labels.hpp>
#include <copse/memory.hpp>
#include <copse/mergeable_forest.hpp>

#include <cstdint>
#include <memory>

#include "exchange.hpp"

namespace copse::mpi {

class host_forest {
public:
  /// What the forests of all ranks of `host` are together. Null, on all of them, where ids are strings, or so sparse that an array over
  /// them would be larger than the forests, or the host has no shared memory for it. All ranks call it together.
  static std::unique_ptr<host_forest> of(const communicator& host, const mergeable_forest& mine);
  host_forest(const host_forest&) = delete;
  host_forest& operator=(const host_forest&) = delete;
  /// By all ranks together.
  ~host_forest();

  /// A copy, on any rank, canonical: a slot for every id up to the largest.
  [[nodiscard]] labelling labels(std::pmr::memory_resource* memory) const;

private:
  host_forest(MPI_Win window, std::uint32_t* parents, std::uint64_t slots) noexcept : window_{window}, parents_{parents}, slots_{slots} {}

  MPI_Win window_;
  std::uint32_t* parents_;
  std::uint64_t slots_;
};

}  // namespace copse::mpi
