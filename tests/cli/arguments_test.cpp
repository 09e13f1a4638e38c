// What the command line says to arguments that make no sense: one line, exit code 2, and nothing done.
#include <gtest/gtest.h>
#include <copse/cuda.hpp>
#include <nlohmann/json.hpp>

#include "run_copse.hpp"

namespace copse::cli_test {
namespace {

void expect_misuse(const std::vector<std::string>& arguments, const std::string& line) {
  const workplace folder;
  folder.write("graph.el", "0 1\n");
  EXPECT_EQ(folder.refusal(arguments), line + "\n");
  EXPECT_EQ(folder.files(), std::vector<std::string>{"graph.el"});
}

const std::string commands =
    "components, group, forest, cluster, thresholds, dendrogram, explain, bridges, report, generate, convert, info, plan, extract, rank, "
    "verify, compare, variants, reduce, merge, stream, bench, completions, man";

TEST(arguments, without_a_command) { expect_misuse({}, "copse: give a command; the commands are " + commands + " (see copse --help)"); }

TEST(arguments, an_unknown_command) {
  expect_misuse({"solve", "graph.el"}, "copse: solve is not a command; the commands are " + commands + " (see copse --help)");
  expect_misuse({"component", "graph.el"},
                "copse: component is not a command; the commands are " + commands + "; did you mean components? (see copse --help)");
}

TEST(arguments, an_unknown_option) {
  expect_misuse({"components", "graph.el", "--fast"},
                "copse: The following argument was not expected: --fast (see copse components --help)");
  expect_misuse({"components", "graph.el", "--thread", "4"},
                "copse: The following argument was not expected: --thread; did you mean --threads? (see copse components --help)");
  expect_misuse({"components", "graph.el", "--thread=4"},
                "copse: The following argument was not expected: --thread=4; did you mean --threads? (see copse components --help)");
}

TEST(arguments, a_missing_graph) { expect_misuse({"components"}, "copse: GRAPH is required (see copse components --help)"); }

TEST(arguments, words_that_are_not_of_the_few) {
  expect_misuse({"components", "graph.el", "-o", "labels.csv", "--labels", "max"}, "copse: --labels takes min or dense, not max");
  expect_misuse({"components", "graph.el", "--ids", "float"}, "copse: --ids takes auto, int, string or bytes, not float");
  expect_misuse({"components", "graph.el", "--header", "maybe"}, "copse: --header takes yes or no, not maybe");
  expect_misuse(
      {"components", "graph.el", "--format", "xls"},
      "copse: --format takes edges, csv, mtx, metis, dimacs, sg, egr, adj, galois, npy, npz, coo, coo64, parquet or arrow, not xls");
}

TEST(arguments, numbers_that_are_none) {
  expect_misuse({"components", "graph.el", "--threads", "0"}, "copse: --threads takes a whole number from 1 to 1024, not 0");
  expect_misuse({"components", "graph.el", "--threads", "two"}, "copse: --threads takes a whole number from 1 to 1024, not two");
  expect_misuse({"components", "graph.el", "--vertices", "-3"},
                "copse: --vertices takes a whole number such as 100, or two such as 1..100, not -3");
  expect_misuse({"components", "graph.el", "--vertices", "18446744073709551616"},
                "copse: --vertices takes a whole number such as 100, or two such as 1..100, not 18446744073709551616");
  expect_misuse({"components", "graph.el", "--columns", "1"},
                "copse: --columns takes two different columns such as 1,2 or id_l,id_r, not 1");
  expect_misuse({"components", "graph.el", "--columns", "2,2"},
                "copse: --columns takes two different columns such as 1,2 or id_l,id_r, not 2,2");
  expect_misuse({"components", "graph.el", "--memory", "lots"}, "copse: --memory takes a size such as 512M or 4G, not lots");
  expect_misuse({"components", "graph.el", "--weight", "3", "--min-weight", "nan"}, "copse: --min-weight takes a number, not nan");
}

TEST(arguments, a_gpu_that_this_machine_has_not) {
  if (!built_with_cuda()) GTEST_SKIP() << "this build has no GPU part";
  const workplace folder;
  expect_misuse({"components", "karate", "--device", "hybrids"},
                "copse: --device takes auto, cpu, cuda, cuda:0, cuda:0,1, cuda:all, hybrid or hybrid:0, not hybrids");
  expect_misuse({"forest", "karate", "--device", "hybrid"},
                "copse: --device takes auto, cpu, cuda, cuda:0, cuda:0,1 or cuda:all, not hybrid");
  expect_misuse({"thresholds", "karate", "--device", "cuda:0,x"},
                "copse: --device takes auto, cpu, cuda, cuda:0, cuda:0,1 or cuda:all, not cuda:0,x");
  expect_misuse({"bridges", "karate", "--device", "cuda:0,1"}, "copse: --device takes auto, cpu, cuda or cuda:0, not cuda:0,1");
  expect_misuse({"forest", "karate", "--device", "cuda:0,1", "--variant", "cuda.none.fast"},
                "copse: the variant must be auto for several GPUs, not cuda.none.fast: edges are streamed to them in pieces");
  expect_misuse({"components", "karate", "--device", "cuda", "--variant", "threads.none.async.naive"},
                "copse: variant threads.none.async.naive runs on the CPU: leave out device, or choose a variant of cuda");
  const outcome ended = folder.run({"components", "karate", "--device", "cuda:1000"});
  EXPECT_EQ(ended.out, "");
  if (gpus().empty()) {
    EXPECT_EQ(ended.exit_code, 3);
    EXPECT_TRUE(ended.err.starts_with("copse: cuda: found no GPU (")) << ended.err;
    EXPECT_EQ(folder.run({"info", "--device"}).out, "no GPU found\n");
  } else {
    EXPECT_EQ(ended.exit_code, 2);
    EXPECT_TRUE(ended.err.starts_with("copse: the device must be cuda:0")) << ended.err;
  }
}

TEST(arguments, several_gpus_that_this_machine_has_not) {
  if (!built_with_cuda()) GTEST_SKIP() << "this build has no GPU part";
  if (!gpus().empty()) GTEST_SKIP() << "a GPU is on this machine";
  const workplace folder;
  folder.write("w.csv", "1,2,0.5\n2,3,0.25\n");
  const std::vector<std::vector<std::string>> calls{{"forest", "karate", "--device", "cuda:0,1"},
                                                    {"forest", "w.csv", "--weight", "3", "--maximum", "--device", "cuda:all"},
                                                    {"thresholds", "w.csv", "--weight", "3", "--device", "cuda:0,0,0"}};
  for (const auto& call : calls) {
    const outcome ended = folder.run(call);
    EXPECT_EQ(ended.exit_code, 3) << call.front();
    EXPECT_EQ(ended.out, "");
    EXPECT_TRUE(ended.err.starts_with("copse: cuda: found no GPU (")) << ended.err;
  }
}

TEST(arguments, a_gpu_that_this_build_has_not) {
  if (built_with_cuda()) GTEST_SKIP() << "this build has the GPU part";
  for (const char* command : {"forest", "thresholds"})
    expect_misuse({command, "graph.el", "--device", "cuda:0,1"},
                  "copse: --device takes auto or cpu, not cuda:0,1: this build has no GPU part");
  expect_misuse({"components", "graph.el", "--device", "cuda:1"},
                "copse: --device takes auto or cpu, not cuda:1: this build has no GPU part");
  expect_misuse({"components", "graph.el", "--device", "hybrid"},
                "copse: --device takes auto or cpu, not hybrid: this build has no GPU part");
}

TEST(arguments, a_variant_that_does_not_exist) {
  const workplace folder;
  const std::string complaint = folder.refusal({"components", "karate", "--variant", "serial.none.remm"});
  // The list itself grows with the table.
  EXPECT_TRUE(complaint.starts_with("copse: --variant serial.none.remm: unknown finish 'remm'; known: async, ")) << complaint;
  EXPECT_TRUE(complaint.ends_with(", fast (copse variants lists all)\n")) << complaint;
}

TEST(arguments, standard_input_cannot_be_read_again) {
  expect_misuse({"components", "-", "--verify"}, "copse: --verify reads the input twice: give a file instead of standard input");
  expect_misuse({"components", "-", "--format", "coo", "--verify"},
                "copse: --verify reads the input twice: give a file instead of standard input");
  expect_misuse({"components", "-", "--format", "npy", "--trials", "3"},
                "copse: --trials reads the input twice: give a file instead of standard input");
  expect_misuse({"components", "-", "--trials", "3"}, "copse: --trials reads the input twice: give a file instead of standard input");
  expect_misuse({"explain", "-", "--weight", "3", "--pairs", "-"}, "copse: only one of GRAPH and --pairs can be standard input (-)");
}

TEST(arguments, options_that_need_others) {
  expect_misuse({"components", "graph.el", "--labels", "dense"}, "copse: --labels dense needs -o FILE to write the labels to");
  expect_misuse({"components", "graph.el", "--npy-ids", "ids.npy"}, "copse: --npy-ids needs -o FILE.npy to write the labels to");
  expect_misuse({"components", "graph.el", "-o", "-", "--json"},
                "copse: --json and an output - cannot both go to standard output: give the output a file");
  expect_misuse({"components", "graph.el", "--min-weight", "0.5"},
                "copse: --min-weight needs --weight C, which names the column of weights of an edge list");
  expect_misuse({"extract", "graph.el", "-o", "part.el"}, "copse: extract takes either --largest or --component ID");
  expect_misuse({"bridges", "graph.el", "--top", "3"}, "copse: --top needs --giant, which lists bridges and vertices");
  expect_misuse({"bridges", "graph.el", "--giant", "--points", "3"}, "copse: --points needs --giant and --weight C, which show thresholds");
  expect_misuse({"dendrogram", "graph.el", "--weight", "3", "--levels", "5", "-o", "z.npy"},
                "copse: --levels needs --json, which has the top of the tree");
  expect_misuse({"dendrogram", "graph.el", "--weight", "3", "--top", "5", "--json"}, "copse: --top needs -o FILE.npy, which has heights");
  expect_misuse({"stream", "graph.el", "--every", "5"}, "copse: --every needs --checkpoint or --forest, which it writes so often");
  expect_misuse({"stream", "graph.el", "--replay", "rest"}, "copse: --replay needs --resume FILE or --state DIR");
  expect_misuse({"stream", "graph.el", "--weight", "3"},
                "copse: --weight needs --min-weight X, which says which inserts to keep, or --forest FILE, which keeps their weights");
  expect_misuse({"plan", "--vertices", "5", "--edges", "5", "--network", "1M"}, "copse: --network needs --workers N");
}

TEST(arguments, a_spec_of_no_family) {
  expect_misuse(
      {"generate", "hypercube:n=4", "-o", "cube.el"},
      "copse: generate takes a spec of one of the families rmat, er, ba, configuration, bipartite, giants, "
      "grid2d, torus2d, torus3d, mesh, geometric, knn, osm, web, clusters, cliques, power_cliques, clique_chain, path, caterpillar, star, "
      "star_of_stars, complete, random_tree, karate, table_rmat, table_er, table_ba, table_osm, table_web, table_bits, list, ordered_list, "
      "lists, not hypercube:n=4");
}

TEST(arguments, an_empty_word_behind_an_equals_sign_is_one) {
  const workplace folder;
  folder.write("g.csv", "1,2\n,3\n");
  const outcome ended = folder.run({"components", "g.csv", "--na=", "-o", "-"});
  EXPECT_EQ(ended.out, "1\t1\n2\t1\n") << ended.err;
  EXPECT_EQ(folder.run({"components", "g.csv", "--json="}).exit_code, 2);
}

TEST(arguments, a_name_that_is_empty_is_no_file) {
  const workplace folder;
  folder.write("g.el", "1 2 3\n");
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"components", "g.el", "-o", ""}, {"forest", "g.el", "--rooted", "a.csv", "--output", ""}, {"bridges", "g.el", "--output="}}) {
    const outcome ended = folder.run(words);
    EXPECT_EQ(ended.exit_code, 2);
    EXPECT_EQ(ended.err, "copse: --output needs the name of a file, and the given name is empty (perhaps from an unset shell variable)\n");
  }
  EXPECT_EQ(folder.run({"components", "g.el", "--sizes=", "--json"}).err,
            "copse: --sizes needs the name of a file, and the given name is empty (perhaps from an unset shell variable)\n");
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"g.el"}));
}

