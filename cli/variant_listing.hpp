// The source texts of a variant on one page, as `copse variants NAME --listing` prints them.
#pragma once
#include <copse/variants.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace copse::cli {

/// A source file of this build.
struct source_text {
  std::string_view path, text;
};

/// Samplers, finishes, rules and the fast path: the files that listings are made of. The build writes this function.
std::span<const source_text> variant_texts();

/// The files of a variant in reading order: sampler, finish, rule, find, splice, and then what these include of the same folders.
std::vector<const source_text*> texts_of(const variant_info& variant);

/// The page: the name, the summary, and the texts without their lists of includes.
std::string variant_listing(const variant_info& variant);

}  // namespace copse::cli
