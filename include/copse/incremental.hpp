// Components of a graph whose edges arrive in batches, and questions about them in between.
#pragma once
#include <copse/execution.hpp>
#include <copse/graph.hpp>
#include <copse/labels.hpp>
#include <copse/memory.hpp>
#include <copse/operations.hpp>
#include <copse/types.hpp>
#include <copse/variants.hpp>
#include <copse/views.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace copse {

class live_stream;

struct incremental_options {
  std::string variant =
      "auto";                  ///< a name of variants(problem_kind::incremental); auto: the fast path of one thread, of many, or of the GPU
  bool record_forest = false;  ///< keep the edges that joined two components: 8 bytes per vertex (16 of wide ids)
};

/// Borrows two columns of ids, signed or unsigned, of 32 or 64 bits, as data frames and NumPy have them: pair i is sources[i], targets[i].
class pair_columns {
public:
  template <class Id>
  struct typed {
    std::span<const Id> sources, targets;
  };

  template <std::ranges::contiguous_range Sources, std::ranges::contiguous_range Targets>
  pair_columns(const Sources& sources, const Targets& targets) : held_{typed<std::ranges::range_value_t<Sources>>{sources, targets}} {}

  [[nodiscard]] std::size_t size() const noexcept {
    return std::visit([](const auto& columns) { return columns.sources.size(); }, held_);
  }
  [[nodiscard]] const auto& held() const noexcept { return held_; }

private:
  std::variant<typed<std::int32_t>, typed<std::uint32_t>, typed<std::int64_t>, typed<std::uint64_t>> held_;
};

/// The components of the edges inserted so far. On a GPU it is kept in that memory, by a variant of cuda (auto: cuda.none.fast); batches
/// come from host memory (gpu_incremental takes those that are there already), of 32-bit ids only.
///
/// Vertices are ids below no_vertex. One exists from the moment when an edge (or a loop) names it, or it was declared; ids should be dense,
/// because arrays reach up to the largest (`slots()`): 4 bytes per id (8 for variants by rank or wide ids, 1 more with flags), and a bit.
/// Calls may not overlap, const ones included: those shorten paths. A call that throws resource_error before it inserts anything leaves
/// everything as it was; one that throws cancelled, or fails in a batch of more than 2^16 edges a thread, may have inserted a part of it,
/// and to insert the batch again is harmless.
template <unsigned_index Id>
class basic_incremental {
public:
  using pairs = std::span<const edge<Id>>;

  /// Vertices 0 .. vertices - 1 exist, each alone. Throws usage_error for a variant that is unknown or refused (incremental_refusal says
  /// why), resource_error. O(vertices).
  explicit basic_incremental(Id vertices = 0, const incremental_options& options = {}, const execution& on = {});
  /// From an answer: its present slots exist, as their names where these count from 1. Throws usage_error when names do not count up,
  /// labels are not canonical or numbered, or ids are too wide. No edge is known, so a recorded forest will hold only edges inserted from
  /// here on. O(slots).
  explicit basic_incremental(const labelling& labels, const incremental_options& options = {}, const execution& on = {});
  /// From a static solve of `g`, by components(); with record_forest its edges are inserted instead, which makes the forest theirs too.
  /// Throws what components() throws, and usage_error for ids that are too wide.
  explicit basic_incremental(graph_view g, const incremental_options& options = {}, const execution& on = {});
  explicit basic_incremental(const graph& g, const incremental_options& options = {}, const execution& on = {})
      : basic_incremental{g.view(), options, on} {}
  basic_incremental(basic_incremental&&) noexcept;
  basic_incremental& operator=(basic_incremental&&) noexcept;
  ~basic_incremental();

