// Edges and queries with ids of any kind, on a structure whose ids index an array. Integers may be their own indices; sparse ids and
// strings are numbered in the order of arrival, by all threads. With automatic ids the structure changes between an array and a map as
// batches show how dense the ids are: an array reaches up to the largest id, and costs 4 bytes per slot; the map of ids costs about 24
// bytes per id.
//
// Two changes in a row are far apart: between them the ids or the vertices have grown by a factor, so all changes together cost O(1) per
// vertex.
#pragma once
#include <api/dense_incremental.hpp>
#include <api/id_records.hpp>
#include <copse/incremental.hpp>
#include <copse/memory.hpp>
#include <core/request.hpp>
#include <ids/id_map.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace copse::api {

std::string_view to_string(vertex_ids kind) noexcept;

class named_incremental {
public:
  using id = std::uint32_t;

  /// Makes a structure of the vertices that the options declare, or an empty one.
  explicit named_incremental(const request<incremental_options>& options);
  named_incremental(const request<incremental_options>& options, dense_incremental<id> live);
  /// Continues from an answer whose vertices have names.
  named_incremental(const request<incremental_options>& options, const labelling& labels);

  /// Returns the execution for a structure with these options: with one thread if its batches are too small for more.
  static execution execution_for(const request<incremental_options>& options);

  /// Converts the records of a batch to pairs of vertex numbers, which the object keeps for apply_numbered() or connected_numbered(). The
  /// first batch decides of which kind ids are. Inserts number their vertices, queries do not. Throws usage_error for strings among
  /// integers or the other way round, and input_error for an integer that is too large; `first_record` is the number of the first record.
  void number(const io::operation_batch& batch, std::uint64_t first_record);
  query_answers apply_numbered(std::span<const operation> kinds, mixing how) { return live_.apply(pairs_, kinds, how); }
  query_answers connected_numbered(std::size_t count) { return live_.connected(std::span{pairs_}.first(count)); }

  // In the following functions `Batch` is any type of id_batches.hpp that has edges. They throw what number() throws, and then nothing was
  // inserted.

  /// Returns a bound for the ids of a batch and its number of edges, which the caller passes to insert() with the same batch; empty if
  /// insert() does not need them. If ids may index an array, the same pass also writes them to pairs_ as 32-bit indices, unless the batch
  /// is an array of such pairs.
  template <class Batch>
  [[nodiscard]] id_spread look_at(const Batch& edges);
  template <class Batch>
  void insert(const Batch& edges, const id_spread& seen);
  template <class Batch>
  query_answers connected(const Batch& queries);
  template <class Batch>
  query_answers apply(const Batch& batch, std::span<const operation> kinds, mixing how);
  /// Returns the number of a vertex; std::nullopt if it does not exist.
  [[nodiscard]] std::optional<id> find(const vertex_id& vertex) const;

  [[nodiscard]] dense_incremental<id>& live() noexcept { return live_; }
  [[nodiscard]] const dense_incremental<id>& live() const noexcept { return live_; }
  [[nodiscard]] vertex_ids kind() const noexcept { return kind_; }
  /// True if ids are integers that index the array of parents directly, or if no batch has decided yet of which kind they are.
  [[nodiscard]] bool can_index_an_array() const noexcept { return kind_ <= vertex_ids::integers; }
  /// Sets the kind of ids to integers that index the array of parents directly; automatic ids may still change to sparse ids later, unless
  /// a forest is recorded. Throws usage_error for strings and sparse ids.
  void index_an_array();
  [[nodiscard]] bool is_automatic() const noexcept { return automatic_; }
  [[nodiscard]] unsigned threads() const noexcept { return threads_; }
  /// The number of names that save() writes.
  [[nodiscard]] std::uint64_t names() const noexcept { return has_names() ? live_.vertices() : 0; }

  /// Notes that some ids are negative, so that all are read as two's complement.
  void ids_are_signed() noexcept { signed_ = true; }
  [[nodiscard]] bool is_signed() const noexcept { return signed_; }
  /// Returns an id in the map that has the sign bit; 0 if there is none.
  [[nodiscard]] std::uint64_t id_with_sign_bit() const noexcept;

  /// Returns labels of the vertices in the order of their names. Names that arrived with a batch that failed have no vertex, and are left
  /// out.
  [[nodiscard]] labelling labels() const;

  /// Saves the structure, the bytes `beside`, and the names of its vertices in ascending order, so that the file does not depend on the
  /// order in which threads numbered them.
  void save(const std::filesystem::path& file, std::pmr::vector<std::byte>& beside) const;
  /// Takes `count` names off the front of `bytes`. Returns an error text unless there is one for each vertex; empty otherwise.
  /// Precondition: the structure was just made from a file.
  [[nodiscard]] std::string restore(vertex_ids kind, bool automatic, std::span<const std::byte>& bytes, std::uint64_t count);

private:
  using integer_map = ids::id_map<std::uint64_t>;
  using string_map = ids::id_map<std::string_view>;

  [[nodiscard]] bool has_names() const noexcept { return kind_ == vertex_ids::sparse || kind_ == vertex_ids::strings; }
  [[nodiscard]] std::unique_ptr<integer_map> new_integer_map() const { return std::make_unique<integer_map>(threads_, options_.memory); }
  /// Sets the kind of ids, and makes the map from ids to vertex numbers if this kind needs one.
  void become(vertex_ids kind);
  /// False if the integers of the next batch make the ids too sparse for an array.
  [[nodiscard]] bool stays_dense(const id_spread& seen) const noexcept;
  /// Decides of which kind ids are, and whether they index an array. `seen`: the integers of the next batch.
  void decide(bool named, const id_spread& seen);
  void to_sparse();
  void to_integers(std::uint64_t slots);
  /// Throws usage_error unless the ids are of the kind of the vertices.
  template <class Records>
  void expect_kind() const;
  /// Lets decide() choose the kind of ids by the inserts among the records, and returns the records as pairs of vertex numbers.
  template <class Records>
  std::span<const edge<id>> decided_and_numbered(const Records& records);
  template <class Records>
  std::span<const edge<id>> numbered(const Records& records);
  template <class Map, class Records>
  void number_names(Map& map, const Records& batch);
  /// Gives `count` names the numbers 0, 1, ...: take(i) returns name i, or nothing if the names are invalid. Returns an error text, or an
  /// empty string.
  template <class Map, class Take>
  [[nodiscard]] static std::string adopt_names(Map& map, std::uint64_t count, Take take);
  [[nodiscard]] std::optional<id> if_vertex(id number) const;
  /// Returns the names of the vertices in ascending order, and the number of each. `labels`: the label of each number; no_vertex if the
  /// number belongs to no vertex.
  [[nodiscard]] ids::ordered_ids vertices_in_order(const buffer<id>& labels) const;
  /// Returns the names of the vertices in ascending order, and the label of each.
  [[nodiscard]] ids::ordered_ids labels_in_order() const;

  request<incremental_options> options_;
  unsigned threads_;
  dense_incremental<id> live_;
  std::variant<std::monostate, std::unique_ptr<integer_map>, std::unique_ptr<string_map>> map_;
  std::pmr::vector<edge<id>> pairs_;
  vertex_ids kind_;
  bool automatic_, signed_ = false;
  bool narrowed_ = false;  ///< true if pairs_ holds the lower halves of the ids of the batch that look_at() read last
};

}  // namespace copse::api
