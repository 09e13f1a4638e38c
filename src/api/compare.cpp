// compare(): compares label columns by position, labellings by the names of their vertices, and two files.
#include <api/compared_values.hpp>
#include <copse/compare.hpp>
#include <core/team.hpp>

#include <algorithm>
#include <array>
#include <new>
#include <string>
#include <system_error>
#include <utility>
#include <variant>

namespace copse {

using api::are_strings, api::batch_rows, api::in_form, api::numbered_form, api::value_numbers;

bool api::can_be_read_again(const std::filesystem::path& path) {
  std::error_code unknown;  // an error here is ignored: reading the file reports it
  return std::filesystem::is_regular_file(path, unknown) || std::filesystem::is_directory(path, unknown);
}

partition_comparison compare(const id_column& clusters, const id_column& truth, const comparison_options& options, const execution& on) {
  const std::size_t count = clusters.size();
  if (count != truth.size()) {
    throw usage_error{"compare: clusters and truth must have one label per record in the same order, not " + std::to_string(count) +
                      " and " + std::to_string(truth.size()) + " labels"};
  }
  if (count >= no_vertex<std::uint32_t>) {
    throw resource_error{"compare: there can be at most 4294967294 records, not " + std::to_string(count)};
  }
  const unsigned threads = usable_threads(on.threads);
  value_numbers cluster_labels{threads, on.memory}, truth_labels{threads, on.memory};
  const std::array<value_numbers*, 2> values{&cluster_labels, &truth_labels};
  std::array<buffer<std::uint32_t>, 2> labels;
  try {
    for (const unsigned t : {0u, 1u}) {
      labels[t] = buffer<std::uint32_t>{count, on.memory};
      std::visit(
          [&]<class Value>(const typed_ids<Value>& column) {
            values[t]->open(are_strings<Value>);
            parallel_blocks(threads, count, batch_rows, [&](std::size_t begin, std::size_t end) {
              if (on.observer != nullptr && on.observer->cancel_requested()) throw cancelled{};
              std::array<numbered_form<Value>, batch_rows> some;
              const auto numbers = values[t]->number(worker_number(), in_form(column, begin, end, some), std::signed_integral<Value>,
                                                     [t] { return std::string{t == 0 ? "clusters" : "truth"}; });
              std::copy(numbers.begin(), numbers.end(), labels[t].begin() + begin);
            });
          },
          (t == 0 ? clusters : truth).held());
    }
    return api::compare_numbers(std::move(labels), values, options, threads, on.memory);
  } catch (const std::bad_alloc&) {
    throw resource_error{"compare: out of memory for " + std::to_string(count) + " records"};
  }
}

partition_comparison compare(const labelling& clusters, const labelling& truth, const comparison_options& options, const execution& on) {
  comparison_sink sink{options, on};
  sink.add(labelled_by::clusters, clusters);
  sink.add(labelled_by::truth, truth);
  return sink.finish();
}

partition_comparison compare_files(const compared_files& files, const comparison_options& options, const execution& on) {
  const auto by = [&](const comparison_options& chosen) {
    comparison_sink sink{chosen, on};
    sink.add_file(labelled_by::clusters, files.paths[0], files.reading[0]);
    sink.add_file(labelled_by::truth, files.paths[1], files.reading[1]);
    return sink.finish();
  };
  try {
    return by(options);
  } catch (const mixed_ids_error&) {
    if (!std::ranges::all_of(files.paths, api::can_be_read_again)) throw;
    comparison_options as_text = options;
    as_text.ids_as_text = true;
    return by(as_text);
  }
}

}  // namespace copse
