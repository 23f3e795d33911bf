#include "kinemorph/converters/inspection.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "kinemorph/formats/drive_law.h"
#include "kinemorph/formats/formats.h"
#include "kinemorph/graph/base/printable.h"
#include "kinemorph/graph/connectivity/lacg.h"
#include "kinemorph/graph/mechanics/kinematics.h"
#include "kinemorph/graph/mechanics/mechanism.h"
#include "kinemorph/graph/mechanics/stuck_coordinates.h"
#include "kinemorph/graph/model/field_text.h"
#include "kinemorph/graph/model/fields.h"
#include "report/message_value.h"

namespace kinemorph {
namespace {

// Aggregate links by name. One that holds nothing but synthetic links or the world is passed over:
// its children hang on its parent.
void NameAggregates(const Model& model, const LoopAggregatedConnectivityGraph& lacg,
                    Inspection& out) {
  std::vector<std::optional<std::size_t>> number(lacg.aggregates.size());
  for (std::size_t a = 0; a < lacg.aggregates.size(); ++a) {
    const AggregateLink& aggregate = lacg.aggregates[a];
    const std::optional<std::size_t> parent =
        aggregate.parent ? number[*aggregate.parent] : std::nullopt;
    std::vector<std::string> names;
    for (const LinkId link : aggregate.links)
      if (link != kWorld && !model.link(link).synthetic) names.push_back(model.link(link).name);
    if (names.empty()) {
      number[a] = parent;
      continue;
    }
    std::sort(names.begin(), names.end());
    number[a] = out.aggregates.size();
    out.aggregates.push_back(std::move(names));
    out.parents.push_back(parent);
  }
}

std::vector<InspectedClosure> DescribeAll(const Model& model, const Mechanism& mechanism,
                                          const Coordinates& coordinates, bool compare) {
  std::vector<DeadCentreSearch> dead_centres;
  // The search for dead centres and the comparison of closures are by aggregate, as the
  // descriptions are.
  const std::vector<ClosureDescription> descriptions =
      DescribeClosures(mechanism, coordinates, dead_centres);
  std::vector<ClosureComparison> comparisons;
  if (compare) comparisons = CompareClosures(mechanism, coordinates);
  std::vector<InspectedClosure> closures;
  for (std::size_t a = 0; a < mechanism.aggregates.size(); ++a) {
    if (mechanism.aggregates[a].rows == 0) continue;
    InspectedClosure& closure = closures.emplace_back();
    for (const int body : mechanism.aggregates[a].bodies) {
      const Link& link = model.link(mechanism.bodies[static_cast<std::size_t>(body)].link);
      if (!link.synthetic) closure.links.push_back(link.name);
    }
    std::sort(closure.links.begin(), closure.links.end());
    closure.mobility = coordinates.aggregates[a].mobility;
    closure.description = descriptions[a];
    // An aggregate of couplings with nothing left to follow is linear: a message about "no closure"
    // would puzzle.
    if (closure.description.nature == ClosureNature::kNone)
      closure.description = {ClosureNature::kLinear, "nothing depends on anything"};
    closure.dead_centres = dead_centres[a];
    for (const int c : coordinates.aggregates[a].independent)
      closure.independent.push_back(mechanism.aggregates[a].velocity[static_cast<std::size_t>(c)]);
    if (compare) closure.comparison = comparisons[a];
  }
  return closures;
}

void AddDrives(const Model& model, Inspection& out) {
  for (const Actuator& own : model.actuators) {
    if (own.joint == kNoJoint) continue;
    const Actuator drive = AtJoint(own);
    InspectedDrive& said = out.drives.emplace_back();
    said.joint = model.joint(drive.joint).name;
    said.kind = ValueText(drive.kind);
    said.kp = drive.stiffness, said.kd = drive.damping, said.target = drive.target;
    if (drive.effort_lower && drive.effort_upper)
      said.effort = std::max(std::abs(*drive.effort_lower), std::abs(*drive.effort_upper));
    const std::vector<JointAxis>& axes = model.joint(drive.joint).axes;
    if (axes.size() == 1 && axes[0].effort && *axes[0].effort < FormatLimits::kNone)
      said.effort = std::min(*axes[0].effort, said.effort.value_or(*axes[0].effort));
  }
}

// As its joints say it, or its keyframe.
void AddStart(const Model& model, Inspection& out) {
  for (const JointId id : Joints(model)) {
    const Joint& joint = model.joint(id);
    if (joint.axes.size() == 1 && joint.axes[0].initial_position)
      out.start.emplace_back(joint.name, *joint.axes[0].initial_position);
  }
  const Format* const format = FindFormat(model.format);
  if (!out.start.empty() || format == nullptr || format->start == nullptr) return;
  for (const auto& [id, place] : format->start(model))
    if (const double* const q = std::get_if<double>(&place))
      out.start.emplace_back(model.joint(id).name, *q);
}

// Where silence declares nothing, what counts is what is named: motors of a side-car, say. Without
// loops and couplings silence is enough, but the word "dependent" is wrong.
void CountNamed(const Model& model, const Mechanism& mechanism, Coordinates& found) {
  std::vector<std::optional<bool>> named(static_cast<std::size_t>(mechanism.nv));
  for (const Body& body : mechanism.bodies)
    for (int i = 0; i < body.nv && body.joint != kNoJoint; ++i)
      named[static_cast<std::size_t>(body.v + i)] = model.joint(body.joint).independent;
  found.independent_declared = 0, found.at_fault.clear();
  for (std::size_t a = 0; a < found.aggregates.size(); ++a) {
    const AggregateCoordinates& c = found.aggregates[a];
    for (int column = 0; column < c.nv; ++column) {
      const auto v = static_cast<std::size_t>(
          mechanism.aggregates[a].velocity[static_cast<std::size_t>(column)]);
      const bool chosen = !std::binary_search(c.dependent.begin(), c.dependent.end(), column);
      const bool counts = named[v].value_or(c.rows == 0 && chosen);
      found.independent_declared += counts;
      if (counts != chosen) found.at_fault.push_back(mechanism.names[v]);
    }
  }
  found.independent_ok = found.at_fault.empty();
}

}  // namespace

Inspection Inspect(const Model& model, const SpanningTree& tree, bool compare_closures) {
  const LoopAggregatedConnectivityGraph lacg = BuildLoopAggregatedConnectivityGraph(model, tree);
  Inspection out;
  out.name = model.name;
  out.format = model.format;
  for (const LinkId id : tree.order) {
    if (id == kWorld || model.link(id).synthetic) continue;
    if (out.root.empty()) out.root = model.link(id).name;
    ++out.links;
  }

  // Loop joints are counted apart; joints that no file names are none.
  for (const JointId id : Joints(model)) {
    if (!model.joint(id).implicit) ++out.joints;
    out.says_independence = out.says_independence || model.joint(id).independent.has_value();
  }
  out.joints -= tree.loop_joints.size();
  out.loops = tree.loop_joints.size();
  out.couplings = model.couplings.size();
  NameAggregates(model, lacg, out);
  for (std::size_t i = 0; i < tree.loop_joints.size(); ++i) {
    const JointId id = tree.loop_joints[i];
    const Joint& joint = model.joint(id);
    const LinkId p = model.predecessor(id), s = model.successor(id);
    out.loop_joints.push_back({joint.name, std::string(KindName(joint.kind)), model.link(p).name,
                               model.link(s).name,
                               model.link(NearestCommonAncestor(tree, p, s)).name});
    // Why a joint was cut is of interest only where the author did not say so.
    if (joint.role == JointRole::kUndecided)
      out.cut_reasons.push_back("joint '" + joint.name + "' is the loop joint: " + tree.reasons[i]);
  }
  const Mechanism mechanism = Compile(model, tree, lacg);
  out.coordinates = AnalyseCoordinates(mechanism);
  out.stuck = StuckCoordinates(mechanism, out.coordinates);
  if (model.unsaid == UnsaidIndependence::kNothing && out.says_independence)
    CountNamed(model, mechanism, out.coordinates);
  for (std::size_t a = 0; a < out.coordinates.aggregates.size(); ++a) {
    const auto add = [&](const std::vector<int>& columns, std::vector<std::string>& names) {
      for (const int c : columns)
        names.push_back(mechanism.names[static_cast<std::size_t>(
            mechanism.aggregates[a].velocity[static_cast<std::size_t>(c)])]);
    };
    add(out.coordinates.aggregates[a].independent, out.independent);
    add(out.coordinates.aggregates[a].dependent, out.dependent);
  }
  out.coordinate_names = mechanism.names;
  AddDrives(model, out);
  AddStart(model, out);
  out.closures = DescribeAll(model, mechanism, out.coordinates, compare_closures);

  // Mass and its centre at the zero configuration, in the axes of the world; inertias are summed
  // about its origin.
  const std::vector<RigidTransform> X_WB = Poses(mechanism, mechanism.ZeroPosition());
  SpatialInertia whole;
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b)
    whole = whole + mechanism.bodies[b].inertia.InFrame(X_WB[b]);
  out.total_mass = whole.mass;
  out.p_WCcm = whole.p_BoBcm;
  return out;
}

