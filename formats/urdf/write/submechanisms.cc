#include "write/submechanisms.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/base/printable.h"
#include "kinemorph/graph/connectivity/lacg.h"
#include "kinemorph/graph/model/actuation.h"
#include "read/submechanism_loops.h"
#include "urdf.h"
#include "write/writer.h"
#include "write/yaml_text.h"

namespace kinemorph::urdf_format {
namespace {

constexpr double kAtOrigin = 1e-12;      // m
constexpr double kExactlyPlanar = 1e-9;  // rad: exact but for round-off

// submechanisms.yml divides the joints of the spanning tree into parts in an order of parents
// first: each aggregate with loops or couplings is a part, with a URDF of its own beside it, and
// chains of single joints between them are parts of type "RRP...". A loop is a cut joint, two
// bodies, and rows of its constraint in the axes of the predecessor body's side.

// x, y with z = `axis`, right-handed; coordinate axes where `axis` is one.
Matrix3 FrameAbout(const Vector3& axis) {
  Matrix3 R;
  for (int i = 0; i < 3; ++i) {
    // Rows of plain zeros and ones where that can be: people read and edit these files.
    if (std::abs(axis[i]) != 1) continue;
    const Vector3 u = Vector3::Unit((i + 1) % 3), v = Vector3::Unit((i + 2) % 3);
    R.col(0) = axis[i] > 0 ? u : v;
    R.col(1) = axis[i] > 0 ? v : u;
    R.col(2) = axis;
    return R;
  }
  return RotationWithZ(axis);
}

Vector6 Turn(const Vector3& axis) {
  Vector6 row = Vector6::Zero();
  row.head<3>() = axis;
  return row;
}
Vector6 Slide(const Vector3& axis) {
  Vector6 row = Vector6::Zero();
  row.tail<3>() = axis;
  return row;
}

// One entry of the list.
struct Part {
  std::vector<JointId> joints;               // with coordinates, parents first
  LinkId tip = kNoLink;                      // of a chain: where it may go on
  const AggregateLink* aggregate = nullptr;  // with loops or couplings
};

class FilesWriter {
 public:
  FilesWriter(const Model& model, const std::string& stem, Diagnostics& diagnostics)
      : model_(model),
        stem_(stem),
        diagnostics_(diagnostics),
        tree_(ChooseSpanningTree(model)),
        lacg_(BuildLoopAggregatedConnectivityGraph(model, tree_)),
        links_(BuildLinkTree(model)),
        X_WL_(ZeroPoses(model, links_)),
        actuations_(model) {}

  std::vector<SideFile> Run() && {
    FindParts();
    text_ = std::string(kLoopsMark) + Printable(stem_) + ".urdf, for HyRoDyn.\nsubmechanisms:\n";
    std::vector<SideFile> parts;
    for (const Part& part : parts_) WritePart(part, parts);
    if (parts_.empty()) {
      Say(Severity::kError, "hyrodyn-no-joints",
          "has no joints, and submechanisms.yml must list some");
      return {};
    }
    if (drives_chosen_)
      Say(Severity::kNote, "hyrodyn-active-chosen",
          "no drive is on the joints of some parts; their independent joints are written as the "
          "active ones");
    std::vector<SideFile> files{{stem_ + ".yml", std::move(text_), SideFileKind::kLoops}};
    for (SideFile& part : parts) files.push_back(std::move(part));
    return files;
  }

 private:
  void Say(Severity severity, const char* code, const std::string& what) {
    diagnostics_.Add(MakeDiagnostic(severity, code, "", 0, "", {"model", model_.name, what}));
  }

