// modelDescription.xml of FMI 2.0 (2.0.4, sections 2.2, 3.3 and 4.3).
#include "emit/fmu_variables.h"
#include "kinemorph/graph/base/printable.h"

namespace kinemorph::emit {
namespace {

// Indices count from 1.
std::string Unknowns(const char* tag, const std::vector<std::size_t>& indices) {
  if (indices.empty()) return "";
  std::string out = "    <" + std::string(tag) + ">\n";
  for (const std::size_t i : indices)
    out += "      <Unknown index=\"" + std::to_string(i + 1) + "\"/>\n";
  return out + "    </" + tag + ">\n";
}

std::string Interface(const std::string& tag, const std::string& identifier,
                      const std::string& more) {
  return "  <" + tag + " modelIdentifier=\"" + identifier +
         R"(" canGetAndSetFMUstate="true" canSerializeFMUstate="true")" + more + R"(>
    <SourceFiles>
      <File name="fmu.c"/>
      <File name="equations.c"/>
    </SourceFiles>
  </)" + tag +
         ">\n";
}

}  // namespace

std::string Fmi2Description(const Equations& e, const std::string& guid) {
  const std::vector<FmuVariable> variables = FmuVariables(e);
  std::string out =
      R"(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName=")" +
      XmlText(e.model_name) + "\" guid=\"" + guid +
      R"(" description="Equations of motion in singularly perturbed form"
    generationTool="kinemorph" variableNamingConvention="flat" numberOfEventIndicators=")" +
      std::to_string(FmuIndicators(e).size()) + "\">\n" + Interface("ModelExchange", e.name, "") +
      Interface("CoSimulation", e.name, R"( canHandleVariableCommunicationStepSize="true")") +
      kFmuUnits + "  <ModelVariables>\n";
  // ModelStructure lists indices of variables, from 1. Dependencies are left out, which means "on
  // all": every derivative depends on nearly every state through M.
  std::vector<std::size_t> outputs, derivatives, calculated;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const FmuVariable& v = variables[i];
    if (v.role == FmuRole::kIndicator) continue;
    const bool whole = v.role == FmuRole::kLimit;
    if (v.role == FmuRole::kState || v.role == FmuRole::kOutput || whole) outputs.push_back(i);
    if (v.role == FmuRole::kDerivative) derivatives.push_back(i);
    // InitialUnknowns: whatever has no start value is computed at initialization.
    if (v.start.empty()) calculated.push_back(i);
    out += "    <!-- " + std::to_string(i + 1) + " --><ScalarVariable name=\"" + XmlText(v.name) +
           "\" valueReference=\"" + std::to_string(i) + "\" description=\"" +
           XmlText(v.description) + "\" " + FmuAttributes(v.role) +
           (whole ? R"(><Integer min="-1" max="1")" : "><Real");
    if (v.unit != "1") out += " unit=\"" + v.unit + "\"";
    if (v.not_negative) out += " min=\"0\"";
    if (!v.start.empty()) out += " start=\"" + v.start + "\"";
    if (v.role == FmuRole::kDerivative)
      out += " derivative=\"" + std::to_string(v.derivative_of + 1) + "\"";
    out += "/></ScalarVariable>\n";
  }
  return out + "  </ModelVariables>\n  <ModelStructure>\n" + Unknowns("Outputs", outputs) +
         Unknowns("Derivatives", derivatives) + Unknowns("InitialUnknowns", calculated) +
         "  </ModelStructure>\n</fmiModelDescription>\n";
}

}  // namespace kinemorph::emit
