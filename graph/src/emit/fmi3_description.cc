// modelDescription.xml of FMI 3.0 (sections 2.4, 3.4 and 4.4).
#include "emit/fmu_variables.h"
#include "kinemorph/graph/base/printable.h"

namespace kinemorph::emit {
namespace {

std::string Listed(const char* tag, const std::vector<std::size_t>& references) {
  std::string out;
  for (const std::size_t r : references)
    out += "    <" + std::string(tag) + " valueReference=\"" + std::to_string(r) + "\"/>\n";
  return out;
}

std::string VariableElement(const FmuVariable& v, std::size_t reference) {
  const bool whole = v.role == FmuRole::kLimit;
  std::string out = std::string(whole ? "    <Int32" : "    <Float64") + " name=\"" +
                    XmlText(v.name) + "\" valueReference=\"" + std::to_string(reference) +
                    "\" description=\"" + XmlText(v.description) + "\" " + FmuAttributes(v.role);
  if (whole) out += R"( min="-1" max="1")";
  if (v.unit != "1") out += " unit=\"" + v.unit + "\"";
  if (v.not_negative) out += " min=\"0\"";
  if (!v.start.empty()) out += " start=\"" + v.start + "\"";
  if (v.role == FmuRole::kDerivative)
    out += " derivative=\"" + std::to_string(v.derivative_of) + "\"";
  return out + "/>\n";
}

}  // namespace

std::string Fmi3Description(const Equations& e, const std::string& guid) {
  const std::vector<FmuVariable> variables = FmuVariables(e);
  const std::string can = R"(" canGetAndSetFMUState="true" canSerializeFMUState="true")";
  std::string out = R"(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName=")" +
                    XmlText(e.model_name) + "\" instantiationToken=\"" + guid +
                    R"(" description="Equations of motion in singularly perturbed form"
    generationTool="kinemorph" variableNamingConvention="flat">
  <ModelExchange modelIdentifier=")" +
                    e.name + can + "/>\n  <CoSimulation modelIdentifier=\"" + e.name + can +
                    R"( canHandleVariableCommunicationStepSize="true"/>
)" + kFmuUnits + "  <ModelVariables>\n";
  // By value references, not by indices as in FMI 2; event indicators are variables here, and time
  // must be one.
  std::vector<std::size_t> outputs, derivatives, calculated, indicators;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const FmuVariable& v = variables[i];
    if (v.role == FmuRole::kState || v.role == FmuRole::kOutput || v.role == FmuRole::kLimit)
      outputs.push_back(i);
    if (v.role == FmuRole::kDerivative) derivatives.push_back(i);
    if (v.role == FmuRole::kIndicator) indicators.push_back(i);
    if (v.start.empty() && v.role != FmuRole::kIndicator) calculated.push_back(i);
    out += VariableElement(v, i);
  }
  return out + "    <Float64 name=\"time\" valueReference=\"" + std::to_string(variables.size()) +
         R"(" description="time" causality="independent" variability="continuous" unit="s"/>
  </ModelVariables>
  <ModelStructure>
)" + Listed("Output", outputs) +
         Listed("ContinuousStateDerivative", derivatives) + Listed("InitialUnknown", calculated) +
         Listed("EventIndicator", indicators) + "  </ModelStructure>\n</fmiModelDescription>\n";
}

}  // namespace kinemorph::emit
