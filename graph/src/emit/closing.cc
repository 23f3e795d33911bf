#include "emit/closing.h"

#include <algorithm>

#include "base/index.h"
#include "emit/c_program.h"
#include "emit/describe.h"

namespace kinemorph::emit {
namespace {

const char* const kSource =
#include "emit/closing_source.inc"
    ;
const char* const kClose =
#include "emit/closing_close.inc"
    ;
const char* const kStart =
#include "emit/closing_start.inc"
    ;
const char* const kMatlab =
#include "emit/closing_matlab.inc"
    ;

// `word` of a pattern by `text`.
std::string Filled(std::string pattern, std::string_view word, const std::string& text) {
  for (std::size_t at = pattern.find(word); at != std::string::npos;
       at = pattern.find(word, at + text.size()))
    pattern.replace(at, word.size(), text);
  return pattern;
}

// Long names make long lines, which are broken.
std::string Wrapped(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    const std::size_t first = std::min(text.find_first_not_of(' ', at), end);
    AppendWrapped(out, text.substr(first, end - first), static_cast<int>(first - at), "");
    at = end + 1;
  }
  return out;
}

// "{a, b, c}"; C has no empty arrays, and a zero stands in one.
template <class Item, class Text>
std::string Braced(const std::vector<Item>& items, const Text& text) {
  std::string out;
  for (const Item& item : items) out += (out.empty() ? "" : ", ") + text(item);
  return "{" + (out.empty() ? "0" : out) + "}";
}
const auto kWhole = [](int i) { return std::to_string(i); };

// A velocity is led where it is the rate of an independent position; none where a part of a ball or
// free joint is independent too, for such a part has no position that could lead it back.
std::vector<int> Led(const Equations& e) {
  std::vector<int> scalar(e.velocities.size(), 0), led = scalar;
  for (const int v : e.closing.rates)
    if (v >= 0) scalar[U(v)] = 1;
  for (const ExportedClosing::Block& block : e.closing.blocks) {
    const bool whole = std::all_of(block.velocities.begin(), block.velocities.end(),
                                   [&](int v) { return e.dependent[U(v)] || scalar[U(v)] == 1; });
    for (const int v : block.velocities) led[U(v)] = whole && !e.dependent[U(v)] ? 1 : 0;
  }
  return led;
}
std::vector<int> Follows(const Equations& e) { return {e.dependent.begin(), e.dependent.end()}; }

// Sizes and tables of the C.
std::string Tables(const Equations& e, bool simulation) {
  const ExportedClosing& closing = e.closing;
  std::vector<int> columns;
  std::string blocks;
  std::size_t row = 0, entries = 0, work = 0, widest = 0;
  for (const ExportedClosing::Block& block : closing.blocks) {
    const std::size_t width = block.velocities.size();
    blocks += (blocks.empty() ? "{" : ", {") + std::to_string(block.rows) + ", " +
              std::to_string(width) + ", " + std::to_string(row) + ", " + std::to_string(entries) +
              ", " + std::to_string(columns.size()) + "}";
    columns.insert(columns.end(), block.velocities.begin(), block.velocities.end());
    row += U(block.rows), entries += U(block.rows) * width;
    work = std::max(work, U(block.rows) * (width + 1)), widest = std::max(widest, width);
  }
  std::string out = "\nenum {\n";
  const auto size = [&](const char* name, std::size_t value, const char* more) {
    out += "  @_" + std::string(name) + " = " + std::to_string(value) + more + "\n";
  };
  size("q_count", e.positions.size(), ","), size("v_count", e.velocities.size(), ",");
  size("row_count", row, ","), size("entry_count", entries, ",");
  size("block_count", closing.blocks.size(), ","), size("column_count", widest, ",");
  if (!simulation) size("square_count", widest * (widest + 1), ",");
  size("work_count", work, "");
  out += "};\n";
  const auto table = [&](const std::string& head, const std::string& items) {
    AppendWrapped(out, "static const " + head + " = " + items + ";", 0, "");
  };
  out += "/* Loops that are solved together: rows, columns; first row, entry of J and column. */\n";
  table("struct { int rows, columns, row, entry, column; } @_blocks[]",
        "{" + (blocks.empty() ? "{0, 0, 0, 0, 0}" : blocks) + "}");
  out +=
      "/* By column: the velocity. By row and by velocity: 1, or the mechanism's length (m). */\n";
  table("int @_columns[]", Braced(columns, kWhole));
  table("double @_row_units[]", Braced(closing.row_units, Literal));
  table("double @_units[]", Braced(closing.units, Literal));
  out +=
      "/* By position: the velocity that is its rate; -1 - the first one of a ball or free joint. "
      "*/\n";
  table("int @_rates[]", Braced(closing.rates, kWhole));
  out += "/* By velocity: whether it depends on the others. */\n";
  table("int @_follows[]", Braced(Follows(e), kWhole));
  if (simulation) {
    out += "/* By velocity: itself; of a ball or free joint its first one. */\n";
    table("int @_joints[]", Braced(closing.joints, kWhole));
  } else {
    out += "/* By velocity: whether it is the rate of an independent position that leads. */\n";
    table("int @_is_led[]", Braced(Led(e), kWhole));
  }
  return out;
}

std::string Column(const std::string& items) {
  return "[" + items.substr(1, items.size() - 2) + "]'";
}

// The tables of MATLAB, where indices count from 1.
std::string Layout(const Equations& e) {
  const ExportedClosing& closing = e.closing;
  const auto from_1 = [](int i) { return std::to_string(i < 0 ? i : i + 1); };
  std::string out = "\nfunction layout = closing_layout()\n";
  const auto field = [&](const std::string& name, const std::string& value) {
    AppendWrapped(out, "layout." + name + " = " + value + ";", 2, " ...");
  };
  field("columns", "cell(1, " + std::to_string(closing.blocks.size()) + ")");
  std::vector<int> rows;
  for (const ExportedClosing::Block& block : closing.blocks) {
    rows.push_back(block.rows);
    const std::string columns = Braced(block.velocities, from_1);
    field("columns{" + std::to_string(rows.size()) + "}",
          "[" + columns.substr(1, columns.size() - 2) + "]");
  }
  field("rows", rows.empty() ? "[]" : Filled(Column(Braced(rows, kWhole)), "'", ""));
  field("row_units",
        closing.row_units.empty() ? "zeros(0, 1)" : Column(Braced(closing.row_units, Literal)));
  field("units", Column(Braced(closing.units, Literal)));
  field("rates", Column(Braced(closing.rates, from_1)));
  field("follows", "logical(" + Column(Braced(Follows(e), kWhole)) + ")");
  field("led", "logical(" + Column(Braced(Led(e), kWhole)) + ")");
  return out + "end\n";
}

}  // namespace

