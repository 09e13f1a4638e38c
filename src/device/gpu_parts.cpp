#include <copse/errors.hpp>
#include <device/gpu_parts.hpp>

#include <algorithm>

namespace copse::device {

gpu_parts::gpu_parts(id vertices, const gpu_stream_options& options) : vertices_{vertices} {
  if (options.gpus.empty()) throw usage_error{"gpu_stream: found no GPU in the options, expected at least one"};
  for (const unsigned gpu : options.gpus) {
    parts_.push_back(std::make_unique<stream_part>(stream_part::settings{.gpu = gpu,
                                                                         .memory_limit_bytes = options.memory_limit_bytes,
                                                                         .piece_bytes = options.piece_bytes,
                                                                         .threads = options.threads,
                                                                         .watcher = options.observer},
                                                   vertices));
    piece_bytes_ = std::min(piece_bytes_, parts_.back()->piece_bytes());
  }
}

void gpu_parts::grow(id vertices) {
  if (vertices <= vertices_) return;
  vertices_ = vertices;
  for_each_part(1, [vertices](stream_part& part, std::size_t) { part.grow(vertices); });
}

void gpu_parts::add(std::span<const edge<id>> edges) {
  deal(edges.size(), piece_bytes_ / sizeof(edge<id>), [edges](stream_part& part, std::uint64_t begin, std::uint64_t end) {
    part.take(edges.subspan(begin, end - begin));
  });
}

void gpu_parts::add(std::span<const id> sources, std::span<const id> targets) {
  deal(sources.size(), piece_bytes_ / sizeof(edge<id>), [=](stream_part& part, std::uint64_t begin, std::uint64_t end) {
    part.take(sources.subspan(begin, end - begin), targets.subspan(begin, end - begin));
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

}  // namespace copse::device
