// gpu_live: copies batches from host memory to the GPU and passes them to the rule. A batch of any size is cut into pieces. Two buffers in
// GPU memory alternate: while kernels read the piece in one, the next piece is copied to the other on a stream of its own. Stream marks say
// when a buffer is filled and when it may be filled again.
#include <copse/errors.hpp>
#include <drivers/incremental/cuda/device_forest.cuh>
#include <drivers/incremental/gpu_live.hpp>
#include <drivers/incremental/vertex_marks.hpp>
#include <gpu/loops/cuda.cuh>
#include <gpu/runtime/gpu.hpp>
#include <gpu/runtime/gpu_events.hpp>
#include <gpu/runtime/staged_copy.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace copse::drivers {
namespace {

using backend::checked;

/// A piece of a batch in GPU memory. There are two, so that one is copied while the edges of the other are inserted.
struct piece_in_flight {
  buffer<gpu_edge> edges;
  backend::stream_mark filled, inserted;
};

/// The largest id of inserts, and whether there is any.
struct largest_id {
  gpu_id most;
  unsigned any;
};

template <class Reader>
__global__ void __launch_bounds__(backend::threads_a_block) find_largest(Reader batch, largest_id* found) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  gpu_id most = 0;
  unsigned any = 0;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < batch.count; i += threads) {
    if (!batch.wanted(i)) continue;
    const gpu_edge e = batch.pair(i);
    most = max(most, max(e.u, e.v));
    any = 1;
  }
  most = __reduce_max_sync(0xffffffffu, most);
  any = __reduce_or_sync(0xffffffffu, any);
  if (threadIdx.x % 32 != 0 || any == 0) return;
  if (most > found->most) atomicMax(&found->most, most);
  found->any = 1;
}

}  // namespace

struct gpu_live::parts {
  parts(const rule_traits& traits, const gpu_rule& chosen, const settings& asked)
      : options{asked},
        on{asked.gpu},
        copies{asked.gpu},
        pool{on},
        memory{asked.memory_limit_bytes, &pool},
        loops{on, &memory, asked.observer, 0},
        rule{chosen},
        trees{loops, traits, asked.record_forest},
        largest{1, &memory} {
    if (rule.state != nullptr) trees.keep(rule.state(trees));
    for (auto& piece : pieces) piece.inserted.set(loops.stream());
  }
  ~parts() {
    static_cast<void>(cudaStreamSynchronize(copies.stream()));
    static_cast<void>(cudaStreamSynchronize(loops.stream()));
  }

  template <class Enqueue>
  void in_order_with(stream theirs, Enqueue enqueue) {
    if (theirs) {
      reached.set(*theirs);
      reached.hold_back(loops.stream());
    }
    enqueue();
    if (theirs) {
      reached.set(loops.stream());
      reached.hold_back(*theirs);
    }
  }

  /// Grows the forest as far as the ids of inserts need. Waits for the GPU. `call`: the name of the user's call, for error messages.
  void fit(gpu_batch batch, const char* call) {
    loops.clear(largest.data(), sizeof(largest_id));
    with_reader(batch, operation::insert, [&](auto reader) {
      find_largest<<<std::min(loops.blocks_for(batch.count), loops.places()), backend::threads_a_block, 0, loops.stream()>>>(
          reader, largest.data());
      loops.launched();
    });
    const largest_id found = loops.fetched(largest.data());
    if (found.any == 0) return;
    if (found.most == no_vertex<gpu_id>) {
      throw input_error{std::string{call} + ": found the id " + std::to_string(found.most) +
                        ", expected smaller ids, as this one is reserved"};
    }
    trees.grow(found.most + 1);
  }

