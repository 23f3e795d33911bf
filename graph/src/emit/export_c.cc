// C99: a header and a source file that need <math.h> and nothing else.
#include "emit/c_program.h"
#include "emit/closing.h"
#include "emit/describe.h"
#include "emit/names.h"
#include "kinemorph/graph/base/number.h"

namespace kinemorph {
namespace {

using emit::InCapitals;

std::string Comment(const std::vector<std::string>& lines) {
  std::string out = "/*\n";
  for (const std::string& line : lines) out += line.empty() ? " *\n" : " * " + line + "\n";
  return out + " */\n";
}

std::string SizeOf(int rows, int columns) {
  return columns == 1 ? std::to_string(rows)
                      : std::to_string(rows) + " x " + std::to_string(columns);
}

std::string FunctionComment(const Program& program) {
  std::vector<std::string> lines = {program.meaning};
  for (const ProgramInput& input : program.inputs) {
    lines.push_back("  " + input.name +
                    (input.scalar ? "" : "[" + std::to_string(input.size) + "]") + ": " +
                    input.meaning);
  }
  for (const ProgramOutput& output : program.outputs) {
    lines.push_back("  out " + output.name + "[" + SizeOf(output.rows, output.columns) +
                    "]: " + output.meaning);
  }
  return Comment(lines);
}

// An enumeration of indices: "enum { NAME_Q_hip = 0, ... };".
std::string Indices(const std::string& prefix, const std::vector<ExportedScalar>& scalars) {
  std::string out = "enum {\n";
  for (std::size_t i = 0; i < scalars.size(); ++i) {
    out += "  " + prefix + scalars[i].identifier + " = " + std::to_string(i) +
           (i + 1 < scalars.size() ? ",\n" : "\n");
  }
  return out + "};\n";
}

// C has no empty arrays: where there is nothing to name, one empty string stands.
std::string UniqueNames(const std::string& name, const std::vector<std::string>& names) {
  std::string out = "const char *const " + name + "[" +
                    std::to_string(std::max<std::size_t>(1, names.size())) + "] = {\n";
  if (names.empty()) out += "    \"\",\n";
  for (const std::string& each : names) out += "    \"" + emit::CString(each) + "\",\n";
  out.erase(out.size() - 2, 1);
  return out + "};\n";
}

std::vector<std::string> NamesOf(const std::vector<ExportedScalar>& scalars) {
  std::vector<std::string> names;
  for (const ExportedScalar& scalar : scalars) names.push_back(scalar.name);
  return names;
}

struct Table {
  std::string name;
  std::vector<std::string> entries;
};
std::vector<Table> Tables(const Equations& e) {
  return {{e.name + "_q_names", NamesOf(e.positions)},
          {e.name + "_v_names", NamesOf(e.velocities)},
          {e.name + "_row_names", e.rows},
          {e.name + "_link_names", e.links}};
}

// The header alone is the documentation: people who get the two files see neither the model nor
// this program.
std::string Header(const Equations& e) {
  const std::string upper = InCapitals(e.name);
  std::vector<std::string> lines = emit::Describe(e);
  lines.insert(lines.end(),
               {"", "Every function returns 0, or 1 where a result is not finite: a posture in",
                "which the independent coordinates do not determine the rest. Outputs may not",
                "overlap inputs. Nothing is allocated and nothing is kept between calls, so that",
                "any number of threads may call."});
  std::string out = Comment(lines);
  out += "#ifndef " + upper + "_H_INCLUDED\n#define " + upper + "_H_INCLUDED\n\n";
  const auto size = [&](const char* name, std::size_t value, const char* meaning) {
    out +=
        "#define " + upper + "_" + name + " " + std::to_string(value) + " /* " + meaning + " */\n";
  };
  size("NQ", e.positions.size(), "positions q");
  size("NV", e.velocities.size(), "velocities v, forces tau");
  size("NI", e.independent.size(), "independent velocities v_q");
  size("NZ", e.rows.size(), "constraint rows that are kept");
  size("NX", e.positions.size() + e.independent.size(), "state of spf_rhs: q, v_q");
  size("NL", e.links.size(), "links");
  out += "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  out += "/* Index of each coordinate in q, and of each velocity in v. */\n";
  out += Indices(upper + "_Q_", e.positions) + Indices(upper + "_V_", e.velocities);
  // Bytes that are no ASCII go through octal escapes, three digits each, which cannot run into a
  // digit that follows as \x would.
  out += "\n/* Names as the model has them (bytes as they were, UTF-8 as a rule). */\n";
  for (const Table& table : Tables(e)) {
    out += "extern const char *const " + table.name + "[" +
           std::to_string(std::max<std::size_t>(1, table.entries.size())) + "];\n";
  }
  out += "/* Index into v of each entry of v_q. */\nextern const int " + e.name + "_independent[" +
         std::to_string(std::max<std::size_t>(1, e.independent.size())) + "];\n";
  out += "/* Positions in which the loops are closed. */\nextern const double " + e.name + "_q0[" +
         std::to_string(e.positions.size()) + "];\n";
  std::vector<Program> functions = e.programs;
  functions.push_back(CloseSignature(e));
  for (const Program& program : functions)
    out += "\n" + FunctionComment(program) + emit::CSignature(program, e.name) + ";\n";
  return out + "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
}

std::string Source(const Equations& e) {
  std::string functions;
  bool systems = false;
  for (const Program& program : e.programs) {
    const emit::Listing listing(program);
    systems = systems || listing.UsesSystems();
    functions += emit::CDefinition(listing, e.name);
  }
  functions += emit::CClosing(e, false);
  std::string out = "/* Written by kinemorph; what it is stands in " + e.name +
                    ".h. */\n#include \"" + e.name + ".h\"\n\n#include <math.h>\n\n";
  for (const Table& table : Tables(e)) out += UniqueNames(table.name, table.entries);
  out += "const int " + e.name + "_independent[" +
         std::to_string(std::max<std::size_t>(1, e.independent.size())) + "] = {";
  for (std::size_t i = 0; i < e.independent.size(); ++i)
    out += (i > 0 ? ", " : "") + std::to_string(e.independent[i]);
  out += e.independent.empty() ? "0};\n" : "};\n";
  out += "const double " + e.name + "_q0[" + std::to_string(e.positions.size()) + "] = {\n";
  for (Eigen::Index i = 0; i < e.assembled.size(); ++i)
    out += "    " + emit::Literal(e.assembled[i]) + (i + 1 < e.assembled.size() ? ",\n" : "};\n");
  return out + emit::CHelpers(e.name, systems) + functions;
}

}  // namespace

std::vector<ExportedFile> ExportC(const Equations& e) {
  std::string readme;
  for (const std::string& line : emit::Describe(e)) readme += line + "\n";
  readme += "\nTo compile (any compiler of C99 or C++):\n\n  cc -std=c99 -O2 -c " + e.name +
            ".c\n  cc main.c " + e.name + ".o -lm\n\nWhat the functions do stands in " + e.name +
            ".h.\n";
  return {{e.name + ".h", Header(e)}, {e.name + ".c", Source(e)}, {"README.txt", readme}};
}

}  // namespace kinemorph
