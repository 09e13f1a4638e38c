// Compares clusters with the truth, which are given as columns of integers or Python strings, or as files.
#include <nanobind/stl/filesystem.h>
#include <copse/compare.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "call.hpp"
#include "tables.hpp"

namespace copse::python {
namespace {

/// A column whose memory Python owns: an array of integers, or a list of strings.
class held_column {
public:
  held_column(nb::handle from, const char* what) {
    if (nb::isinstance<nb::list>(from)) {
      strings_of(nb::borrow<nb::list>(from), texts_, what);
      view_.emplace(texts_);
      return;
    }
    const auto array = nb::cast<input_array>(from);
    with_integer_type(what, array, [&]<class T>(T) { view_.emplace(elements<T>(array)); });
  }
  held_column(const held_column&) = delete;

  [[nodiscard]] const id_column& view() const noexcept { return *view_; }

private:
  std::vector<std::string_view> texts_;
  std::optional<id_column> view_;
};

nb::object in_python(const label_value& label) {
  return std::visit(
      []<class T>(const T& value) -> nb::object {
        if constexpr (std::is_same_v<T, std::string>) {
          return nb::bytes(value.data(), value.size());
        } else {
          return nb::cast(value);
        }
      },
      label);
}

nb::tuple in_python(const broken_groups& groups) {
  nb::list worst;
  for (const broken_group& group : groups.worst) {
    nb::list largest;
    for (const group_share& share : group.largest) largest.append(nb::make_tuple(in_python(share.label), share.records));
    worst.append(nb::make_tuple(in_python(group.label), group.records, group.pairs, group.parts, largest));
  }
  return nb::make_tuple(groups.count, worst);
}

nb::tuple in_python(const agreement_scores& scores) { return nb::make_tuple(scores.precision, scores.recall, scores.f1); }

nb::dict in_python(const partition_comparison& found) {
  nb::dict all;
  all["records"] = found.records;
  all["only_in_clusters"] = found.only_in_clusters;
  all["only_in_truth"] = found.only_in_truth;
  all["clusters"] = found.clusters;
  all["truth_clusters"] = found.truth_clusters;
  all["cluster_pairs"] = found.cluster_pairs;
  all["truth_pairs"] = found.truth_pairs;
  all["common_pairs"] = found.common_pairs;
  all["pairwise"] = in_python(found.pairwise);
  all["b_cubed"] = in_python(found.b_cubed);
  all["adjusted_rand_index"] = found.adjusted_rand_index;
  all["splits"] = in_python(found.splits);
  all["merges"] = in_python(found.merges);
  return all;
}

/// A table of ids and labels as Python gives it: two columns, or a path with the options for reading it.
class table_source {
public:
  explicit table_source(const nb::tuple& given) {
    const nb::object first = given[0], second = given[1];
    if (nb::isinstance<io::read_options>(second)) {
      path_ = nb::cast<std::filesystem::path>(first);
      reading_ = nb::cast<io::read_options>(second);
    } else {
      ids_.emplace(first, "ids");
      labels_.emplace(second, "labels");
    }
  }

  [[nodiscard]] bool is_file() const noexcept { return !ids_.has_value(); }
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  [[nodiscard]] const io::read_options& reading() const noexcept { return reading_; }
  void add_to(comparison_sink& sink, labelled_by which) const {
    is_file() ? sink.add_file(which, path_, reading_) : sink.add(which, ids_->view(), labels_->view());
  }

private:
  std::filesystem::path path_;
  io::read_options reading_;
  std::optional<held_column> ids_, labels_;
};

partition_comparison compare_tables(const table_source& clusters, const table_source& truth, const comparison_options& options,
                                    const execution& on) {
  if (clusters.is_file() && truth.is_file()) {
    return compare_files({{clusters.path(), truth.path()}, {clusters.reading(), truth.reading()}}, options, on);
  }
  const auto by = [&](const comparison_options& chosen) {
    comparison_sink sink{chosen, on};
    clusters.add_to(sink, labelled_by::clusters);
    truth.add_to(sink, labelled_by::truth);
    return sink.finish();
  };
  const table_source& file = clusters.is_file() ? clusters : truth;
  try {
    return by(options);
  } catch (const mixed_ids_error&) {
    if (!file.is_file() || !std::filesystem::is_regular_file(file.path())) throw;
    comparison_options as_text = options;  // compare integer ids with strings by their decimal digits
    as_text.ids_as_text = true;
    return by(as_text);
  }
}

}  // namespace

void bind_compare(nb::module_& m) {
  m.def(
      "compare_labels",
      [](nb::handle clusters, nb::handle truth, std::size_t worst, std::size_t shares, const call_options& from) {
        const held_column ours{clusters, "clusters"}, theirs{truth, "truth"};
        const call_memory memory{from.memory_bytes};
        return in_python(run(from, [&](observer& watcher) {
          return compare(ours.view(), theirs.view(), {.worst = worst, .shares = shares}, execution_of(from, watcher, memory));
        }));
      },
      nb::arg("clusters"), nb::arg("truth"), nb::arg("worst"), nb::arg("shares"), nb::arg("options"));
  m.def(
      "compare_tables",
      [](const nb::tuple& clusters, const nb::tuple& truth, bool common, std::size_t worst, std::size_t shares, const call_options& from) {
        const table_source ours{clusters}, theirs{truth};
        const call_memory memory{from.memory_bytes};
        return in_python(run(from, [&](observer& watcher) {
          return compare_tables(ours, theirs, {.common = common, .worst = worst, .shares = shares}, execution_of(from, watcher, memory));
        }));
      },
      nb::arg("clusters"), nb::arg("truth"), nb::arg("common"), nb::arg("worst"), nb::arg("shares"), nb::arg("options"));
}

}  // namespace copse::python
