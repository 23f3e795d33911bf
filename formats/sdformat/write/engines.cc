// What the engines of Gazebo make of a file: gz sim's own (DART) builds trees, and knows neither
// gearboxes nor mimics; Gazebo Classic simulates loops, and gearboxes whose axes are parallel (of
// others it swaps the axes), and reads SDFormat up to 1.7.
#include <algorithm>
#include <optional>

#include "kinemorph/formats/gazebo_blocks.h"
#include "kinemorph/graph/base/disjoint_sets.h"
#include "kinemorph/graph/model/subject.h"
#include "write/plan.h"

namespace kinemorph::sdformat {
namespace {

constexpr const char* kWelds = "--loops detachable writes welds, which gz sim makes";
constexpr const char* kForClassic = "--to sdf@1.7 writes a file that Gazebo Classic reads";
constexpr const char* kFeatherstone =
    "gz sim --physics-engine gz-physics-bullet-featherstone-plugin obeys mimics of hinges and "
    "slides";
constexpr double kParallel = 1e-6;  // sine of the angle between axes
constexpr const char* kMimicInstead = "--to sdf@1.11 writes a mimic instead";

// Notes only: the file is legal, and what an engine leaves out is no loss of the conversion. Each
// kind is told once, with names, and with the option that writes what the engine does obey.
class Engines {
 public:
  Engines(const WritePlan& plan, Diagnostics& diagnostics)
      : plan_(plan), model_(plan.model()), diagnostics_(diagnostics) {}

  void Tell() {
    FindJoints();
    FindCouplings();
    FindSelfCollision();
    // Up to 1.7 Gazebo Classic reads the file as it is.
    const bool for_classic = plan_.version() <= Version{1, 7};
    std::vector<std::string> loops_help = {kWelds};
    if (!for_classic) loops_help.emplace_back(kForClassic);
    Say("gazebo-drops-loops", loops_, "joint",
        "closes a loop; the default engine of gz sim (DART) leaves the joint out, Gazebo Classic "
        "simulates the loop",
        "close loops; the default engine of gz sim (DART) leaves the joints out, Gazebo Classic "
        "simulates the loops",
        loops_help);
    Say("gazebo-drops-revolute2", fixed_, "joint", "gz sim makes a fixed joint of revolute2",
        "gz sim makes fixed joints of revolute2", {});
    Say("gazebo-drops-gearboxes", gearboxes_, "gearbox",
        "gz sim leaves a gearbox out, Gazebo Classic simulates it",
        "gz sim leaves gearboxes out, Gazebo Classic simulates them", Instead());
    Say("gazebo-drops-gearboxes", crossed_, "gearbox",
        "gz sim leaves a gearbox out, and Gazebo Classic swaps its axes, which are not parallel",
        "gz sim leaves gearboxes out, and Gazebo Classic swaps their axes, which are not parallel",
        Instead());
    Say("gazebo-drops-mimics", mimics_, "mimic",
        "the default engine of gz sim (DART) does not obey a mimic",
        "the default engine of gz sim (DART) does not obey mimics", {kFeatherstone, kForClassic});
    Say("gazebo-drops-self-collision", touching_, "link",
        "touches others of its model by <self_collide> of the link, which gz sim does not read: it "
        "touches none of them there",
        "touch others of their model by <self_collide> of links, which gz sim does not read: they "
        "touch none of them there",
        {"gz sim reads <self_collide> of the model, and collide_bitmask of shapes"});
    if (plan_.welds() && std::ranges::any_of(plan_.scopes(), [](const PlannedScope& scope) {
          return !scope.welds.empty();
        }))
      diagnostics_.Add(
          {Severity::kNote,
           "gazebo-loops",
           "",
           0,
           "",
           "loops as welds: Gazebo (gz sim) simulates them, Gazebo Classic does not",
           {for_classic ? "without --loops detachable, Gazebo Classic reads the loops"
                        : std::string(kForClassic) + ", without --loops detachable",
            "if a loop opens in gz sim, write <dart><solver><solver_type>pgs</solver_type></solver>"
            "</dart> into the <physics> of the world"}});
  }

 private:
  struct Found {
    std::vector<std::string> names;
    SourceLocation where;  // of the first one
    void Add(const std::string& name, SourceLocation at) {
      if (names.empty()) where = at;
      names.push_back(name);
    }
  };

