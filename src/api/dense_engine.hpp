// The work of a dense_incremental, as an interface that each backend implements: the backend is chosen at run time.
#pragma once
#include <api/dense_incremental.hpp>
#include <copse/errors.hpp>
#include <core/request.hpp>
#include <variants/incremental_code.hpp>
#include <variants/table.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace copse::api {

template <unsigned_index Id>
struct dense_incremental<Id>::engine {
  using part = drivers::batch_part<Id>;

  engine(const variant::table_entry& chosen, const request<incremental_options>& asked) : row{chosen}, options{asked} {}
  virtual ~engine() = default;

  [[nodiscard]] virtual unsigned threads() const noexcept = 0;
  virtual void grow(Id slots) = 0;
  virtual void declare(Id begin) = 0;
  virtual void adopt(std::span<const Id> labels) = 0;
  /// Continues from labels, whose edges are not known. Precondition: the engine is as constructed.
  void take(const buffer<Id>& labels) {
    grow(static_cast<Id>(labels.size()));
    adopt(labels.span());
    knows_all_edges = links() == 0;
  }
  /// The number of pairs in each part of a batch that is handled part by part: a multiple of 64, so that the answers to the queries of a
  /// part are whole words; or more than any batch has.
  [[nodiscard]] virtual std::size_t step() const noexcept = 0;
  /// Inserts edges. Precondition: the array of parents reaches up to all their ids.
  virtual void insert(std::span<const edge<Id>> edges) = 0;
  /// Grows the array of parents as the ids need, and inserts edges. Throws input_error for the id no_vertex.
  virtual void insert_growing(std::span<const edge<Id>> edges) = 0;
  virtual void apply_growing(part batch, mixing how, std::span<std::uint64_t> answers) = 0;
  virtual void query(std::span<const edge<Id>> pairs, std::span<std::uint64_t> answers) = 0;
  virtual void write_labels(Id* to) = 0;
  buffer<Id> labels() {
    buffer<Id> result{slots(), options.memory};
    write_labels(result.data());
    return result;
  }
  [[nodiscard]] virtual Id slots() const noexcept = 0;
  [[nodiscard]] virtual std::uint64_t vertices() const noexcept = 0;
  [[nodiscard]] virtual std::uint64_t links() const noexcept = 0;
  /// A bit for each id below slots(): set if the vertex exists. Valid until the next insert.
  [[nodiscard]] virtual const std::uint64_t* existing() = 0;
  /// The recorded forest, as an array with an element for each vertex: that of a vertex that is no root any more has the edge by which the
  /// vertex was linked, or any edge of the forest if this was loaded from a file; those of roots have no edge. On a GPU the array is a
  /// copy; after writing to it, call put_link_slots().
  [[nodiscard]] virtual edge<Id>* link_slots() = 0;
  virtual void put_link_slots() {}

  const variant::table_entry& row;
  request<incremental_options> options;
  bool knows_all_edges = true;  ///< false if a component was taken over from labels, without its edges
  // What size_of() has computed and keeps for later calls: the labels, the size of each component by its label, and what links() and
  // slots() returned at that time.
  std::uint64_t sized_links = UINT64_MAX;
  std::uint64_t sized_slots = 0;
  buffer<Id> sized_labels, sizes;
};

template <class Backend, class Id>
class cpu_engine final : public dense_incremental<Id>::engine {
public:
  using base = typename dense_incremental<Id>::engine;
  using part = typename base::part;

  cpu_engine(const variant::table_entry& chosen, const request<incremental_options>& asked)
      : base{chosen, asked},
        loops_{asked.threads, asked.observer},
        code_{variant::incremental_code<Backend, Id>::of(chosen.finish)},
        trees_{variant::finish_entries[chosen.finish].traits, asked.record_forest, asked.memory} {}

