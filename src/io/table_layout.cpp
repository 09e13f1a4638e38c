#include "io/table_layout.hpp"

#include "io/late_comments.hpp"

#include "io/fields.hpp"
#include "io/id_columns.hpp"
#include "io/source.hpp"
#include "io/table_reading.hpp"

#include <copse/errors.hpp>

#include <algorithm>
#include <array>
#include <optional>

namespace copse::io {
namespace {

using presumption = table_request::presumption;

class table_look {
public:
  table_look(const table_request& request, format f, const read_request& options, const text_opener& open)
      : request_{request}, format_{f}, options_{options}, open_{open} {}

  laid_out_table decide() {
    read_in_every_way();
    const table_reading& chosen = choose();
    check_text(chosen);
    if (chosen.has_header()) check_header(chosen);
    laid_out_table result;
    result.head = chosen.head();
    table_layout& layout = result.layout;
    layout.syntax = chosen.syntax();
    layout.columns = chosen.columns();
    layout.ids = chosen.ids();
    layout.left = chosen.left();
    layout.fields = chosen.fields();
    layout.header = chosen.has_header();
    layout.has_data = chosen.has_data();
    layout.numeric = !chosen.has_data() || chosen.numeric();
    layout.padded_ids = chosen.has_data() && chosen.padded();
    if (layout.header) {
      note_header(chosen);
    } else if (!chosen.head().empty()) {
      note_comment_like(chosen);
    }
    look_at_leading_comments(chosen);
    return result;
  }

private:
  void read_in_every_way() {
    std::vector<record_syntax> ways;
    if (options_.delimiter) {
      ways.push_back(way(*options_.delimiter, *options_.delimiter == ' ' && format_ != format::csv));
    } else {
      if (request_.proposed != '\0') ways.push_back(way(request_.proposed, false));
      for (const char delimiter : {',', '\t', ';', '|'}) {
        if (delimiter != request_.proposed) ways.push_back(way(delimiter, false));
      }
      ways.push_back(way(' ', true));
    }
    for (std::size_t least = first_look_bytes;; least *= 2) {
      const auto [opened, all] = open_(least);
      // a stream may already hold more than `least` bytes; they are not used, so that a pipe gets the same layout as a file
      const std::string_view text = opened.substr(0, least);
      const bool whole = all && text.size() == opened.size();
      readings_.clear();
      for (const record_syntax& syntax : ways) readings_.emplace_back(syntax, text, whole);
      if (std::ranges::all_of(readings_, [](const table_reading& now) { return now.head().complete; })) break;
    }
    for (table_reading& now : readings_) now.look(request_, options_);
    const bool any_splits = std::ranges::any_of(readings_, [](const table_reading& now) { return now.splits_first(); });
    for (table_reading& now : readings_) now.decide_header(request_, options_, any_splits);
  }

  [[nodiscard]] record_syntax way(char delimiter, bool blanks) const {
    record_syntax syntax = syntax_without_separator(format_, options_);
    syntax.delimiter = delimiter;
    syntax.blanks = blanks;
    return syntax;
  }

  [[nodiscard]] bool has_own() const noexcept { return request_.proposed != '\0' && !options_.delimiter; }
  [[nodiscard]] const table_reading& own() const noexcept { return readings_.front(); }

  /// True if all records have the same number of fields, which is at least `fewest` and includes the wanted columns.
  static bool splits_evenly(const table_reading& now, unsigned fewest) {
    return now.even_fields() >= fewest && !now.columns().empty() && now.even_fields() >= now.last_column();
  }

