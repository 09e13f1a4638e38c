// How a table is read, kind by kind (docs/reference/formats.md): each row is a file, what is read from it or why it is refused, and what is
// noted.
#include "io/text_harness.hpp"
#include "support/noting.hpp"

#include <copse/operations.hpp>

namespace copse::testing {
namespace {

using options = io::read_options;
using change = void (*)(options&);

struct row {
  std::string name, text;
  std::string expected;  // "1-2 2-3", "a-b", or "line: found ..."
  std::string notes;     // with " / " between
  change asked = nullptr;
};

std::string shown(const collected& all) {
  std::string text;
  for (const auto& [u, v] : all.numbers) text += (text.empty() ? "" : " ") + std::to_string(u) + "-" + std::to_string(v);
  for (const auto& [u, v] : all.strings) text += (text.empty() ? "" : ", ") + u + "-" + v;
  return text;
}

/// What the remedies of a refusal are, as `columns=from,to`.
std::string shown(const io::ambiguous_input& problem) {
  std::string text;
  for (const auto& [option, value, effect] : problem.remedies()) text += " [" + option + "=" + value + "]";
  return text;
}

void expect_row(const row& r) {
  SCOPED_TRACE(r.name + ": " + r.text.substr(0, 80));
  const temporary_file file{r.name, r.text};
  options asked;
  if (r.asked != nullptr) r.asked(asked);
  everywhere(asked, [&](const io::read_request& now) {
    test::noting listener;
    io::read_request noted = now;
    noted.observer = &listener;
    std::string found;
    try {
      found = shown(read_text(file.path(), noted));
    } catch (const io::ambiguous_input& problem) {
      found = std::string{problem.what()}.substr(file.path().string().size() + 1) + shown(problem);
    } catch (const error& problem) {
      found = std::string{problem.what()}.substr(file.path().string().size() + 1);
    }
    EXPECT_EQ(found, r.expected);
    std::string notes;
    for (const std::string& note : listener.notes) {
      if (note.find(": the ids are not numeric: read as strings") != std::string::npos) continue;
      notes += (notes.empty() ? "" : " / ") + note.substr(file.path().string().size() + 2);
    }
    if (found == r.expected && !found.starts_with("1: found") && found.find(": found") == std::string::npos) {
      EXPECT_EQ(notes, r.notes);
    }
  });
}

void expect_rows(const std::vector<row>& rows) {
  for (const row& r : rows) expect_row(r);
}

TEST(table_rules, the_separator_cuts_all_first_records_alike) {
  const std::string decides = " (the option delimiter decides otherwise)";
  std::string long_list;  // the ninetieth record tells
  for (int i = 0; i < 90; ++i) long_list += "a;b,c\n";
  const std::string usual = "the first line names columns: it is taken as a header (the option header decides otherwise)";
  expect_rows({
      {"t.csv", "phone_l,phone_r,score\n0151 230 1111,0151 230 2222,0.9\n", "0151 230 1111-0151 230 2222", usual},
      {"t.txt", "id_l|id_r|score\n1000 2000 3000 4001|1000 2000 3000 4002|0.5\n", "1000 2000 3000 4001-1000 2000 3000 4002", usual},
      {"t.csv", "1;2;0,95\n3;4;0,90\n", "1-2 3-4", "separated by semicolons, not by commas" + decides},
      {"t.txt", "101 202 0,95\n102 203 0,90\n", "101-202 102-203", "separated by blanks rather than by commas" + decides},
      {"t.csv", "978 3 16,978 3 17\n978 3 17,978 3 18\n", "978 3 16-978 3 17, 978 3 17-978 3 18", ""},
      {"t.tsv", "101 5\t102 6\n102 6\t103 7\n", "101 5-102 6, 102 6-103 7", ""},
      {"t.csv", "1 2,3 4\n", "1 2-3 4", ""},
      {"t.csv", "2020-01-01 05:06,2020-01-02 07:08\n", "2020-01-01 05:06-2020-01-02 07:08", ""},
      {"t.txt", "1 2\n2 3\n", "1-2 2-3", ""},
      {"t.txt", "1\t2\n2\t3\n", "1-2 2-3", ""},
      {"t.csv", "1,2\n2,3\n", "1-2 2-3", ""},
      {"t.csv", "1 2\n2 3\n", "1-2 2-3", "separated by blanks, not by commas" + decides},
      {"t.tsv", "1 2\n2 3\n", "1-2 2-3", "separated by blanks, not by tabs" + decides},
      {"t.csv", "a|b\nc|d\n", "a-b, c-d", "separated by bars, not by commas" + decides},
      {"t.txt", "New York,Los Angeles\nSan Jose,Las Vegas\n", "New York-Los Angeles, San Jose-Las Vegas",
       "separated by commas rather than by blanks" + decides},
      {"t.txt", "Smith, J\tJones, A\nJones, A\tDoe, B\n", "Jones, A-Doe, B, Smith, J-Jones, A",
       "separated by tabs rather than by commas or by blanks" + decides},
      {"t.csv", "source;target;note, more\nanna;bert;x, y\n", "anna-bert",
       "separated by semicolons, not by commas" + decides + " / " + usual},
      {"t.txt", "1 2 hello,world\n3 4 good bye,moon\n", "1 2 hello-world, 3 4 good bye-moon",
       "separated by commas rather than by blanks" + decides},
      {"t.csv", "978 3 64\tNew York\n978 3 65\tBern\n", "978 3 64-New York, 978 3 65-Bern",
       "separated by tabs, not by commas or by blanks" + decides},
      {"t.txt", "1 2\n2 3 0.5\n3 4\n", "1-2 2-3 3-4", ""},
      {"t.csv", "von;nach;gewicht\n1;2;0,5\n2;3;0,75\n", "1-2 2-3", "separated by semicolons, not by commas" + decides},
      {"t.txt", "0\t1\n1 2\n", "0-1 1-2", ""},
      {"t.csv", long_list.substr(0, 6), "a;b-c", "separated by commas rather than by semicolons" + decides},
      {"t.csv", "\"a;b\";\"c,d\"\n\"e\";\"f\"\n", "a;b-c,d, e-f", "separated by semicolons, not by commas" + decides},
      {"t.csv", "1;2,3\n", "1;2-3", "", [](options& o) { o.delimiter = ','; }},
      {"t.txt", "1 2,3 4\n", "1 2-3 4", "", [](options& o) { o.delimiter = ','; }},
      {"t.csv", "0151 1,0151 2\n", "0151 1-0151 2", "", [](options& o) { o.ids = io::id_kind::strings; }},
      {"t.csv", "x,0151 1,0151 2\n", "0151 1-0151 2", "",
       [](options& o) {
         o.columns = {2, 3};
       }},
  });
}

TEST(table_rules, a_header_that_names_the_ends_says_where_they_are) {
  const auto moved = [](const std::string& names) {
    return "the header names the ends: columns " + names + " (the option columns decides otherwise)";
  };
  const std::string usual = "the first line names columns: it is taken as a header (the option header decides otherwise)";
  const std::string shorter = "the header has one name less than the records have fields: it names those from the second on";
  expect_rows({
      {"t.csv", ",id_l,id_r,match_probability\n0,11,12,0.9\n1,12,13,0.8\n", "11-12 12-13", moved("id_l and id_r")},
      {"t.csv", "0_id,ID_L,Id_R\n0,a,b\n", "a-b", moved("ID_L and Id_R")},
      {"t.csv", "\"\",\"from\",\"to\"\n\"1\",11,12\n", "11-12", moved("from and to")},
      {"t.csv", "id,source,target\n7,1,2\n8,2,3\n", "1-2 2-3", moved("source and target")},
      {"t.csv", "index,source,target\n7,1,2\n", "1-2", moved("source and target")},
      {"t.csv", "weight,source,target\n0.5,1,2\n", "1-2", moved("source and target")},
      {"t.csv", "score,note,src,dst\n0.5,x,1,2\n", "1-2", moved("src and dst")},
      {"t.csv", "Unnamed: 0,u,v\n0,1,2\n", "1-2", moved("u and v")},
      {"t.csv", "weight,left,right\n0.5,1,2\n", "1-2", moved("left and right")},
      {"t.csv", "from,weight,to\n1,7,2\n", "1-2", moved("from and to")},
      {"t.csv", "id,name_l,name_r\n0,a,b\n", "a-b", moved("name_l and name_r")},
      {"t.csv", "target,source\n1,2\n", "2-1", moved("source and target")},
      {"t.csv", "from,to,score\n1,2,9\n", "1-2", ""},
      {"t.csv", "x_l,x_r\n1,2\n", "1-2", ""},
      {"t.csv", "unique_id_l,unique_id_r,name_l,name_r\n1,2,a,b\n", "1-2", ""},
      {"t.csv", "name_l,name_r,unique_id_l,unique_id_r\na,b,1,2\n", "1-2", moved("unique_id_l and unique_id_r")},
      {"t.csv", "match_weight,source_dataset_l,unique_id_l,source_dataset_r,unique_id_r\n9,crm,1,shop,1\n", "crm:1-shop:1",
       moved("source_dataset_l,unique_id_l and source_dataset_r,unique_id_r")},
      {"t.tsv", "\tid1\tid2\n0\t1\t2\n", "1-2", moved("id1 and id2")},
      {"t.txt", "from to\n1 11 12\n2 12 13\n", "11-12 12-13", shorter + " / " + moved("from and to")},
      {"t.txt", "\"from\" \"to\" \"w\"\n\"1\" 11 12 0.5\n\"2\" 12 13 0.7\n", "11-12 12-13", shorter + " / " + moved("from and to")},
      {"t.csv", "id1,id2\n1,2,\n2,3,\n", "1-2 2-3", ""},  // a delimiter behind each record
      {"t.csv", "score,from,to\n0.9,1,2\n",
       "1: found the names from and to in the header, which may be the ends, behind other columns, expected the columns of the ends to be "
       "chosen [columns=from,to]",
       ""},
      {"t.csv", "score,first name_l,first name_r\n0.9,1,2\n",
       "1: found the names 2 and 3 in the header, which may be the ends, behind other columns, expected the columns of the ends to be "
       "chosen [columns=2,3]",
       ""},
      {"t.csv", "id_l,id_r,source,target\n1,2,3,4\n",
       "1: found two pairs of columns that may be the ends in the header, id_l and id_r and source and target, expected the columns of the "
       "ends to be chosen [columns=id_l,id_r]",
       ""},
      {"t.csv", "name_l,name_r,city_l,city_r\na,b,c,d\n",
       "1: found two pairs of columns that may be the ends in the header, name_l and name_r and city_l and city_r, expected the columns of "
       "the ends to be chosen [columns=name_l,name_r]",
       ""},
      {"t.csv", ",von,nach\n0,11,12\n",
       "1: found a header without a name for column 1, expected the columns of the ids to be chosen [columns=von,nach]", ""},
      {"t.csv", "Unnamed: 0,von,nach\n0,11,12\n",
       "1: found a header without a name for column 1, expected the columns of the ids to be chosen [columns=von,nach]", ""},
      {"t.csv", ",von,nach\n0,anna,bert\n",
       "1: found a header without a name for column 1, expected the columns of the ids to be chosen [columns=von,nach]", ""},
      {"t.txt", "von nach\n1 11 12\n2 12 13\n",
       "1: found a header with one name less than the records have fields, so that column 1 has none, expected the columns of the ids to "
       "be "
       "chosen [columns=von,nach]",
       ""},
      {"t.csv", "score,from,to\n9,1,2\n", "9-1", "",
       [](options& o) {
         o.columns = {1, 2};
       }},
      {"t.csv", "score,from,to\n9,1,2\n", "1-2", "",
       [](options& o) {
         o.columns = {"from", "to"};
       }},
      {"t.csv", "id_l,id_r,source,target\n1,2,3,4\n", "3-4", "",
       [](options& o) {
         o.columns = {"source", "target"};
       }},
      {"t.txt", "from to\n1 11 12\n2 12 13\n", "11-12 12-13", shorter,
       [](options& o) {
         o.columns = {"from", "to"};
       }},
      {"t.csv", "source,target\nanna,bert\n", "anna-bert, source-target", "", [](options& o) { o.header = false; }},
      {"t.csv", "1,2,source,target\n3,4,x,y\n", "1-2 3-4", ""},
  });
}

TEST(table_rules, blanks_around_a_field_without_quotes_are_no_part_of_it) {
  const std::string usual = "the first line names columns: it is taken as a header (the option header decides otherwise)";
  const auto had = [](int count) {
    return count == 1 ? std::string{"1 field had blanks around it, which are no part of it (the option trim no keeps them)"}
                      : std::to_string(count) + " fields had blanks around them, which are no part of them (the option trim no keeps them)";
  };
  const change keep = [](options& o) { o.trim = false; };
  expect_rows({
      {"t.csv", "left,right\nK-001, K-002\nK-002, K-003\n", "K-001-K-002, K-002-K-003", usual + " / " + had(2)},
      {"t.csv", " left , right \nK-001,K-002\n", "K-001-K-002", usual},
      {"t.csv", "a,b\t\n  c,d\n", "a-b, c-d", had(2)},
      {"t.csv", "\" a\",b\n", " a-b", ""},
      {"t.csv", "\"a\" , \"b \"\n", "a-b ", ""},
      {"t.csv", "1, 2\n 3 ,4\n", "1-2 3-4", ""},
      {"t.csv", "a,b, 0.5\n", "a-b", "",
       [](options& o) {
         o.weight_column = 3;
         o.min_weight = 0;
       }},
      {"t.txt", "New York , Los Angeles\n", "New York-Los Angeles",
       "separated by commas rather than by blanks (the option delimiter decides otherwise) / " + had(2)},
      {"t.tsv", "a \t b\n", "a-b", had(2)},
      {"t.csv", "left,right\nann, NULL \nbob,NULL\nann,bob\n", "ann-bob", usual + " / 2 edges dropped for a missing end / " + had(1),
       [](options& o) { o.missing = {"NULL"}; }},
      {"t.csv", "a, \n", "1: found an empty field, expected a string id in column 2", ""},
      {"t.csv", "a, \nc,d\n", "c-d", "1 edge dropped for a missing end / " + had(1), [](options& o) { o.missing = {""}; }},
      {"t.csv", "a,\"\"\n", "1: found an empty field, expected a string id in column 2", ""},
      {"t.csv", "a, b\nb,c\n", "a- b, b-c", "", keep},
      {"t.csv", "1, 2\n2,3\n", "1- 2, 2-3", "", keep},
      {"t.csv", "1,2\n2, 3\n", "2: found \" 3\", expected an id from -9223372036854775808 to 18446744073709551615 in column 2", "", keep},
      {"t.txt", "x y , z\n", "x y - z", "separated by commas rather than by blanks (the option delimiter decides otherwise)", keep},
      {"t.csv", " from , to \n1,2\n", "1-2", "",
       [](options& o) {
         o.trim = false;
         o.columns = {"from", "to"};
       }},
  });
}

TEST(table_rules, comments_end_where_the_records_begin) {
  const auto late = [](int count) {
    return count == 1 ? std::string{"1 comment line follows the first record (the option comment decides what is one)"}
                      : std::to_string(count) + " comment lines follow the first record (the option comment decides what is one)";
  };
  const auto doubtful = [](int line, const std::string& mark) {
    return std::to_string(line) + ": found a line that begins with " + mark +
           " and splits like a record, expected comments above the first record only [comment=] [comment=#%]";
  };
  const std::string usual = "the first line names columns: it is taken as a header (the option header decides otherwise)";
  const auto like = [](int line) {
    return "line " + std::to_string(line) +
           " begins with # and is a comment, although it splits like the first record (the option comment '' decides otherwise)";
  };
  expect_rows({
      {"t.tsv", "source\ttarget\tn\n#covid\t#lockdown\t12\nvaccine\t#covid\t7\n", doubtful(2, "#"), ""},
      {"t.txt", "vaccine #covid\n#covid mask\n", doubtful(2, "#"), ""},
      {"t.txt", "a,b\n%c,d\n", doubtful(2, "%"), ""},
      {"t.txt", "1 2\n#3 4\n", doubtful(2, "#"), ""},
      {"t.tsv", "source\ttarget\n#covid\tmask\n", doubtful(2, "#"), ""},
      {"t.tsv", "#a\t#b\n#c\t#d\n", "", "there are only comments, and no record (the option comment decides what is one)"},
      {"t.txt", "1\t2\n\n  # 3\t4\n", doubtful(3, "#"), ""},
      {"t.txt", "1 2\n# two\n2 3\n# a remark of more words\n#a word\n", "1-2 2-3", late(3)},
      {"t.txt", "a b\n# two\nb c\n% and three words\n", "a-b, b-c", late(2)},
      {"t.txt", "# 1\n% x\n1 2\n2 3\n", "1-2 2-3", ""},
      {"t.tsv", "#source\ttarget\nanna\tbert\n", "anna-bert", like(1)},
      {"t.txt", "# nodes: 4\n# from\tto\n1\t2\n", "1-2", like(2)},
      {"t.txt", "#a b\nb c\n", "b-c", like(1)},
      {"t.tsv", "source\ttarget\n#a\tb\nb\tc\n", "#a-b, b-c", usual, [](options& o) { o.comments = ""; }},
      {"t.tsv", "source\ttarget\n#a\tb\nb\tc\n", "b-c", usual + " / " + late(1), [](options& o) { o.comments = "#"; }},
      {"t.tsv", "#a\tb\nb\tc\n", "b-c", "", [](options& o) { o.comments = "#"; }},
      {"t.csv", "source,target\n#a,b\nb,c\n", "#a-b, b-c", usual},
      {"t.csv", "source,target\n!a,b\nb,c\n", "b-c", usual + " / " + late(1), [](options& o) { o.comments = "!"; }},
      {"t.txt", "tag\tu\tv\n#x\t1\t2\ny\t2\t3\n", doubtful(2, "#"), "",
       [](options& o) {
         o.columns = {2, 3};
       }},
  });
}

TEST(table_rules, a_bipartite_list_needs_prefixes) {
  const std::string refusal =
      "1: found a bipartite list (% bip), in which 1 on the left and 1 on the right are two vertices, expected a prefix for the ids on the "
      "left or on the right, which tells them apart [prefix-left=L] [prefix-right=R]";
  const change left = [](options& o) { o.prefixes[0] = "L"; };
  expect_rows({
      {"t.txt", "% bip unweighted\n% 2 2 3\n1 2\n2 3\n", refusal, ""},
      {"t.txt", "%bip weighted\n1 2 5\n", refusal, ""},
      {"out.konect.txt", "%\tbip\tsigned\n1\t2\t-1\n", refusal, ""},
      {"t.el", "% bip\n1 2\n", refusal, ""},
      {"t.txt", "% bip unweighted\n", refusal, ""},
      {"t.txt", "# a copy\n% bip posweighted\n1 2\n", "2" + refusal.substr(1), ""},
      {"t.txt", "% bip unweighted\n% 2 2 3\n1 2\n2 3\n", "L1-2, L2-3", "", left},
      {"t.txt", "% sym unweighted\n1 2\n2 3\n", "1-2 2-3", ""},
      {"t.txt", "% asym bip\n1 2\n", "1-2", ""},
      {"t.txt", "# bip\n1 2\n", "1-2", ""},
  });
}

TEST(table_rules, kinds_of_dimacs_are_graphs) {
  for (const char* kind : {"sp", "max", "min", "edge", "col", "tw", "td", "tdp", "vc", "ds", "cep"}) {
    expect_row({"t.gr", std::string{"c x\np "} + kind + " 3 2\n1 2\n2 3\n", "0-1 1-2", ""});
  }
  const std::string expected = ", expected a kind of graph, whose lines are edges: p with one of sp max min edge col tw td tdp vc ds cep";
  for (const char* kind : {"hs", "cnf", "wcnf", "ocr", "SP", "aux", "qp"}) {
    expect_row({"t.gr", std::string{"c x\np "} + kind + " 4 2\n1 2 3\n3 4\n", "2: found p \"" + std::string{kind} + "\"" + expected, ""});
  }
  expect_row({"t.dimacs", "p hs 4 2\n1 2 3\n3 4\n", "1: found p \"hs\"" + expected, ""});
}

TEST(table_rules, streams_are_read_by_the_same_rules) {
  const std::vector<row> rows{
      {"s.csv", ",id_l,id_r\n0,11,12\n?,1,12,13\n", "+11-12 ?12-13", ""},
      {"s.csv", "phone_l,phone_r\n0151 1,0151 2\n", "+0151 1-0151 2", ""},
      {"s.csv", "a, b\n?, b,c\n", "+a-b ?b-c", ""},
      {"s.txt", "a b\n#c d\n", "2: found a line that begins with # and splits like a record, expected comments above the first record only",
       ""},
      {"s.txt", "1 2\n# two\n? 2 1\n", "+1-2 ?2-1", ""},
      {"s.txt", "% bip unweighted\n1 2\n", "1: found a bipartite list (% bip)", ""},
      {"s.csv", "score,from,to\n9,1,2\n", "1: found the names from and to in the header", ""},
      {"s.csv", "1;2;0,95\n3;4;0,90\n", "+1-2 +3-4", ""},
      {"s.csv", "source_dataset_l,unique_id_l,source_dataset_r,unique_id_r\na,1,b,1\n", "+a:1-b:1", ""},
  };
  for (const row& r : rows) {
    for (const std::size_t block : {1u, 1u << 20}) {
      const temporary_file file{r.name, r.text};
      io::stream_read_options asked;
      asked.block_bytes = block;
      std::string found;
      try {
        io::operation_reader reader{file.path(), asked};
        io::operation_batch batch;
        while (reader.next(batch, 1)) {
          found += (found.empty() ? "" : " ") + std::string{batch.kinds()[0] == operation::insert ? "+" : "?"};
          found += batch.named() ? std::string{batch.names(0).u} + "-" + std::string{batch.names(0).v}
                                 : std::to_string(batch.pairs()[0].u) + "-" + std::to_string(batch.pairs()[0].v);
        }
      } catch (const error& problem) {
        found = std::string{problem.what()}.substr(file.path().string().size() + 1, r.expected.size());
      }
      EXPECT_EQ(found, r.expected) << r.text;
    }
  }
}

}  // namespace
}  // namespace copse::testing
