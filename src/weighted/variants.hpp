// Variants of weighted forests: the algorithms, each compiled for a backend and a width of ids, the table of variants, and the choice that
// auto makes.
#pragma once
#include <copse/weighted_forest.hpp>
#include <core/named_entries.hpp>
#include <core/phase_times.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace copse::weighted {

enum class algorithm : std::uint8_t { kruskal, filter_kruskal, boruvka, filter_boruvka, ecl_mst };

/// A list or two columns: edge i has its ends at first_u[i * stride] and first_v[i * stride].
template <unsigned_index Id>
struct pairs_view {
  Id vertices;
  const Id* first_u;
  const Id* first_v;
  std::size_t stride, count;
};

template <unsigned_index Id>
using shape = std::conditional_t<sizeof(Id) == 4, std::variant<csr_view<Id, std::uint32_t>, csr_view<Id, std::uint64_t>, pairs_view<Id>>,
                                 std::variant<csr_view<Id, std::uint64_t>, pairs_view<Id>>>;

/// Positions of the edges of a forest that GPUs have found: `narrow` from one GPU, `wide` from several GPUs, each of which has solved
/// shares of the edges.
struct found_places {
  std::span<const std::uint32_t> narrow = {};
  std::span<const std::uint64_t> wide = {};
};

struct search_settings {
  forest_goal goal;
  unsigned threads;
  bool positions;
  std::function<char*(std::uint64_t)> weights_room;  ///< returns room for the weights of that many edges
  observer* watcher;
  std::pmr::memory_resource* memory;
  std::optional<found_places> given = std::nullopt;  ///< if set, weights were checked, and these edges are the forest
};

template <unsigned_index Id>
struct forest_arrays {
  buffer<edge<Id>> edges;
  buffer<std::uint64_t> positions;
};

template <unsigned_index Word>
class weight_order;

template <class Backend, unsigned_index Id>
struct weighted_forest_code {
  /// Finds a forest. Precondition: there is a weight for each edge or arc, and ends of edges are vertices.
  static forest_arrays<Id> run(algorithm method, const shape<Id>& g, weights_view weights, const search_settings& settings,
                               phase_times& times);

private:
  template <class MakeSource, class Word>
  static forest_arrays<Id> with_order(algorithm method, const Backend& loops, weight_order<Word> order, const char* weights,
                                      std::size_t count, MakeSource make_source, const search_settings& settings, phase_times& times);
};

enum class weighted_backend : std::uint8_t { serial, threads, cuda };

/// A row of the table of variants.
struct weighted_entry {
  named_variant described;
  weighted_backend where;
  algorithm method;
};

/// All variants of this build, in the order of the help.
std::span<const weighted_entry> entries() noexcept;

/// Returns the variant of that name. Throws usage_error that lists the known names.
const weighted_entry& entry_named(std::string_view name);

/// The name of the chosen variant, and the reason for the choice.
struct weighted_choice {
  std::string_view name;
  std::string why;
};
weighted_choice choose(unsigned threads);

}  // namespace copse::weighted