std::string CClosing(const Equations& e, bool simulation) {
  std::string programs;
  for (const Program& program : e.closing.programs)
    programs += CDefinition(Listing(program), e.name, "static ");
  return Wrapped(Filled(Tables(e, simulation), "@", e.name)) + programs +
         Wrapped(Filled(std::string(kSource) + (simulation ? kStart : kClose), "@", e.name));
}

std::string MatlabClosing(const Equations& e) {
  std::string out = Filled(kMatlab, "@@", InCapitals(e.name));
  out = Filled(out, "#NQ", std::to_string(e.positions.size()));
  return Filled(out, "@", e.name) + Layout(e);
}

}  // namespace kinemorph::emit

namespace kinemorph {

Program CloseSignature(const Equations& e) {
  Program close;
  close.name = "close";
  close.meaning =
      "Closes the loops, the independent coordinates held (quaternions: to unit length), on the "
      "branch of the guess. 1: out of reach, or it cannot be told which branch is meant.";
  const int count = static_cast<int>(e.positions.size());
  ProgramInput guess{"guess", count, ""};
  guess.meaning =
      "positions: of the independent coordinates where they shall be, of the others those of the "
      "last closed posture, or near where they shall be";
  ProgramOutput q{"q", count, 1, "", {}};
  q.meaning =
      "positions, closed; where 1 is returned the last closed ones on the way, or the guess";
  close.inputs.push_back(std::move(guess)), close.outputs.push_back(std::move(q));
  return close;
}

}  // namespace kinemorph
