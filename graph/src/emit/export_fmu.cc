// FMU 2.0 for model exchange: the SPF as an explicit ODE, its sources, and a thin layer of fmi2
// functions (FMI 2.0.4, sections 2.1, 2.2 and 3).
#include <array>
#include <cstdint>

#include "base/index.h"
#include "emit/c_program.h"
#include "emit/describe.h"
#include "emit/names.h"
#include "kinemorph/graph/base/number.h"

namespace kinemorph {
namespace {

const char* const kHeader =
#include "emit/fmi2_header.inc"
    ;
const char* const kLayer =
#include "emit/fmi2_source.inc"
    ;

// 128 bits of FNV-1a, as a GUID: equal content has an equal one.
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

struct Variable {
  std::string name, description, unit, start;
  const char* attributes;  // causality, variability, initial
  int derivative_of = 0;   // 1-based index of the state
};

// In the order of value references, which count from 0.
struct Variables {
  std::vector<Variable> all;
  std::vector<std::size_t> outputs, derivatives, calculated;  // 1-based
};

std::string RateUnit(const std::string& unit) {
  if (unit == "1") return "1/s";
  return unit == "rad" ? "rad/s" : unit == "m" ? "m/s" : unit == "rad/s" ? "rad/s2" : "m/s2";
}

Variables VariablesOf(const Equations& e) {
  Variables v;
  const auto add = [&](Variable variable) {
    v.all.push_back(std::move(variable));
    return v.all.size();
  };
  const char* const state = R"(causality="output" variability="continuous" initial="exact")";
  for (std::size_t i = 0; i < e.positions.size(); ++i) {
    const ExportedScalar& q = e.positions[i];
    v.outputs.push_back(add({"q." + q.identifier, "position " + q.name, q.unit,
                             FormatNumber(e.assembled[static_cast<Eigen::Index>(i)]), state}));
  }
  for (const int i : e.independent) {
    const ExportedScalar& rate = e.velocities[U(i)];
    v.outputs.push_back(add({"v." + rate.identifier, "velocity " + rate.name + " (independent)",
                             rate.unit, "0", state}));
  }
  const std::size_t states = v.all.size();
  for (std::size_t i = 0; i < states; ++i) {
    const Variable of = v.all[i];
    v.derivatives.push_back(
        add({"der(" + of.name + ")", "rate of " + of.name, RateUnit(of.unit), "",
             R"(causality="local" variability="continuous" initial="calculated")",
             static_cast<int>(i) + 1}));
    v.calculated.push_back(v.derivatives.back());
  }
  for (std::size_t i = 0; i < e.velocities.size(); ++i) {
    if (!e.dependent[i]) continue;
    const ExportedScalar& rate = e.velocities[i];
    v.outputs.push_back(
        add({"v." + rate.identifier, "velocity " + rate.name, rate.unit, "",
             R"(causality="output" variability="continuous" initial="calculated")"}));
    v.calculated.push_back(v.outputs.back());
  }
  for (const ExportedScalar& rate : e.velocities) {
    add({"tau." + rate.identifier, "force on " + rate.name, rate.unit == "m/s" ? "N" : "N.m", "0",
         R"(causality="input" variability="continuous")"});
  }
  add({"epsilon", "time constant with which the loops close; 2 to 50 steps", "s", "0.05",
       R"(causality="parameter" variability="tunable" initial="exact")"});
  for (int i = 0; i < 3; ++i) {
    add({"gravity[" + std::to_string(i + 1) + "]", "gravity in world axes", "m/s2",
         FormatNumber(e.gravity[i]),
         R"(causality="parameter" variability="tunable" initial="exact")"});
  }
  return v;
}

std::string Unknowns(const char* tag, const std::vector<std::size_t>& indices) {
  if (indices.empty()) return "";
  std::string out = "    <" + std::string(tag) + ">\n";
  for (const std::size_t i : indices)
    out += "      <Unknown index=\"" + std::to_string(i) + "\"/>\n";
  return out + "    </" + tag + ">\n";
}

// Without its first line and the GUID.
std::string Description(const Equations& e, const std::string& guid) {
  const Variables variables = VariablesOf(e);
  std::string out = R"(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName=")" +
                    emit::XmlText(e.model_name) + "\" guid=\"" + guid +
                    R"(" description="Equations of motion in singularly perturbed form"
    generationTool="kinemorph" variableNamingConvention="flat" numberOfEventIndicators="0">
  <ModelExchange modelIdentifier=")" +
                    e.name + R"(" canGetAndSetFMUstate="true" canSerializeFMUstate="true">
    <SourceFiles>
      <File name="fmu.c"/>
      <File name="equations.c"/>
    </SourceFiles>
  </ModelExchange>
  <UnitDefinitions>
    <Unit name="rad"><BaseUnit rad="1"/></Unit>
    <Unit name="m"><BaseUnit m="1"/></Unit>
    <Unit name="s"><BaseUnit s="1"/></Unit>
    <Unit name="1/s"><BaseUnit s="-1"/></Unit>
    <Unit name="rad/s"><BaseUnit rad="1" s="-1"/></Unit>
    <Unit name="m/s"><BaseUnit m="1" s="-1"/></Unit>
    <Unit name="rad/s2"><BaseUnit rad="1" s="-2"/></Unit>
    <Unit name="m/s2"><BaseUnit m="1" s="-2"/></Unit>
    <Unit name="N"><BaseUnit kg="1" m="1" s="-2"/></Unit>
    <Unit name="N.m"><BaseUnit kg="1" m="2" s="-2"/></Unit>
  </UnitDefinitions>
  <LogCategories>
    <Category name="logStatusError"/>
  </LogCategories>
  <DefaultExperiment startTime="0" stopTime="1" tolerance="1e-8"/>
  <ModelVariables>
)";
  for (std::size_t i = 0; i < variables.all.size(); ++i) {
    const Variable& v = variables.all[i];
    out += "    <!-- " + std::to_string(i + 1) + " --><ScalarVariable name=\"" +
           emit::XmlText(v.name) + "\" valueReference=\"" + std::to_string(i) +
           "\" description=\"" + emit::XmlText(v.description) + "\" " + v.attributes + "><Real";
    if (v.unit != "1") out += " unit=\"" + v.unit + "\"";
    if (!v.start.empty()) out += " start=\"" + v.start + "\"";
    if (v.derivative_of > 0) out += " derivative=\"" + std::to_string(v.derivative_of) + "\"";
    out += "/></ScalarVariable>\n";
  }
  return out + "  </ModelVariables>\n  <ModelStructure>\n" +
         Unknowns("Outputs", variables.outputs) + Unknowns("Derivatives", variables.derivatives) +
         Unknowns("InitialUnknowns", variables.calculated) +
         "  </ModelStructure>\n</fmiModelDescription>\n";
}

