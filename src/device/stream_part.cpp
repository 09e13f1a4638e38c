#include <copse/errors.hpp>
#include <device/gpus.hpp>
#include <device/stream_part.hpp>
#include <gpu/runtime/gpu.hpp>
#include <gpu/runtime/staged_copy.hpp>
#include <variants/axes.hpp>
#include <variants/cuda_incremental.hpp>
#include <variants/table.hpp>

#include <algorithm>
#include <span>
#include <string>

namespace copse::device {

using backend::checked;

namespace {

const variant::table_entry& united_by() { return *variant::find_entry("cuda.none.fast", input_kind::coo, problem_kind::incremental); }

std::uint64_t chosen_piece_bytes(const stream_part::settings& how, std::uint32_t vertices, std::uint64_t room) {
  const std::uint64_t fitting = fitting_piece_bytes(vertices, room, how.keep_forest);
  if (fitting < least_piece_bytes) {
    throw resource_error{"cuda:" + std::to_string(how.gpu) + ": found " + std::to_string(room) + " bytes free, expected " +
                         std::to_string(bytes_to_stream(vertices, how.keep_forest)) + " for the parents of " + std::to_string(vertices) +
                         " vertices and pieces of the graph"};
  }
  if (how.piece_bytes == 0) return fitting;
  return std::clamp(how.piece_bytes / least_piece_bytes * least_piece_bytes, least_piece_bytes, fitting);
}

}  // namespace

stream_part::slot_room::slot_room(const backend::gpu& on, std::size_t bytes) : borrowed_{on} {
  if (borrowed_.room().empty()) owned_ = buffer<std::byte>{bytes, backend::pinned_memory()};
}

stream_part::stream_part(const settings& how, id vertices)
    : work_{how.gpu},
      copies_{how.gpu},
      pool_{work_},
      pool_of_pieces_{copies_},
      room_bytes_{std::min(pool_.free_bytes(), how.memory_limit_bytes)},
      piece_bytes_{chosen_piece_bytes(how, vertices, room_bytes_)},
      pieces_(fitting_pieces(vertices, room_bytes_, piece_bytes_, how.keep_forest)),
      memory_{how.memory_limit_bytes, &pool_},
      forest_{variant::finish_entries[united_by().finish].traits,
              variant::cuda_rule_of(united_by().finish),
              {.gpu = how.gpu,
               .memory_limit_bytes =
                   how.memory_limit_bytes == UINT64_MAX ? UINT64_MAX : how.memory_limit_bytes - (pieces_.size() + 1) * piece_bytes_,
               .record_forest = how.keep_forest}},
      kernels_{work_.stream(), work_.multiprocessors()},
      threads_{how.threads},
      watcher_{how.watcher},
      keeps_edges_{how.keep_forest} {
  grow(vertices);
  backend::prepare_copies(work_);  // takes page-locked memory now, so that the first copy need not wait for it
}

stream_part::~stream_part() {
  static_cast<void>(cudaStreamSynchronize(copies_.stream()));
  static_cast<void>(cudaStreamSynchronize(work_.stream()));
}

stream_part::piece& stream_part::open() {
  if (watcher_ != nullptr && watcher_->cancel_requested()) throw cancelled{};
  piece& next = pieces_[turn_++ % pieces_.size()];
  if (next.bytes.empty()) {
    next.bytes = buffer<std::byte>{piece_bytes_, &pool_of_pieces_};
    next.united.set(copies_.stream());  // there are no edges to be united before: copies have to wait for the allocation only
  }
  next.united.hold_back(copies_.stream());
  return next;
}

void stream_part::copy(std::byte* to, std::span<const std::byte> chunk) const {
  checked(cudaMemcpyAsync(to, chunk.data(), chunk.size_bytes(), cudaMemcpyHostToDevice, copies_.stream()), "copying a piece");
}
void stream_part::copy(std::byte* to, std::span<const std::byte> chunk, const stream_mark& copied) const {
  copy(to, chunk);
  copied.set(copies_.stream());
}

stream_part::pair* stream_part::room_for_pairs() {
  if (pairs_.empty()) pairs_ = buffer<pair>{piece_bytes_ / sizeof(pair), &memory_};
  return pairs_.data();
}

template <class Convert>
void stream_part::unite(piece& filled, std::size_t count, Convert convert) {
  filled.filled.set(copies_.stream());
  filled.filled.hold_back(work_.stream());
  const pair* const pairs = convert();
  forest_.insert_resident({pairs, count}, work_.stream());
  filled.united.set(work_.stream());
}

void stream_part::grow(id vertices) {
  const id before = forest_.slots();
  if (vertices <= before) return;
  forest_.grow(vertices);
  forest_.declare(before);
}

void stream_part::close(piece& filled, const host_piece& from) {
  std::byte* const first = filled.bytes.data();
  auto* const second = reinterpret_cast<id*>(first + from.arrays[0].size());
  unite(filled, from.count, [&]() -> const pair* {
    if (from.what == host_piece::contents::pairs) return reinterpret_cast<const pair*>(first);
    pair* const pairs = room_for_pairs();
    if (from.what == host_piece::contents::columns) {
      kernels_.columns(reinterpret_cast<const id*>(first), second, from.count, pairs);
      return pairs;
    }
    if (from.summed && sums_.empty()) {
      sums_ = buffer<arc_sums>{1, &memory_};
      checked(cudaMemsetAsync(sums_.data(), 0, sizeof(arc_sums), work_.stream()), "clearing memory");
    }
    kernels_.rows(first, from.offset_bytes, second, from.rows, forest_.slots(), from.one_direction, from.summed ? sums_.data() : nullptr,
                  pairs);
    return pairs;
  });
}

void stream_part::take(const host_piece& from) {
  piece& next = open();
  copy(next.bytes.data(), from.arrays[0]);
  if (!from.arrays[1].empty()) copy(next.bytes.data() + from.arrays[0].size(), from.arrays[1]);
  close(next, from);
}

void stream_part::take_resident(std::span<const pair> edges, std::optional<cuda_stream> stream) {
  forest_.insert_resident({edges.data(), edges.size()}, stream);
}

template <class Item, class CopyOut, class Convert>
void stream_part::unite_items(stream_part& other, std::span<const Item> from, CopyOut copy_out, Convert convert) {
  grow(static_cast<id>(from.size()));
  const bool reached = backend::let_read(gpu(), other.gpu());
  buffer<Item> by_host;
  if (!reached) {
    by_host = buffer<Item>{from.size(), backend::pinned_memory()};
    const on_device there{other.gpu()};
    copy_out(by_host.span());
  }
  const std::size_t most = piece_bytes_ / sizeof(pair);  // the largest number of pairs in a piece of any kind
  for (std::size_t first = 0; first < from.size(); first += most) {
    const std::size_t count = std::min(most, from.size() - first);
    piece& next = open();
    auto* const here = reinterpret_cast<Item*>(next.bytes.data());
    if (reached) {
      checked(cudaMemcpyPeerAsync(here, gpu(), from.data() + first, other.gpu(), count * sizeof(Item), copies_.stream()),
              "copying from another GPU");
    } else {
      copy(next.bytes.data(), std::as_bytes(by_host.span().subspan(first, count)));
    }
    unite(next, count, [&]() -> const pair* { return convert(first, count, here); });
  }
  wait_for_copies();  // afterwards `other` may change its arrays
}

void stream_part::unite_with(stream_part& other) {
  if (keeps_edges_) {
    const std::span<const pair> links = [&] {
      const on_device there{other.gpu()};
      other.wait();
      return other.forest_.links();
    }();
    unite_items(
        other, links, [&other](std::span<pair> to) { other.copy_links(to); },
        [this](std::size_t, std::size_t count, pair* here) {
          kernels_.links(here, count);
          return here;
        });
    return;
  }
  const std::span<const id> words = [&] {
    const on_device there{other.gpu()};
    other.wait();
    return other.labels();
  }();
  unite_items(
      other, words, [&other](std::span<id> to) { other.copy_labels(to); },
      [this](std::size_t first, std::size_t count, id* here) {
        pair* const pairs = room_for_pairs();
        kernels_.parents(here, static_cast<id>(first), count, pairs);
        return pairs;
      });
}

void stream_part::wait_for_copies() { checked(cudaStreamSynchronize(copies_.stream()), "copying a piece"); }

void stream_part::wait() {
  wait_for_copies();
  forest_.counted_unless_refused("cuda");
}

void stream_part::copy_labels(std::span<id> to) {
  const std::span<const id> from = labels();
  backend::copy_out(work_, to.data(), from.data(), to.size_bytes(), "copying labels", {.threads = threads_});
}

buffer<std::uint32_t> stream_part::present(std::span<const id> alone) {
  const std::span<const id> found = labels();
  for (piece& each : pieces_) each.bytes = {};  // frees memory that the arrays below may need
  pairs_ = {};
  buffer<id> also{alone.size(), &memory_};
  buffer<std::uint32_t> bits{(found.size() + 31) / 32, &memory_}, result{bits.size()};
  const cudaStream_t stream = work_.stream();
  if (!alone.empty()) {
    checked(cudaMemcpyAsync(also.data(), alone.data(), alone.size_bytes(), cudaMemcpyHostToDevice, stream), "copying vertices");
  }
  kernels_.mark_present(found.data(), found.size(), also.data(), also.size(), bits.data());
  backend::copy_out(work_, result.data(), bits.data(), bits.span().size_bytes(), "copying vertices", {.threads = threads_});
  return result;
}

arc_sums stream_part::sums() {
  arc_sums found{};
  if (sums_.empty()) return found;
  checked(cudaMemcpyAsync(&found, sums_.data(), sizeof found, cudaMemcpyDeviceToHost, work_.stream()), "copying sums");
  checked(cudaStreamSynchronize(work_.stream()), "copying sums");
  return found;
}

}  // namespace copse::device
