#include <api/forest_sink.hpp>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace copse::api {

void forest_sink::begin(const io::source_facts& facts) {
  facts_ = facts;
  collected_.emplace(input_);
  collected_->begin(facts_);
}

void forest_sink::merge() {
  collected_->finish();
  weighted_graph batch;
  batch.edges = std::move(*collected_).take();
  batch.weights = weight_column{std::move(*collected_).take_weights()};
  collected_.reset();
  forest_ = weighted_forest(batch, options_);
  merged_ = came_.load(std::memory_order_relaxed);
  limit_ = std::max(least_, forest_.edge_count());
  ++merges_;
  for (const phase& p : forest_.report.phases) times_.add(p.name, p.seconds);
  solve_seconds_ += forest_.report.solve_seconds;
  forest_.report.phases = times_.all();
  forest_.report.solve_seconds = solve_seconds_;
  forest_.report.edges = merged_;
  forest_.report.merges = merges_;
}

void forest_sink::put_back() {
  begin(facts_);
  collected_->begin_block(0, 0);
  constexpr std::size_t part = 1024;
  const vertex_names& names = forest_.edges.names();
  const std::span<const double> weights = std::get<buffer<double>>(forest_.weights.held()).span();
  buffer<bool> touched{names.size(), input_.memory};
  std::fill(touched.begin(), touched.end(), false);
  std::visit(
      [&](const auto& shape) {
        if constexpr (requires { shape.edges; }) {
          const auto pass = [&]<class Edge>(Edge /*kind*/, auto name, auto put) {
            std::array<Edge, part> some;
            for (std::size_t i = 0; i < shape.edges.size(); i += part) {
              const std::size_t count = std::min(part, shape.edges.size() - i);
              for (std::size_t k = 0; k < count; ++k) {
                const auto [u, v] = shape.edges[i + k];
                touched[u] = touched[v] = true;
                some[k] = {name(u), name(v)};
              }
              collected_->weights(0, weights.subspan(i, count));
              put(std::span<const Edge>{some.data(), count});
            }
          };
          const auto each_alone = [&](auto f) {
            for (std::uint64_t v = 0; v < names.size(); ++v) {
              if (!touched[v]) f(v);
            }
          };
          if (facts_.named) {
            pass(
                io::named_edge{}, [&](std::uint64_t v) { return names.string(v); },
                [&](std::span<const io::named_edge> edges) { collected_->named_edges(0, edges); });
            each_alone([&](std::uint64_t v) {
              const std::string_view name = names.string(v);
              collected_->named_vertices(0, {&name, 1});
            });
          } else {
            const bool declared = facts_.vertices.has_value();
            const auto name = [&](std::uint64_t v) { return declared ? v : names.integer(v); };
            pass(edge<std::uint64_t>{}, name, [&](std::span<const edge<std::uint64_t>> edges) { collected_->edges(0, edges); });
            if (declared) return;
            each_alone([&](std::uint64_t v) {
              const std::uint64_t id = name(v);
              collected_->vertices(0, {&id, 1});
            });
          }
        }
      },
      forest_.edges.shape());
}

}  // namespace copse::api