  void FindParts() {
    std::vector<bool> done(lacg_.aggregates.size(), false);
    for (const LinkId link : tree_.order) {
      const std::size_t a = lacg_.aggregate_of[Index(link)];
      if (link == kWorld || done[a]) continue;
      done[a] = true;
      const AggregateLink& aggregate = lacg_.aggregates[a];
      Part part;
      for (const LinkId each : aggregate.links) {
        const JointId id = tree_.parent_joint[Index(each)];
        if (id == kNoJoint || NumVelocities(model_.joint(id).kind) == 0) continue;
        // HyRoDyn knows joints of one coordinate only; the base floats by a flag of its own.
        if (NumVelocities(model_.joint(id).kind) > 1) {
          Say(Severity::kNote, "hyrodyn-free-flyer",
              "joint '" + model_.joint(id).name +
                  "' frees the base; it is in no part, and a flag of HyRoDyn frees the base");
          continue;
        }
        part.joints.push_back(id);
      }
      if (part.joints.empty()) continue;
      if (!aggregate.loop_joints.empty() || !aggregate.couplings.empty()) {
        part.aggregate = &aggregate;
      } else {
        // A joint without constraints joins the chain that ends at the link it hangs on, if that
        // chain is the last part; a branch begins a new one.
        part.tip = link;
        if (!parts_.empty() && parts_.back().tip != kNoLink &&
            parts_.back().tip == aggregate.parent_link) {
          parts_.back().joints.push_back(part.joints.front());
          parts_.back().tip = link;
          continue;
        }
      }
      parts_.push_back(std::move(part));
    }
  }

  [[nodiscard]] std::string TypeOf(const Part& part) {
    if (part.aggregate == nullptr) {
      std::string type;
      for (const JointId id : part.joints)
        type += std::holds_alternative<Prismatic>(model_.joint(id).kind) ? 'P' : 'R';
      return type;
    }
    // The type tells HyRoDyn how a part closes: numerically by its rows, by a linear transmission,
    // or by joints that mimic.
    bool mimics = false, sums = false;
    for (const std::size_t i : part.aggregate->couplings)
      (model_.couplings[i].form == CouplingForm::kMimic ? mimics : sums) = true;
    const bool loops = !part.aggregate->loop_joints.empty();
    if (loops + mimics + sums > 1)
      Say(Severity::kWarning, "hyrodyn-mixed",
          "the part of joint '" + model_.joint(part.joints.front()).name +
              "' has couplings besides loops; the URDF holds them, but HyRoDyn closes a part in "
              "one way only");
    return loops ? "NUMERICAL" : sums ? "TRANSMISSION" : "PARALLELOGRAMCHAIN";
  }

  void Names(const char* key, const std::vector<JointId>& joints) {
    text_ += std::string("  ") + key + ":" + (joints.empty() ? " []" : "") + "\n";
    for (const JointId id : joints) text_ += "  - " + yaml::Quoted(model_.joint(id).name) + "\n";
  }

  void WritePart(const Part& part, std::vector<SideFile>& files) {
    const std::string& name = model_.joint(part.joints.front()).name;
    text_ += "- contextual_name: " + yaml::Quoted(name) + "\n";
    text_ += "  type: " + TypeOf(part) + "\n";
    // HyRoDyn loads this URDF as the spanning tree of the part.
    if (part.aggregate != nullptr) {
      SideFile file = PartFile(part, files.size() + 1);
      text_ += "  file_path: " + yaml::Quoted(file.name) + "\n";
      files.push_back(std::move(file));
    }
    // What is independent describes the motion, what is active drives it: both sets are of one size
    // in a part that is fully driven, but not always the same joints.
    std::vector<JointId> independent, active;
    for (const JointId id : part.joints) {
      if (model_.joint(id).independent.value_or(true)) independent.push_back(id);
      // A drive on the follower of a mimic works against the mimic.
      if (actuations_.IsDriven(id) && actuations_.Of(id, 0) != Actuation::kFollows)
        active.push_back(id);
    }
    if (active.empty()) {
      active = independent;
      drives_chosen_ = true;
    }
    Names("jointnames_spanningtree", part.joints);
    Names("jointnames_independent", independent);
    Names("jointnames_active", active);
    if (part.aggregate == nullptr || part.aggregate->loop_joints.empty()) return;
    text_ += "  loop_constraints:\n";
    for (const JointId id : part.aggregate->loop_joints) WriteLoop(id);
  }

