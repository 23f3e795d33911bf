#include "lower/natures.h"

#include <algorithm>
#include <unordered_map>

#include "edit/actuation.h"
#include "edit/model_edit.h"
#include "kinemorph/graph/mechanics/coordinates.h"
#include "kinemorph/graph/mechanics/mechanism.h"
#include "lower/passes.h"

namespace kinemorph {

namespace {

// Which coordinates of a closed mechanism are independent is said by the author, asked for
// (--independent), or chosen; formats want it of every joint (MBS), of some (URDF+) or not at all.
// What was asked for is written into the model before the passes; what is left is chosen by
// AnalyseCoordinates, with the drives of the source, at the end, when loops are what they will be.
// A word of the author that is not kept is a loss.
bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string List(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "'" : ", '") + name + "'";
  return text.empty() ? "none" : text;
}

bool HasConstraints(const Model& model, const SpanningTree& tree) {
  return !tree.loop_joints.empty() || !model.couplings.empty();
}

// By joint: it mimics another, so that it is dependent where nobody says otherwise.
std::vector<bool> Followers(const Model& model) {
  std::vector<bool> follows(model.num_joints(), false);
  for (const Coupling& coupling : model.couplings) {
    if (coupling.form == CouplingForm::kMimic && !coupling.terms.empty())
      follows[Index(coupling.terms.front().coordinate.joint)] = true;
  }
  return follows;
}

// The joint of each velocity.
std::vector<JointId> JointsByVelocity(const Mechanism& mechanism) {
  std::vector<JointId> joint_of(static_cast<std::size_t>(mechanism.nv), kNoJoint);
  for (const Body& body : mechanism.bodies)
    for (int i = 0; i < body.nv; ++i) joint_of[static_cast<std::size_t>(body.v + i)] = body.joint;
  return joint_of;
}

// False, with an error that says why, where an aggregate cannot be described by all the coordinates
// that were asked for.
bool AskedArePossible(const Model& model, const Mechanism& mechanism,
                      const Coordinates& coordinates, PassContext& context) {
  const std::vector<JointId> joint_of = JointsByVelocity(mechanism);
  bool possible = true;
  for (std::size_t a = 0; a < coordinates.aggregates.size(); ++a) {
    const AggregateCoordinates& c = coordinates.aggregates[a];
    std::vector<std::string> asked, refused;
    SourceLocation where;
    for (int column = 0; column < c.nv; ++column) {
      // A column that was declared independent and is dependent all the same was refused: the
      // others do not determine it.
      const JointId id = joint_of[static_cast<std::size_t>(
          mechanism.aggregates[a].velocity[static_cast<std::size_t>(column)])];
      if (id == kNoJoint || !model.joint(id).independent.value_or(false)) continue;
      asked.push_back(model.joint(id).name);
      if (!std::binary_search(c.dependent.begin(), c.dependent.end(), column)) continue;
      refused.push_back(model.joint(id).name);
      where = model.joint(id).where;
    }
    if (refused.empty()) continue;
    possible = false;
    context.Report(
        Severity::kError, model, where, "independent-impossible",
        "joints " + List(asked) + ": cannot all be independent: their constraints have rank " +
            std::to_string(c.rank) + ", those of the other " +
            std::to_string(c.nv - static_cast<int>(asked.size())) + " coordinates only rank " +
            std::to_string(c.rank - static_cast<int>(refused.size())) + "; " + List(refused) +
            " must follow (" + std::to_string(c.mobility) + " can be independent here)");
  }
  return possible;
}

// What was asked for stands in the model: nothing else is declared, so that the rest is chosen.
void DeclareAsked(Model& model, const ConvertOptions& options, bool forget_others) {
  for (const JointId id : Joints(model)) {
    Joint& joint = model.joint(id);
    const bool asked = Contains(options.independent, joint.name);
    if (asked && NumVelocities(joint.kind) > 0) joint.independent = true;
    if (!asked && forget_others) joint.independent.reset();
  }
}

// By joint: some of its loops have declarations, also of a joint that closes one since. Beside
// those, saying nothing means independent.
std::vector<bool> AmongDeclared(const Model& model, const Mechanism& mechanism,
                                const std::vector<JointId>& joint_of) {
  std::vector<bool> declared(model.num_joints(), false);
  for (const Aggregate& aggregate : mechanism.aggregates) {
    const auto joint = [&](int v) { return joint_of[static_cast<std::size_t>(v)]; };
    const auto declares = [&](JointId id) {
      return id != kNoJoint && model.joint(id).independent.has_value();
    };
    const bool any =
        std::ranges::any_of(aggregate.velocity, [&](int v) { return declares(joint(v)); }) ||
        std::ranges::any_of(aggregate.loops,
                            [&](const LoopConstraint& loop) { return declares(loop.joint); });
    for (const int v : aggregate.velocity)
      if (joint(v) != kNoJoint) declared[Index(joint(v))] = any;
  }
  return declared;
}

}  // namespace

