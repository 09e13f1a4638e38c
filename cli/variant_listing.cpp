#include "variant_listing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace copse::cli {
namespace {

const std::string rules = "include/copse/extend/rules/";

const source_text* text_at(const std::string& path) {
  const auto all = variant_texts();
  const auto found = std::ranges::find(all, path, &source_text::path);
  return found == all.end() ? nullptr : &*found;
}

/// The text that an #include line names, such as <finish/united.hpp>; null if it is none of the listed texts.
const source_text* included_by(std::string_view line) {
  if (!line.starts_with("#include")) return nullptr;
  const auto begin = line.find_first_of("<\""), end = line.find_last_of(">\"");
  if (begin == std::string_view::npos || end <= begin) return nullptr;
  const std::string name{line.substr(begin + 1, end - begin - 1)};
  const source_text* const found = text_at("src/" + name);
  return found != nullptr ? found : text_at("include/" + name);
}

template <class Visit>
void each_line(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// The source files of the parts of which the name of a variant consists.
std::vector<std::string> named_files(const variant_info& variant) {
  const std::string finish{variant.finish};
  std::vector<std::string> files{variant.sampler.starts_with("kout") ? "src/sample/kout.hpp"
                                                                     : fmt::format("src/sample/{}.hpp", variant.sampler)};
  if (finish == "fast") {
    files = {variant.input == input_kind::csr ? "src/fast/solve.hpp" : "src/fast/solve_list.hpp"};
  } else if (const std::string rule = fmt::format("{}unite/{}.hpp", rules, finish); text_at(rule) != nullptr) {
    files.insert(files.end(), {"src/finish/united.hpp", rule});
    if (finish == "ecl" && variant.find.empty()) files.push_back(rules + "find/representative.hpp");
  } else {
    files.push_back(fmt::format("src/finish/{}.hpp", finish));
  }
  // For some finishes the word in the name is not a file, such as the letters of a Liu-Tarjan variant; it is then skipped.
  for (const auto& [kind, word] : {std::pair{"find", variant.find}, std::pair{"splice", variant.splice}}) {
    if (const std::string file = fmt::format("{}{}/{}.hpp", rules, kind, word); text_at(file) != nullptr) files.push_back(file);
  }
  return files;
}

}  // namespace

std::vector<const source_text*> texts_of(const variant_info& variant) {
  std::vector<const source_text*> texts;
  const auto add = [&](const source_text* text) {
    if (text != nullptr && std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
  };
  for (const std::string& file : named_files(variant)) add(text_at(file));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    each_line(texts[i]->text, [&](std::string_view line) { add(included_by(line)); });
  }
  return texts;
}

std::string variant_listing(const variant_info& variant) {
  std::string page = fmt::format("{}: {}\n", variant.name, variant.summary);
  for (const source_text* text : texts_of(variant)) {
    page += fmt::format("\n==== {}\n\n", text->path);
    bool empty = true;  // true if the last line was empty: of several empty lines in a row one is kept
    each_line(text->text, [&](std::string_view line) {
      if (line.starts_with("#pragma once") || line.starts_with("#include") || (empty && line.empty())) return;
      page.append(line).append("\n");
      empty = line.empty();
    });
  }
  return page;
}

}  // namespace copse::cli