  unsigned threads() const noexcept override { return loops_.threads(); }
  void grow(Id slots) override { trees_.grow(loops_, slots); }
  void declare(Id begin) override { trees_.declare(begin); }
  void adopt(std::span<const Id> labels) override { trees_.adopt(loops_, labels.data(), labels.size()); }
  /// A batch is read twice, for its largest id and to be inserted. So it is cut into parts that are still in the caches the second time
  /// (measured: 1.1 to 1.5 times as fast). Rules that run in rounds need the whole batch.
  std::size_t step() const noexcept override {
    constexpr std::size_t part_edges = std::size_t{1} << 16;  // number of edges in a part, per thread
    return variant::finish_entries[this->row.finish].traits.synchronous ? SIZE_MAX : threads() * part_edges;
  }
  void insert(std::span<const edge<Id>> edges) override { code_.insert(loops_, trees_, {edges, nullptr}); }
  void insert_growing(std::span<const edge<Id>> edges) override {
    if (code_.insert_growing != nullptr) return code_.insert_growing(loops_, trees_, edges);
    while (!edges.empty()) {
      const auto taken = edges.first(std::min(edges.size(), step()));
      edges = edges.subspan(taken.size());
      fit({taken, nullptr}, "insert");
      insert(taken);
    }
  }
  void apply_growing(part batch, mixing how, std::span<std::uint64_t> answers) override {
    const contents found = fit(batch, "apply");
    if (how == mixing::concurrent) return code_.mixed(loops_, trees_, batch, answers.data());
    if (found.inserts) code_.insert(loops_, trees_, batch);
    if (found.queries) {
      code_.query(loops_, trees_, batch, answers.data());
    } else {
      std::ranges::fill(answers, std::uint64_t{0});
    }
  }
  void query(std::span<const edge<Id>> pairs, std::span<std::uint64_t> answers) override {
    code_.query(loops_, trees_, {pairs, nullptr}, answers.data());
  }
  void write_labels(Id* to) override { trees_.write_labels(loops_, to); }
  Id slots() const noexcept override { return trees_.slots(); }
  std::uint64_t vertices() const noexcept override { return trees_.vertices(); }
  std::uint64_t links() const noexcept override { return trees_.links(); }
  const std::uint64_t* existing() override { return trees_.existing(); }
  edge<Id>* link_slots() override { return trees_.link_slots(); }

private:
  struct contents {
    bool inserts = false, queries = false;
    Id largest = 0;  ///< the largest vertex in an insert
  };

  /// Grows the array of parents up to the largest id that the batch inserts, and returns what operations the batch has.
  contents fit(part batch, const char* call) {
    const contents found = contents_of(batch);
    if (!found.inserts) return found;
    if (found.largest == no_vertex<Id>) {
      throw input_error{std::string{call} + ": found the id " + std::to_string(no_vertex<Id>) +
                        ", expected smaller ids, as this one is reserved"};
    }
    grow(found.largest + 1);
    return found;
  }
  contents contents_of(part batch) const {
    std::atomic<Id> largest{0};
    std::atomic<bool> inserts{false}, queries{false};
    loops_.for_blocks(batch.pairs.size(), [batch, &largest, &inserts, &queries](std::size_t begin, std::size_t end) {
      Id most = 0;
      std::size_t inserted = end - begin;
      if (batch.kinds == nullptr) {
        for (const auto [u, v] : batch.pairs.subspan(begin, end - begin)) most = std::max(most, std::max(u, v));
      } else {
        for (std::size_t i = begin; i < end; ++i) {
          if (batch.kinds[i] == operation::insert) {
            most = std::max(most, std::max(batch.pairs[i].u, batch.pairs[i].v));
          } else {
            --inserted;
          }
        }
      }
      if (inserted != 0) inserts.store(true, std::memory_order_relaxed);
      if (inserted != end - begin) queries.store(true, std::memory_order_relaxed);
      Id seen = largest.load(std::memory_order_relaxed);
      while (most > seen && !largest.compare_exchange_weak(seen, most, std::memory_order_relaxed)) {
      }
    });
    return {inserts.load(), queries.load(), largest.load()};
  }

  Backend loops_;
  const variant::incremental_functions<Backend, Id>& code_;
  drivers::growing_forest<Backend, Id> trees_;
};

/// Makes an engine on a GPU. Exists in builds with the GPU part only. Throws resource_error if there is no GPU.
std::unique_ptr<dense_incremental<std::uint32_t>::engine> gpu_engine(const variant::table_entry& chosen,
                                                                     const request<incremental_options>& asked);

}  // namespace copse::api
