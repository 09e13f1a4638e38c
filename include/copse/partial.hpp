// Partial answers: the answer for a part of the edges, which can be merged with the answers for other parts and sent between processes and
// machines.
#pragma once
#include <copse/execution.hpp>
#include <copse/hidden.hpp>
#include <copse/io.hpp>
#include <copse/labels.hpp>
#include <copse/memory.hpp>
#include <copse/verify.hpp>
#include <copse/weighted_forest.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <ranges>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace copse {

/// The answer for a part of the edges, in a form that can be merged. `Answer` is one of two types:
///
/// - `labelling`: the components. Every vertex of the part has the label of its component, so that n labels hold all that the part knows
///   about connectivity, however many edges it has. At most 8 bytes per vertex if ids are below 2^32 - 1, 12 to 16 if they are larger, and
///   8 plus its own bytes if a vertex is a string.
/// - `weighted_forest_result`: the minimum or maximum spanning forest, from which the components at every threshold follow. An edge that is
///   not in the forest of its part closes a cycle of better edges, so it is not in the forest of the whole graph either. 20 bytes per
///   vertex, and the names unless ids are 0 .. n - 1.
///
/// Answers are stored in a normal form: equal answers have equal bytes, wherever and however they were computed.
template <class Answer>
class partial {
public:
  using answer_type = Answer;
  /// Labels are taken by value to be moved in; forests are copied.
  using source_type = std::conditional_t<std::is_same_v<Answer, labelling>, labelling, const Answer&>;

  /// Empty; the identity for merging.
  partial();
  /// From labels of components() on any device, components_sink or incremental; or from a forest of weighted_forest() or
  /// weighted_edge_sink. Throws usage_error for labels that are not canonical, for a weight that is not a number or is an integer that no
  /// double represents, and for edges that close a cycle. O(labels.slots()), or O(n log n) for a forest.
  explicit partial(source_type answer, std::pmr::memory_resource* memory = host_memory());

  /// The answer in normal form: canonical labels, by vertex name; or edges (u, v) with u < v in ascending order, and their weights as
  /// doubles. Of a forest only the edges, weights and goal are kept, not the report or the positions.
  [[nodiscard]] const Answer& answer() const noexcept { return answer_; }
  /// Moves the answer out.
  [[nodiscard]] Answer take_answer() && noexcept { return std::move(answer_); }
  /// Number of vertices of the part. O(1) for a forest; for labels, time linear in the length of their array.
  [[nodiscard]] std::uint64_t vertices() const noexcept;

  /// Serialises the answer, to be sent to another process.
  [[nodiscard]] buffer<std::byte> bytes(std::pmr::memory_resource* memory = host_memory()) const;
  /// Reads what bytes() returned. Throws input_error, in which `name` stands for the file, if the bytes are damaged, truncated or of
  /// another version.
  [[nodiscard]] static partial from_bytes(std::span<const std::byte> bytes, std::string_view name = "forest",
                                          std::pmr::memory_resource* memory = host_memory());
  /// Writes bytes() to a file, which is replaced atomically and is on disk when this returns.
  void save(const std::filesystem::path& path) const;
  /// Reads what save() wrote. `partial<labelling>` also reads the components from a saved forest, and files of incremental::save and
  /// incremental::checkpoint, which have the same format. Throws input_error.
  [[nodiscard]] static partial open(const std::filesystem::path& path, std::pmr::memory_resource* memory = host_memory());

private:
  template <class>
  friend class merger;
  Answer answer_;
};

/// True if `path` is a file saved by copse that holds weights. Reads a few bytes; of a compressed file all bytes before them, and throws
/// input_error if it is damaged. False for every other file, and for inputs that can be read only once, such as pipes, which it does not
/// touch.
[[nodiscard]] bool holds_weights(const std::filesystem::path& path, std::pmr::memory_resource* memory = host_memory());

/// Merges any number of parts, one at a time. The answer depends neither on their order nor on how often the same part is added. Ids of
/// different widths may be mixed, but not integers with strings, or negative ids with ones above INT64_MAX.
///
/// Memory does not grow with the number of parts. For labels it is that of two to four answers. For weighted forests two lists of up to 4
/// edges per vertex and the list that they are merged into exist at the same time: 160 bytes per vertex if all parts have about the same
/// vertices, up to 256 otherwise, half as much again with 64-bit positions, and two to three times the names. Then the two lists are
/// freed, and weighted_forest() reduces the third, for which it takes working memory of its own.
template <class Answer>
class merger {
public:
  /// Constructs an empty merger. The observer of `on` can cancel between two parts.
  explicit merger(const execution& on = {});

