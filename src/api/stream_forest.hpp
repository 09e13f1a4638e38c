// The structure behind a stream. Integers are their own indices; sparse ids and strings are numbered in the order of arrival. A stream
// whose ids nobody named changes from one to the other as its batches show how dense they are: an array reaches up to the largest id, and
// costs 4 bytes per slot; a table costs about 48 bytes per id.
//
// Two changes in a row are far apart: between them the ids or the vertices have grown by a factor, so all changes together cost O(1) per
// vertex.
#pragma once
#include <copse/incremental.hpp>
#include <copse/live_stream.hpp>
#include <copse/memory.hpp>
#include <core/request.hpp>
#include <io/name_table.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory_resource>
#include <span>
#include <string_view>
#include <vector>

namespace copse::api {

/// Names of vertices, numbered in the order of their arrival. An integer is a name of its 8 bytes, most significant first, so that names
/// are ordered as integers are.
class arrival_numbers {
public:
  using integer_name = std::array<char, 8>;

  explicit arrival_numbers(std::pmr::memory_resource* memory) : table_{memory} {}

  static integer_name name_of(std::uint64_t id) noexcept {
    integer_name name;
    for (std::size_t i = 0; i < name.size(); ++i) name[i] = static_cast<char>(id >> (56 - 8 * i));
    return name;
  }
  static std::uint64_t integer_of(std::string_view name) noexcept {
    std::uint64_t id = 0;
    for (const char c : name) id = id << 8 | static_cast<unsigned char>(c);
    return id;
  }

  /// The number of a name, a new one when it is new.
  std::uint32_t number(std::string_view name) { return table_.insert(name); }
  /// no_vertex when it has none.
  [[nodiscard]] std::uint32_t known_number(std::string_view name) const noexcept { return table_.find(name); }
  std::uint32_t number_of(std::uint64_t id) {
    const integer_name name = name_of(id);
    return number({name.data(), name.size()});
  }
  [[nodiscard]] std::uint32_t known_number_of(std::uint64_t id) const noexcept {
    const integer_name name = name_of(id);
    return known_number({name.data(), name.size()});
  }
  [[nodiscard]] std::uint32_t size() const noexcept { return table_.size(); }
  [[nodiscard]] std::string_view name(std::uint32_t i) const noexcept { return table_.string(i); }

private:
  io::name_table table_;
};

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
  /// How many names save() keeps.
  [[nodiscard]] std::uint64_t names() const noexcept { return has_names() ? live_.vertices() : 0; }

  /// Vertices in the order of their names. Names that arrived with a batch that failed have no vertex, and are left out.
  [[nodiscard]] labelling labels() const;

  /// Saves the structure, and beside it these bytes and behind them the names of its vertices.
  void save(const std::filesystem::path& file, std::pmr::vector<std::byte>& beside) const;
  /// Takes `count` names off the front of `bytes`. Returns what is wrong where they are not one for each vertex; empty otherwise.
  /// Precondition: as constructed.
  [[nodiscard]] std::string restore(stream_vertices kind, bool automatic, std::span<const std::byte>& bytes, std::uint64_t count);

private:
  [[nodiscard]] bool has_names() const noexcept { return kind_ == stream_vertices::sparse || kind_ == stream_vertices::strings; }
  void decide(const io::operation_batch& batch);
  void to_sparse();
  void to_integers(std::uint64_t slots);
  void number_integers(const io::operation_batch& batch, std::uint64_t first_record);
  void number_names(const io::operation_batch& batch);
  edge<id> number(operation kind_of_record, std::string_view u, std::string_view v);
  /// The numbers of all names that have a vertex, ascending.
  [[nodiscard]] buffer<id> numbers_of_vertices(const buffer<id>& labels) const;

  request<live_stream_options> options_;
  incremental live_;
  arrival_numbers numbers_;
  std::pmr::vector<edge<id>> pairs_;
  stream_vertices kind_;
  bool automatic_;
  std::uint64_t largest_ = 0;  ///< of the sparse ids
};

}  // namespace copse::api
