// The components of what all processes of one host read: an array of parents that they share, as the threads of one process do, so that
// nothing is merged among them, and each passes over edges inside the giant that all have found.
#pragma once
#include <copse/labels.hpp>
#include <copse/memory.hpp>
#include <copse/views.hpp>
#include <drivers/streaming/stream_giant.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "shared_memory.hpp"

namespace copse::mpi {

class host_forest {
public:
  /// For ids below `slots`, at most no_vertex<std::uint32_t>; memory is taken where they occur. All ranks of `host` together; null on all
  /// of them where the system has no such memory, and `reason` says why on one of them at least.
  static std::unique_ptr<host_forest> of(const communicator& host, std::uint64_t slots, std::pmr::memory_resource* memory,
                                         std::string& reason);
  host_forest(const host_forest&) = delete;
  host_forest& operator=(const host_forest&) = delete;

  /// Ids are below.
  [[nodiscard]] std::uint64_t slots() const noexcept { return slots_; }
  /// By any thread of any rank. `largest`: of the ids.
  void unite(std::span<const edge<std::uint64_t>> batch, std::uint64_t largest);
  /// Vertices [begin, end) are there, without an edge or with one.
  void add(std::uint64_t begin, std::uint64_t end);

  /// After the last edge: parents become labels. All ranks of `host` together. Throws resource_error on one of them alone.
  void close(const communicator& host, unsigned threads);
  /// After close(): is at least every second id below the largest a vertex? No vertex is, too.
  [[nodiscard]] bool dense() const noexcept { return used_ <= 2 * present_; }
  [[nodiscard]] std::uint64_t present() const noexcept { return present_; }
  /// After close(), on any rank, once: a slot for every id up to the largest. The array itself, which all ranks have: nobody writes to it.
  [[nodiscard]] labelling take_labels();

private:
  using id = std::uint32_t;
  /// What ranks count together.
  struct counts {
    streaming::giant_search<id> giant;
    alignas(64) std::atomic<std::uint64_t> used{0};  ///< one more than the largest id
  };

  host_forest(std::unique_ptr<shared_memory> memory, std::uint64_t slots, std::uint64_t bits_at, counts& together);
  void take(std::span<const edge<std::uint64_t>> batch);
  void use_up_to(std::uint64_t end) noexcept;
  [[nodiscard]] streaming::flat_words<id> words() const noexcept { return streaming::flat_words<id>{words_}; }

  std::unique_ptr<shared_memory> memory_;
  id* words_;
  std::uint64_t slots_;
  counts& together_;
  streaming::stream_giant<id> giant_;
  std::uint64_t used_ = 0, present_ = 0;
};

}  // namespace copse::mpi
