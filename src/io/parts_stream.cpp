#include "io/parts_stream.hpp"

#include "io/compressed_input.hpp"

#include <algorithm>
#include <cstring>

namespace copse::io {
namespace {

constexpr std::size_t gzip_header_bytes = 12, least_gzip_block_bytes = 26;

unsigned two_bytes(std::string_view at) noexcept {
  return static_cast<unsigned char>(at[0]) | static_cast<unsigned>(static_cast<unsigned char>(at[1])) << 8;
}

/// Bytes of the BGZF block that `rest` begins with: a gzip member whose extra field, of subfields (two letters, length, content), says its
/// size under "BC". 0: it is none.
std::size_t bgzf_block_bytes(std::string_view rest) noexcept {
  constexpr std::string_view with_extra_field = "\x1f\x8b\x08\x04";
  if (rest.size() < least_gzip_block_bytes || !rest.starts_with(with_extra_field)) return 0;
  std::string_view extra = rest.substr(gzip_header_bytes, two_bytes(rest.substr(10)));
  while (extra.size() >= 6) {
    const std::size_t length = two_bytes(extra.substr(2));
    if (extra.starts_with("BC") && length == 2) {
      const std::size_t bytes = two_bytes(extra.substr(4)) + std::size_t{1};
      return bytes >= least_gzip_block_bytes && bytes <= rest.size() ? bytes : 0;
    }
    if (extra.size() < 4 + length) return 0;
    extra.remove_prefix(4 + length);
  }
  return 0;
}

std::size_t part_bytes(std::string_view rest, compression method) noexcept {
  return method == compression::gzip ? bgzf_block_bytes(rest) : zstd_frame_bytes(rest);
}

}  // namespace

std::unique_ptr<byte_stream> parts_stream::open(const input_file& file, compression method, std::size_t slice_bytes, unsigned workers,
                                                std::pmr::memory_resource* memory) {
  if (file.size() == 0 || method == compression::none) return nullptr;
  std::unique_ptr<parts_stream> stream{new parts_stream{file, method, workers, memory}};
  const std::string_view all = stream->bytes();
  std::size_t at = 0, begin = 0;
  while (at < all.size()) {
    const std::size_t bytes = part_bytes(all.substr(at), method);
    if (bytes == 0) return nullptr;
    at += bytes;
    if (at - begin < slice_bytes && at < all.size()) continue;
    stream->ends_.push_back(at);
    begin = at;
  }
  if (stream->ends_.size() < 2) return nullptr;
  return stream;
}

/// Takes the next slice; returns the bytes of its text. Precondition: there is one, and room for it; `lock` holds, and does so again
/// afterwards.
std::size_t parts_stream::decompress_next(std::unique_lock<std::mutex>& lock) {
  const std::size_t slice = begun_++, begin = begin_of(slice), end = ends_[slice];
  slice_text& text = text_of(slice);
  lock.unlock();
  text.size = 0;
  text.error = nullptr;
  try {
    constexpr std::size_t often_enough = 4;  // times its compressed size
    if (text.held.size() < often_enough * (end - begin)) text.held = buffer<char>{often_enough * (end - begin), memory_};
    const auto stream = open_part(name_, bytes().substr(begin, end - begin), begin, method_, memory_);
    for (;;) {
      if (text.size == text.held.size()) {
        buffer<char> larger{2 * text.size, memory_};
        std::memcpy(larger.data(), text.held.data(), text.size);
        text.held = std::move(larger);
      }
      const std::size_t got = stream->read(text.held.data() + text.size, text.held.size() - text.size);
      if (got == 0) break;
      text.size += got;
    }
  } catch (...) {
    text.error = std::current_exception();
  }
  const std::size_t size = text.size;
  lock.lock();
  text.done = true;
  moved_on_.notify_all();
  return size;
}

// Who takes more text than it has made leaves the rest to whoever reads, and that is one thread at a time.
void parts_stream::read_ahead(std::size_t count) {
  std::unique_lock lock{guard_};
  for (std::size_t ahead = 0; ahead < count && begun_ < ends_.size() && begun_ < turn_ + texts_.size();) ahead += decompress_next(lock);
}

std::size_t parts_stream::read(char* to, std::size_t count) {
  std::unique_lock lock{guard_};
  while (turn_ < ends_.size()) {
    if (begun_ == turn_) decompress_next(lock);
    slice_text& text = text_of(turn_);
    moved_on_.wait(lock, [&] { return text.done; });
    if (text.error) std::rethrow_exception(text.error);
    if (at_ < text.size) {
      const std::size_t got = std::min(count, text.size - at_);
      lock.unlock();  // nobody touches a slice that is done but who reads
      std::memcpy(to, text.held.data() + at_, got);
      at_ += got;
      return got;
    }
    text.done = false;
    at_ = 0;
    ++turn_;
  }
  return 0;
}

}  // namespace copse::io