void AskIndependent::operator()(Model& model, PassContext& context) const {
  if (context.options.independent.empty()) return;
  bool declares = false;
  for (const JointId id : Joints(model)) declares = declares || model.joint(id).independent;
  std::vector<bool> among(model.num_joints(), false);
  if (declares) {
    const Mechanism mechanism = CompileAsDriven(model, context);
    among = AmongDeclared(model, mechanism, JointsByVelocity(mechanism));
  }
  const std::vector<bool> follows = Followers(model);
  for (const JointId id : Joints(model)) {
    std::optional<bool> word = model.joint(id).independent;
    if (!word && among[Index(id)] && !follows[Index(id)]) word = true;
    context.declared.emplace(model.joint(id).where.origin, word);
  }
  DeclareAsked(model, context.options, forgets_others);
}

namespace {

// A joint that the target has under another name, or in other joints, or not at all.
bool WasOfSource(const std::string& name, const LossReport& report) {
  const auto told = [&](const auto& entry) { return entry.subject.joint == name; };
  return std::any_of(report.names.begin(), report.names.end(),
                     [&](const NameChange& change) { return change.from == name; }) ||
         std::any_of(report.lowerings.begin(), report.lowerings.end(), told) ||
         std::any_of(report.losses.begin(), report.losses.end(), told);
}

// Names that neither the source nor the target has, and joints that have no coordinate of their
// own.
bool KnowAsked(const Model& model, PassContext& context) {
  const SpanningTree tree = TreeOf(model);
  bool known = true;
  for (const std::string& name : context.options.independent) {
    // Names of the source: a joint may have been renamed, split or lost since, and then it was
    // known.
    const std::optional<JointId> id = model.FindJoint(name);
    std::string why, nearest;
    if (!id && !WasOfSource(name, context.report)) {
      std::vector<std::string> names;
      for (const JointId each : Joints(model)) names.push_back(model.joint(each).name);
      nearest = NearestName(name, names);
      why = "the model has no joint of this name";
    } else if (id && tree.IsLoop(*id)) {
      why = "a loop joint has no coordinate of its own (--cut JOINT cuts the loop elsewhere)";
    } else if (id && NumVelocities(model.joint(*id).kind) == 0) {
      why = "it is fixed";
    }
    if (why.empty()) continue;
    known = false;
    Diagnostic& d = context.Report(
        Severity::kError, model, id ? model.joint(*id).where : SourceLocation{0, 1},
        "independent-unknown", {"joint", name, "--independent names this joint, but " + why});
    d.suggestion = nearest;
  }
  return known;
}

}  // namespace