  const table_reading& choose() {
    if (readings_.front().head().empty()) return has_own() ? own() : readings_.back();
    if (readings_.size() == 1) return readings_.front();
    const bool own_splits = has_own() && (splits_evenly(own(), request_.ids > 1 ? 2 : 1) || own().splits_both());
    std::vector<const table_reading*> even, all;
    for (const table_reading& now : readings_) {
      if (now.syntax().blanks && own_splits) continue;
      all.push_back(&now);
      if (splits_evenly(now, 2)) even.push_back(&now);
    }
    const auto is_shifted = [](const table_reading* now) { return now->is_shifted(); };
    // separators that give the header one field less than the records are used only if no other splits all records evenly
    if (!std::ranges::all_of(even, is_shifted)) std::erase_if(even, is_shifted);
    const table_reading* chosen = choose_even(even);
    if (chosen == nullptr) chosen = choose_uneven(all);
    note_separator(*chosen, all);
    return *chosen;
  }

  /// Chooses among the separators that split the first records evenly: first one whose header names the ids, then one with which the ids
  /// are numbers, then the separator of the suffix.
  const table_reading* choose_even(const std::vector<const table_reading*>& even) const {
    const auto first = [](const std::vector<const table_reading*>& from, auto is) {
      const auto found = std::ranges::find_if(from, [&](const table_reading* now) { return is(*now); });
      return found == from.end() ? nullptr : *found;
    };
    const table_reading* chosen = first(even, [](const table_reading& now) { return now.names_ids(); });
    const bool may_be_integers = options_.ids != id_kind::strings && options_.ids != id_kind::bytes;
    if (chosen == nullptr && may_be_integers) {
      chosen = first(even, [](const table_reading& now) { return now.has_data() && now.numeric(); });
    }
    if (chosen == nullptr && has_own() && splits_evenly(own(), 1) && (even.empty() || even.front() == &own())) chosen = &own();
    if (chosen == nullptr && !even.empty()) chosen = usual_order(even).front();
    return chosen;
  }

  /// Chooses a separator by the first two records, if none splits all records into equally many fields.
  const table_reading* choose_uneven(const std::vector<const table_reading*>& all) const {
    std::vector<const table_reading*> splits;
    for (const table_reading* now : usual_order(all)) {
      if (now->splits_both() && (now->syntax().blanks || now->fields() > 1)) splits.push_back(now);
    }
    const auto take = [&](const auto& is) {
      const auto found = std::ranges::find_if(all, [&](const table_reading* now) { return is(*now); });
      return found == all.end() ? nullptr : *found;
    };
    const table_reading* chosen = nullptr;
    if (options_.ids != id_kind::strings && options_.ids != id_kind::bytes) {
      chosen = take([](const table_reading& now) { return now.numeric_first(); });
      if (chosen == nullptr) chosen = take([](const table_reading& now) { return now.numeric_second(); });
    }
    if (chosen == nullptr && has_own() && own().splits_both()) chosen = &own();
    if (chosen == nullptr && !splits.empty()) chosen = splits.front();
    if (chosen == nullptr) {
      for (const table_reading* now : usual_order(all)) {
        if (chosen == nullptr && now->splits_first() && (now->syntax().blanks || now->fields() > 1)) chosen = now;
      }
    }
    if (chosen == nullptr) chosen = has_own() ? &own() : &readings_.back();
    return chosen;
  }

  /// Orders readings, the ways to split the records, by separator: the one of the suffix, then tabs, commas, semicolons, bars and blanks.
  /// But if the suffix implies no separator, and blanks give exactly the wanted columns, semicolons and bars come last, because they may be
  /// parts of names.
  [[nodiscard]] std::vector<const table_reading*> usual_order(const std::vector<const table_reading*>& from) const {
    const table_reading& blanks = readings_.back();
    const bool blanks_do = !has_own() && blanks.splits_first() && !blanks.columns().empty() && blanks.fields() == blanks.last_column() &&
                           std::ranges::find(from, &blanks) != from.end();
    const auto rank = [&](const table_reading* now) {
      if (has_own() && now == &own()) return std::size_t{0};
      if (now->syntax().blanks) return std::size_t{4};
      const std::size_t usual = std::string_view{"\t,;|"}.find(now->syntax().delimiter);
      return usual > 1 && blanks_do ? 4 + usual : 1 + usual - (usual > 2 ? 1u : 0u);
    };
    std::vector<const table_reading*> ordered = from;
    std::ranges::stable_sort(ordered, {}, rank);
    return ordered;
  }

