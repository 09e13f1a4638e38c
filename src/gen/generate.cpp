#include <copse/generate.hpp>

#include <gen/families.hpp>
#include <gen/recipe.hpp>

#include <copse/build.hpp>
#include <copse/errors.hpp>

#include <algorithm>
#include <array>
#include <string>

namespace copse::gen {
namespace {

constexpr const maker* makers[] = {&rmat_family,     &er_family,       &ba_family,          &grid2d_family,    &torus2d_family,
                                   &mesh_family,     &osm_family,      &web_family,         &clusters_family,  &path_family,
                                   &star_family,     &complete_family, &random_tree_family, &karate_family,    &table_rmat_family,
                                   &table_er_family, &table_ba_family, &table_osm_family,   &table_web_family, &table_bits_family};

std::string_view family_name(std::string_view text) noexcept { return text.substr(0, text.find(':')); }

const maker* maker_of(std::string_view text) noexcept {
  const auto found = std::ranges::find(makers, family_name(text), [](const maker* m) { return m->described.name; });
  return found == std::end(makers) ? nullptr : *found;
}

}  // namespace

std::span<const family> families() noexcept {
  static const auto all = [] {
    std::array<family, std::size(makers)> described;
    std::ranges::transform(makers, described.begin(), [](const maker* m) { return m->described; });
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
