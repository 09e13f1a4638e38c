// Components of edges that arrive, with ids that index an array: the structure behind copse::incremental, which takes ids of any kind.
// Arrays reach up to the largest id (`slots()`): 4 bytes and a bit per id (8 bytes for variants by rank or 64-bit ids, 1 byte more with
// flags).
#pragma once
#include <copse/incremental.hpp>
#include <copse/memory.hpp>
#include <drivers/incremental/connectivity_file.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace copse::api {

/// The components of edges that arrive in batches. Vertices are ids below no_vertex, which index arrays. Of incremental_options only the
/// variant and record_forest matter here. No two calls may overlap, not even const ones. It throws the exceptions of copse::incremental,
/// and the state after one is as described there.
template <unsigned_index Id>
class dense_incremental {
public:
  using pairs = std::span<const edge<Id>>;

  /// Vertices 0 .. vertices - 1 exist, each alone. O(vertices).
  explicit dense_incremental(Id vertices = 0, const incremental_options& options = {}, const execution& on = {});
  /// Continues from an answer. Vertex i gets the id i, or first + i if its names are consecutive from `first`; the label no_vertex means
  /// that there is no such vertex. Throws usage_error if names are not consecutive, if labels are not canonical, or if ids are too wide.
  /// O(labels.slots()).
  explicit dense_incremental(const labelling& labels, const incremental_options& options = {}, const execution& on = {});
  /// Continues from an answer, where vertex i gets the id i, whatever its name is.
  static dense_incremental of_positions(const labelling& labels, const incremental_options& options, const execution& on);
  /// Continues from a static solve of `g` by components(); with record_forest its edges are inserted instead. Throws what components()
  /// throws, and usage_error for ids that are too wide.
  explicit dense_incremental(graph_view g, const incremental_options& options = {}, const execution& on = {});
  explicit dense_incremental(const graph& g, const incremental_options& options = {}, const execution& on = {})
      : dense_incremental{g.view(), options, on} {}
  /// Continues from the contents of a file, which is called `name` in errors.
  dense_incremental(const drivers::connectivity<Id>& saved, std::string_view name, const incremental_options& options, const execution& on);
  dense_incremental(dense_incremental&&) noexcept;
  dense_incremental& operator=(dense_incremental&&) noexcept;
  ~dense_incremental();

  /// Inserts edges, after the array of parents has grown up to their largest id. Throws input_error for the id no_vertex. Expected time:
  /// about O(batch), at worst O(batch * log n), and O(1) for each new element of the array.
  void insert(pairs edges);
  [[nodiscard]] query_answers connected(pairs queries);
  /// Answers queries into `answers`, which has room for a bit per query.
  void connected(pairs queries, std::span<std::uint64_t> answers);
  [[nodiscard]] bool connected(Id u, Id v);
  /// The best number of pairs in each part of a batch that is handled part by part. On the CPU that many are still in the caches when they
  /// are read a second time; there is no limit for rules that run in rounds.
  [[nodiscard]] std::size_t step() const noexcept;
  [[nodiscard]] query_answers apply(pairs batch, std::span<const operation> kinds, mixing how = mixing::phased);
  void merge(const dense_incremental& other);

  /// One more than the largest id that exists or was declared.
  [[nodiscard]] Id slots() const noexcept;
  [[nodiscard]] std::uint64_t vertices() const noexcept;
  [[nodiscard]] std::uint64_t count() const noexcept;
  [[nodiscard]] bool contains(Id v) const;
  [[nodiscard]] std::uint64_t size_of(Id v) const;
  /// Canonical labels of the ids below slots(); no_vertex for ids that do not exist. O(slots()).
  [[nodiscard]] labelling labels() const;
  /// Writes the canonical label of each id below slots() to the caller's memory; no_vertex for ids that do not exist. Throws usage_error
  /// unless the memory has slots() elements.
  void labels(std::span<Id> to) const;
  [[nodiscard]] bool records_forest() const noexcept;
  [[nodiscard]] coo<Id> forest() const;
  [[nodiscard]] const variant_info& variant() const noexcept;

  /// Writes everything but the options to a file, with the caller's bytes `beside`. The file is replaced as a whole and reaches the disk
  /// before this returns.
  void save(const std::filesystem::path& path, std::span<const std::byte> beside = {}) const;
  /// Opens what save() wrote with any variant, and copies the caller's bytes in the file to `beside`. If that is null, it also opens the
  /// structure in a checkpoint of a stream whose ids index an array.
  static dense_incremental open(const std::filesystem::path& path, const incremental_options& options = {},
                                std::vector<std::byte>* beside = nullptr, const execution& on = {});

  struct engine;  ///< does the work on one backend (dense_engine.hpp)
  [[nodiscard]] engine& work() noexcept { return *engine_; }

private:
  explicit dense_incremental(std::unique_ptr<engine> engine) noexcept;
  std::unique_ptr<engine> engine_;
};

extern template class dense_incremental<std::uint32_t>;
extern template class dense_incremental<std::uint64_t>;

}  // namespace copse::api
