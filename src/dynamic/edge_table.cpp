#include <dynamic/edge_table.hpp>

#include <algorithm>
#include <utility>

namespace copse::dynamics {

// ---- segments

// Makes sure that this number of segments can be taken.
void edge_table::reserve_segments(std::uint32_t count) {
  for (; free_segments_ < count; ++free_segments_) {
    segments_.resize(segments_.size() + 1);
    const auto s = static_cast<std::uint32_t>(segments_.size() - 1);
    segments_[s].pages[0] = std::exchange(first_free_segment_, s);
  }
}

std::uint32_t edge_table::take_segment(unsigned depth) noexcept {
  --free_segments_;
  const std::uint32_t s = std::exchange(first_free_segment_, segments_[first_free_segment_].pages[0]);
  segments_[s] = segment{};
  segments_[s].depth = static_cast<unsigned char>(depth);
  return s;
}

// Makes a directory of empty segments.
void edge_table::begin(directory& one, unsigned depth) {
  const std::uint32_t count = std::uint32_t{1} << depth;
  reserve_segments(count);
  one.segments.resize(count);
  one.depth = depth;
  for (std::uint32_t& s : one.segments) s = take_segment(depth);
}

// Makes two segments of the one at this index: edges whose next bit of the code is 1 go to the new one.
void edge_table::split(directory& in, std::size_t index) {
  pages_.reserve(segment_pages);
  reserve_segments(1);
  segment& old = segments_[in.segments[index]];
  if (old.depth == in.depth) {
    std::pmr::vector<std::uint32_t> doubled(in.segments.size() * 2, in.segments.get_allocator());
    for (std::size_t i = 0; i < doubled.size(); ++i) doubled[i] = in.segments[i / 2];
    in.segments.swap(doubled);
    ++in.depth;
    index *= 2;
  }
  const std::uint32_t other = take_segment(++old.depth), count = std::exchange(old.count, 0);
  const unsigned next_bit = code_bits + prefix_bits - in.skipped_bits - old.depth;
  for (std::uint32_t i = 0; i < count; ++i) {
    const row from = row_at(old, i);
    const bool goes = (from.code() >> next_bit & 1) != 0;
    segment& to = goes ? segments_[other] : old;
    if (goes && to.count % page_rows == 0) to.pages[to.count / page_rows] = pages_.take();
    to.tags[to.count] = old.tags[i];
    pages_.copy(from, row_at(to, to.count++));
  }
  for (std::uint32_t page = (old.count + page_rows - 1) / page_rows; page < segment_pages; ++page) pages_.give_back(old.pages[page]);
  const std::size_t half = std::size_t{1} << (in.depth - old.depth);
  std::fill_n(in.segments.begin() + static_cast<std::ptrdiff_t>((index / half | 1) * half), half, other);
}

// ---- edges

// Returns the row of another edge, which has no values yet. Precondition: the segment is not full, and a page is reserved.
edge_table::row edge_table::append(segment& to, std::uint64_t code) noexcept {
  if (to.count % page_rows == 0) to.pages[to.count / page_rows] = pages_.take();
  to.tags[to.count] = static_cast<unsigned char>(code);
  const row r = row_at(to, to.count++);
  r.set_code(stored(code));
  return r;
}

void edge_table::put(directory& into, const edge_name& name, const edge_state& state) {
  const bool is_of_all = &into == &pairs_;
  if (into.segments.empty()) begin(into, is_of_all ? prefix_bits : 0);
  const std::uint64_t code = is_of_all ? code_(name.u, name.v) : hash_(name.key);
  while (segments_[into.at(code)].count == segment_rows) split(into, into.index(code));
  pages_.reserve(1);
  const row r = append(segments_[into.at(code)], code);
  set_state(r, state);
  if (carried_.keys) r.value(key_) = name.key;
  ++into.edges;
}

// The last edge of the segment takes the place of the one that is removed.
void edge_table::remove(const place& at) noexcept {
  segment& in = segments_[at.segment];
  const std::uint32_t last = --in.count;
  if (at.index != last) {
    in.tags[at.index] = in.tags[last];
    pages_.copy(row_at(in, last), row_at(at));
  }
  if (last % page_rows == 0) pages_.give_back(in.pages[last / page_rows]);
}

// ---- pairs with many edges

// Returns the directory for another edge of a pair that may have edges. If these are many, they move to a directory of their own first.
edge_table::directory& edge_table::directory_for(const edge_name& name) {
  if (const auto own = parallel_.find(word_of(name)); own != parallel_.end()) return own->second;
  const std::uint64_t code = code_(name.u, name.v);
  std::uint32_t count = 0;
  if (!first_of(pairs_, code, [&](const row&) { return ++count == most_parallel; }).found) return pairs_;
  pages_.reserve(most_parallel / page_rows);
  directory made{prefix_bits, parallel_.get_allocator().resource()};
  begin(made, 0);
  made.edges = count;
  directory& own = parallel_.emplace(word_of(name), std::move(made)).first->second;
  for (place at; (at = first_of(pairs_, code, [](const row&) { return true; })).found; remove(at)) {
    const row r = row_at(at);
    const row moved = append(segments_[own.segments[0]], hash_(key_of(r)));
    set_state(moved, state_of(r));
    moved.value(key_) = key_of(r);
  }
  return own;
}

// Counts an edge that was removed from the directory of its pair, if there is one, which goes with the last edge.
void edge_table::note_removed(const edge_name& pair) noexcept {
  const auto own = parallel_.find(word_of(pair));
  if (own == parallel_.end() || --own->second.edges != 0) return;
  const std::pmr::vector<std::uint32_t>& all = own->second.segments;
  for (std::size_t i = 0, next = 0; i < all.size(); i = next) {
    next = i + (std::size_t{1} << (own->second.depth - segments_[all[i]].depth));
    segments_[all[i]].pages[0] = std::exchange(first_free_segment_, all[i]);
    ++free_segments_;
  }
  parallel_.erase(own);
}

}  // namespace copse::dynamics
