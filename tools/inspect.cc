// kinemorph inspect: what the model is.
#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "conversion.h"
#include "grbda_lint.h"
#include "kinemorph/formats/file_resolver.h"
#include "kinemorph/graph/connectivity/lacg.h"
#include "kinemorph/graph/mechanics/coordinates.h"
#include "kinemorph/graph/mechanics/dead_centre.h"
#include "kinemorph/graph/mechanics/explicit_closure.h"
#include "kinemorph/graph/mechanics/kinematics.h"
#include "kinemorph/graph/model/model_dump.h"
#include "side_cars.h"

namespace kinemorph::tools {
namespace {

struct LoopJoint {
  std::string name, type, predecessor, successor, nca;
};

// How the dependent coordinates of an aggregate with loops or couplings follow from the others.
struct Closure {
  std::vector<std::string> links;
  int mobility = 0;
  ClosureDescription description;
  std::vector<DeadCentre> dead_centres;
  std::optional<ClosureComparison> comparison;
};

struct Inspection {
  std::string name, format, root;
  std::size_t links = 0, joints = 0, loops = 0, couplings = 0;
  Coordinates coordinates;
  std::vector<std::vector<std::string>>
      aggregates;  // names, sorted; without the world and synthetic links
  std::vector<std::optional<std::size_t>> parents;
  std::vector<Closure> closures;
  std::vector<LoopJoint> loop_joints;
  std::vector<std::string> cut_reasons;       // of loop joints that the author did not choose
  std::vector<std::string> coordinate_names;  // by velocity
  std::vector<std::string> independent,
      dependent;  // velocity coordinates, as declared or as they would be chosen
  double total_mass = 0;
  Vector3 p_WCcm = Vector3::Zero();  // centre of mass at q = 0, world axes
};

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

std::vector<Closure> DescribeAll(const Model& model, const Mechanism& mechanism,
                                 const Coordinates& coordinates, bool compare) {
  const std::vector<ClosureDescription> descriptions = DescribeClosures(mechanism, coordinates);
  std::vector<ClosureComparison> comparisons;
  if (compare) comparisons = CompareClosures(mechanism, coordinates);
  const std::vector<DeadCentre> dead_centres = FindDeadCentres(mechanism, coordinates);
  std::vector<Closure> closures;
  for (std::size_t a = 0; a < mechanism.aggregates.size(); ++a) {
    if (mechanism.aggregates[a].rows == 0) continue;
    Closure& closure = closures.emplace_back();
    for (const int body : mechanism.aggregates[a].bodies) {
      const Link& link = model.link(mechanism.bodies[static_cast<std::size_t>(body)].link);
      if (!link.synthetic) closure.links.push_back(link.name);
    }
    std::sort(closure.links.begin(), closure.links.end());
    closure.mobility = coordinates.aggregates[a].mobility;
    closure.description = descriptions[a];
    if (closure.description.nature == ClosureNature::kNone)
      closure.description = {ClosureNature::kLinear, "nothing depends on anything"};
    for (const DeadCentre& dead : dead_centres)
      if (dead.aggregate == static_cast<int>(a)) closure.dead_centres.push_back(dead);
    if (compare) closure.comparison = comparisons[a];
  }
  return closures;
}

Inspection Inspect(const Model& model, const SpanningTree& tree,
                   const LoopAggregatedConnectivityGraph& lacg, bool compare_closures) {
  Inspection out;
  out.name = model.name;
  out.format = model.format;
  for (const LinkId id : tree.order) {
    if (id == kWorld || model.link(id).synthetic) continue;
    if (out.root.empty()) out.root = model.link(id).name;
    ++out.links;
  }
  for (const JointId id : Joints(model))
    if (!model.joint(id).implicit) ++out.joints;
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
    if (joint.role == JointRole::kUndecided)
      out.cut_reasons.push_back("joint '" + joint.name + "' is the loop joint: " + tree.reasons[i]);
  }
  const Mechanism mechanism = Compile(model, tree, lacg);
  out.coordinates = AnalyseCoordinates(mechanism);
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
  out.closures = DescribeAll(model, mechanism, out.coordinates, compare_closures);
  const std::vector<RigidTransform> X_WB = Poses(mechanism, mechanism.ZeroPosition());
  SpatialInertia whole;
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b)
    whole = whole + mechanism.bodies[b].inertia.InFrame(X_WB[b]);
  out.total_mass = whole.mass;
  out.p_WCcm = whole.p_BoBcm;
  return out;
}