  // A hinge in a plane is two rows: the others follow, and would be redundant.
  std::vector<Vector6> Rows(JointId id) {
    const Joint& joint = model_.joint(id);
    std::vector<Vector6> rows = RowsOfLoop(joint.kind);
    const auto* hinge = std::get_if<Revolute>(&joint.kind);
    if (hinge == nullptr) return rows;
    const LinkId P = model_.predecessor(id), S = model_.successor(id);
    std::size_t steps = model_.num_joints() + 1;
    const Vector3 axis_W = X_WL_[Index(P)].R * joint.X_PF.R * hinge->axis;
    if (!IsPlanarPath(model_, links_, X_WL_, P, S, axis_W, kExactlyPlanar, steps)) return rows;
    const Matrix3 R = FrameAbout(hinge->axis);
    return {Slide(R.col(0)), Slide(R.col(1))};
  }

  void WriteLoop(JointId id) {
    const Joint& joint = model_.joint(id);
    const LoopFrame frame = *FrameOfLoop(model_, links_, id);
    LinkId P = model_.predecessor(id), S = model_.successor(id);
    const Matrix3& R = frame.at_predecessor ? joint.X_PF.R : joint.X_SM.R;
    if (!frame.at_predecessor) std::swap(P, S);  // its frame is that of the predecessor body
    text_ += "  - cut_joint: " + yaml::Quoted(model_.joint(frame.cut).name) + "\n";
    text_ += "    predecessor_body: " + yaml::Quoted(LinkName(P)) + "\n";
    text_ += "    successor_body: " + yaml::Quoted(LinkName(S)) + "\n";
    text_ += "    constraint_axes:\n";
    constexpr const char* kNames[] = {".rx", ".ry", ".rz", ".tx", ".ty", ".tz"};
    for (const Vector6& row_F : Rows(id)) {
      Vector6 row;
      // From the loop frame to the axes of the body in whose frame the loop stands.
      row.head<3>() = R * row_F.head<3>();
      row.tail<3>() = R * row_F.tail<3>();
      Eigen::Index most = 0;
      // A row is named after its largest entry, behind the name of its loop, by which the reader
      // finds that again.
      (void)row.cwiseAbs().maxCoeff(&most);
      text_ += "    - name: " + yaml::Quoted(joint.name + kNames[most]) + "\n      axis: [";
      for (int i = 0; i < 6; ++i) text_ += (i == 0 ? "" : ", ") + FormatNumber(row[i]);
      text_ += "]\n";
    }
  }

  [[nodiscard]] std::string LinkName(LinkId id) const {
    return id == kWorld ? "world" : model_.link(id).name;
  }

  // The links of the part and the one that it hangs on, without what is only to be seen.
  SideFile PartFile(const Part& part, std::size_t number) {
    Model out;
    out.name = model_.joint(part.joints.front()).name;
    out.files = model_.files;
    std::vector<LinkId> link_of(model_.num_links(), kNoLink);
    std::vector<JointId> joint_of(model_.num_joints(), kNoJoint);
    // Names stay those of the whole robot: HyRoDyn matches joints by them.
    link_of[Index(kWorld)] = kWorld;
    const auto add = [&](LinkId id) {
      if (id == kNoLink || id == kWorld) return;
      Link link;
      link.name = model_.link(id).name;
      link.inertial = model_.link(id).inertial;
      if (link.inertial) link.inertial->native.clear();
      link_of[Index(id)] = out.AddLink(std::move(link));
    };
    add(part.aggregate->parent_link);
    for (const LinkId id : part.aggregate->links) add(id);
    for (const LinkId id : part.aggregate->links) {
      const JointId parent = tree_.parent_joint[Index(id)];
      if (parent == kNoJoint) continue;
      // Plain URDF has no declarations; the YAML file holds them.
      Joint joint = model_.joint(parent);
      joint.independent.reset();
      joint.native.clear();
      joint.role = JointRole::kTree;
      joint_of[Index(parent)] = out.AddJoint(link_of[Index(model_.predecessor(parent))],
                                             link_of[Index(id)], std::move(joint));
    }
    for (const std::size_t i : part.aggregate->couplings) {
      Coupling coupling = model_.couplings[i];
      for (CouplingTerm& term : coupling.terms)
        term.coordinate.joint = joint_of[Index(term.coordinate.joint)];
      if (coupling.form == CouplingForm::kTendon) coupling.native_type = kLinearTransmission;
      out.couplings.push_back(std::move(coupling));
    }
    const WriteOptions plain;
    return {stem_ + ".part" + std::to_string(number) + ".urdf",
            RobotWriter(out, plain, false, diagnostics_).Write(), SideFileKind::kSideCar};
  }

