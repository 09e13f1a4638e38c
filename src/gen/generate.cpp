#include <copse/generate.hpp>

#include <gen/recipe.hpp>

#include <copse/build.hpp>
#include <copse/errors.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <type_traits>
#include <variant>

namespace copse::gen {
namespace {

struct maker {
  family described;
  recipe (*make)(const spec&);
};

template <class Edges>
concept names_a_family = requires {
  Edges::described;
};

/// Makes the table of families. A struct without `described`, such as er_p_edges, is left out: it is another form of the family before it.
template <class... Edges>
constexpr auto makers_of(const std::variant<Edges...>*) {
  std::array<maker, (0 + ... + (names_a_family<Edges> ? 1 : 0))> all{};
  std::size_t next = 0;
  const auto add = [&]<class One>(std::type_identity<One>) {
    if constexpr (names_a_family<One>) all[next++] = {One::described, [](const spec& s) { return recipe{s, One::make(s)}; }};
  };
  (add(std::type_identity<Edges>{}), ...);
  return all;
}
constexpr auto makers = makers_of(static_cast<const any_family*>(nullptr));

std::string_view family_name(std::string_view text) noexcept { return text.substr(0, text.find(':')); }

const maker* maker_of(std::string_view text) noexcept {
  const auto found = std::ranges::find(makers, family_name(text), [](const maker& m) { return m.described.name; });
  return found == makers.end() ? nullptr : &*found;
}

}  // namespace

std::span<const family> families() noexcept {
  static const auto all = [] {
    std::array<family, makers.size()> described;
    std::ranges::transform(makers, described.begin(), &maker::described);
    return described;
  }();
  return all;
}

bool is_spec(std::string_view text) noexcept { return maker_of(text) != nullptr; }

recipe recipe_of(std::string_view text) {
  const maker* const found = maker_of(text);
  if (found == nullptr) {
    std::string names;
    for (const family& f : families()) names.append(names.empty() ? "" : ", ").append(f.name);
    throw usage_error{std::string{text} + ": found family '" + std::string{family_name(text)} + "', expected one of " + names};
  }
  return found->make(spec{text, found->described});
}

graph generate_edges(std::string_view text, const execution& on) { return emit(recipe_of(text), on); }

graph generate(std::string_view spec, const execution& on) { return build_csr(generate_edges(spec, on), {}, on); }

}  // namespace copse::gen
