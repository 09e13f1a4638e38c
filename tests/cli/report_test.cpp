// The page of copse report: every number on it is the one of the JSON it was made from, and it needs nothing else.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "run_copse.hpp"

namespace copse::cli_test {
namespace {

using nlohmann::json;

constexpr const char* groups =
    "l,r,score\nann,bob,.9\nbob,cy,.8\ncy,ann,.95\ncy,di,.5\ndi,ed,.7\ned,flo,.6\nflo,di,.65\nflo,\"g<us & co\",.4\nyan,zoe,.3\n";

struct made_page {
  json results = json::array();
  std::string html;
};

/// Runs the four commands, and the report of what they printed.
made_page make_page(const workplace& folder) {
  folder.write("p.csv", groups);
  const std::vector<std::vector<std::string>> commands{
      {"components", "--min-weight", "0", "--top", "2"}, {"thresholds"}, {"dendrogram", "--levels", "4"}, {"bridges", "--giant"}};
  made_page page;
  std::vector<std::string> report{"report", "-o", "r.html", "--title", "Pairs & groups"};
  for (const auto& command : commands) {
    std::vector<std::string> arguments{command[0], "p.csv", "--ids", "string", "--header", "yes", "--weight", "3", "--json"};
    arguments.insert(arguments.end(), command.begin() + 1, command.end());
    const std::string printed = folder.output(arguments);
    folder.write(command[0] + ".json", printed);
    page.results.push_back(json::parse(printed));
    report.push_back(command[0] + ".json");
  }
  const outcome ended = folder.run(report);
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  page.html = folder.read("r.html");
  return page;
}

std::string plain(std::string text) {
  for (const auto& [entity, sign] : {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}}) {
    for (std::size_t at = 0; (at = text.find(entity, at)) != std::string::npos; ++at) text.replace(at, std::strlen(entity), sign);
  }
  return text;
}

/// Compares each cell that has a place with what is there; returns the places.
std::set<std::string> check_cells(const std::string& html, const json& results) {
  std::set<std::string> places;
  const std::regex cell{R"re(<td data-key="([^"]*)">([^<]*)</td>)re"};
  for (auto at = std::sregex_iterator{html.begin(), html.end(), cell}; at != std::sregex_iterator{}; ++at) {
    const std::string place = plain((*at)[1]), text = plain((*at)[2]);
    EXPECT_TRUE(results.contains(json::json_pointer{place})) << place;
    const json& value = results.at(json::json_pointer{place});
    places.insert(place);
    if (value.is_number_float()) {
      const double expected = value.get<double>();
      EXPECT_NEAR(std::stod(text), expected, std::abs(expected) * 1e-5) << place;
    } else {
      const std::string expected = value.is_string()    ? value.get<std::string>()
                                   : value.is_boolean() ? value.get<bool>() ? "yes" : "no"
                                                        : value.dump();
      EXPECT_EQ(text, expected) << place;
    }
  }
  return places;
}

TEST(report, shows_the_numbers_of_the_results) {
  const workplace folder;
  const made_page page = make_page(folder);
  const auto places = check_cells(page.html, page.results);
  for (const char* expected :
       {"/0/vertices", "/0/components", "/0/histogram/0/components", "/0/top/0/size", "/0/seconds/total", "/1/thresholds/0/largest",
        "/1/thresholds/5/pairs", "/1/seconds/forest", "/2/top/leaves/0/size", "/2/top/merges/2/weight", "/3/bridges",
        "/3/giant/bridges/0/smaller_side", "/3/giant/hubs/0/degree", "/3/giant/thresholds/0/threshold", "/3/phases/tour"})
    EXPECT_TRUE(places.contains(expected)) << expected;
  EXPECT_GT(places.size(), 150u);
}

TEST(report, is_one_file_that_needs_no_network_and_no_trust_in_names) {
  const workplace folder;
  const std::string html = make_page(folder).html;
  EXPECT_TRUE(html.starts_with("<!doctype html>"));
  for (const char* outside : {"http:", "https:", "src=", "href=", "@import", "url("})
    EXPECT_EQ(html.find(outside), std::string::npos) << outside;
  EXPECT_EQ(html.find("g<us"), std::string::npos);
  EXPECT_NE(html.find("g&lt;us &amp; co"), std::string::npos);
  EXPECT_NE(html.find("<title>Pairs &amp; groups</title>"), std::string::npos);
  EXPECT_NE(html.find("copse bridges p.csv --ids string"), std::string::npos);
  std::size_t charts = 0;
  for (std::size_t at = 0; (at = html.find("<svg ", at)) != std::string::npos; ++at) ++charts;
  EXPECT_EQ(charts, 4u);
  // Elements open and close in turn, as far as a page of ours uses them.
  std::vector<std::string> open;
  const std::regex tag{R"re(<(/?)([a-z0-9]+)[^>]*?(/?)>)re"};
  const std::string body = html.substr(0, html.find("<script>"));
  for (auto at = std::sregex_iterator{body.begin(), body.end(), tag}; at != std::sregex_iterator{}; ++at) {
    const std::string name = (*at)[2];
    if (name == "meta" || (*at)[3] == "/") continue;
    if ((*at)[1] == "/") {
      ASSERT_FALSE(open.empty());
      ASSERT_EQ(open.back(), name);
      open.pop_back();
    } else {
      open.push_back(name);
    }
  }
  EXPECT_EQ(open, (std::vector<std::string>{"html", "body"}));
}

TEST(report, opens_in_a_browser) {
  std::string browser;
  for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
    if (browser.empty() && std::system((std::string{"command -v "} + name + " > /dev/null").c_str()) == 0) browser = name;
  }
  if (browser.empty()) GTEST_SKIP() << "no Chromium here";
  const workplace folder;
  const made_page page = make_page(folder);
  // A click on the second column of the curve sorts it; the numbers are still those of the results.
  std::string clicked = page.html;
  clicked.insert(clicked.rfind("</body>"),
                 "<script>for (const t of document.querySelectorAll('table.sorted')) t.tHead.rows[0].cells[1].click()</script>");
  folder.write("clicked.html", clicked);
  const std::string command = "cd '" + folder.folder().string() + "' && " + browser +
                              " --headless --no-sandbox --disable-gpu --dump-dom clicked.html > .harness.dom 2> .harness.e";
  ASSERT_EQ(std::system(command.c_str()), 0);
  const std::string dom = folder.read(".harness.dom");
  EXPECT_GT(check_cells(dom, page.results).size(), 150u);
  const auto position = [&](const char* place) { return dom.find(std::string{"data-key=\""} + place); };
  EXPECT_LT(position("/1/thresholds/6/components"), position("/1/thresholds/0/components"));  // ascending now
}

TEST(report, draws_any_weights_at_places_that_are_numbers) {
  const workplace folder;
  for (const char* graph : {"1 2 inf\n2 3 -inf\n", "1 2 inf\n", "1 2 1e308\n2 3 -1e308\n", "1 2 1e17\n2 3 1.00000000000000016e17\n",
                            "1 2 5e-324\n2 3 0\n", "1 2 18446744073709551615\n"}) {
    folder.write("g.el", graph);
    std::vector<std::string> report{"report", "-o", "r.html"};
    for (const std::string command : {"thresholds", "dendrogram"}) {
      folder.write(command + ".json", folder.run({command, "g.el", "--weight", "3", "--json"}).out);
      report.push_back(command + ".json");
    }
    EXPECT_EQ(folder.run(report).exit_code, 0) << graph;
    const std::string html = folder.read("r.html");
    EXPECT_FALSE(std::regex_search(html, std::regex{"(cx|cy|x1|x2|d)=\"[^\"]*(nan|inf)"})) << graph;
  }
}

TEST(report, refuses_what_is_no_result) {
  const workplace folder;
  folder.write("list.json", "[1]");
  folder.write("other.json", "{\"elements\": 3}");
  folder.write("part.json", "{\"thresholds\": [{\"threshold\": 1}]}");
  EXPECT_EQ(folder.run({"report", "none.json", "-o", "r.html"}).err, "none.json: no such file\n");
  EXPECT_EQ(folder.refusal({"report", "-", "-o", "r.html"}),
            "copse: report takes files, each with one result: standard input (-) has no end between two results\n");
  EXPECT_EQ(folder.run({"report", "list.json", "-o", "r.html"}).err,
            "list.json: found no JSON object, expected the output of one copse command with --json\n");
  EXPECT_EQ(folder.run({"report", "other.json", "-o", "r.html"}).exit_code, 2);
  EXPECT_EQ(folder.run({"report", "part.json", "-o", "r.html"}).err,
            "part.json: a result lacks what its command prints (key 'vertices' not found); give it as --json printed it\n");
  EXPECT_EQ(folder.run({"report", "part.json", "-o", "part.json"}).exit_code, 2);
  EXPECT_FALSE(folder.has("r.html"));
}

}  // namespace
}  // namespace copse::cli_test