TEST(arguments, a_word_may_end_with_an_equals_sign) {
  const workplace folder;
  folder.write("g.el", "1=2\n");
  EXPECT_EQ(folder.run({"components", "g.el", "--delimiter==", "-o", "-"}).out, "1\t1\n2\t1\n");
}

TEST(arguments, version_and_help_go_to_stdout) {
  const workplace folder;
  EXPECT_EQ(folder.output({"--version"}), std::string{"copse " COPSE_VERSION} +
                                              (built_with_cuda() ? "\nGPU part: on (CUDA)\n" : "\nGPU part: off (this build has none)\n"));
  const auto built = nlohmann::json::parse(folder.output({"--version", "--json"}));
  EXPECT_EQ(built.at("version"), COPSE_VERSION);
  EXPECT_EQ(built.at("built_with").at("cuda").is_string(), built_with_cuda());
  for (const char* key : {"commit", "compiler", "build_type"}) EXPECT_TRUE(built.at(key).is_string()) << key;
  for (const char* key : {"parquet", "zlib", "zstd", "igzip"}) EXPECT_TRUE(built.at("built_with").contains(key)) << key;
  EXPECT_EQ(folder.run({"--json", "variants"}).err, "copse: --json must come behind the command, or with --version\n");
  const outcome help = folder.run({"components", "--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_EQ(help.err, "");
  EXPECT_NE(help.out.find("--min-weight X"), std::string::npos) << help.out;
}

}  // namespace
}  // namespace copse::cli_test
