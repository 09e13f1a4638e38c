// Slots of staging memory that threads fill together: every byte arrives where it should, once, by one copy for each slot, and no thread
// waits for ever.
#include <gtest/gtest.h>
#include <core/team.hpp>
#include <gpu/runtime/staging_ring.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace copse::backend {
namespace {

/// As a GPU does, it reads slots later, one after the other: what is overwritten before that arrives wrong.
class late_reader final : public slot_sender {
public:
  late_reader() : thread_{[this] { serve(); }} {}
  ~late_reader() override {
    {
      const std::lock_guard lock{guard_};
      ended_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  void send(unsigned slot, std::byte* to, std::span<const std::byte> filled) override {
    if (broken) throw std::runtime_error{"the link is down"};
    const std::lock_guard lock{guard_};
    ++waiting_[slot];
    copies_.push_back({slot, to, filled});
    changed_.notify_all();
  }
  void wait(unsigned slot) override {
    std::unique_lock lock{guard_};
    changed_.wait(lock, [&] { return waiting_[slot] == 0; });
  }
  void wait_for_all() {
    for (unsigned k = 0; k < most_slots; ++k) wait(k);
  }

  std::atomic<unsigned> copy_count{0};
  bool broken = false;

private:
  struct copy {
    unsigned slot;
    std::byte* to;
    std::span<const std::byte> from;
  };
  void serve() {
    std::unique_lock lock{guard_};
    for (;;) {
      changed_.wait(lock, [&] { return ended_ || !copies_.empty(); });
      if (copies_.empty()) return;
      const copy now = copies_.front();
      copies_.pop_front();
      lock.unlock();
      std::this_thread::yield();
      std::memcpy(now.to, now.from.data(), now.from.size());
      copy_count.fetch_add(1);
      lock.lock();
      --waiting_[now.slot];
      changed_.notify_all();
    }
  }

  std::mutex guard_;
  std::condition_variable changed_;
  std::array<unsigned, most_slots> waiting_{};
  std::deque<copy> copies_;
  bool ended_ = false;
  std::thread thread_;  // last: it uses the others
};

std::vector<std::byte> some_bytes(std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(i * 0x9E3779B1u >> 11);
  return bytes;
}

/// What callers do: a lock, and how far they are.
class line {
public:
  line(staging_ring& ring, std::span<const std::byte> from, std::byte* to, std::size_t asked)
      : ring_{ring}, from_{from}, to_{to}, asked_{asked} {}

  /// True: it has sent a slot.
  bool step(bool& more) {
    std::size_t at = 0;
    staging_ring::place now{};
    {
      const auto lock = soon_locked(guard_, ring_.waiting());
      at = given_;
      more = at < from_.size() && (ring_.left() != 0 || ring_.open(to_ + at));
      if (!more) return false;
      now = ring_.take(std::min(asked_, from_.size() - at));
      given_ += now.bytes.size();
      if (given_ == from_.size() && !open_at_end) ring_.close();
    }
    if (before_fill) before_fill(at);
    std::memcpy(now.bytes.data(), from_.data() + at, now.bytes.size());
    return ring_.done(now);
  }

  void (*before_fill)(std::size_t at) = nullptr;
  bool open_at_end = false;

private:
  staging_ring& ring_;
  std::span<const std::byte> from_;
  std::byte* to_;
  std::size_t asked_;
  std::mutex guard_;
  std::size_t given_ = 0;
};

TEST(staging_ring, every_byte_arrives_by_one_copy_a_slot) {
  for (const unsigned threads : {1u, 2u, 7u, 16u}) {
    for (const staging_shape shape : {staging_shape{64, 64, 8}, staging_shape{4096, 256, 8}, staging_shape{1 << 16, 4096, 3}}) {
      for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{64}, std::size_t{65}, std::size_t{100'001}}) {
        std::vector<std::byte> room(shape.bytes()), to(bytes);
        const auto from = some_bytes(bytes);
        late_reader reader;
        staging_ring ring{room, shape, reader};
        line all{ring, from, to.data(), SIZE_MAX};
        std::atomic<unsigned> sent{0};
        on_workers(threads, [&](unsigned) {
          for (bool more = true; more;) sent += all.step(more) ? 1 : 0;
        });
        reader.wait_for_all();
        const auto slots = static_cast<unsigned>((bytes + shape.slot_bytes - 1) / shape.slot_bytes);
        EXPECT_TRUE(to == from) << threads << " threads, " << bytes << " bytes, slots of " << shape.slot_bytes;
        EXPECT_EQ(sent, slots);
        EXPECT_EQ(reader.copy_count, slots);
      }
    }
  }
}

TEST(staging_ring, a_slot_that_is_filled_in_part_goes_when_it_is_closed) {
  const staging_shape shape{4096, 256, 4};
  std::vector<std::byte> room(shape.bytes()), to(5000);
  const auto from = some_bytes(to.size());
  late_reader reader;
  staging_ring ring{room, shape, reader};
  line all{ring, from, to.data(), 100};
  all.open_at_end = true;
  unsigned sent = 0;
  for (bool more = true; more;) sent += all.step(more) ? 1 : 0;
  EXPECT_EQ(sent, 1u);
  EXPECT_EQ(ring.left(), 2 * shape.slot_bytes - to.size());
  EXPECT_TRUE(ring.close());
  EXPECT_FALSE(ring.close()) << "none is open";
  reader.wait_for_all();
  EXPECT_TRUE(to == from);
}

TEST(staging_ring, nobody_waits_for_a_thread_that_failed) {
  const staging_shape shape{256, 64, 2};
  std::vector<std::byte> room(shape.bytes()), to(100'000);
  const auto from = some_bytes(to.size());
  for (const bool sending : {false, true}) {
    late_reader reader;
    staging_ring ring{room, shape, reader};
    line all{ring, from, to.data(), SIZE_MAX};
    if (sending) {
      reader.broken = true;
    } else {
      all.before_fill = [](std::size_t at) {
        if (at == 64 * 300) throw std::runtime_error{"no more"};
      };
    }
    EXPECT_THROW(on_workers(6,
                            [&](unsigned) {
                              try {
                                for (bool more = true; more;) all.step(more);
                              } catch (...) {
                                ring.fail();
                                throw;
                              }
                            }),
                 std::runtime_error);
    reader.wait_for_all();
  }
}

TEST(staging_shape, suits_the_copy) {
  for (const std::uint64_t bytes : {0ul, 1ul, 100'000ul, 1ul << 20, 9'999'999ul, 1ul << 40, ~0ul}) {
    for (const std::size_t most : {std::size_t{1}, std::size_t{52}, std::size_t{1000}, std::size_t{1} << 20, most_slot_bytes}) {
      const staging_shape shape = staging_shape_for(bytes, most);
      EXPECT_LE(shape.bytes(), staging_bytes);
      EXPECT_EQ(shape.slot_bytes % 64, 0u);
      EXPECT_EQ(shape.place_bytes % 8, 0u) << "pairs of ids";
      EXPECT_GT(shape.slot_bytes, 0u);
      EXPECT_LE(shape.place_bytes, shape.slot_bytes);
    }
  }
  EXPECT_EQ(staging_shape_for(std::uint64_t{1} << 30).slot_bytes, most_slot_bytes);
}

}  // namespace
}  // namespace copse::backend