void PrintJson(const Inspection& in, const std::optional<GrbdaVerdict>& verdict,
               const Diagnostics& diagnostics) {
  const Coordinates& c = in.coordinates;
  nlohmann::ordered_json json = {{"name", in.name},
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
                                 {"independent_ok", c.independent_ok}};
  json["aggregate_links"] = in.aggregates;
  json["aggregate_parents"] = nlohmann::ordered_json::array();
  for (const auto& parent : in.parents)
    json["aggregate_parents"].push_back(parent ? nlohmann::ordered_json(*parent)
                                               : nlohmann::ordered_json());
  json["total_mass"] = in.total_mass;
  json["center_of_mass"] = {in.p_WCcm.x(), in.p_WCcm.y(), in.p_WCcm.z()};
  json["open_at_zero"] = c.open_at_zero;
  json["residual_at_zero"] = c.residual_at_zero;
  json["singular_at_zero"] = c.singular_at_zero;
  json["assembles"] = c.assembles;
  json["independent_at_fault"] = c.at_fault;
  json["redundant_rows"] = c.redundant;
  json["idle"] = c.idle;
  json["idle_joints"] = c.idle_joints;
  json["independent"] = in.independent;
  json["dependent"] = in.dependent;
  json["independent_chosen"] = !c.declared || !c.independent_ok;
  json["closures"] = nlohmann::ordered_json::array();
  for (const Closure& closure : in.closures) {
    json["closures"].push_back({{"links", closure.links},
                                {"mobility", closure.mobility},
                                {"closure", Name(closure.description.nature)},
                                {"detail", closure.description.detail}});
    auto& dead_centres = json["closures"].back()["dead_centres"] = nlohmann::ordered_json::array();
    for (const DeadCentre& dead : closure.dead_centres) {
      nlohmann::ordered_json stands;
      if (dead.stands >= 0) stands = in.coordinate_names[static_cast<std::size_t>(dead.stands)];
      dead_centres.push_back(
          {{"joint", in.coordinate_names[static_cast<std::size_t>(dead.velocity)]},
           {"at", dead.at},
           {"stands", stands}});
    }
    if (!closure.comparison) continue;
    json["closures"].back()["compared"] = {{"states", closure.comparison->states},
                                           {"lost", closure.comparison->lost},
                                           {"singular", closure.comparison->singular},
                                           {"position", closure.comparison->position},
                                           {"velocity", closure.comparison->velocity},
                                           {"acceleration", closure.comparison->acceleration},
                                           {"contradiction", closure.comparison->contradiction}};
  }
  json["loop_joints"] = nlohmann::ordered_json::array();
  for (const LoopJoint& loop : in.loop_joints) {
    json["loop_joints"].push_back({{"name", loop.name},
                                   {"type", loop.type},
                                   {"predecessor", loop.predecessor},
                                   {"successor", loop.successor},
                                   {"nca", loop.nca}});
  }
  json["diagnostics"] = nlohmann::ordered_json::array();
  for (const Diagnostic& item : diagnostics.items()) {
    json["diagnostics"].push_back({{"severity", Name(item.severity)},
                                   {"code", item.code},
                                   {"file", item.file},
                                   {"line", item.line},
                                   {"message", item.message}});
  }
  if (verdict) json["grbda"] = GrbdaJson(*verdict);
  std::cout << json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
}