  /// Copies a batch from host memory piece by piece, and calls insert(piece on the GPU) for each piece.
  template <class Insert>
  void for_pieces(pairs edges, Insert insert) {
    // True if copies still read host memory after they were enqueued.
    const bool copies_directly = !edges.empty() && !backend::pageable(edges.data());
    const piece_in_flight* last = nullptr;
    while (!edges.empty()) {
      piece_in_flight& piece = pieces[turn++ % pieces.size()];
      const auto now = edges.first(std::min(edges.size(), options.piece_edges));
      edges = edges.subspan(now.size());
      if (piece.edges.size() < now.size()) {
        piece.edges = buffer<gpu_edge>{std::min(options.piece_edges, std::max(now.size(), least_piece)), &memory};
        // The copies' stream must not use the new memory before the loops' stream, in whose order it is allocated, has come to it.
        loops.wait();
      }
      piece.inserted.hold_back(copies.stream());
      backend::copy_in(copies, piece.edges.data(), now.data(), now.size_bytes(), "copying edges");
      piece.filled.set(copies.stream());
      piece.filled.hold_back(loops.stream());
      insert(gpu_batch{piece.edges.data(), now.size()});
      piece.inserted.set(loops.stream());
      last = &piece;
    }
    if (copies_directly && last != nullptr) last->filled.wait();
  }

  /// Writes the answers of a rule as bits of 64-bit words; the last word is written whole.
  template <class Ask>
  void into_words(std::span<std::uint64_t> answers, Ask ask) {
    loops.clear(answers.data() + answers.size() - 1, sizeof(std::uint64_t));
    ask(reinterpret_cast<std::uint32_t*>(answers.data()));
  }
  void query(gpu_batch batch, std::span<std::uint64_t> answers) {
    if (batch.count == 0) return;
    into_words(answers.first((batch.count + 63) / 64), [&](std::uint32_t* words) { rule.query(trees, batch, words); });
  }
  void apply(gpu_batch batch, mixing how, std::span<std::uint64_t> answers) {
    if (batch.count == 0) return;
    if (how == mixing::phased) {
      rule.insert(trees, batch);
      query(batch, answers);
    } else {
      into_words(answers.first((batch.count + 63) / 64), [&](std::uint32_t* words) { rule.mixed(trees, batch, words); });
    }
  }
  void answers_out(std::span<std::uint64_t> to, const buffer<std::uint64_t>& from) {
    backend::copy_out(on, to.data(), from.data(), to.size_bytes(), "copying answers");
  }

  static constexpr std::size_t least_piece = std::size_t{1} << 12;

  settings options;
  backend::gpu on, copies;  ///< a stream for kernels, and one for pieces of batches
  backend::gpu_memory pool;
  tracked_memory memory;
  backend::cuda loops;
  gpu_rule rule;
  device_forest trees;
  buffer<largest_id> largest;
  buffer<id> labels{};        ///< labels that the last call of labels() had to write to an array of their own
  std::uint64_t refused = 0;  ///< number of refused inserts that were reported already
  std::array<piece_in_flight, 2> pieces;
  std::size_t turn = 0;
  backend::stream_mark reached;  ///< a point of the caller's stream or of this object's, for which the other of the two waits
};

gpu_live::gpu_live(const rule_traits& traits, const gpu_rule& rule, const settings& chosen)
    : parts_{std::make_unique<parts>(traits, rule, chosen)} {}
gpu_live::~gpu_live() = default;

gpu_live::id gpu_live::slots() const noexcept { return parts_->trees.slots(); }
void gpu_live::grow(id slots) { parts_->trees.grow(slots); }
void gpu_live::declare(id begin) { parts_->trees.declare(begin); }

void gpu_live::adopt(std::span<const id> labels) {
  parts& s = *parts_;
  const buffer<id> on_gpu{labels.size(), &s.memory};
  backend::copy_in(s.on, const_cast<id*>(on_gpu.data()), labels.data(), labels.size_bytes(), "copying labels");
  s.trees.adopt(on_gpu.data(), on_gpu.size());
  s.loops.wait();
}

gpu_live::counts gpu_live::counted() {
  const gpu_tally found = parts_->trees.counted();
  return {found.links, found.vertices, found.refused};
}
gpu_live::counts gpu_live::counted_unless_refused(std::string_view who) {
  const counts found = counted();
  if (const auto news = found.refused - std::exchange(parts_->refused, found.refused); news != 0) {
    throw input_error{std::string{who} + ": found " + std::to_string(news) + " edges with ids that are no vertices, expected ids below " +
                      std::to_string(slots())};
  }
  return found;
}

void gpu_live::insert(pairs edges) {
  parts& s = *parts_;
  if (edges.empty() || (s.trees.state() != nullptr && s.trees.state()->insert_small(edges))) return;
  s.for_pieces(edges, [&s](gpu_batch piece) { s.rule.insert(s.trees, piece); });
}