  const Model& model_;
  const std::string& stem_;
  Diagnostics& diagnostics_;
  const SpanningTree tree_;
  const LoopAggregatedConnectivityGraph lacg_;
  const LinkTree links_;
  const std::vector<RigidTransform> X_WL_;
  Actuations actuations_;
  std::vector<Part> parts_;
  std::string text_;
  bool drives_chosen_ = false;
};

}  // namespace

std::vector<Vector6> RowsOfLoop(const JointKind& kind) {
  const Matrix3 I = Matrix3::Identity();
  std::vector<Vector6> rows;
  const auto turns = [&](const Matrix3& R, int count) {
    for (int i = 0; i < count; ++i) rows.push_back(Turn(R.col(i)));
  };
  const auto slides = [&](const Matrix3& R, int count) {
    for (int i = 0; i < count; ++i) rows.push_back(Slide(R.col(i)));
  };
  // By kind: the turns and slides that are forbidden, turns first. Kinds with a coupling of both,
  // such as a screw, are no set of such rows.
  if (std::holds_alternative<Fixed>(kind)) {
    turns(I, 3), slides(I, 3);
  } else if (std::holds_alternative<Ball>(kind)) {
    slides(I, 3);
  } else if (const auto* hinge = std::get_if<Revolute>(&kind)) {
    turns(FrameAbout(hinge->axis), 2), slides(I, 3);
  } else if (const auto* slide = std::get_if<Prismatic>(&kind)) {
    turns(I, 3), slides(FrameAbout(slide->axis), 2);
  } else if (const auto* both = std::get_if<Cylindrical>(&kind)) {
    turns(FrameAbout(both->axis), 2), slides(FrameAbout(both->axis), 2);
  } else if (const auto* plane = std::get_if<Planar>(&kind)) {
    turns(FrameAbout(plane->normal), 2), rows.push_back(Slide(plane->normal));
  }
  return rows;
}

std::optional<LoopFrame> FrameOfLoop(const Model& model, const LinkTree& tree, JointId loop) {
  const Joint& joint = model.joint(loop);
  const auto leads = [&](LinkId link, const RigidTransform& X) -> std::optional<JointId> {
    const JointId id = tree.parent_joint[Index(link)];
    // Only the origin counts: the axes of the rows may be any in that frame.
    const bool written = id != kNoJoint && !model.joint(id).implicit;
    return written && X.p.norm() <= kAtOrigin ? std::optional(id) : std::nullopt;
  };
  if (const auto cut = leads(model.predecessor(loop), joint.X_PF)) return LoopFrame{*cut, true};
  if (const auto cut = leads(model.successor(loop), joint.X_SM)) return LoopFrame{*cut, false};
  return std::nullopt;
}

std::vector<SideFile> SubmechanismFiles(const Model& model, const std::string& stem,
                                        Diagnostics& diagnostics) {
  return FilesWriter(model, stem, diagnostics).Run();
}

}  // namespace kinemorph::urdf_format
