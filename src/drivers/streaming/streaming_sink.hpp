// The sink that unites edges while a reader parses them, and keeps no edges. It begins with the cheapest forest that can hold the ids and
// moves to another one if the ids make that one expensive: declared vertices in an array; ids below 2^32 - 1 in a reserved range, or, if
// they are sparse or larger, behind a hash table; strings behind a table of strings.
#pragma once
#include <copse/execution.hpp>
#include <copse/graph.hpp>
#include <copse/io.hpp>
#include <copse/labels.hpp>
#include <copse/report.hpp>
#include <drivers/streaming/arrival_forest.hpp>
#include <drivers/streaming/ranged_forest.hpp>
#include <drivers/streaming/unite_batch.hpp>
#include <io/part_of_file.hpp>
#include <io/request.hpp>

#include <atomic>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace copse::streaming {

/// A spanning forest and the canonical labels of the same vertices, of which none is absent.
struct labelled_forest {
  graph edges;
  labelling labels;
};

/// A sink that unites edges as they come, on the CPU or on GPUs.
class uniting_sink : public io::edge_sink {
public:
  /// Returns the answer. Called once, after finish(); the sink cannot be used afterwards.
  virtual labelling take_labelling() = 0;
  /// Returns the answer together with the edges that joined two trees. Called instead of take_labelling(). Precondition: the sink keeps
  /// these edges.
  virtual labelled_forest take_forest() = 0;
  /// Enqueues edges that are in the memory of one of the sink's GPUs. Throws usage_error for other edges, and if the sink is on the CPU.
  virtual void resident_edges(std::span<const edge<std::uint32_t>> edges, std::optional<cuda_stream> in_order_of);
  /// Corrects what a report says about the device, if that is not the CPU.
  virtual void name_device(solve_report& /*report*/) const {}
};

class streaming_sink final : public uniting_sink {
public:
  /// `threads`: number of threads for the work before the first edge and after the last one. `keeps_links`: if true, keeps the edges that
  /// joined two trees.
  streaming_sink(unsigned threads, std::pmr::memory_resource* memory, bool keeps_links = false)
      : threads_{threads}, keeps_links_{keeps_links}, memory_{memory} {}

  void begin(const io::source_facts& facts) override;
  void edges(unsigned worker, const io::edge_batch& batch) override;
  void vertices(unsigned worker, const io::vertex_batch& batch) override;
  void ids_are_signed() override { signed_.store(true, std::memory_order_relaxed); }

  labelling take_labelling() override;
  labelled_forest take_forest() override;
  /// Number of edges that the workers have received, without the loops that stand for single vertices.
  [[nodiscard]] std::uint64_t edge_count() const noexcept;
  [[nodiscard]] unsigned workers() const noexcept { return static_cast<unsigned>(workers_.size()); }
  /// True if more than one worker united edges, so that shared_variant names the rules that ran.
  [[nodiscard]] bool shared() const noexcept { return workers_.size() > 1; }

private:
  struct alignas(64) worker_state {
    explicit worker_state(std::pmr::memory_resource* memory) : links{memory} {}
    std::mutex uniting;  ///< held while the worker unites
    std::uint64_t edges = 0;
    link_list links;
  };
  [[nodiscard]] link_list* links_of(unsigned worker) noexcept { return keeps_links_ ? &workers_[worker].links : nullptr; }
  /// Returns the edges that joined two trees. An end of an edge is the position of its vertex in `names`, the names of the vertices in the
  /// answer.
  template <unsigned_index Id>
  [[nodiscard]] buffer<edge<Id>> links_between(const vertex_names& names) const;
  enum class outcome : std::uint8_t { united, needs_hash, needs_array };

  template <bool Shared>
  outcome unite(unsigned worker, std::span<const edge<std::uint64_t>> part);
  void unite_integers(unsigned worker, std::span<const edge<std::uint64_t>> batch);
  void unite_names(unsigned worker, std::span<const io::named_edge> batch);
  outcome unite_guarded(unsigned worker, std::span<const edge<std::uint64_t>> part);
  void move_on(outcome why);
  void move_to_hash();

  unsigned threads_;
  bool keeps_links_;
  std::atomic<bool> signed_{false};
  buffer<std::uint32_t> positions_;  ///< the position of each string, by the string's number of arrival
  std::pmr::memory_resource* memory_;
  std::deque<worker_state> workers_;
  using sparse_forest = arrival_forest<std::uint64_t>;
  using string_forest = arrival_forest<std::string_view>;
  std::variant<std::monostate, std::unique_ptr<ranged_forest>, std::unique_ptr<sparse_forest>, std::unique_ptr<string_forest>,
               std::unique_ptr<declared_forest<std::uint32_t>>, std::unique_ptr<declared_forest<std::uint64_t>>>
      forest_;
  std::uint64_t first_id_ = 0;  ///< the first declared vertex
  bool range_refused_ = false;  ///< true if the system has no address space for a ranged forest

  // The thread that moves the forest holds the locks of all workers. Each worker has a lock of its own, so that workers share no word that
  // they write to. A worker could take its lock again and again while the moving thread waits for it, so workers wait at the turnstile
  // until that thread has all locks.
  std::mutex turnstile_;
  std::atomic<bool> moving_{false};
};

/// Components of a part of some files, of any format: edges are united while they are parsed.
labelling components_of_part(std::span<const std::filesystem::path> paths, io::part_of_file part, const io::read_request& input);

}  // namespace copse::streaming