void gpu_live::insert_growing(pairs edges) {
  parts& s = *parts_;
  s.for_pieces(edges, [&s](gpu_batch piece) {
    s.fit(piece, "insert");
    s.rule.insert(s.trees, piece);
  });
}

void gpu_live::apply_growing(pairs batch, const operation* kinds, mixing how, std::span<std::uint64_t> answers) {
  if (batch.empty()) return;
  parts& s = *parts_;
  buffer<edge<id>> pairs_there{batch.size(), &s.memory};
  buffer<operation> kinds_there{batch.size(), &s.memory};
  buffer<std::uint64_t> answers_there{answers.size(), &s.memory};
  backend::copy_in(s.on, pairs_there.data(), batch.data(), batch.size_bytes(), "copying a batch");
  backend::copy_in(s.on, kinds_there.data(), kinds, batch.size() * sizeof(operation), "copying a batch");
  const gpu_batch there{pairs_there.data(), batch.size(), kinds_there.data()};
  s.fit(there, "apply");
  s.apply(there, how, answers_there.span());
  s.answers_out(answers, answers_there);
}

void gpu_live::query(pairs batch, const operation* kinds, std::span<std::uint64_t> answers) {
  if (batch.empty()) return;
  parts& s = *parts_;
  buffer<edge<id>> pairs_there{batch.size(), &s.memory};
  buffer<operation> kinds_there{kinds == nullptr ? 0 : batch.size(), &s.memory};
  buffer<std::uint64_t> answers_there{answers.size(), &s.memory};
  backend::copy_in(s.on, pairs_there.data(), batch.data(), batch.size_bytes(), "copying queries");
  if (kinds != nullptr) backend::copy_in(s.on, kinds_there.data(), kinds, batch.size() * sizeof(operation), "copying queries");
  s.query({pairs_there.data(), batch.size(), kinds == nullptr ? nullptr : kinds_there.data()}, answers_there.span());
  s.answers_out(answers, answers_there);
}

std::span<const gpu_live::id> gpu_live::labels() {
  parts& s = *parts_;
  if (s.trees.slots() == 0) return {};
  s.labels = {};
  const id* const first = s.trees.labels(s.labels);
  s.loops.wait();
  return {first, s.trees.slots()};
}
void gpu_live::write_labels(id* to) {
  const auto found = labels();
  if (!found.empty()) backend::copy_out(parts_->on, to, found.data(), found.size_bytes(), "copying labels");
  parts_->labels = {};
}
void gpu_live::copy_marks(std::span<std::uint64_t> to) {
  if (!to.empty()) backend::copy_out(parts_->on, to.data(), parts_->trees.existing(), to.size_bytes(), "copying marks");
}
void gpu_live::copy_links(std::span<edge<id>> to) {
  if (!to.empty()) backend::copy_out(parts_->on, to.data(), parts_->trees.link_slots(), to.size_bytes(), "copying a forest");
}
gpu_live::pairs gpu_live::links() {
  parts_->loops.wait();
  return {parts_->trees.link_slots(), parts_->trees.slots()};
}
void gpu_live::put_links(std::span<const edge<id>> from) {
  if (from.empty()) return;
  backend::copy_in(parts_->on, parts_->trees.link_slots(), from.data(), from.size_bytes(), "copying a forest");
  parts_->loops.wait();
}

void gpu_live::insert_resident(gpu_batch batch, stream callers) {
  parts_->in_order_with(callers, [this, batch] { parts_->rule.insert(parts_->trees, batch); });
}
void gpu_live::query_resident(gpu_batch batch, std::span<std::uint64_t> answers, stream callers) {
  parts_->in_order_with(callers, [&] { parts_->query(batch, answers); });
}
void gpu_live::apply_resident(gpu_batch batch, mixing how, std::span<std::uint64_t> answers, stream callers) {
  parts_->in_order_with(callers, [&] { parts_->apply(batch, how, answers); });
}
void gpu_live::labels_resident(std::span<id> to, stream callers) {
  parts& s = *parts_;
  s.in_order_with(callers, [&s, to] {
    buffer<id> beside;
    s.loops.copy(to.data(), s.trees.labels(beside), to.size_bytes());
  });
}

void gpu_live::wait() { parts_->loops.wait(); }

}  // namespace copse::drivers