std::string Listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// For people.
std::string Brief(double value) { return FormatNumber(NearDecimal(value, 4)); }

void PrintClosure(const Closure& closure, const std::vector<std::string>& names) {
  std::cout << "  {" << Listed(closure.links) << "}: " << Name(closure.description.nature) << ", "
            << closure.description.detail << "; mobility " << closure.mobility << '\n';
  for (const DeadCentre& dead : closure.dead_centres) {
    std::cout << "    dead centre at " << names[static_cast<std::size_t>(dead.velocity)] << " = "
              << Brief(dead.at) << ": ";
    if (dead.stands >= 0)
      std::cout << names[static_cast<std::size_t>(dead.stands)] << " stands still\n";
    else
      std::cout << "the loops cannot be closed beyond\n";
  }
  if (!closure.comparison) return;
  const ClosureComparison& c = *closure.comparison;
  std::cout << "    against Newton at " << c.states << " closed states: q " << Brief(c.position)
            << ", K G " << Brief(c.velocity) << ", K g - k " << Brief(c.acceleration);
  if (c.contradiction > 1e-10)
    std::cout << ", on redundant rows " << Brief(c.contradiction) << " (digits of the frames)";
  if (c.lost > 0) std::cout << "; " << c.lost << " states were not reached by both";
  if (c.singular > 0) std::cout << "; " << c.singular << " states were singular";
  std::cout << '\n';
}

void PrintText(const Inspection& in) {
  const Coordinates& c = in.coordinates;
  std::cout << in.name << " (" << in.format << "), root " << in.root << '\n'
            << "  " << in.links << " links, " << in.joints << " tree joints, " << in.loops
            << " loop joints, " << in.couplings << " couplings\n"
            << "  mass " << Brief(in.total_mass) << " kg, centre of mass " << Brief(in.p_WCcm.x())
            << ' ' << Brief(in.p_WCcm.y()) << ' ' << Brief(in.p_WCcm.z()) << " m at q = 0\n"
            << "  mobility " << c.mobility << " = " << c.spanning_dof
            << " degrees of freedom of the spanning tree - rank " << c.rank << " of "
            << c.constraint_rows << " constraint rows\n";
  if (c.declared) {
    std::cout << "  independent coordinates: " << c.independent_declared << " declared, "
              << (c.independent_ok ? "which determine the rest"
                                   : "which is WRONG: " + std::to_string(c.mobility) +
                                         " are needed; at fault: " + Listed(c.at_fault))
              << '\n';
  } else if (c.rank > 0) {
    std::cout << "  independent coordinates: none declared\n";
  }
  if (c.rank > 0) {
    std::cout << (c.declared && c.independent_ok ? "  independent: " : "  independent would be: ")
              << Listed(in.independent) << "; dependent: " << Listed(in.dependent) << '\n';
  }
  if (!c.assembles)
    std::cout << "  the loops CANNOT be closed: no assembled configuration was found\n";
  if (c.open_at_zero)
    std::cout << "  open at q = 0 by " << Brief(c.residual_at_zero)
              << " (in lengths of the robot and radians)\n";
  if (c.singular_at_zero) std::cout << "  singular at q = 0: the constraints lose rank there\n";
  if (!c.redundant.empty()) std::cout << "  redundant rows: " << Listed(c.redundant) << '\n';
  if (!c.idle.empty())
    std::cout << "  idle (can move while all else stands still): " << Listed(c.idle) << '\n';
  if (!c.idle_joints.empty())
    std::cout << "  idle joints (no loop or coupling feels them): " << Listed(c.idle_joints)
              << '\n';
  std::cout << "aggregate links\n";
  for (std::size_t a = 0; a < in.aggregates.size(); ++a) {
    std::cout << "  [" << a << "] {" << Listed(in.aggregates[a]) << "}";
    if (in.parents[a]) std::cout << " on [" << *in.parents[a] << ']';
    std::cout << '\n';
  }
  if (!in.closures.empty()) std::cout << "closures\n";
  for (const Closure& closure : in.closures) PrintClosure(closure, in.coordinate_names);
  if (!in.loop_joints.empty()) std::cout << "loop joints\n";
  for (const LoopJoint& loop : in.loop_joints) {
    std::cout << "  " << loop.name << ": " << loop.type << " from " << loop.predecessor << " to "
              << loop.successor << ", nearest common ancestor " << loop.nca << '\n';
  }
  for (const std::string& reason : in.cut_reasons) std::cout << "  " << reason << '\n';
}