  /// Gives the observer a note that names the other possible separators: those that split records evenly, and those with which both ids are
  /// numbers and more words follow; but not blanks that split the records as tabs do.
  void note_separator(const table_reading& chosen, const std::vector<const table_reading*>& all) const {
    const bool overruled = has_own() && &chosen != &own();
    std::string others = overruled ? delimiter_text(own().syntax()) : "";
    for (const table_reading* other : all) {
      if (other == &chosen || (overruled && other == &own())) continue;
      const bool remarks = !chosen.numeric() && other->numeric_first() && other->splits_raggedly();
      if (!splits_evenly(*other, 2) && !remarks) continue;
      const bool same = other->even_fields() == chosen.even_fields() && (other->syntax().blanks || chosen.syntax().blanks) &&
                        other->names() == chosen.names();
      if (!same) others.append(others.empty() ? "" : " or by ").append(delimiter_text(other->syntax()));
    }
    if (others.empty()) return;
    note("separated by " + delimiter_text(chosen.syntax()) + (overruled ? ", not by " : " rather than by ") + others +
         " (the option delimiter decides otherwise)");
  }

  /// Refuses records that cannot be read.
  void check_text(const table_reading& chosen) const {
    if (chosen.head().empty()) return;
    const std::string header = io::quoted(chosen.head().records.front());
    if (chosen.fault() == record_fault::open_quote) {  // an open quote in the header would make the rest of the file one field
      const auto [found, expected] = field_picker{chosen.syntax(), {}}.refusal_of(chosen.fault(), chosen.head().records.front());
      refuse(chosen, found, expected);
    }
    if (!chosen.missing_name().empty()) {
      refuse(chosen, "no column " + io::quoted(chosen.missing_name()) + " in the header " + header, "one that names it");
    }
    if (!chosen.repeated_name().empty()) {
      refuse(chosen, "the column " + io::quoted(chosen.repeated_name()) + " twice in the header " + header, "its name once, or its number");
    }
  }

  /// Throws if the header suggests other columns than the default ones.
  void check_header(const table_reading& chosen) const {
    const named_ends& ends = chosen.ends();
    const unsigned count = static_cast<unsigned>(chosen.names().size());
    if (ends.found == named_ends::kind::several) {
      refuse(chosen,
             "two pairs of columns that may be the ends in the header, " + names_of(chosen, ends.columns) + " and " +
                 names_of(chosen, ends.others),
             "the columns of the ends to be chosen", remedies_for(chosen, ends.columns));
    }
    if (ends.found == named_ends::kind::elsewhere) {
      refuse(chosen, "the names " + names_of(chosen, ends.columns) + " in the header, which may be the ends, behind other columns",
             "the columns of the ends to be chosen", remedies_for(chosen, ends.columns));
    }
    if (request_.presumed == presumption::none || chosen.names_ids() || count == 0) return;
    const bool one = request_.presumed == presumption::id, joined = one && request_.ids > 1;
    const std::string& name = chosen.names().front();
    if (!joined && !name.empty() && lower(name) != "unnamed: 0") return;
    const std::string found = joined                ? "a header that does not name the columns of ids as edges have them"
                              : chosen.is_shifted() ? "a header with one name less than the records have fields, so that column 1 has none"
                                                    : "a header without a name for column 1";
    if (joined)
      refuse(chosen, found, "source_dataset and unique_id, or columns to be chosen", {{request_.option, request_.name + ":C,D", ""}});
    const unsigned first = count > request_.ids ? 2 : 1;
    refuse(chosen, found, one ? "the column of the ids to be chosen" : "the columns of the ids to be chosen",
           remedies_for(chosen, one ? end_columns{{{first}, {}}} : end_columns{{{first}, {first + 1}}}));
  }