  /// Joins the ends of every edge. New ids are initialised in bulk before. Throws input_error for the id no_vertex, resource_error,
  /// cancelled. Expected O(batch * log n) at worst and near O(batch), and O(new ids).
  void insert(pairs edges);
  /// The same of two columns: `live.insert({sources, targets})`. Throws usage_error too when one is longer, and input_error for ids that
  /// are negative or too wide.
  void insert(pair_columns edges);
  /// Bit i: are both ends of pair i connected? Of a vertex that does not exist: only with itself. O(1) to O(log n) expected a pair.
  [[nodiscard]] query_answers connected(pairs queries);
  [[nodiscard]] query_answers connected(pair_columns queries);
  [[nodiscard]] bool connected(Id u, Id v);
  /// A mixed batch: `kinds[i]` says what pair i is. Bit i is the answer when it is a query, and 0 when it is an insert.
  /// Throws usage_error when the spans differ in length, or when `how` is concurrent and the variant cannot (splice_atomic on many threads
  /// and rules in rounds); and what insert() throws.
  [[nodiscard]] query_answers apply(pairs batch, std::span<const operation> kinds, mixing how = mixing::phased);

  /// Joins all that is joined in `other`, and the vertices that exist there exist here. Of itself: nothing. O(other.slots()).
  /// Throws usage_error when this records a forest and `other` does not know the edges of all its components.
  void merge(const basic_incremental& other);

  /// One more than the largest id that exists or was declared.
  [[nodiscard]] Id slots() const noexcept;
  /// Vertices that exist. O(1).
  [[nodiscard]] std::uint64_t vertices() const noexcept;
  /// Components, of one vertex included. O(1).
  [[nodiscard]] std::uint64_t count() const noexcept;
  [[nodiscard]] bool contains(Id v) const;
  /// Vertices in the component of v; 0 when it does not exist. O(slots) after an insert that joined something, then O(1) a call.
  [[nodiscard]] std::uint64_t size_of(Id v) const;
  /// Canonical labels, absent slots included as such. O(slots).
  [[nodiscard]] labelling labels() const;
  /// The same into the caller's memory, of slots() elements; no_vertex for absent slots. Throws usage_error when it has another size.
  void labels(std::span<Id> to) const;
  /// Did the options ask for the forest?
  [[nodiscard]] bool records_forest() const noexcept;
  /// The edges that joined two components, in no order: a spanning forest of all edges inserted since the start. Throws usage_error unless
  /// records_forest(). O(slots).
  [[nodiscard]] coo<Id> forest() const;
  /// The variant that runs; never "auto".
  [[nodiscard]] const variant_info& variant() const noexcept;

  /// Writes everything but the options, and `beside`, to a file that is replaced as a whole and reaches the disk before this returns.
  /// Throws input_error, resource_error. O(slots).
  void save(const std::filesystem::path& path, std::span<const std::byte> beside = {}) const;
  /// What save wrote, whichever the variant was, and without `beside` the structure in a checkpoint of a stream whose ids are slots. Throws
  /// input_error when the file is of another kind, version or width, cut off or damaged; usage_error when the options want a forest and the
  /// file has none. A forest in the file is kept only if the options want it.
  static basic_incremental open(const std::filesystem::path& path, const incremental_options& options = {},
                                std::vector<std::byte>* beside = nullptr, const execution& on = {});

  struct engine;  ///< what is behind it, for one backend

private:
  friend class live_stream;
  explicit basic_incremental(std::unique_ptr<engine> engine) noexcept;
  /// Opens a checkpoint of any stream; the ids are what the bytes beside the structure say.
  static basic_incremental open_stream(const std::filesystem::path& path, const incremental_options& options, const execution& on,
                                       buffer<std::byte>& beside);
  std::unique_ptr<engine> engine_;
};

extern template class basic_incremental<std::uint32_t>;
extern template class basic_incremental<std::uint64_t>;

/// At most 2^32 - 1 slots.
using incremental = basic_incremental<std::uint32_t>;

/// Why `name` is no variant, or with `how` concurrent one that cannot run so; empty when it can.
std::optional<std::string> incremental_refusal(std::string_view name, mixing how = mixing::phased);

}  // namespace copse
