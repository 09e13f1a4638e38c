#include "io/text_source.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace copse::io {
namespace {

constexpr auto report_interval = std::chrono::milliseconds{250};

// Maps all pages of a block with one call; otherwise there is a page fault per 64 KiB. Errors do not matter: kernels before 5.14 do not
// support it.
void populate([[maybe_unused]] std::string_view text) noexcept {
#ifdef MADV_POPULATE_READ
  static const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto first = reinterpret_cast<std::uintptr_t>(text.data()) / page * page;
  const auto last = reinterpret_cast<std::uintptr_t>(text.data() + text.size());
  if (last - first > page) madvise(reinterpret_cast<void*>(first), last - first, MADV_POPULATE_READ);
#endif
}

}  // namespace

text_source::text_source(const std::filesystem::path& path, const read_request& options)
    : block_bytes_{std::max<std::size_t>(options.block_bytes, 1)},
      threads_{usable_threads(options.threads)},
      memory_{options.memory},
      observer_{options.observer} {
  input_file file{path};
  name_ = file.name();
  total_bytes_ = file.size();
  compression method = compression_by_suffix(path);
  char magic[magic_bytes];
  std::size_t known = 0;
  if (options.mapped && method == compression::none && file.size() != 0) {
    mapping_.emplace(file);
    if (mapping_->data() == nullptr) {
      mapping_.reset();
    } else {
      const std::string_view first{mapping_->data(), std::min(magic_bytes, mapping_->size())};
      method = compression_by_magic(first);
      end_ = mapping_->size();
      if (method == compression::none) {
        text_bytes_ = total_bytes_;
        return;
      }
      mapping_.reset();
    }
  }
  if (method == compression::none) {
    known = read_fully(file, magic, magic_bytes);
    method = compression_by_magic({magic, known});
    if (method == compression::none && total_bytes_ != 0) text_bytes_ = total_bytes_;
  }
  stream_ = open_stream_of_blocks(std::move(file), method, {magic, known}, block_bytes_, options.mapped ? threads_ : 1, memory_);
}

text_source::~text_source() {
  if (mapping_) mapping_->leave_pages(threads_);
}

bool text_source::next(text_block& block) {
  bool mapped = false;
  if (stream_ != nullptr) stream_->read_ahead(block_bytes_);
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
    ended_ = true;  // stays true if an exception is thrown below, so that no worker reads past damaged data
    report();
    start();
    mapped = mapping_.has_value();
    if (!(mapped ? next_mapped(block) : next_streamed(block))) return false;
    ended_ = false;
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
  return count_line_ends(all) + (all.ends_with('\n') || all.ends_with('\r') ? 0 : 1);
}

// Skips the byte order mark, if there is one.
void text_source::start() {
  if (started_) return;
  started_ = true;
  if (!mapping_) stream_ended_ = read_more(carry_, byte_order_mark.size());
  const std::string_view first = mapping_ ? std::string_view{mapping_->data(), mapping_->size()} : std::string_view{carry_};
  if (first.starts_with("\xFF\xFE") || first.starts_with("\xFE\xFF")) {
    throw input_error::at(name_, 1, "the byte order mark of UTF-16", "UTF-8 (iconv -f UTF-16 -t UTF-8 converts the file)");
  }
  if (!first.starts_with(byte_order_mark)) return;
  if (mapping_) {
    at_ = byte_order_mark.size();
  } else {
    carry_.erase(0, byte_order_mark.size());
  }
}

std::pair<std::string_view, bool> text_source::head(std::size_t least) {
  const std::lock_guard lock{guard_};
  start();
  if (mapping_) {
    const std::string_view all{mapping_->data() + at_, mapping_->size() - at_};
    return {all.substr(0, least), least >= all.size()};
  }
  if (carry_.size() < least && !stream_ended_) stream_ended_ = read_more(carry_, least);
  return {carry_, stream_ended_};
}

void text_source::drop(std::size_t bytes) {
  const std::lock_guard lock{guard_};
  if (mapping_) {
    at_ += bytes;
    return;
  }
  lines_ += count_line_ends(std::string_view{carry_}.substr(0, bytes));
  carry_.erase(0, bytes);
}

bool text_source::keep(part_of_file part) {
  const std::lock_guard lock{guard_};
  start();
  if (!mapping_) return false;
  const std::string_view rest{mapping_->data() + at_, mapping_->size() - at_};
  const auto cut = [&](unsigned i) -> std::size_t {
    if (i == 0 || rest.empty()) return 0;
    return i == part.count ? rest.size() : end_of_records(rest, syntax_, part.begin_of(i, rest.size()), true);
  };
  const std::size_t begin = cut(part.index);
  end_ = at_ + cut(part.index + 1);
  at_ += begin;
  return true;
}

void text_source::keep_nothing() {
  const std::lock_guard lock{guard_};
  ended_ = true;
}

bool text_source::next_mapped(text_block& block) {
  const std::string_view rest{mapping_->data() + at_, end_ - at_};
  if (rest.empty()) return false;
  block.text = rest.substr(0, rest.size() > block_bytes_ ? end_of_records(rest, syntax_, block_bytes_, true) : rest.size());
  at_ += block.text.size();
  return true;
}

// Appends to `text` until it has `least` bytes; returns true at the end of the stream.
bool text_source::read_more(std::pmr::string& text, std::size_t least) {
  while (text.size() < least) {
    const std::size_t size = text.size();
    text.resize(std::max(least, size + std::min<std::size_t>(block_bytes_, std::size_t{1} << 16)));
    const std::size_t got = stream_->read(text.data() + size, text.size() - size);
    text.resize(size + got);
    if (got == 0) return true;
  }
  return false;
}

// Reads the next block of a stream: the text carried over from the last block, and what the stream gives. The block ends with the last
// complete record, unless the carried text alone has enough records for a block.
bool text_source::next_streamed(text_block& block) {
  std::size_t size = carry_.size();
  if (block.held.size() < std::max(block_bytes_, size + 1)) block.held = buffer<char>{std::max(block_bytes_, size + 1), memory_};
  std::memcpy(block.held.data(), carry_.data(), size);
  std::size_t end = size == 0 ? std::string_view::npos : end_of_records(carry_, syntax_, block_bytes_, false);
  while (end == std::string_view::npos && !stream_ended_) {
    if (size == block.held.size()) {  // a record longer than one block
      buffer<char> larger{2 * size, memory_};
      std::memcpy(larger.data(), block.held.data(), size);
      block.held = std::move(larger);
    }
    while (size < block.held.size() && !stream_ended_) {
      const std::size_t got = stream_->read(block.held.data() + size, block.held.size() - size);
      stream_ended_ = got == 0;
      size += got;
    }
    end = last_end_of_records({block.held.data(), size}, syntax_);
  }
  if (end == std::string_view::npos) end = size;
  carry_.assign(block.held.data() + end, size - end);
  block.text = {block.held.data(), end};
  block.first_line = lines_ + 1;
  const bool unfinished = end != 0 && !block.text.ends_with('\n') && !block.text.ends_with('\r');
  lines_ += count_line_ends(block.text) + (unfinished ? 1 : 0);
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
  if (mapping_) return 1 + count_line_ends({mapping_->data(), static_cast<std::size_t>(at - mapping_->data())});
  return block.first_line + count_line_ends({block.text.data(), static_cast<std::size_t>(at - block.text.data())});
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

bool line_reader::next(std::string_view& line) {
  while (rest_.empty()) {
    if (!source_.next(block_)) return false;
    rest_ = block_.text;
  }
  line = cut_line(rest_);
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
