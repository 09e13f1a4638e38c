// The words after a benchmark's name: values by name, and graphs.
#pragma once
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "samples.hpp"

namespace copse::bench {

/// What is asked for: `--name value` and `name=value` are the same.
class asked {
public:
  /// `values`: all names that there are, with what holds where nothing is said. Throws invalid_argument for another name.
  asked(int count, char** arguments, std::map<std::string, std::string, std::less<>> values) : values_{std::move(values)} {
    for (int i = 1; i < count; ++i) {
      const std::string_view word = arguments[i];
      const auto equals = word.find('=');
      if (word.starts_with("--")) {
        if (i + 1 == count) throw std::invalid_argument{std::string{word} + " has no value"};
        set(word.substr(2), arguments[++i]);
      } else if (equals != word.npos && values_.contains(word.substr(0, equals))) {
        set(word.substr(0, equals), word.substr(equals + 1));
      } else {
        graphs_.emplace_back(word);
      }
    }
  }

  [[nodiscard]] const std::string& operator[](std::string_view name) const { return values_.find(name)->second; }
  [[nodiscard]] unsigned number(std::string_view name) const { return static_cast<unsigned>(std::stoul((*this)[name])); }
  [[nodiscard]] std::vector<std::string> words(std::string_view name) const { return words_of((*this)[name]); }
  /// Of a list with commas; none of an empty one.
  template <class T = double>
  [[nodiscard]] std::vector<T> numbers(std::string_view name) const {
    std::vector<T> all;
    if (!(*this)[name].empty()) {
      for (const auto& word : words(name)) all.push_back(static_cast<T>(std::stod(word)));
    }
    return all;
  }
  /// Graphs and files. Throws invalid_argument when there is none.
  [[nodiscard]] const std::vector<std::string>& graphs() const {
    if (graphs_.empty()) throw std::invalid_argument{"found no graph"};
    return graphs_;
  }

private:
  void set(std::string_view name, std::string_view value) {
    const auto known = values_.find(name);
    if (known == values_.end()) throw std::invalid_argument{"unknown " + std::string{name}};
    known->second = value;
  }

  std::map<std::string, std::string, std::less<>> values_;
  std::vector<std::string> graphs_;
};

}  // namespace copse::bench