bool ChoosesNatures(const Model& model, const Coordinates& coordinates, Natures natures,
                    const PassContext& context) {
  if (natures == Natures::kNever || !HasConstraints(model, TreeOf(model))) return false;
  if (natures == Natures::kAlways || !context.options.independent.empty()) return true;
  // A declaration of the author stands; what nothing constrains is nobody's business.
  bool declared = false, wrong = false;
  for (const JointId id : Joints(model))
    declared = declared || model.joint(id).independent.has_value();
  for (const AggregateCoordinates& c : coordinates.aggregates)
    wrong = wrong || (c.rows > 0 && !c.declared_ok);
  return !declared || wrong;
}

std::vector<bool> DependentCoordinates(const Model& model, const Mechanism& mechanism,
                                       const Coordinates& coordinates) {
  const std::vector<bool> follows = Followers(model);
  const std::vector<JointId> joint_of = JointsByVelocity(mechanism);
  std::vector<bool> dependent(joint_of.size(), false);
  for (std::size_t a = 0; a < coordinates.aggregates.size(); ++a) {
    const AggregateCoordinates& c = coordinates.aggregates[a];
    // Where too few are declared independent, and where nothing constrains a dependent coordinate,
    // user code may: the author's words stand. Formats without such code say what they mean.
    const bool too_few = c.declared && !c.declared_ok && c.rank_dependent == c.rank &&
                         model.unsaid == UnsaidIndependence::kNothing;
    std::vector<bool> is_chosen(static_cast<std::size_t>(c.nv), false);
    for (const int column : c.dependent) is_chosen[static_cast<std::size_t>(column)] = true;
    const std::vector<int>& velocity = mechanism.aggregates[a].velocity;
    for (std::size_t column = 0; column < velocity.size(); ++column) {
      const auto v = static_cast<std::size_t>(velocity[column]);
      const JointId id = joint_of[v];
      if (id == kNoJoint) continue;
      // Said of this joint, where nothing forces another answer: a follower of a mimic is dependent
      // by its form.
      const bool said = !model.joint(id).independent.value_or(!follows[Index(id)]);
      dependent[v] = too_few || c.rows == 0 ? said : is_chosen[column];
    }
  }
  return dependent;
}

namespace {

// What the author said of joints, and what of it is not written.
struct Declarations {
  Model& model;
  PassContext& context;
  const bool asked;  ///< others were asked for since

  Declarations(Model& given, PassContext& pass)
      : model(given), context(pass), asked(!pass.options.independent.empty()) {}

  // Of a joint, or of one that it is a part of.
  [[nodiscard]] std::optional<bool> Of(const Joint& joint) const {
    const auto source = context.declared.find(joint.where.origin);
    return source == context.declared.end() ? joint.independent : source->second;
  }

  void Lose(const Joint& joint, bool independent) {
    Loss& loss =
        context.Lose(model, Feature::kIndependent, SubjectOf(joint),
                     independent ? "declared dependent, written as independent"
                                 : "declared independent, written as dependent",
                     asked ? "others were asked for"
                           : "the coordinates declared independent do not determine the others");
    loss.source = independent ? "dependent" : "independent";
    loss.target = independent ? "independent" : "dependent";
    loss.asked = asked;
  }