// What IN becomes in the target: written in memory and read back, so that it is the file that is
// looked at.
std::optional<Model> AsTarget(const Model& source, const ConversionOptions& request,
                              Diagnostics& diagnostics) {
  const ConvertOptions options = OptionsFor(request, source);
  const std::optional<Converted> converted = Convert(source, options, diagnostics);
  if (!converted) return std::nullopt;
  const FileResolver resolver = ResolverFor(request.input);
  ReadOptions read;
  read.file_name = request.input.path;
  read.resolver = &resolver;
  Diagnostics reading;
  std::optional<Model> model = ReadModel(converted->text, options.target.format, read, reading);
  if (model && !AddWrittenSideCars(*model, converted->side_files, reading)) model.reset();
  if (!model) diagnostics.Append(reading);
  return model;
}

std::optional<Inspection> Look(const ConversionOptions& request, bool compare_closures,
                               Model& looked_at, Diagnostics& diagnostics) {
  std::optional<Model> model = LoadModel(request.input, diagnostics);
  if (model && !request.to.empty()) {
    model = AsTarget(*model, request, diagnostics);
  } else if (model && !request.independent.empty()) {
    if (!DeclareIndependent(*model, request.independent, diagnostics)) return std::nullopt;
  }
  if (!model) return std::nullopt;
  SpanningTreeOptions options;
  if (request.to.empty()) options.cut = request.cut;
  const SpanningTree tree = ChooseSpanningTree(*model, options, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  looked_at = std::move(*model);
  return Inspect(looked_at, tree, BuildLoopAggregatedConnectivityGraph(looked_at, tree),
                 compare_closures);
}

}  // namespace

void AddInspect(CLI::App& app, Command& run) {
  CLI::App* command = app.add_subcommand(
      "inspect", "say what the model is: links, joints, loops, aggregate links, rank and mobility");
  auto request = std::make_shared<ConversionOptions>();
  auto json = std::make_shared<bool>(false);
  AddInputOptions(*command, request->input);
  command->add_flag("--json", *json, "as one JSON object");
  auto closures = std::make_shared<bool>(false);
  command->add_flag("--closures", *closures,
                    "compare the closed forms with Newton at random closed states");
  command->add_option("--to", request->to,
                      "look at what this format would get: its cuts, its independent coordinates");
  AddChoiceOptions(*command, *request);
  auto consumer = std::make_shared<std::string>();
  command
      ->add_option("--for", *consumer, "also say whether this library loads it, cluster by cluster")
      ->check(CLI::IsMember({"grbda"}));
  command->callback([request, json, closures, consumer, &run] {
    run = [request, json, closures, consumer] {
      Diagnostics diagnostics;
      Model model;
      const std::optional<Inspection> inspection = Look(*request, *closures, model, diagnostics);
      PrintDiagnostics(diagnostics, request->input);
      if (!inspection) return kBadInput;
      std::optional<GrbdaVerdict> verdict;
      if (!consumer->empty()) verdict = LintForGrbda(model);
      if (*json) {
        PrintJson(*inspection, verdict, diagnostics);
      } else {
        PrintText(*inspection);
        if (verdict) std::cout << GrbdaText(*verdict);
      }
      std::cout << std::flush;
      return kDone;
    };
  });
}

}  // namespace kinemorph::tools
