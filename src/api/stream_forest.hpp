// The structure behind a stream. Integers are their own indices; sparse ids and strings are numbered in the order of arrival, by all
// threads. A stream of automatic ids changes from one to the other as its batches show how dense they are: an array reaches up to the
// largest id, and costs 4 bytes per slot; the map of ids costs about 24 bytes per id.
//
// Two changes in a row are far apart: between them the ids or the vertices have grown by a factor, so all changes together cost O(1) per
// vertex.
#pragma once
#include <api/id_batches.hpp>
#include <copse/incremental.hpp>
#include <copse/live_stream.hpp>
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

std::string_view to_string(stream_vertices kind) noexcept;

class stream_forest {
public:
  using id = std::uint32_t;

  explicit stream_forest(const request<live_stream_options>& options)
      : stream_forest{options, incremental{options.declared, options.live, execution_for(options)}} {
    if (options.declared != 0 || options.live.record_forest) index_an_array();
  }
  stream_forest(const request<live_stream_options>& options, incremental live);

  /// Returns how the structure runs: with as many threads as batches of that size are worth.
  static execution execution_for(const request<live_stream_options>& options);

  /// The records of a batch as the structure knows them; valid until the next call. Decides what ids are, where nobody has. Inserts number
  /// their vertices, queries do not. Throws usage_error for strings among integers or the other way round, input_error for an integer that
  /// is too large; `first_record` is the number of the first.
  std::span<const edge<id>> numbered(const io::operation_batch& batch, std::uint64_t first_record);

  /// `Batch`: any of id_batches.hpp that has edges. Throw what numbered() throws.
  template <class Batch>
  void insert(const Batch& edges);
  template <class Batch>
  query_answers connected(const Batch& queries);
  /// The number of a vertex; none where there is no such vertex. `negative`: the id is two's complement.
  [[nodiscard]] std::optional<id> find(std::uint64_t vertex, bool negative);
  [[nodiscard]] std::optional<id> find(std::string_view vertex);

  [[nodiscard]] incremental& live() noexcept { return live_; }
  [[nodiscard]] const incremental& live() const noexcept { return live_; }
  [[nodiscard]] stream_vertices kind() const noexcept { return kind_; }
  /// True where ids are numbers of slots, or may become that.
  [[nodiscard]] bool can_index_an_array() const noexcept { return kind_ <= stream_vertices::integers; }
  /// Makes them that, as they may change to sparse ids later unless a forest is recorded. Throws usage_error for strings and sparse ids.
  void index_an_array();
  [[nodiscard]] bool is_automatic() const noexcept { return automatic_; }
  [[nodiscard]] unsigned threads() const noexcept { return threads_; }
  /// How many names save() keeps.
  [[nodiscard]] std::uint64_t names() const noexcept { return has_names() ? live_.vertices() : 0; }

  /// Some ids are negative: all of them are two's complement.
  void ids_are_signed() noexcept { signed_ = true; }
  [[nodiscard]] bool is_signed() const noexcept { return signed_; }
  /// An id of the map that has the sign bit; 0 where there is none.
  [[nodiscard]] std::uint64_t id_with_sign_bit() const noexcept;

  /// Vertices in the order of their names. Names that arrived with a batch that failed have no vertex, and are left out.
  [[nodiscard]] labelling labels() const;

  /// Saves the structure, these bytes, and the names of its vertices in ascending order, so that the file does not depend on the order in
  /// which threads met them.
  void save(const std::filesystem::path& file, std::pmr::vector<std::byte>& beside) const;
  /// Takes `count` names off the front of `bytes`. Returns what is wrong where they are not one for each vertex; empty otherwise.
  /// Precondition: as constructed.
  [[nodiscard]] std::string restore(stream_vertices kind, bool automatic, std::span<const std::byte>& bytes, std::uint64_t count);

private:
  using integer_map = ids::id_map<std::uint64_t>;
  using string_map = ids::id_map<std::string_view>;

  [[nodiscard]] bool has_names() const noexcept { return kind_ == stream_vertices::sparse || kind_ == stream_vertices::strings; }
  [[nodiscard]] std::unique_ptr<integer_map> new_integer_map() const { return std::make_unique<integer_map>(threads_, options_.memory); }
  /// Sets the kind, and the map that it needs.
  void become(stream_vertices kind);
  template <class Records>
  void decide(const Records& batch);
  template <class Records>
  void decide_on_integers(const Records& batch);
  template <class Records>
  std::span<const edge<id>> number(const Records& batch);
  void to_sparse();
  void to_integers(std::uint64_t slots);
  template <class Records>
  void number_integers(const Records& batch);
  template <class Map, class Records>
  void number_names(Map& map, const Records& batch);
  [[nodiscard]] std::optional<id> if_vertex(id number) const;
  /// The vertices by their names, and their numbers. `labels`: of all numbers, to know which are vertices.
  [[nodiscard]] ids::ordered_ids vertices_in_order(const buffer<id>& labels) const;
  /// The names of the vertices in ascending order, and the label of each.
  [[nodiscard]] ids::ordered_ids labels_in_order() const;

  request<live_stream_options> options_;
  unsigned threads_;
  incremental live_;
  std::variant<std::monostate, std::unique_ptr<integer_map>, std::unique_ptr<string_map>> map_;
  std::pmr::vector<edge<id>> pairs_;
  stream_vertices kind_;
  bool automatic_, signed_ = false;
};

}  // namespace copse::api
