// The loop that all line formats share: simple lines at full speed, every other line by the general rules.
#pragma once
#include "io/edge_batch.hpp"
#include "io/simple_lines.hpp"
#include "io/text_source.hpp"

namespace copse::io {

/// Parses the lines of `text`. With `shape`, simple lines go straight into the batch; `careful(text)` cuts
/// the next line, which is not simple, off the text.
template <class Careful>
void parse_lines(std::string_view text, const line_shape* shape, edge_batch& batch, Careful careful) {
  parse_simple_lines* const simple = shape != nullptr ? best_parse_simple_lines() : nullptr;
  while (!text.empty()) {
    if (simple != nullptr) {
      const std::size_t room = batch.room();
      std::size_t parsed = 0;
      const char* const stopped = simple(text, *shape, batch.free_slots(), room, parsed);
      text.remove_prefix(static_cast<std::size_t>(stopped - text.data()));
      batch.add(parsed);
      if (parsed + simple_lines_slack > room) continue;
    }
    careful(text);
  }
}

}  // namespace copse::io
