// WriteUsd: the stage from outside in.
#include "write/writer.h"

#include <algorithm>
#include <unordered_map>

#include "kinemorph/graph/base/disjoint_sets.h"
#include "kinemorph/graph/base/linear_algebra.h"
#include "kinemorph/graph/mechanics/closure.h"
#include "kinemorph/graph/model/elements.h"
#include "mujoco_words.h"
#include "usd.h"
#include "words.h"

namespace kinemorph {

Bundle WriteUsd(const Model& model, const WriteOptions& options, Diagnostics& diagnostics) {
  Bundle bundle;
  bundle.text = usd::UsdWriter(model, options, diagnostics).Write();
  const std::vector<std::string>& asked = options.side_cars;
  if (!bundle.text.empty() && std::find(asked.begin(), asked.end(), kIsaacLab) != asked.end())
    bundle.side_files.push_back(usd::IsaacLabFile(model, options));
  return bundle;
}

namespace usd {

UsdWriter::UsdWriter(const Model& model, const WriteOptions& options, Diagnostics& diagnostics)
    : model_(model),
      options_(options),
      diagnostics_(diagnostics),
      physx_(options.physx),
      posture_(StartPostureOf(model)),
      led_(model.num_joints(), nullptr),
      out_(PrimName(model.name, "model")),
      robot_("/" + PrimName(model.name, "model")),
      follows_(model.num_joints(), nullptr),
      drives_(model.num_joints(), nullptr),
      joined_collide_(model.num_joints(), false) {
  for (const Body& body : posture_.mechanism.bodies)
    if (body.joint != kNoJoint) led_[Index(body.joint)] = &body;
  for (const Actuator& drive : model.actuators)
    if (drive.native.format == "usd" && drive.joint != kNoJoint)
      drives_[Index(drive.joint)] = &drive;
}

void UsdWriter::Error(const char* code, SourceLocation where, Statement statement) {
  failed_ = true;
  diagnostics_.Add(MessageAt(model_, where, Severity::kError, code, std::move(statement)));
}

// From outside in, and each prim in one piece: the text has no second pass. Names, materials and
// contacts are therefore known before the first line.
std::string UsdWriter::Write() {
  ChooseNames();
  CheckFileNames();
  CollectMaterials();
  FindTrees();
  FindContacts();
  // USD has a place for one relation at the joint that follows.
  for (const Coupling& coupling : model_.couplings) {
    if (coupling.terms.empty()) continue;
    const Coupling*& follows = follows_[Index(coupling.terms.front().coordinate.joint)];
    if (follows != nullptr)
      Error("usd-coupling", coupling.where,
            {"coupling", coupling.name, "its joint follows another one already"});
    follows = &coupling;
  }
  // Bodies stand where all loops are closed (StartPostureOf), or the solver would pull them
  // together in its first step, at any speed.
  if (!posture_.closed)
    diagnostics_.Add(
        MakeDiagnostic(Severity::kWarning, "usd-open-loop", "", 0, "",
                       {"", model_.name,
                        "no posture closes all loops; the bodies are at the zero position of all "
                        "joints, and the simulator will pull the loops shut"}));
  else if (!physx_ && IsOpenAtZero())
    diagnostics_.Add(MakeDiagnostic(
        Severity::kWarning, "usd-open-at-zero", "", 0, "",
        {"", model_.name,
         "the loops are open where all joints are zero; Newton builds them there, so that another "
         "robot moves than this one"}));
  WriteScene();
  OpenRobot();
  for (std::uint32_t i = 0; i < model_.num_links(); ++i) WriteBody(LinkId{i});
  WriteJoints();
  WriteMaterials();
  out_.Close();
  return failed_ ? "" : std::move(out_).text();
}

// Loops alone: a relation between coordinates holds from any start. Frames that were written with few
// digits count as closed.
bool UsdWriter::IsOpenAtZero() const {
  if (posture_.q == posture_.mechanism.ZeroPosition()) return false;
  Model loops = model_;
  loops.couplings.clear();
  CompileOptions held;
  held.hold_base = true;
  const Mechanism m = Compile(loops, held);
  return m.rows > 0 && ClosureSolver(m).Residual(m.ZeroPosition()) > kNearlyClosed;
}

std::vector<std::string> JointPrims(const Model& model) {
  UniqueNames taken;
  std::vector<std::string> names;
  for (const JointId id : Joints(model)) names.push_back(model.joint(id).name);
  return PrimNames(names, "joint", taken);
}

// Links and joints have names by now that are unique among their kind; a prim that cannot be called
// so shows them to people. What only this writer names steps aside.
void UsdWriter::ChooseNames() {
  const std::size_t n = model_.num_links();
  UniqueNames beside;  // children of the default prim
  link_names_.assign(n, "");
  std::vector<std::string> names;
  for (const LinkId id : Links(model_)) names.push_back(model_.link(id).name);
  names = PrimNames(names, "link", beside);
  std::copy(names.begin(), names.end(), link_names_.begin() + 1);
  link_names_[0] = beside.Take("world");
  joints_scope_ = robot_ + "/" + beside.Take("joints");
  looks_scope_ = robot_ + "/" + beside.Take("Looks");
  joint_names_ = JointPrims(model_);
  frames_of_.resize(n), frame_names_.resize(n), visual_names_.resize(n), shape_names_.resize(n);
  std::vector<UniqueNames> inside(n);
  for (const Frame& frame : model_.frames) {
    frames_of_[Index(frame.link)].push_back(&frame);
    frame_names_[Index(frame.link)].push_back(
        inside[Index(frame.link)].Take(PrimName(frame.name, "frame")));
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Link& link = model_.link(LinkId{static_cast<std::uint32_t>(i)});
    for (const Visual& visual : link.visuals)
      visual_names_[i].push_back(inside[i].Take(PrimName(visual.name, "visual")));
    for (const Collision& collision : link.collisions)
      shape_names_[i].push_back(inside[i].Take(PrimName(collision.name, "collision")));
  }
}

// No other name is at risk: those of prims are identifiers by now.
void UsdWriter::CheckFileNames() {
  const auto check = [this](const std::string& file, SourceLocation where) {
    if (!IsAsset(file))
      Error("usd-file-name", where,
            {"file", file,
             "the name has characters that the text of USD cannot say; nothing is written; rename "
             "the file"});
  };
  ForEachElement(model_, [&]<class Item>(const Item& item, const Element& element) {
    if constexpr (std::same_as<Item, Visual>)
      if (item.material && item.material->texture) check(*item.material->texture, element.where);
    if constexpr (std::same_as<Item, Visual> || std::same_as<Item, Collision>)
      if (const auto* mesh = std::get_if<Mesh>(&item.shape)) check(mesh->uri, element.where);
  });
}

std::string UsdWriter::PathOf(LinkId id) const {
  return id == kWorld ? robot_ : robot_ + "/" + link_names_[Index(id)];
}
std::string UsdWriter::PathOf(JointId id) const {
  return joints_scope_ + "/" + joint_names_[Index(id)];
}

// Gravity is said where the source says it; a stage without means the Earth's.
// Direction and magnitude, both: a magnitude of minus infinity means the Earth's to some, nothing
// to others.
void UsdWriter::WriteScene() {
  PrimHead head;
  if (SaysMujoco(model_.native, "option") || SaysMujoco(model_.native, "option/flag"))
    head.apis.emplace_back("MjcSceneAPI");
  out_.Open("PhysicsScene", robot_ == "/PhysicsScene" ? "Scene" : "PhysicsScene", head);
  if (model_.gravity) {
    const double size = model_.gravity->norm();
    const Vector3 down = size > 0 ? Vector3(*model_.gravity / size) : Vector3(0, 0, -1);
    out_.Set("vector3f physics:gravityDirection", Tuple(down));
    out_.Set("float physics:gravityMagnitude", Number(size));
  }
  WriteMujoco(model_.native, "option");
  WriteMujoco(model_.native, "option/flag");
  out_.Close();
}

bool UsdWriter::SaysMujoco(const std::vector<NativeData>& natives, std::string_view element) const {
  return !physx_ && !MujocoAttributes(natives, element).empty();
}

void UsdWriter::WriteMujoco(const std::vector<NativeData>& natives, std::string_view element) {
  if (physx_) return;
  for (const auto& [declaration, value] : MujocoAttributes(natives, element))
    out_.Set(declaration, value);
}

void UsdWriter::OpenRobot() {
  PrimHead head;
  head.shown = model_.name;
  if (roots_.contains(robot_)) AddRootApis(head.apis);
  out_.Open("Xform", robot_.substr(1), head);
  if (roots_.contains(robot_)) WriteRoot();
  bool said = false;
  for (const JointId id : Joints(model_))
    for (const JointAxis& axis : model_.joint(id).axes) said = said || axis.initial_position;
  if (!said && !posture_.q.isApprox(posture_.mechanism.ZeroPosition(), 0))
    out_.Set("custom bool " + std::string(kStartIsChosen), Boolean(true));
}

// One articulation is the robot; each of several trees has a root of its own, on the joint that ties
// it to the world or on the body that nothing does. A body alone is none. OpenUSD counts what loops
// tie as one articulation, of which Newton takes the bodies that a joint of a tree moves: there the
// robot is one, and what floats has a joint that leaves it free.
void UsdWriter::FindTrees() {
  DisjointSets trees(model_.num_links());
  std::vector<std::string> root(model_.num_links());  // by link
  std::set<std::size_t> with_joints;
  const auto is_tree = [&](JointId id) {
    return model_.joint(id).role != JointRole::kLoop &&
           !std::holds_alternative<Free>(model_.joint(id).kind);
  };
  for (const JointId id : Joints(model_))
    if (is_tree(id) && model_.predecessor(id) != kWorld)
      trees.Unite(Index(model_.predecessor(id)), Index(model_.successor(id)));
  for (const JointId id : Joints(model_)) {
    const std::size_t tree = trees.Find(Index(model_.successor(id)));
    if (is_tree(id)) with_joints.insert(tree);
    if (model_.predecessor(id) != kWorld || model_.joint(id).role == JointRole::kLoop) continue;
    root[tree] = is_tree(id) ? PathOf(id) : PathOf(model_.successor(id));
  }
  std::set<std::size_t> all;
  for (const LinkId id : Links(model_)) all.insert(trees.Find(Index(id)));
  for (std::size_t i = 0; i < model_.num_links(); ++i) tree_of_.push_back(trees.Find(i));
  for (const JointId id : Joints(model_))
    tied_ =
        tied_ || (!physx_ && model_.joint(id).role == JointRole::kLoop &&
                  model_.predecessor(id) != kWorld && model_.successor(id) != kWorld &&
                  tree_of_[Index(model_.predecessor(id))] != tree_of_[Index(model_.successor(id))]);
  if (all.size() < 2 || tied_) {
    roots_.insert(robot_);
    return;
  }
  for (const std::size_t tree : with_joints) roots_.insert(root[tree]);
}

void UsdWriter::AddRootApis(std::vector<std::string>& apis) const {
  apis.emplace_back("PhysicsArticulationRootAPI");
  apis.emplace_back(physx_ ? "PhysxArticulationAPI" : "NewtonArticulationRootAPI");
}

void UsdWriter::WriteRoot() {
  out_.Set(
      physx_ ? "bool physxArticulation:enabledSelfCollisions" : "bool newton:selfCollisionEnabled",
      Boolean(self_collision_));
}

// Bodies lie side by side, so their poses are in the frame of the robot, not of a parent in the
// tree.
void UsdWriter::WriteBody(LinkId id) {
  const Link& link = model_.link(id);
  const std::size_t i = Index(id);
  if (id == kWorld && link.visuals.empty() && link.collisions.empty() && frames_of_[i].empty())
    return;
  const std::string path = robot_ + "/" + link_names_[i];
  PrimHead head;
  if (id != kWorld) {
    head.shown = link.name;
    head.apis = {"PhysicsRigidBodyAPI", "PhysicsMassAPI"};
    if (!physx_) head.apis.emplace_back("NewtonMassAPI");
    if (physx_ && link.gravity == false) head.apis.emplace_back("PhysxRigidBodyAPI");
  }
  if (filtered_.contains(path)) head.apis.emplace_back("PhysicsFilteredPairsAPI");
  if (roots_.contains(path)) AddRootApis(head.apis);
  out_.Open("Xform", link_names_[i], head);
  out_.Place(posture_.X_WL[i]);
  if (roots_.contains(path)) WriteRoot();
  if (id != kWorld) {
    if (link.inertial)
      WriteInertial(*link.inertial);
    else
      Error("usd-massless", link.where,
            {"link", link.name, "a body without mass is given one by what reads the file"});
    if (link.gravity == false && physx_)
      out_.Set("bool physxRigidBody:disableGravity", Boolean(true));
    else if (link.gravity == false)
      out_.Set("uniform double mjc:gravcomp", "1");
    WriteMujoco(link.native, "body");
  }
  WriteFilter(path);
  for (std::size_t k = 0; k < frames_of_[i].size(); ++k) {
    out_.Open("Xform", frame_names_[i][k], {.shown = frames_of_[i][k]->name});
    out_.Place(frames_of_[i][k]->X_LF);
    out_.Close();
  }
  for (std::size_t k = 0; k < link.visuals.size(); ++k)
    WriteVisual(link.visuals[k], visual_names_[i][k]);
  for (std::size_t k = 0; k < link.collisions.size(); ++k)
    WriteCollision(link.collisions[k], shape_names_[i][k], path + "/" + shape_names_[i][k]);
  out_.Close();
}

// The principal form is what all readers take; Newton's own, in body axes, is exact.
void UsdWriter::WriteInertial(const Inertial& inertial) {
  Matrix3 R_LI = inertial.X_LI.R;
  Vector3 moments = inertial.I_I.diagonal();
  // Principal axes as a right-handed frame, or no quaternion would say it.
  if (!IsDiagonal(inertial.I_I)) {
    const PrincipalAxes principal(inertial.I_I);
    moments = principal.moments;
    Matrix3 axes = principal.axes;
    if (axes.determinant() < 0) axes.col(2) *= -1;
    R_LI = R_LI * axes;
  }
  out_.Set("float physics:mass", Number(inertial.mass));
  out_.Set("point3f physics:centerOfMass", Tuple(inertial.X_LI.p));
  out_.Set("float3 physics:diagonalInertia", Tuple(moments));
  out_.Set("quatf physics:principalAxes", Quaternion(R_LI));
  if (physx_) return;
  const Matrix3 I = inertial.InLink().I_BBcm;
  out_.Set("double[] newton:inertia", List({Number(I(0, 0)), Number(I(1, 1)), Number(I(2, 2)),
                                            Number(I(0, 1)), Number(I(0, 2)), Number(I(1, 2))}));
}

}  // namespace usd
}  // namespace kinemorph