  void LoseOfLoop(const Joint& joint) {
    const std::string was = *Of(joint) ? "independent" : "dependent";
    Loss& loss = context.Lose(model, Feature::kIndependent, SubjectOf(joint),
                              "declared " + was + ", which is not written: the joint closes a loop",
                              "the coordinates of a loop joint are not coordinates of the robot");
    loss.source = was;
    loss.asked = true;
  }
};

void DeclareTree(Declarations& said) {
  for (const JointId id : Joints(said.model)) {
    Joint& joint = said.model.joint(id);
    if (NumVelocities(joint.kind) == 0 || joint.independent) continue;
    // Nothing constrains the coordinates here: a dependent one would follow nothing.
    if (!said.Of(joint).value_or(true)) said.Lose(joint, true);
    joint.independent = true;
  }
}

void DeclareLoops(Declarations& said, const SpanningTree& tree, const Mechanism& mechanism,
                  const Coordinates& coordinates) {
  Model& model = said.model;
  // A joint is dependent as soon as one of its coordinates is.
  std::vector<bool> dependent(model.num_joints(), false);
  const std::vector<JointId> joint_of = JointsByVelocity(mechanism);
  const std::vector<bool> by_velocity = DependentCoordinates(model, mechanism, coordinates);
  for (std::size_t v = 0; v < joint_of.size(); ++v)
    if (by_velocity[v]) dependent[Index(joint_of[v])] = true;
  const std::vector<bool> follows = Followers(model),
                          declared = AmongDeclared(model, mechanism, joint_of);
  for (const JointId id : Joints(model)) {
    Joint& joint = model.joint(id);
    const std::optional<bool> word = said.Of(joint);
    if (tree.IsLoop(id) || NumVelocities(joint.kind) == 0) continue;

    // Joints that passes made have no author; neither has one of which nothing is said in a loop
    // without declarations, or that was a loop joint.
    const bool made = joint.implicit || model.link(model.predecessor(id)).synthetic ||
                      model.link(model.successor(id)).synthetic ||
                      said.context.authored_loops.contains(joint.where.origin);
    const bool counts =
        word || (declared[Index(id)] && !said.asked && !made && !follows[Index(id)]);
    if (counts && word.value_or(true) == dependent[Index(id)])
      said.Lose(joint, !dependent[Index(id)]);
    joint.independent = !dependent[Index(id)];
  }
}

// Why a coordinate is independent, where nobody declares it.
std::string_view ReasonFor(Actuation actuation) {
  switch (actuation) {
    case Actuation::kDriven:
    case Actuation::kDrivenFollower:
      return "driven";
    case Actuation::kLimited:
      return "with an effort limit";
    case Actuation::kBase:
      return "the base";
    case Actuation::kUnsaid:
    case Actuation::kIdle:
    case Actuation::kFollows:
      break;
  }
  return "no drive determines it";
}

void GiveReasons(const Model& model, const Mechanism& mechanism, const Coordinates& coordinates,
                 PassContext& context) {
  const std::vector<JointId> joint_of = JointsByVelocity(mechanism);
  for (std::size_t a = 0; a < coordinates.aggregates.size(); ++a) {
    const AggregateCoordinates& c = coordinates.aggregates[a];
    // Where the author declares coordinates, those are the reason.
    if (c.rows == 0 || c.declared) continue;
    context.natures_chosen = true;
    for (const int column : c.independent) {
      const auto v = static_cast<std::size_t>(
          mechanism.aggregates[a].velocity[static_cast<std::size_t>(column)]);
      if (joint_of[v] != kNoJoint)
        context.choice_reasons[model.joint(joint_of[v]).where.origin] =
            ReasonFor(mechanism.actuation[v]);
    }
  }
}

}  // namespace

void DeclareNatures::operator()(Model& model, PassContext& context) const {
  const bool asked = !context.options.independent.empty();
  if (asked && !KnowAsked(model, context)) return;
  if (natures == Natures::kNever) {
    if (!asked) return;
    // Nothing is declared in the file, yet what is impossible is not passed over.
    Model trial = model;
    DeclareAsked(trial, context.options, true);
    const Mechanism mechanism = CompileAsDriven(trial, context);
    (void)AskedArePossible(trial, mechanism, AnalyseCoordinates(mechanism), context);
    return;
  }
  Declarations said(model, context);
  const SpanningTree tree = TreeOf(model);
  if (!HasConstraints(model, tree)) {
    if (natures == Natures::kAlways || asked) DeclareTree(said);
    return;
  }
  // The coordinates of a loop joint are dependent, whoever says so.
  for (const JointId id : tree.loop_joints)
    if (const auto word = said.Of(model.joint(id)); word && (asked || *word))
      said.LoseOfLoop(model.joint(id));
  // Again, as passes may have put other joints in the place of those.
  if (asked) DeclareAsked(model, context.options, false);
  const Mechanism mechanism = CompileAsDriven(model, context);
  const Coordinates coordinates = AnalyseCoordinates(mechanism);
  if (asked && !AskedArePossible(model, mechanism, coordinates, context)) return;
  if (!ChoosesNatures(model, coordinates, natures, context)) return;
  GiveReasons(model, mechanism, coordinates, context);
  DeclareLoops(said, tree, mechanism, coordinates);
}

