// The structure behind a stream. Integers are their own indices; sparse ids and strings are numbered in the order of arrival, by all
// threads. A stream of automatic ids changes from one to the other as its batches show how dense they are: an array reaches up to the
// largest id, and costs 4 bytes per slot; the map of ids costs about 24 bytes per id.
//
// Two changes in a row are far apart: between them the ids or the vertices have grown by a factor, so all changes together cost O(1) per
// vertex.
#pragma once
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
      : stream_forest{options, incremental{0, options.live, execution_for(options)}} {}
  stream_forest(const request<live_stream_options>& options, incremental live);

  /// Returns how the structure runs: with as many threads as batches of that size are worth.
  static execution execution_for(const request<live_stream_options>& options);

  /// The records of a batch as the structure knows them; valid until the next call. Decides what ids are, where nobody has. Inserts number
  /// their vertices, queries do not. Throws usage_error for strings among integers or the other way round, input_error for an integer that
  /// is too large; `first_record` is the number of the first.
  std::span<const edge<id>> numbered(const io::operation_batch& batch, std::uint64_t first_record);

  [[nodiscard]] incremental& live() noexcept { return live_; }
  [[nodiscard]] const incremental& live() const noexcept { return live_; }
  [[nodiscard]] stream_vertices kind() const noexcept { return kind_; }
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
  void decide(const io::operation_batch& batch);
  void to_sparse();
  void to_integers(std::uint64_t slots);
  void number_integers(const io::operation_batch& batch, std::uint64_t first_record);
  template <class Map>
  void number_names(Map& map, const io::operation_batch& batch);
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