  /// Merges a part. Labels with dense ids are merged in place, in time about linear in the length of their arrays; named vertices are
  /// merged in the order of names, O(vertices log parts) in total. Throws usage_error for strings after integers or the reverse, for a
  /// negative id and one above INT64_MAX, and for a forest with another goal or weight precision than the previous ones; then the merger is
  /// unchanged. After a resource_error or cancelled it may only be destroyed.
  void add(const partial<Answer>& part);
  /// Returns the answer for all parts that were added, and empties the merger. O(vertices) for labels.
  [[nodiscard]] partial<Answer> finish();

private:
  struct state;
  hidden<state> state_;
};

/// Merges a range of parts, such as a vector or a span of them.
template <std::ranges::input_range Parts>
[[nodiscard]] auto merge(const Parts& parts, const execution& on = {}) -> partial<typename std::ranges::range_value_t<Parts>::answer_type> {
  merger<typename std::ranges::range_value_t<Parts>::answer_type> all{on};
  for (const auto& part : parts) all.add(part);
  return all.finish();
}

/// The part of some files that one process reads: part `index` of `count`. Uncompressed text edge lists, `.npy`, `.coo` and `.coo64` are
/// cut into ranges of about equal length that do not divide an edge; of all other files each part takes whole files in turn.
struct file_part {
  unsigned index = 0;
  unsigned count = 1;
};

/// The components of a part of some edge lists, or of a part of one file of any format; edges are united while they are parsed. Throws what
/// components() of files throws, and usage_error for a part that does not exist or an input that can be read only once.
[[nodiscard]] partial<labelling> components_of_part(std::span<const std::filesystem::path> paths, file_part part,
                                                    const io::read_options& input, const execution& on = {});
/// The weighted forest of a part of some files with weights, in any format that weighted_forest() reads; each file is reduced to a forest,
/// and these are merged. Throws what weighted_forest() throws, and usage_error for a part that does not exist.
[[nodiscard]] partial<weighted_forest_result> weighted_forest_of_part(std::span<const std::filesystem::path> paths, file_part part,
                                                                      const io::read_options& input,
                                                                      const weighted_forest_options& options = {},
                                                                      const execution& on = {});

/// Parses a part of the files into a sink of the caller's.
void parse_part(std::span<const std::filesystem::path> paths, file_part part, const io::read_options& input, io::edge_sink& sink,
                const execution& on = {});
/// True if each part of these files can be located without reading the file before it. (CSV is parsed from the first byte, because of
/// quotes; other formats may not be cut at all.)
[[nodiscard]] bool is_cut(std::span<const std::filesystem::path> paths, const io::read_options& input);

// Verifying an answer that several processes computed together: each process verifies its own part against the edges of the part, and every
// merge is verified against the parts that were merged. The verifier shares no code with what it checks.

/// Verifies `answer` against the edges of the part, which are read again. For a weighted forest all edges of the part are held in memory.
[[nodiscard]] verdict verify_part(std::span<const std::filesystem::path> paths, file_part part, const io::read_options& input,
                                  const partial<labelling>& answer, const execution& on = {});
[[nodiscard]] verdict verify_part(std::span<const std::filesystem::path> paths, file_part part, const io::read_options& input,
                                  const partial<weighted_forest_result>& answer, const execution& on = {});

/// Verifies that `merged` is the answer for all parts that `next_part` returns (until it returns nothing); for weighted forests with the
/// same goal and weight precision. Holds one part at a time for labels, and the edges of all parts for weighted forests. Throws usage_error
/// for parts that cannot be merged: strings with integers, or negative ids with ones above INT64_MAX.
template <class Answer>
[[nodiscard]] verdict verify_merge(const partial<Answer>& merged,
                                   const std::type_identity_t<std::function<std::optional<partial<Answer>>()>>& next_part,
                                   std::pmr::memory_resource* memory = host_memory());

extern template class partial<labelling>;
extern template class partial<weighted_forest_result>;
extern template class merger<labelling>;
extern template class merger<weighted_forest_result>;

}  // namespace copse
