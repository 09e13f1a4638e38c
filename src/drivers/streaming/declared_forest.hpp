// Parents of vertices that the input declares: 0 .. n - 1, all present from the start, in one array that becomes the labels.
#pragma once
#include <copse/errors.hpp>
#include <copse/labels.hpp>
#include <copse/views.hpp>
#include <core/parallel.hpp>

#include <cstdint>
#include <span>
#include <string>

#include "flatten.hpp"
#include "stream_giant.hpp"
#include "unite_batch.hpp"

namespace copse::streaming {

template <unsigned_index Id>
class declared_forest {
public:
  declared_forest(std::uint64_t vertices, unsigned threads, std::pmr::memory_resource* memory)
      : words_{vertices, memory}, giant_{vertices, memory} {
    parallel_blocks(threads, words_.size(), flatten_block, [words = words_.data()](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) words[v] = static_cast<Id>(~v);
    });
  }

  /// `links` gets the edges that join two trees, unless it is null. Throws input_error for an id that was not declared. (Readers name the
  /// line of one; this guards the array whoever calls.)
  template <bool Shared>
  void unite(std::span<const edge<std::uint64_t>> batch, link_list* links = nullptr) {
    for (const auto [u, v] : batch) {
      if (u >= words_.size() || v >= words_.size()) {
        throw input_error{std::string{"found id "}
                              .append(std::to_string(u >= words_.size() ? u : v))
                              .append(", expected ids below ")
                              .append(std::to_string(words_.size()))};
      }
    }
    const auto all = [](Id) { return true; };
    if (links == nullptr) {
      unite_batch<Shared>(giant_, flat_words<Id>{words_.data()}, batch, words_.size(), all);
    } else {
      unite_batch<Shared>(flat_words<Id>{words_.data()}, batch, all, note_in(links, batch));
    }
  }

  /// The forest is used up.
  buffer<Id> take_labels(unsigned threads) {
    turn_into_labels(words_.data(), words_.size(), threads);
    return std::move(words_);
  }

private:
  buffer<Id> words_;
  stream_giant<Id> giant_;
};

}  // namespace copse::streaming