std::string EquationsSource(const Equations& e) {
  const Program& rhs = *e.Find("rhs");
  const emit::Listing listing(rhs);
  return "/* Written by kinemorph. State: q, then v_q. */\n#include <math.h>\n\n" +
         emit::CSignature(rhs, e.name) + ";\n" + emit::CHelpers(e.name, listing.UsesSystems()) +
         emit::CDefinition(listing, e.name);
}

std::string LayerSource(const Equations& e, const std::string& guid) {
  std::string out = "/*\n";
  for (const std::string& line : emit::Describe(e))
    out += line.empty() ? " *\n" : " * " + line + "\n";
  out += " */\n#include <string.h>\n\n#include \"fmi2.h\"\n\n#define GUID \"" + guid + "\"\n";
  std::vector<std::string> dependent, state, gravity;
  for (std::size_t i = 0; i < e.dependent.size(); ++i) {
    if (e.dependent[i]) dependent.push_back(std::to_string(i));
  }
  for (const double q : e.assembled) state.push_back(emit::Literal(q));
  state.resize(state.size() + e.independent.size(), "0");
  for (const double g : e.gravity) gravity.push_back(emit::Literal(g));
  const auto joined = [](const std::vector<std::string>& items) {
    std::string text;
    for (const std::string& item : items) text += (text.empty() ? "" : ", ") + item;
    return text;
  };
  out += "enum { NX = " + std::to_string(state.size()) +
         ", NV = " + std::to_string(e.velocities.size()) +
         ", ND = " + std::to_string(dependent.size()) + " };\n#define INITIAL_GRAVITY " +
         joined(gravity) + "\n#define INITIAL_STATE \\\n";
  std::string line = "  ";
  for (std::size_t i = 0; i < state.size(); ++i) {
    const std::string item = state[i] + (i + 1 < state.size() ? ", " : "");
    if (line.size() + item.size() > 96) out += line + "\\\n", line = "  ";
    line += item;
  }
  out +=
      line + "\n\n" + emit::CSignature(*e.Find("rhs"), e.name) + ";\n#define RHS " + e.name +
      "_rhs\n\n/* Which velocities the dependent ones are. */\nstatic const int dependent[] = {" +
      (dependent.empty() ? "0" : joined(dependent)) + "};\n";
  return out + (kLayer + 1);
}

}  // namespace

std::vector<ExportedFile> ExportFmu(const Equations& e) {
  const std::string equations = EquationsSource(e);
  const std::string guid = GuidOf(Description(e, "") + equations + LayerSource(e, "") + kHeader);
  std::string readme;
  for (const std::string& line : emit::Describe(e)) readme += line + "\n";
  readme +=
      "\nThe sources make the shared library that an importer loads:\n\n  cc -std=c99 -O2 -shared "
      "-fPIC -o " +
      e.name + ".so sources/fmu.c sources/equations.c -lm\n";
  return {{"modelDescription.xml", Description(e, guid)},
          {"documentation/README.txt", readme},
          {"sources/equations.c", equations},
          {"sources/fmi2.h", kHeader},
          {"sources/fmu.c", LayerSource(e, guid)}};
}

}  // namespace kinemorph
