// FMUs for model exchange and co-simulation: the SPF as an explicit ODE, what FMI 2 and 3 share
// (fmu_core.inc), and a thin layer of functions of either (FMI 2.0.4, chapters 2 to 4; FMI 3.0,
// chapters 2 to 4).
#include <array>
#include <cstdint>

#include "base/index.h"
#include "emit/c_program.h"
#include "emit/closing.h"
#include "emit/describe.h"
#include "emit/fmu_variables.h"
#include "emit/names.h"

namespace kinemorph {
namespace {

const char* const kCore =
#include "emit/fmu_core.inc"
    ;
const char* const kHeader2 =
#include "emit/fmi2_header.inc"
    ;
const char* const kLayer2 =
#include "emit/fmi2_source.inc"
    ;
const char* const kHeader3 =
#include "emit/fmi3_header.inc"
    ;
const char* const kLayer3 =
#include "emit/fmi3_source.inc"
    ;

// 128 bits of FNV-1a, as a GUID: equal content has an equal one.
// FMI asks for an identity by which an importer sees that the description and the binary belong
// together. A hash of the content, and no random number, keeps exports reproducible.
std::string GuidOf(const std::string& text) {
  std::array<std::uint64_t, 2> hash = {0xcbf29ce484222325u, 0x84222325cbf29ce4u};
  for (const char c : text) {
    for (std::uint64_t& h : hash) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    hash[1] ^= hash[0] >> 31;
  }
  static constexpr std::string_view kHex = "0123456789abcdef";
  std::string out = "{";
  for (int digit = 0; digit < 32; ++digit) {
    if (digit == 8 || digit == 12 || digit == 16 || digit == 20) out += '-';
    out += kHex[(hash[U(digit / 16)] >> (60 - 4 * (digit % 16))) & 15];
  }
  return out + "}";
}

// The equations are a file of their own, the same for both standards.
std::string EquationsSource(const Equations& e) {
  std::string signatures, definitions;
  bool systems = false;
  for (const Program& program : e.programs) {
    const emit::Listing listing(program);
    systems = systems || listing.UsesSystems();
    signatures += emit::CSignature(program, e.name) + ";\n";
    definitions += emit::CDefinition(listing, e.name);
  }
  return "/* Written by kinemorph. State: q, then v_q. */\n#include <math.h>\n\n" + signatures +
         emit::CHelpers(e.name, systems) + definitions + emit::CClosing(e, true);
}

// "a, b, c" in lines; "0" where there are none, for C has no empty list.
std::string Items(const std::vector<std::string>& items, const std::string& end_of_line) {
  if (items.empty()) return "0";
  std::string out, line;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string item = items[i] + (i + 1 < items.size() ? ", " : "");
    if (line.size() + item.size() > 92) out += line + end_of_line, line = "";
    line += item;
  }
  return out + line;
}

// What fmu_core.inc needs to know of the mechanism.
// The core is the same C source for all mechanisms; what differs stands before it, as an
// enumeration of sizes, macros with start values, and tables.
std::string FmuTables(const Equations& e) {
  std::vector<std::string> dependent, state, gravity, mass, indicators;
  for (std::size_t i = 0; i < e.dependent.size(); ++i) {
    if (e.dependent[i]) dependent.push_back(std::to_string(i));
  }
  for (const double q : e.assembled) state.push_back(emit::Literal(q));
  // Independent velocities start at rest.
  state.resize(state.size() + e.independent.size(), "0");
  for (const double g : e.gravity) gravity.push_back(emit::Literal(g));
  for (const ExportedMass& each : e.masses) mass.push_back(emit::Literal(each.mass));
  std::size_t limits = 0;
  for (const emit::FmuIndicator& each : emit::FmuIndicators(e)) {
    limits = each.limit + 1;
    indicators.push_back("{" + std::to_string(each.position) + ", " + std::to_string(each.limit) +
                         ", " + std::to_string(each.side) + ", " + emit::Literal(each.at) + "}");
  }
  std::string out = "enum {\n";
  const auto size = [&](const char* name, std::size_t value, const char* meaning) {
    out += "  " + std::string(name) + " = " + std::to_string(value) + ", /* " + meaning + " */\n";
  };
  size("NX", state.size(), "states"), size("NQ", e.positions.size(), "positions");
  size("NV", e.velocities.size(), "velocities");
  size("ND", dependent.size(), "dependent velocities"), size("NM", mass.size(), "masses");
  size("NF", e.frames.size(), "frames"), size("NL", limits, "limited positions");
  out += "  NZ = " + std::to_string(indicators.size()) + " /* event indicators */\n};\n";
  const std::string go_on = "\\\n  ";
  out += "#define INITIAL_STATE \\\n  " + Items(state, go_on) + "\n#define INITIAL_GRAVITY " +
         Items(gravity, go_on) + "\n#define INITIAL_MASS \\\n  " + Items(mass, go_on) + "\n\n";
  // The core calls RHS and PLACE, whatever the model's name is.
  for (const Program& program : e.programs) out += emit::CSignature(program, e.name) + ";\n";
  const std::string start =
      "int " + e.name + "_start(const double *wanted, const int *given, double *q)";
  out += start + ";\n#define START " + e.name + "_start\n#define RHS " + e.name +
         "_rhs\n#define PLACE" + (e.frames.empty() ? "(q, R, p) 0\n" : " " + e.name + "_frames\n");
  return out +
         "\n/* Which velocities the dependent ones are. */\nstatic const int dependent[] = {\n   "
         " " +
         Items(dependent, "\n    ") +
         "};\n/* Where positions meet their limits; side: 1 at the lower one. */\nstatic const "
         "struct "
         "{\n  int position, limit, side;\n  double at;\n} indicators[] = {\n    " +
         (indicators.empty() ? "{0, 0, 0, 0}" : Items(indicators, "\n    ")) + "};\n";
}

std::string Layer(const Equations& e, const std::string& guid, const char* header,
                  const char* layer) {
  std::string out = "/*\n";
  for (const std::string& line : emit::Describe(e))
    out += line.empty() ? " *\n" : " * " + line + "\n";
  out += " */\n#include <math.h>\n#include <stdlib.h>\n#include <string.h>\n\n#include \"" +
         // Raw strings of the included sources begin with a line break, which is skipped.
         std::string(header) + "\"\n\n#define GUID \"" + guid + "\"\n" + FmuTables(e);
  return out + (kCore + 1) + (layer + 1);
}

std::string ReadMe(const Equations& e) {
  std::string out;
  for (const std::string& line : emit::Describe(e)) out += line + "\n";
  return out +
         "\nThe sources make the shared library that an importer loads:\n\n  cc -std=c99 -O2 "
         "-shared -fPIC -o " +
         e.name + ".so sources/fmu.c sources/equations.c -lm\n";
}

// How to build it, as FMI 3 says it; importers of FMI 2 may know it too.
std::string BuildDescription(const Equations& e) {
  return R"(<?xml version="1.0" encoding="UTF-8"?>
<fmiBuildDescription fmiVersion="3.0">
  <BuildConfiguration modelIdentifier=")" +
         e.name + R"(">
    <SourceFileSet language="C99">
      <SourceFile name="fmu.c"/>
      <SourceFile name="equations.c"/>
    </SourceFileSet>
  </BuildConfiguration>
</fmiBuildDescription>
)";
}

}  // namespace

std::vector<ExportedFile> ExportFmu(const Equations& e, FmiVersion version) {
  const bool third = version == FmiVersion::kFmi3;
  const std::string name = third ? "fmi3.h" : "fmi2.h", equations = EquationsSource(e);
  const char* const header = third ? kHeader3 : kHeader2;
  // The identity is part of the files that it is computed of: they are made with an empty one
  // first.
  const auto description = [&](const std::string& guid) {
    return third ? emit::Fmi3Description(e, guid) : emit::Fmi2Description(e, guid);
  };
  const auto layer = [&](const std::string& guid) {
    return Layer(e, guid, name.c_str(), third ? kLayer3 : kLayer2);
  };
  const std::string guid = GuidOf(description("") + equations + layer("") + header);
  return {{"modelDescription.xml", description(guid)},
          {"documentation/README.txt", ReadMe(e)},
          {"sources/buildDescription.xml", BuildDescription(e)},
          {"sources/equations.c", equations},
          {"sources/" + name, header},
          {"sources/fmu.c", layer(guid)}};
}

}  // namespace kinemorph
