// The answer for a part of the edges, as something that is merged with those of other parts: the unit of exchange between processes and
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

/// What a part of the edges says about the whole. `Answer` is one of two types:
///
/// - `labelling`: the components. Every vertex of the part has the smallest vertex of its component, so that n vertices hold all that the
///   part knows about connectivity, however many edges it read. At most 8 bytes per vertex where ids are below 2^32 - 1, 12 to 16 where
///   they are larger, and 8 and its own bytes where a vertex is a string.
/// - `weighted_forest_result`: the minimum or maximum spanning forest, which has every threshold in it. An edge that is not in the forest
/// of
///   its part closes a cycle of better ones, so it is not in the forest of the whole either. 20 bytes per vertex, and the names where ids
///   are not 0 .. n - 1.
///
/// Answers are kept in one normal form, so equal answers are equal bytes, wherever and however they were found.
template <class Answer>
class partial {
public:
  using answer_type = Answer;
  /// Labels are moved in, forests copied.
  using source_type = std::conditional_t<std::is_same_v<Answer, labelling>, labelling, const Answer&>;

  /// Empty; the identity for merging.
  partial();
  /// Labels of components() on any device, components_sink or incremental; a forest of weighted_forest() or
  /// weighted_edge_sink. Throws usage_error for labels that are not canonical, for a weight that is not a number or an integer that no
  /// double holds, and for edges that close a cycle. O(slots) for labels, O(n log n) for a forest.
  explicit partial(source_type answer, std::pmr::memory_resource* memory = host_memory());

  /// The normal form: canonical labels of the vertices by their names; or a list of edges (u, v), u < v, ascending, and their weights,
  /// which are doubles. Of a forest the edges, weights and goal are kept, and no report or positions.
  [[nodiscard]] const Answer& answer() const noexcept { return answer_; }
  /// Moves the answer out.
  [[nodiscard]] Answer take_answer() && noexcept { return std::move(answer_); }
  /// Number of vertices of the part. O(slots) for labels.
  [[nodiscard]] std::uint64_t vertices() const noexcept;

  /// The bytes to be sent elsewhere.
  [[nodiscard]] buffer<std::byte> bytes(std::pmr::memory_resource* memory = host_memory()) const;
  /// Reads what bytes() returned. Throws input_error, in which the bytes are called `name`, when they are damaged, cut off or of another
  /// version.
  [[nodiscard]] static partial from_bytes(std::span<const std::byte> bytes, std::string_view name = "forest",
                                          std::pmr::memory_resource* memory = host_memory());
  /// Writes the same bytes to a file, which is replaced as a whole and reaches the disk before this returns.
  void save(const std::filesystem::path& path) const;
  /// Reads what save() wrote. `partial<labelling>` also reads the components of a saved forest, and what incremental::save and
  /// incremental::checkpoint wrote, as all of them are one format. Throws input_error.
  [[nodiscard]] static partial open(const std::filesystem::path& path, std::pmr::memory_resource* memory = host_memory());

private:
  template <class>
  friend class merger;
  Answer answer_;
};

/// True if a file that copse saved holds weights. Reads a few bytes (a packed file up to them, and throws input_error where it is damaged);
/// false for every other file, and for what comes once, such as a pipe, which is not touched.
[[nodiscard]] bool holds_weights(const std::filesystem::path& path, std::pmr::memory_resource* memory = host_memory());

/// Merges parts in any order and number, one at a time; the answer depends on neither, nor on how often a part comes. Ids of all widths go
/// together; integers and strings do not, nor do negative ids and ones above INT64_MAX. Memory does not grow with the number of parts. For
/// labels it is that of two to four answers. For weighted forests two lists of up to 4 edges per vertex are held with the one that they
/// become: 160 bytes per vertex where all parts have about the same vertices, up to 256 otherwise, half as much again with 64-bit
/// positions, and two to three times the names. Once the two are gone, weighted_forest() takes its own memory for the edges of the third.
template <class Answer>
class merger {
public:
  /// Between two parts the observer can cancel.
  explicit merger(const execution& on = {});

  /// Labels by dense ids are merged in place, near O(slots); names are merged in order, O(vertices log parts) in all. Throws usage_error
  /// for strings after integers or the reverse, for a negative id and one above INT64_MAX, and for a forest with another goal or weights of
  /// another precision than those before; then the merger is as it was. Throws resource_error and cancelled, after which it may only be
  /// destroyed.
  void add(const partial<Answer>& part);
  /// The answer for all that was added; the merger is empty afterwards. O(vertices) for labels.
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

/// Which part of some files a process reads: of `count` parts the one of this `index`. Text of edges, `.npy`, `.coo` and `.coo64` that is
/// not compressed is cut into ranges of whole records, about as long; of everything else every part takes whole files in turn.
struct file_part {
  unsigned index = 0;
  unsigned count = 1;
};

/// The components of a part of some edge lists, or of a part of one file of any format; edges are united while they are parsed. Throws what
/// components() of files throws, and usage_error for a part that does not exist or an input that comes once.
[[nodiscard]] partial<labelling> components_of_part(std::span<const std::filesystem::path> paths, file_part part,
                                                    const io::read_options& input, const execution& on = {});
/// The weighted forest of a part of some files of any format with weights, as weighted_forest() reads them; each is reduced, and their
/// forests are merged. Throws what weighted_forest() throws, and usage_error for a part that does not exist.
[[nodiscard]] partial<weighted_forest_result> weighted_forest_of_part(std::span<const std::filesystem::path> paths, file_part part,
                                                                      const io::read_options& input,
                                                                      const weighted_forest_options& options = {},
                                                                      const execution& on = {});

/// Parses a part of the files into a sink of the caller's.
void parse_part(std::span<const std::filesystem::path> paths, file_part part, const io::read_options& input, io::edge_sink& sink,
                const execution& on = {});
/// True if these files are cut into parts without reading what precedes a part. (In CSV quotes are followed from the first byte; other
/// formats are not cut.)
[[nodiscard]] bool is_cut(std::span<const std::filesystem::path> paths, const io::read_options& input);

// The proof of an answer that many processes found together: each proves its own part against its own edges, and every merge is proved
// against the parts that went in. The code of the proofs shares nothing with what it checks.

/// True if `answer` is that of the part of the files, which are read again. For a weighted forest the edges of the part are held.
[[nodiscard]] verdict verify_part(std::span<const std::filesystem::path> paths, file_part part, const io::read_options& input,
                                  const partial<labelling>& answer, const execution& on = {});
[[nodiscard]] verdict verify_part(std::span<const std::filesystem::path> paths, file_part part, const io::read_options& input,
                                  const partial<weighted_forest_result>& answer, const execution& on = {});

/// True if `merged` is the answer for all parts that `next_part` returns, until it returns nothing; of weighted forests, with their goal
/// and the precision of their weights. Holds one part of labels at a time, and the edges of all weighted forests. Throws usage_error for
/// parts that do not go together: strings and integers, or negative ids and ones above INT64_MAX.
template <class Answer>
[[nodiscard]] verdict verify_merge(const partial<Answer>& merged,
                                   const std::type_identity_t<std::function<std::optional<partial<Answer>>()>>& next_part,
                                   std::pmr::memory_resource* memory = host_memory());

extern template class partial<labelling>;
extern template class partial<weighted_forest_result>;
extern template class merger<labelling>;
extern template class merger<weighted_forest_result>;

}  // namespace copse
