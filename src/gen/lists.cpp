#include <core/parallel.hpp>
#include <core/random.hpp>
#include <gen/recipe.hpp>

#include <copse/errors.hpp>
#include <copse/execution.hpp>
#include <copse/generate.hpp>

#include <algorithm>
#include <cstdint>

namespace copse::gen {
namespace {

/// Defines lists by an order of all elements that is cut into lists: gives the element at each place of the order, and tells whether a list
/// ends there.
struct list_places {
  permutation order;  ///< the order of the elements
  permutation cuts;   ///< a permutation of all places but the last: its first `lists` - 1 places end a list
  std::uint64_t n, lists;
  bool in_order;

  [[nodiscard]] std::uint64_t element(std::uint64_t place) const noexcept { return in_order ? place : order(place); }
  [[nodiscard]] bool ends(std::uint64_t place) const noexcept { return place + 1 == n || (lists > 1 && cuts(place) < lists - 1); }
};

constexpr parameter only_n[] = {{"n", "elements", ""}};
constexpr parameter n_and_count[] = {{"n", "elements", ""}, {"count", "lists, 1 to n", ""}};

constexpr family described[] = {
    {"list", "one list of n elements in random order", "by definition", only_n},
    {"ordered_list", "one list, 0, 1, 2, ... (shuffle=1: in random order)", "by definition", only_n},
    {"lists", "n elements in random order, cut into count lists at random places", "by definition", n_and_count},
};

const family* family_of(std::string_view text) noexcept {
  const auto found = std::ranges::find(described, text.substr(0, text.find(':')), &family::name);
  return found == std::end(described) ? nullptr : found;
}

constexpr std::size_t elements_per_block = std::size_t{1} << 14;

template <unsigned_index Id>
buffer<Id> fill(const list_places& places, const execution& on) {
  buffer<Id> successors{places.n, on.memory};
  parallel_blocks(usable_threads(on.threads), places.n, elements_per_block, [&](std::size_t begin, std::size_t end) {
    std::uint64_t e = places.element(begin);
    for (std::size_t place = begin; place < end; ++place) {
      const std::uint64_t next = place + 1 == places.n ? e : places.element(place + 1);
      successors[e] = static_cast<Id>(places.ends(place) ? e : next);
      e = next;
    }
  });
  return successors;
}

}  // namespace

std::span<const family> list_families() noexcept { return described; }

bool is_list_spec(std::string_view text) noexcept { return family_of(text) != nullptr; }

successor_list generate_list(std::string_view text, const execution& on) {
  const family* const found = family_of(text);
  if (found == nullptr) {
    std::string names;
    for (const family& f : described) names.append(names.empty() ? "" : ", ").append(f.name);
    throw usage_error{std::string{text} + ": found family '" + std::string{text.substr(0, text.find(':'))} + "', expected one of " + names};
  }
  const spec s{text, *found};
  const bool ordered = found->name == "ordered_list";
  if (!ordered && s.has("shuffle")) s.refuse("parameter 'shuffle'", "it for ordered_list only: this order is random already");
  const std::uint64_t n = s.integer("n", 0, most_vertices);
  const std::uint64_t lists = found->name == "lists" ? s.integer("count", n == 0 ? 0 : 1, n) : 1;
  const list_places places{
      {n, stream_of(s, purpose::shuffle)}, {n == 0 ? 0 : n - 1, stream_of(s, purpose::structure)}, n, lists, ordered && !s.shuffle()};
  if (n > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(std::uint64_t))
    throw resource_error{"out of memory: " + std::to_string(n) + " elements of 8 bytes"};
  if (fits_32(n)) return fill<std::uint32_t>(places, on);
  return fill<std::uint64_t>(places, on);
}

}  // namespace copse::gen