namespace {

using Json = nlohmann::ordered_json;

// With one independent coordinate a dead centre is one value of it; with more, it is a posture, and
// a search over all postures finds examples only.
Json DeadCentreJson(const Inspection& in, const InspectedClosure& closure, const DeadCentre& dead) {
  const auto name = [&](int velocity) {
    return in.coordinate_names[static_cast<std::size_t>(velocity)];
  };
  Json json;
  if (dead.y.size() == 1) {
    json = {{"joint", name(closure.independent.front())}, {"at", dead.y.front()}};
    json["stands"] = dead.stands.empty() ? Json() : Json(name(dead.stands.front()));
    return json;
  }
  for (std::size_t i = 0; i < dead.y.size(); ++i)
    json["posture"][name(closure.independent[i])] = dead.y[i];
  json["undetermined"] = Json::array();
  for (const int v : dead.stands) json["undetermined"].push_back(name(v));
  return json;
}

Json ClosureJson(const Inspection& in, const InspectedClosure& closure) {
  Json json = {{"links", closure.links},
               {"mobility", closure.mobility},
               {"closure", Name(closure.description.nature)},
               {"detail", closure.description.detail},
               {"dead_centres", Json::array()}};
  for (const DeadCentre& dead : closure.dead_centres.found)
    json["dead_centres"].push_back(DeadCentreJson(in, closure, dead));
  json["dead_centre_ways"] = closure.dead_centres.ways;
  if (!closure.dead_centres.why_not.empty())
    json["dead_centres_not_searched"] = closure.dead_centres.why_not;
  if (!closure.comparison) return json;
  const ClosureComparison& compared = *closure.comparison;
  json["compared"] = {{"states", compared.states},
                      {"lost", compared.lost},
                      {"singular", compared.singular},
                      {"position", compared.position},
                      {"velocity", compared.velocity},
                      {"acceleration", compared.acceleration},
                      {"contradiction", compared.contradiction}};
  return json;
}

}  // namespace

