#include <copse/errors.hpp>
#include <device/gpu_parts.hpp>
#include <device/gpus.hpp>
#include <gpu/runtime/staged_copy.hpp>

#include <algorithm>
#include <atomic>
#include <mutex>

namespace copse::device {

gpu_parts::gpu_parts(id vertices, const request<streaming_options>& options)
    : gpus_{gpus_of(options)}, threads_{options.threads}, vertices_{vertices} {
  const on_device callers;
  try {
    add_parts(options);
  } catch (...) {
    drop_parts();
    throw;
  }
}

gpu_parts::~gpu_parts() {
  const on_device callers;
  drop_parts();
}

std::string gpu_parts::device() const {
  std::string names;
  for (const unsigned gpu : gpus_) names.append(names.empty() ? "cuda:" : ",").append(std::to_string(gpu));
  return names;
}

void gpu_parts::add_parts(const request<streaming_options>& options) {
  for (const unsigned gpu : gpus_) {
    parts_.push_back(std::make_unique<stream_part>(stream_part::settings{.gpu = gpu,
                                                                         .memory_limit_bytes = options.gpu_memory,
                                                                         .piece_bytes = options.piece_bytes,
                                                                         .threads = options.threads,
                                                                         .watcher = options.observer,
                                                                         .keep_forest = options.keep_forest},
                                                   vertices_));
    piece_bytes_ = std::min(piece_bytes_, parts_.back()->piece_bytes());
  }
}

// Destroys the last part first: a stream_part chooses its device when it is constructed, and its destructor restores the one before.
void gpu_parts::drop_parts() noexcept {
  while (!parts_.empty()) parts_.pop_back();
}

void gpu_parts::grow(id vertices) {
  if (vertices <= vertices_) return;
  vertices_ = vertices;
  for_each_part(1, [vertices](stream_part& part, std::size_t) { part.grow(vertices); });
}

void gpu_parts::pass_slots(std::uint64_t bytes, const piece_line::next_piece& next) {
  constexpr std::uint64_t bytes_a_worker = std::uint64_t{1} << 20;
  const auto count = static_cast<unsigned>(size());
  // A quarter of the threads is left for other work: on 16 cores, 12 workers are faster than 16.
  const unsigned threads = usable_threads(threads_), most = (threads - threads / 4) / count;
  const auto each = static_cast<unsigned>(
      std::clamp<std::uint64_t>(bytes / (bytes_a_worker * count), 1, std::clamp<unsigned>(most, 1, stream_part::most_workers)));
  const auto shape = backend::staging_shape_for(bytes / count);
  std::mutex guard;
  std::atomic<bool> failed{false};
  const piece_line::next_piece in_turn = [&]() -> std::optional<host_piece> {
    const std::lock_guard lock{guard};
    return failed.load(std::memory_order_relaxed) ? std::nullopt : next();
  };
  std::vector<stream_part::slot_room> rooms;
  std::vector<std::unique_ptr<piece_line>> lines;
  for (unsigned k = 0; k < count; ++k) {
    const on_device here{parts_[k]->gpu()};
    rooms.push_back(parts_[k]->room_for_slots(shape.bytes()));
    lines.push_back(std::make_unique<piece_line>(*parts_[k], rooms[k].room(), shape));
  }
  on_workers(each * count, [&](unsigned worker) {
    const unsigned k = worker % count;
    const on_device here{parts_[k]->gpu()};
    try {
      lines[k]->pass(in_turn);
    } catch (...) {
      failed.store(true, std::memory_order_relaxed);  // tells the workers of other GPUs to stop
      throw;
    }
  });
}

void gpu_parts::pass(const void* first, std::uint64_t bytes, const piece_line::next_piece& next) {
  if (backend::pageable(first)) return pass_slots(bytes, next);
  std::mutex guard;
  for_each_part(1, [&](stream_part& part, std::size_t) {
    for (;;) {
      std::unique_lock lock{guard};
      const auto now = next();
      lock.unlock();
      if (!now) break;
      part.take(*now);
    }
    part.wait_for_copies();
  });
}

void gpu_parts::add(std::span<const edge<id>> edges) {
  pass(edges.data(), edges.size_bytes(), [&, rest = edges]() mutable -> std::optional<host_piece> {
    if (rest.empty()) return std::nullopt;
    const auto now = rest.first(std::min<std::size_t>(rest.size(), piece_bytes_ / pair_bytes));
    rest = rest.subspan(now.size());
    return host_piece{host_piece::contents::pairs, {std::as_bytes(now)}, now.size()};
  });
}

void gpu_parts::add(std::span<const id> sources, std::span<const id> targets) {
  pass(sources.data(), 2 * sources.size_bytes(), [&, begin = std::size_t{0}]() mutable -> std::optional<host_piece> {
    const std::size_t count = std::min<std::size_t>(sources.size() - begin, piece_bytes_ / pair_bytes);
    if (count == 0) return std::nullopt;
    const host_piece now{
        host_piece::contents::columns, {std::as_bytes(sources.subspan(begin, count)), std::as_bytes(targets.subspan(begin, count))}, count};
    begin += count;
    return now;
  });
}

arc_sums gpu_parts::sums() {
  arc_sums all{};
  for (const auto& part : parts_) {
    const on_device there{part->gpu()};
    const arc_sums each = part->sums();
    all.up_first += each.up_first;
    all.up_second += each.up_second;
    all.down_first += each.down_first;
    all.down_second += each.down_second;
    all.loops += each.loops;
  }
  return all;
}

void gpu_parts::wait() {
  for_each_part(1, [](stream_part& part, std::size_t) { part.wait(); });
}

void gpu_parts::merge() {
  wait();
  for (std::size_t step = 1; step < parts_.size(); step *= 2) {
    for_each_part(2 * step, [&](stream_part& part, std::size_t at) {
      if (at + step < parts_.size()) part.unite_with(*parts_[at + step]);
    });
  }
}

void gpu_parts::copy_labels(std::span<id> to) {
  stream_part& first = *parts_.front();
  const on_device here{first.gpu()};
  first.wait();
  first.copy_labels(to);
}

buffer<edge<std::uint32_t>> gpu_parts::take_forest(std::pmr::memory_resource* memory) {
  stream_part& first = *parts_.front();
  const on_device here{first.gpu()};
  buffer<edge<id>> edges{first.link_count(), memory}, slots{first.vertices(), memory};
  first.copy_links(slots.span());
  std::copy_if(slots.begin(), slots.end(), edges.begin(), [](const edge<id>& link) { return link.u != no_vertex<id>; });
  return edges;
}

}  // namespace copse::device