  /// Lists columns as --columns takes them: by name if all names are plain words, otherwise by number.
  static std::string listed(const table_reading& chosen, const std::vector<unsigned>& columns) {
    const auto& names = chosen.names();
    const bool words = std::ranges::all_of(columns, [&](unsigned c) {
      if (c > names.size()) return false;
      const std::string& name = names[c - 1];
      return !name.empty() && std::ranges::count(names, name) == 1 && !std::ranges::all_of(name, is_digit) &&
             std::ranges::all_of(name, [](char b) { return is_digit(b) || b == '_' || (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z'); });
    });
    std::string text;
    for (const unsigned c : columns) text.append(text.empty() ? "" : ",").append(words ? names[c - 1] : std::to_string(c));
    return text;
  }
  static std::string listed(const table_reading& chosen, const end_columns& ends) {
    std::vector<unsigned> all = ends[0];
    all.insert(all.end(), ends[1].begin(), ends[1].end());
    return listed(chosen, all);
  }
  static std::string names_of(const table_reading& chosen, const end_columns& ends) {
    return listed(chosen, ends[0]) + " and " + listed(chosen, ends[1]);
  }

  [[nodiscard]] std::vector<remedy> remedies_for(const table_reading& chosen, const end_columns& ends) const {
    switch (request_.presumed) {
      case presumption::id:
        return {{request_.option, request_.name + ":" + listed(chosen, ends[0]), ""}};
      case presumption::columns:
        return {{"by", listed(chosen, ends[0]), ""}, {"id", listed(chosen, ends[1]), ""}};
      default:
        if (ends[0].size() == 1) return {{request_.option, listed(chosen, ends), ""}};
        return {{"left", listed(chosen, ends[0]), ""}, {"right", listed(chosen, ends[1]), ""}};
    }
  }

  void note_header(const table_reading& chosen) const {
    if (chosen.is_shifted()) note("the header has one name less than the records have fields: it names those from the second on");
    if (chosen.moves_ids()) return note_named_ids(chosen);
    const bool by_name = std::ranges::any_of(request_.columns, [](const column& c) { return c.named(); });
    if (!options_.header && !by_name && chosen.numeric_second() && options_.ids != id_kind::automatic &&
        options_.ids != id_kind::integers) {
      note("the first line is not numeric, the second is: the first is taken as a header (the option header decides otherwise)");
    } else if (chosen.known_by_names()) {
      note("the first line names columns: it is taken as a header (the option header decides otherwise)");
    }
  }

  void note_named_ids(const table_reading& chosen) const {
    const auto ids = std::vector<unsigned>{chosen.columns().begin(), chosen.columns().begin() + static_cast<std::ptrdiff_t>(chosen.ids())};
    const std::string decides = " (the option " + request_.option + " decides otherwise)";
    if (request_.presumed == presumption::id) return note("the header names the ids: column " + listed(chosen, ids) + decides);
    note("the header names the ends: columns " + names_of(chosen, chosen.ends().columns) + decides);
  }

  void note_comment_like(const table_reading& chosen) const {
    if (format_ != format::csv || options_.comments) return;
    const std::string_view record = chosen.head().records.front();
    const char first = record.empty() ? '\0' : record.front();
    if (first != '#' && first != '%') return;
    const std::string mark(1, first);
    if (!chosen.splits_first() || &chosen != &readings_.front()) {
      refuse(chosen, "a line that begins with " + mark, "a record: CSV has no comments unless the option comment '" + mark + "' says so");
    }
    note("the first line begins with " + mark + " and is a record: CSV has no comments unless the option comment '" + mark + "' says so");
  }

  /// Checks the comments above the first record: one of them may be a header or a record, and KONECT's tell what the ids mean.
  void look_at_leading_comments(const table_reading& chosen) const {
    if (chosen.syntax().comments.empty()) return;
    std::string_view above = open_(chosen.head().first_at).first.substr(0, chosen.head().first_at);
    bool noted = options_.comments.has_value() || chosen.head().empty();
    std::uint64_t comments = 0;
    for (std::uint64_t line = 1; !above.empty(); ++line) {
      const std::string_view text = cut_line(above);
      if (!is_comment(text, chosen.syntax())) continue;
      ++comments;
      if (request_.refuses_bipartite && is_bipartite(text)) refuse_bipartite(line);
      if (noted || !splits_like_record(text, chosen.syntax(), chosen.fields())) continue;
      note("line " + std::to_string(line) + " begins with " + std::string{trimmed(text).substr(0, 1)} +
           " and is a comment, although it splits like the first record (the option comment '' decides otherwise)");
      noted = true;
    }
    if (chosen.head().empty() && comments != 0 && !options_.comments)
      note("there are only comments, and no record (the option comment decides what is one)");
  }

  /// True for `% bip unweighted`, with which KONECT marks lists whose left and right ids are different kinds of vertices.
  static bool is_bipartite(std::string_view comment) {
    comment = trimmed(comment);
    if (!comment.starts_with('%')) return false;
    comment.remove_prefix(1);
    return cut_word(comment) == "bip";
  }
  [[noreturn]] void refuse_bipartite(std::uint64_t line) const {
    throw ambiguous_input{
        input_error::at(request_.name, line, "a bipartite list (% bip), in which 1 on the left and 1 on the right are two vertices",
                        "a prefix for the ids on the left or on the right, which tells them apart"),
        {{"prefix-left", "L", ""}, {"prefix-right", "R", ""}}};
  }

  void note(const std::string& text) const {
    if (options_.observer != nullptr) options_.observer->note(request_.name + ": " + text);
  }
  [[noreturn]] void refuse(const table_reading& chosen, const std::string& found, const std::string& expected,
                           std::vector<remedy> remedies = {}) const {
    const std::size_t at = chosen.head().first_at;
    const auto [text, whole] = open_(at);
    const auto fault = input_error::at(request_.name, 1 + count_line_ends(text.substr(0, at)), found, expected);
    if (remedies.empty()) throw fault;
    throw ambiguous_input{fault, std::move(remedies)};
  }

  const table_request& request_;
  format format_;
  const read_request& options_;
  const text_opener& open_;
  std::vector<table_reading> readings_;  // the records as each possible separator splits them: the one of the suffix first, blanks last
};

}  // namespace

table_request request_for_edges(const std::string& name, const std::filesystem::path& path, format f, const read_options& options) {
  table_request request{.name = name, .columns = columns_of_edges(options), .proposed = proposed_delimiter(path, f)};
  request.ids = request.columns.size();
  request.left = options.columns[0].size();
  const bool presumed = options.columns[0].is_presumed() && options.columns[1].is_presumed();
  request.presumed = presumed ? presumption::ends : presumption::none;
  request.refuses_bipartite = options.prefixes[0].empty() && options.prefixes[1].empty();
  if (options.weight_column) request.columns.push_back(*options.weight_column);
  return request;
}

char proposed_delimiter(const std::filesystem::path& path, format f) {
  const auto suffix = (compression_by_suffix(path) == compression::none ? path : path.stem()).extension();
  return suffix == ".tsv" ? '\t' : f == format::csv ? ',' : '\0';
}

laid_out_table lay_out(const table_request& request, format f, const read_request& options, const text_opener& open) {
  return table_look{request, f, options, open}.decide();
}

record_syntax syntax_without_separator(format f, const read_options& options) {
  return {.quotes = f == format::csv, .trimmed = options.trim, .comments = options.comments.value_or(f == format::csv ? "" : "#%")};
}

}  // namespace copse::io