std::string InspectionJson(const Inspection& in, const Diagnostics& diagnostics) {
  const Coordinates& c = in.coordinates;
  Json json = {{"name", in.name},
               {"format", in.format},
               {"root", in.root},
               {"links", in.links},
               {"joints", in.joints},
               {"loops", in.loops},
               {"couplings", in.couplings},
               {"spanning_dof", c.spanning_dof},
               {"constraint_rows", c.constraint_rows},
               {"rank", c.rank},
               {"mobility", c.mobility},
               {"independent_declared", c.independent_declared},
               {"independent_ok", c.independent_ok},
               {"aggregate_links", in.aggregates},
               {"aggregate_parents", Json::array()}};
  for (const auto& parent : in.parents)
    json["aggregate_parents"].push_back(parent ? Json(*parent) : Json());
  json["total_mass"] = in.total_mass;
  json["center_of_mass"] = {in.p_WCcm.x(), in.p_WCcm.y(), in.p_WCcm.z()};
  json["open_at_zero"] = c.open_at_zero;
  json["residual_at_zero"] = c.residual_at_zero;
  json["singular_at_zero"] = c.singular_at_zero;
  json["assembles"] = c.assembles;
  json["beyond_limits"] = c.beyond_limits;
  json["independent_at_fault"] = c.at_fault;
  json["redundant_rows"] = c.redundant;
  json["idle"] = c.idle;
  json["idle_joints"] = c.idle_joints;
  json["independent"] = in.independent;
  json["dependent"] = in.dependent;
  json["stuck"] = in.stuck;
  json["independent_chosen"] = !c.declared || !c.independent_ok;
  json["closures"] = Json::array();
  for (const InspectedClosure& closure : in.closures)
    json["closures"].push_back(ClosureJson(in, closure));
  json["loop_joints"] = Json::array();
  for (const InspectedLoop& loop : in.loop_joints)
    json["loop_joints"].push_back({{"name", loop.name},
                                   {"type", loop.type},
                                   {"predecessor", loop.predecessor},
                                   {"successor", loop.successor},
                                   {"nca", loop.nca}});
  json["drives"] = Json::array();
  for (const InspectedDrive& drive : in.drives) {
    Json& said = json["drives"].emplace_back(Json{{"joint", drive.joint}, {"kind", drive.kind}});
    for (const auto& [key, value] :
         {std::pair("kp", drive.kp), std::pair("kd", drive.kd), std::pair("effort", drive.effort),
          std::pair("target", drive.target)})
      said[key] = value ? Json(*value) : Json();
  }
  json["start"] = Json::object();
  for (const auto& [joint, q] : in.start) json["start"][joint] = {q};
  json["diagnostics"] = Json::array();
  for (const Diagnostic& item : diagnostics.items())
    json["diagnostics"].push_back(MessageValue(item));
  return PrintableJson(json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace kinemorph