  // Of joints to one link the engine takes the first in the file, and none that closes a ring.
  void FindJoints() {
    std::vector<bool> has_parent(model_.num_links(), false);
    DisjointSets bodies(model_.num_links());
    // As DART reads the file, in its order: a link has one parent joint, and no ring closes.
    const auto joint = [&](JointId id) {
      const Joint& of = model_.joint(id);
      if (WeldPluginOf(of) != nullptr) return;  // gz sim makes it
      const WrittenJoint& written = plan_.Written(id);
      const std::size_t p = Index(written.parent), s = Index(written.child);
      if (std::holds_alternative<Universal>(of.kind) && of.native_type == "revolute2")
        fixed_.Add(of.name, of.where);
      if (has_parent[s] || !bodies.Unite(p, s))
        loops_.Add(of.name, of.where);
      else
        has_parent[s] = true;
    };
    // Nested models stand before the joints of the model around them.
    for (std::size_t s = plan_.scopes().size(); s-- > 0;)
      for (const JointId id : plan_.scopes()[s].joints) joint(id);
  }

  void FindCouplings() {
    // A gearbox that was made of a mimic can be a mimic again; one of the source's cannot.
    for (const PlannedScope& scope : plan_.scopes())
      for (const std::size_t c : scope.gearboxes) {
        const Coupling& gearbox = model_.couplings[c];
        (HasParallelAxes(gearbox) ? gearboxes_ : crossed_).Add(gearbox.name, gearbox.where);
        made_gearbox_ = made_gearbox_ || gearbox.native_type != "gearbox";
      }
    for (const Coupling& coupling : model_.couplings)
      if (coupling.form == CouplingForm::kMimic) mimics_.Add(coupling.name, coupling.where);
  }

  void FindSelfCollision() {
    for (const PlannedScope& scope : plan_.scopes()) {
      const bool whole = Index(scope.id) < model_.scopes.size() &&
                         model_.scopes[Index(scope.id)].self_collide.value_or(false);
      for (const LinkId id : scope.links)
        if (const Link& link = model_.link(id); !whole && link.self_collide.value_or(false))
          touching_.Add(link.name, link.where);
    }
  }

  // Of terms without an axis (of balls, of no joint) nothing is said.
  [[nodiscard]] bool HasParallelAxes(const Coupling& gearbox) const {
    std::optional<Vector3> first_W;
    for (const CouplingTerm& term : gearbox.terms) {
      if (term.coordinate.joint == kNoJoint) continue;
      const Joint& joint = model_.joint(term.coordinate.joint);
      const std::vector<Vector3> axes = AxesOf(joint.kind);
      const auto i = static_cast<std::size_t>(term.coordinate.axis);
      if (i >= axes.size()) continue;
      const Matrix3& R_WS = plan_.PoseOf(model_.successor(term.coordinate.joint)).R;
      const Vector3 axis_W = R_WS * (joint.X_SM.R * axes[i]);
      if (!first_W) first_W = axis_W;
      if (axis_W.cross(*first_W).norm() > kParallel) return false;
    }
    return true;
  }

  [[nodiscard]] std::vector<std::string> Instead() const {
    return made_gearbox_ ? std::vector<std::string>{kMimicInstead} : std::vector<std::string>{};
  }

  void Say(const char* code, const Found& found, const std::string& kind, const std::string& of_one,
           const std::string& of_several, const std::vector<std::string>& help) {
    if (found.names.empty()) return;
    const bool one = found.names.size() == 1;
    std::string names;
    for (const std::string& name : found.names)
      names += (names.empty() ? " '" : ", '") + name + "'";
    diagnostics_
        .Add(MessageAt(model_, found.where, Severity::kNote, code,
                       {kind +
                            (one                 ? ""
                             : kind == "gearbox" ? "es"
                                                 : "s") +
                            names,
                        one ? of_one : of_several}))
        .notes = help;
  }

  const WritePlan& plan_;
  const Model& model_;
  Diagnostics& diagnostics_;
  Found loops_, fixed_, gearboxes_, crossed_, mimics_, touching_;
  bool made_gearbox_ = false;
};

}  // namespace

void TellEngines(const WritePlan& plan, Diagnostics& diagnostics) {
  if (!plan.drake()) Engines(plan, diagnostics).Tell();
}

}  // namespace kinemorph::sdformat