namespace {

// "'hip', 'knee' (driven), 'slide' (with an effort limit)": neighbours share a reason.
std::string ListWithReasons(const Model& model, const std::vector<std::string>& names,
                            const PassContext& context) {
  // Reasons are kept by the place in the source; names are those of the target by now.
  std::unordered_map<std::string_view, std::string_view> reason_of;
  for (const JointId id : Joints(model)) {
    const Joint& joint = model.joint(id);
    const auto reason = context.choice_reasons.find(joint.where.origin);
    if (reason != context.choice_reasons.end()) reason_of.emplace(joint.name, reason->second);
  }
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string_view reason = reason_of[names[i]];
    text += (i == 0 ? "'" : ", '") + names[i] + "'";
    if (i + 1 < names.size() && reason_of[names[i + 1]] == reason) continue;
    text += " (" + std::string(reason.empty() ? "unconstrained" : reason) + ")";
  }
  return text.empty() ? "none" : text;
}

}  // namespace

void TellCoordinates::operator()(Model& model, PassContext& context) const {
  const SpanningTree tree = TreeOf(model);
  if (!HasConstraints(model, tree)) return;
  CoordinatesReport& told = context.report.coordinates;
  for (const JointId id : Joints(model)) {
    const Joint& joint = model.joint(id);
    if (!tree.IsLoop(id)) {
      if (joint.independent && NumVelocities(joint.kind) > 0)
        (*joint.independent ? told.independent : told.dependent).push_back(joint.name);
      continue;
    }
    told.loop_joints.push_back(joint.name);
    // A loop joint of the author's is no choice of ours, and in targets that are graphs nobody sees
    // one.
    if (cut_is_unseen || context.authored_loops.contains(joint.where.origin)) continue;
    const auto reason = context.cut_reasons.find(joint.where.origin);
    context.Report(Severity::kNote, model, joint.where, "cut-chosen",
                   Quoted("joint", joint.name) + " closes a loop and becomes the loop joint" +
                       (reason == context.cut_reasons.end() ? "" : ": " + reason->second) +
                       " (--cut JOINT chooses another)");
  }
  if (!context.natures_chosen) return;
  context.Report(
      Severity::kNote, model, {}, "natures-chosen",
      {"model", model.name,
       "kinemorph chose " + ListWithReasons(model, told.independent, context) + ", dependent are " +
           List(told.dependent) +
           ", as the source declares no independent coordinates (--independent chooses)"});
}

bool DeclareIndependent(Model& model, const std::vector<std::string>& joints,
                        Diagnostics& diagnostics) {
  ConvertOptions options;
  options.independent = joints;
  LossReport report;
  PassContext context(options, report, diagnostics);
  // As the passes do it, on a model that no target changes.
  AskIndependent{}(model, context);
  if (!KnowAsked(model, context)) return false;
  const Mechanism mechanism = Compile(model);
  const Coordinates coordinates = AnalyseCoordinates(mechanism);
  if (!AskedArePossible(model, mechanism, coordinates, context)) return false;
  const std::vector<JointId> joint_of = JointsByVelocity(mechanism);
  for (const JointId id : joint_of)
    if (id != kNoJoint) model.joint(id).independent = true;
  for (std::size_t a = 0; a < coordinates.aggregates.size(); ++a) {
    for (const int column : coordinates.aggregates[a].dependent)
      model
          .joint(joint_of[static_cast<std::size_t>(
              mechanism.aggregates[a].velocity[static_cast<std::size_t>(column)])])
          .independent = false;
  }
  return true;
}

}  // namespace kinemorph
