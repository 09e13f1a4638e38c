#include "io/text_source.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace copse::io {
namespace {

constexpr std::size_t magic_bytes = 4;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr auto report_interval = std::chrono::milliseconds{250};

std::uint64_t newlines(std::string_view text) noexcept { return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n')); }

// Maps the pages of a block at once; otherwise each 64 KiB costs a page fault. Advice: kernels before 5.14 refuse.
void populate([[maybe_unused]] std::string_view text) noexcept {
#ifdef MADV_POPULATE_READ
  static const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto first = reinterpret_cast<std::uintptr_t>(text.data()) / page * page;
  const auto last = reinterpret_cast<std::uintptr_t>(text.data() + text.size());
  if (last - first > page) madvise(reinterpret_cast<void*>(first), last - first, MADV_POPULATE_READ);
#endif
}

}  // namespace

text_source::text_source(const std::filesystem::path& path, const read_options& options)
    : block_bytes_{std::max<std::size_t>(options.block_bytes, 1)}, memory_{options.memory}, observer_{options.observer} {
  input_file file{path};
  name_ = file.name();
  total_bytes_ = file.size();
  compression method = compression_by_suffix(path);
  char magic[magic_bytes];
  std::size_t known = 0;
  if (method == compression::none && file.size() != 0) {
    mapping_.emplace(file);
    if (mapping_->data() == nullptr) {
      mapping_.reset();
    } else {
      const std::string_view first{mapping_->data(), std::min(magic_bytes, mapping_->size())};
      method = compression_by_magic(first);
      if (method == compression::none) return;
      mapping_.reset();
    }
  }
  if (method == compression::none) {
    known = read_fully(file, magic, magic_bytes);
    method = compression_by_magic({magic, known});
  }
  stream_ = open_stream(std::move(file), method, {magic, known});
}

bool text_source::next(text_block& block) {
  bool mapped = false;
  {
    const std::lock_guard lock{guard_};
    const std::uint64_t index = blocks_++;
    block.index = index;
    if (!returned_.empty()) {
      block = std::move(returned_.back());
      block.index = index;
      returned_.pop_back();
      return true;
    }
    if (ended_) return false;
    ended_ = true;  // also when what follows throws: no worker reads on behind damage
    report();
    mapped = mapping_.has_value();
    if (!(mapped ? next_mapped(block) : next_streamed(block))) return false;
    ended_ = false;
    if (first_ && block.text.starts_with(byte_order_mark)) block.text.remove_prefix(byte_order_mark.size());
    first_ = false;
  }
  if (mapped) populate(block.text);
  return true;
}

void text_source::put_back(text_block block) {
  const std::lock_guard lock{guard_};
  returned_.push_back(std::move(block));
}

void text_source::renumber() {
  const std::lock_guard lock{guard_};
  blocks_ = 0;
}

std::uint64_t text_source::last_line() const noexcept {
  if (!mapping_) return lines_;
  const std::string_view all{mapping_->data(), mapping_->size()};
  return newlines(all) + (all.ends_with('\n') ? 0 : 1);
}

bool text_source::next_mapped(text_block& block) {
  const std::string_view all{mapping_->data(), mapping_->size()};
  if (at_ == all.size()) return false;
  std::size_t end = all.size();
  if (end - at_ > block_bytes_) {
    const auto newline = all.find('\n', at_ + block_bytes_ - 1);
    if (newline != std::string_view::npos) end = newline + 1;
  }
  block.text = all.substr(at_, end - at_);
  at_ = end;
  return true;
}

bool text_source::next_streamed(text_block& block) {
  std::size_t size = carry_.size();
  if (block.held.size() < std::max(block_bytes_, size + 1)) block.held = buffer<char>{std::max(block_bytes_, size + 1), memory_};
  std::memcpy(block.held.data(), carry_.data(), size);
  carry_.clear();
  std::size_t searched = size;  // what was carried has no newline
  std::size_t end = 0;
  bool ended = false;
  while (end == 0 && !ended) {
    if (size == block.held.size()) {  // a line longer than a block
      buffer<char> larger{2 * size, memory_};
      std::memcpy(larger.data(), block.held.data(), size);
      block.held = std::move(larger);
    }
    while (size < block.held.size() && !ended) {
      const std::size_t got = stream_->read(block.held.data() + size, block.held.size() - size);
      ended = got == 0;
      size += got;
    }
    const auto newline = std::string_view{block.held.data() + searched, size - searched}.rfind('\n');
    if (newline != std::string_view::npos) end = searched + newline + 1;
    searched = size;
  }
  if (ended) {
    end = size;
  } else {
    carry_.assign(block.held.data() + end, size - end);
  }
  block.text = {block.held.data(), end};
  block.first_line = lines_ + 1;
  lines_ += newlines(block.text) + (end != 0 && !block.text.ends_with('\n') ? 1 : 0);
  return end != 0;
}

void text_source::report() {
  if (observer_ == nullptr) return;
  if (observer_->cancel_requested()) throw cancelled{};
  const auto now = std::chrono::steady_clock::now();
  if (now - reported_ < report_interval) return;
  reported_ = now;
  observer_->progress("read", mapping_ ? at_ : stream_->consumed(), total_bytes_, "bytes");
}

std::uint64_t text_source::line_of(const text_block& block, const char* at) const noexcept {
  if (mapping_) return 1 + newlines({mapping_->data(), static_cast<std::size_t>(at - mapping_->data())});
  return block.first_line + newlines({block.text.data(), static_cast<std::size_t>(at - block.text.data())});
}

text_block text_source::part(const text_block& block, std::string_view lines) const {
  text_block copy;
  copy.index = block.index;
  copy.text = lines;
  if (mapping_ || lines.empty()) return copy;
  copy.first_line = line_of(block, lines.data());
  copy.held = buffer<char>{lines.size(), memory_};
  std::memcpy(copy.held.data(), lines.data(), lines.size());
  copy.text = {copy.held.data(), lines.size()};
  return copy;
}

void refuse(const text_source& source, const text_block& block, const char* at, std::string_view found, std::string_view expected) {
  throw input_error::at(source.name(), source.line_of(block, at), found, expected);
}

std::string_view cut_line(std::string_view& rest) noexcept {
  const auto newline = rest.find('\n');
  std::string_view line = rest.substr(0, newline);
  rest.remove_prefix(newline == std::string_view::npos ? rest.size() : newline + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool line_reader::next(std::string_view& line) {
  while (rest_.empty()) {
    if (!source_.next(block_)) return false;
    rest_ = block_.text;
  }
  const char* first = rest_.data();
  line = cut_line(rest_);
  line_ = {first, static_cast<std::size_t>(rest_.data() - first)};
  return true;
}

void line_reader::leave() {
  if (!rest_.empty()) source_.put_back(source_.part(block_, rest_));
  rest_ = {};
  source_.renumber();
}

void line_reader::leave(std::string_view rest_of_line) {
  rest_ = {rest_of_line.data(), static_cast<std::size_t>(rest_.data() + rest_.size() - rest_of_line.data())};
  leave();
}

}  // namespace copse::io
