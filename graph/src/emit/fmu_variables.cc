#include "emit/fmu_variables.h"

#include <cmath>

#include "base/index.h"
#include "kinemorph/graph/base/number.h"

namespace kinemorph::emit {
namespace {

std::string RateUnit(const std::string& unit) {
  if (unit == "1") return "1/s";
  return unit == "rad" ? "rad/s" : unit == "m" ? "m/s" : unit == "rad/s" ? "rad/s2" : "m/s2";
}

// Order matters from here on: a variable's value reference is its place, and fmu_core.inc counts
// the groups by the sizes NX, NV, ... in this order.
void AddStates(const Equations& e, std::vector<FmuVariable>& all) {
  for (std::size_t i = 0; i < e.positions.size(); ++i) {
    const ExportedScalar& q = e.positions[i];
    all.push_back({"q." + q.identifier, "position " + q.name, q.unit,
                   FormatNumber(e.assembled[static_cast<Eigen::Index>(i)]), FmuRole::kState});
  }
  for (const int i : e.independent) {
    const ExportedScalar& rate = e.velocities[U(i)];
    all.push_back({"v." + rate.identifier, "velocity " + rate.name + " (independent)", rate.unit,
                   "0", FmuRole::kState});
  }

  // Derivatives follow in the order of their states, as the standards ask of the vector of
  // derivatives.
  const std::size_t states = all.size();
  for (std::size_t i = 0; i < states; ++i) {
    const FmuVariable of = all[i];
    all.push_back({"der(" + of.name + ")", "rate of " + of.name, RateUnit(of.unit), "",
                   FmuRole::kDerivative, i});
  }
}

void AddParameters(const Equations& e, std::vector<FmuVariable>& all) {
  // The defaults are those of fmu_core.inc (`initial`), which has them once more in C.
  all.push_back({"epsilon", "time constant with which the loops close; 2 to 50 steps", "s", "0.05",
                 FmuRole::kParameter, 0, true});
  for (int i = 0; i < 3; ++i) {
    all.push_back({"gravity[" + std::to_string(i + 1) + "]", "gravity in world axes", "m/s2",
                   FormatNumber(e.gravity[i]), FmuRole::kParameter});
  }
  all.push_back({"rtol",
                 "relative and absolute error that a step of co-simulation may make; a tolerance "
                 "of the importer replaces it",
                 "1", "1e-9", FmuRole::kParameter, 0, true});
  for (const ExportedMass& mass : e.masses) {
    all.push_back({"mass." + mass.identifier,
                   "mass of link " + mass.link + "; its inertia keeps step", "kg",
                   FormatNumber(mass.mass), FmuRole::kParameter, 0, true});
  }
}

void AddFrames(const Equations& e, std::vector<FmuVariable>& all) {
  for (const ExportedFrame& frame : e.frames) {
    const std::string name = "frame." + frame.identifier,
                      of = " of " + frame.name + " in the world";
    for (int i = 1; i <= 3; ++i)
      all.push_back(
          {name + ".p[" + std::to_string(i) + "]", "origin" + of, "m", "", FmuRole::kOutput});
    for (int i = 1; i <= 3; ++i) {
      for (int j = 1; j <= 3; ++j) {
        all.push_back({name + ".R[" + std::to_string(i) + "," + std::to_string(j) + "]",
                       "rotation matrix" + of, "1", "", FmuRole::kOutput});
      }
    }
  }
}

void AddLimits(const Equations& e, std::vector<FmuVariable>& all) {
  const std::vector<FmuIndicator> indicators = FmuIndicators(e);
  std::size_t limits = 0;
  // One variable for each limited position, told from its first indicator.
  for (const FmuIndicator& indicator : indicators) {
    if (indicator.limit < limits) continue;
    ++limits;
    const ExportedScalar& q = e.positions[indicator.position];
    all.push_back({"limit." + q.identifier,
                   "-1 at the lower limit of " + q.name +
                       " or below, 1 at the upper one or above, "
                       "0 between them; nothing holds the joint there",
                   "1", "", FmuRole::kLimit});
  }
  for (const FmuIndicator& indicator : indicators) {
    const ExportedScalar& q = e.positions[indicator.position];
    const std::string side = indicator.side > 0 ? "lower" : "upper";
    all.push_back({"indicator." + side + "." + q.identifier,
                   "from " + q.name + " to its " + side + " limit, negative beyond it", q.unit, "",
                   FmuRole::kIndicator});
  }
}

}  // namespace

std::vector<FmuVariable> FmuVariables(const Equations& e) {
  std::vector<FmuVariable> all;
  AddStates(e, all);
  // Dependent velocities are outputs: they follow from the state by G.
  for (std::size_t i = 0; i < e.velocities.size(); ++i) {
    const ExportedScalar& rate = e.velocities[i];
    if (e.dependent[i])
      all.push_back(
          {"v." + rate.identifier, "velocity " + rate.name, rate.unit, "", FmuRole::kOutput});
  }
  for (const ExportedScalar& rate : e.velocities)
    all.push_back({"tau." + rate.identifier, "force on " + rate.name,
                   rate.unit == "m/s" ? "N" : "N.m", "0", FmuRole::kInput});
  AddParameters(e, all);
  AddFrames(e, all);
  AddLimits(e, all);
  return all;
}

// Two for a position that is limited on both sides, each positive between the limits, so that a
// sign alone tells an event.
std::vector<FmuIndicator> FmuIndicators(const Equations& e) {
  std::vector<FmuIndicator> indicators;
  std::size_t limits = 0;
  for (std::size_t i = 0; i < e.positions.size(); ++i) {
    const ExportedScalar& q = e.positions[i];
    const bool below = std::isfinite(q.lower), above = std::isfinite(q.upper);
    if (below) indicators.push_back({i, limits, 1, q.lower});
    if (above) indicators.push_back({i, limits, -1, q.upper});
    if (below || above) ++limits;
  }
  return indicators;
}

const char* FmuAttributes(FmuRole role) {
  switch (role) {
    case FmuRole::kState:
      return R"(causality="output" variability="continuous" initial="exact")";
    // In FMI 2 indicators are no variables; they are at the end of the list so that the others keep
    // their references.
    case FmuRole::kDerivative:
    case FmuRole::kIndicator:
      return R"(causality="local" variability="continuous" initial="calculated")";
    case FmuRole::kOutput:
      return R"(causality="output" variability="continuous" initial="calculated")";
    case FmuRole::kInput:
      return R"(causality="input" variability="continuous")";
    case FmuRole::kParameter:
      return R"(causality="parameter" variability="tunable" initial="exact")";
    case FmuRole::kLimit:
      break;
  }
  return R"(causality="output" variability="discrete" initial="calculated")";
}

const char* const kFmuUnits = R"(  <UnitDefinitions>
    <Unit name="rad"><BaseUnit rad="1"/></Unit>
    <Unit name="m"><BaseUnit m="1"/></Unit>
    <Unit name="s"><BaseUnit s="1"/></Unit>
    <Unit name="kg"><BaseUnit kg="1"/></Unit>
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
)";

}  // namespace kinemorph::emit
