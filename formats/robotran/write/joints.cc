// Joint chains of bodies, and loop joints as cuts.
#include <algorithm>

#include "rotation_chain.h"
#include "user_data.h"
#include "write/chain_build.h"
#include "write/file_builder.h"
#include "xml_reader.h"

namespace kinemorph::mbs {
namespace {

NativeElement Shown() {
  NativeElement graphics{.name = "graphics"};
  graphics.Add("x3D").Add("shown");
  return graphics;
}

}  // namespace

void FileBuilder::IndexCoordinates() {
  for (std::size_t i = 0; i < model_.actuators.size(); ++i) {
    if (model_.actuators[i].joint != kNoJoint)
      actuators_.emplace(static_cast<std::uint32_t>(model_.actuators[i].joint), i);
  }
  // The first coordinate of a mimic or polynomial follows the others; of the other forms nothing
  // says which does.
  for (const Coupling& coupling : model_.couplings) {
    if (coupling.terms.empty() ||
        (coupling.form != CouplingForm::kMimic && coupling.form != CouplingForm::kPolynomial))
      continue;
    const Coordinate& follower = coupling.terms[0].coordinate;
    followers_.Add(CoordinateName(model_.joint(follower.joint), follower.axis));
  }
}

void FileBuilder::AddTreeChains() {
  for (Body& body : bodies_) {
    body.out.parent = NameOf(body.parent);
    // The same joints with the same frames: their spelling is kept, driven joints and all.
    if (source_.IsSameChain(body.source, body.joints)) {
      const FileBody& before = source_.body(body.source);
      body.out.joints = before.joints;
      body.out.parent_point = AnchorLike(before, body.parent);
    } else {
      BuiltChain chain = BuildChain(body.path, {}, body.out.name + "_weld", joint_names_);
      body.out.joints = std::move(chain.joints);
      Finish(body.joints, body.out.joints);
      const std::string stem = body.path.empty() ? body.out.name : body.path[0]->name;
      body.out.parent_point = PointsOf(body.parent).At(chain.p_PA, stem + "_anchor");
    }
    MarkActuated(body.joints, body.out.joints);
  }
}

std::string FileBuilder::AnchorLike(const FileBody& before, std::size_t parent) {
  return PointsOf(parent).At(source_.PointOf(before.parent, before.parent_point),
                             before.name + "_anchor", &before.parent_point);
}

// The flag stands at the joint its actuator is named after (MBS), or at every joint of the actuated
// one (other formats).
void FileBuilder::MarkActuated(const std::vector<JointId>& ids,
                               std::vector<FileJoint>& joints) const {
  UniqueNames actuated;
  for (const JointId id : ids) {
    // A joint may have several actuators, and in a chain of six only some of the file's joints may
    // be actuated.
    const auto range = actuators_.equal_range(static_cast<std::uint32_t>(id));
    for (auto it = range.first; it != range.second; ++it) {
      const Actuator& actuator = model_.actuators[it->second];
      const std::vector<std::string> names = CoordinateNames(model_.joint(id));
      if (actuator.type == "actuated") actuated.Add(actuator.name);
      if (actuator.type != "actuated" || names.size() == 1)
        for (const std::string& name : names) actuated.Add(name);
    }
  }
  for (FileJoint& joint : joints)
    joint.actuated = joint.nature != Nature::kDriven && actuated.Has(joint.name);
}

// A follower of a coupling is dependent where nobody says otherwise; initial velocities and joint
// forces of the source stay.
void FileBuilder::Finish(const std::vector<JointId>& ids, std::vector<FileJoint>& joints) const {
  std::unordered_map<std::string, FileJoint*> by_name;
  for (FileJoint& joint : joints) by_name.emplace(joint.name, &joint);
  for (const JointId id : ids) {
    const Joint& joint = model_.joint(id);
    for (const std::string& name : CoordinateNames(joint)) {
      const auto found = by_name.find(name);
      if (found != by_name.end() && followers_.Has(name) && !joint.independent)
        found->second->nature = Nature::kDependent;
    }
    ApplyNative(joint, by_name);
  }
}

void FileBuilder::ApplyNative(const Joint& joint,
                              const std::unordered_map<std::string, FileJoint*>& by_name) {
  for (const NativeData& native : joint.native) {
    if (native.format != "mbs") continue;
    const auto word = [&](std::string_view name) {
      const NativeElement* const child = native.content.Child(name);
      return child == nullptr ? std::string() : std::string(child->Text());
    };
    const auto found =
        by_name.find(native.element == "initialvalue" ? word("joint") : CoordinateName(joint, 0));
    if (found == by_name.end()) continue;
    if (native.element == "extforce") found->second->extforce = native.content;
    if (native.element != "initialvalue") continue;
    found->second->qd = xml::ParseNumber(word("qd")).value_or(0);
    found->second->qdd = xml::ParseNumber(word("qdd")).value_or(0);
  }
}

void FileBuilder::AddLoops() {
  for (const JointId id : tree_.loop_joints) {
    if (rod_[Index(model_.predecessor(id))] == id) continue;
    const std::size_t cut = source_.CutOf(model_.joint(id).name);
    if (cut != kNone && source_.IsSame(id))
      KeepCut(id, cut);
    else
      AddLoop(id);
  }
}

// The cut as it was, its points where they were. A copy body is put back with the chain that it
// had.
void FileBuilder::KeepCut(JointId id, std::size_t c) {
  const FileCut& before = source_.file()->cuts[c];
  const std::size_t copy = source_.CopyOf(c);
  const std::size_t bodies[2] = {BodyOf(model_.predecessor(id)), BodyOf(model_.successor(id))};
  FileCut cut = before;
  for (int i = 0; i < 2; ++i) {
    const Endpoint& end = before.ends[i];
    if (copy != kNone && end.body == source_.body(copy).name) {
      Body body;
      body.parent = bodies[0];
      body.out = source_.body(copy);
      for (const FilePoint& point : body.out.points) body.points.Keep(point);
      body.out.parent_point = AnchorLike(source_.body(copy), bodies[0]);
      MarkActuated({id}, body.out.joints);
      bodies_.push_back(std::move(body));
    } else {
      // The end that is no copy: the successor, if the other end is one.
      const std::size_t body = copy != kNone ? bodies[1] : bodies[i];
      cut.ends[i].point =
          PointsOf(body).At(source_.PointOf(end.body, end.point),
                            cut.name + (i == 0 ? "_predecessor" : "_successor"), &end.point);
    }
  }
  file_.cuts.push_back(std::move(cut));
}

// Ball: the two points coincide. Fixed: the two bodies do. Any other kind: a massless copy of the
// successor hangs on the predecessor by the joint, and a solid cut says that copy and successor
// coincide.
// A solid cut compares the frames of the two bodies, whatever the points are: it can only stand
// alone where these are parallel in the closed posture.
void FileBuilder::AddLoop(JointId id) {
  const Joint& joint = model_.joint(id);
  const std::size_t p = BodyOf(model_.predecessor(id)), s = BodyOf(model_.successor(id));
  if (std::holds_alternative<Free>(joint.kind)) {
    Refuse(joint.where, {"loop joint", joint.name, "a free joint constrains nothing"});
    return;
  }
  FileCut cut;
  cut.name = joint.name;
  cut.graphics = Shown();
  cut.kind = std::holds_alternative<Ball>(joint.kind) ? CutKind::kBall : CutKind::kSolid;
  const std::string successor = PointsOf(s).At(Snapped(joint.X_SM.p), joint.name + "_successor");
  cut.ends[1] = {NameOf(s), successor, {}};
  const Matrix3 R_PS = Snapped(Matrix3(joint.X_PF.R * joint.X_SM.R.transpose()));
  const bool parallel = std::holds_alternative<Fixed>(joint.kind) &&
                        (R_PS - Matrix3::Identity()).cwiseAbs().maxCoeff() <= kNoise;
  if (cut.kind == CutKind::kBall || parallel) {
    cut.ends[0] = {
        NameOf(p), PointsOf(p).At(Snapped(joint.X_PF.p), joint.name + "_predecessor"), {}};
  } else {
    Body copy;
    Joint at_copy = joint;  // the copy has its origin at M and the axes of the successor
    at_copy.X_SM.p.setZero();
    BuiltChain chain = BuildChain({&at_copy}, {}, joint.name + "_joint", joint_names_);
    // Robotran finds the dependent joints among those that are so called; if the copy's joints were
    // independent, the rank of the loop could not be reached.
    for (FileJoint& file_joint : chain.joints) {
      if (file_joint.nature == Nature::kIndependent && joint.independent != true)
        file_joint.nature = Nature::kDependent;
    }
    copy.parent = p;
    copy.out.name = body_names_.Take(joint.name + "_copy");
    copy.out.parent = NameOf(p);
    copy.out.parent_point = PointsOf(p).At(chain.p_PA, joint.name + "_predecessor");
    copy.out.joints = std::move(chain.joints);
    MarkActuated({id}, copy.out.joints);
    cut.ends[0] = {copy.out.name, "origin", {}};
    bodies_.push_back(std::move(copy));
  }
  file_.cuts.push_back(std::move(cut));
}

void FileBuilder::AddRods() {
  for (const LinkId id : Links(model_)) {
    const JointId ball = rod_[Index(id)];
    if (ball == kNoJoint) continue;
    const JointId universal = tree_.parent_joint[Index(id)];
    const Joint &at_1 = model_.joint(universal), &at_2 = model_.joint(ball);
    FileCut cut;
    cut.kind = CutKind::kRod;
    cut.name = model_.link(id).name;
    cut.graphics = Shown();
    // The ball's point lies on the rod's x axis, at the length of the rod.
    cut.length = at_2.X_PF.p.norm();
    const std::size_t source_cut = source_.CutOf(at_2.name);
    const FileCut* before = source_cut == kNone ? nullptr : &source_.file()->cuts[source_cut];
    if (before) {
      cut.graphics = before->graphics;
      cut.ignore = before->ignore;
    }
    const std::size_t bodies[2] = {BodyOf(model_.predecessor(universal)),
                                   BodyOf(model_.successor(ball))};
    const Vector3 points[2] = {Snapped(at_1.X_PF.p), Snapped(at_2.X_SM.p)};
    for (int i = 0; i < 2; ++i) {
      const std::string wanted = cut.name + (i == 0 ? "_predecessor" : "_successor");
      cut.ends[i] = {
          NameOf(bodies[i]),
          PointsOf(bodies[i]).At(points[i], wanted, before ? &before->ends[i].point : nullptr),
          {}};
    }
    file_.cuts.push_back(std::move(cut));
  }
}

}  // namespace kinemorph::mbs
