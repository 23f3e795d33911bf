#include "write/build_file.h"

#include <algorithm>

#include "kinemorph/graph/base/name_map.h"
#include "kinemorph/graph/model/subject.h"
#include "user_data.h"
#include "write/checks.h"
#include "write/diagram_layout.h"
#include "write/file_builder.h"

namespace kinemorph::mbs {

// Parts of a source file that are still true are copied as they were written (names of driven
// joints, points, the diagram); the rest is made. Bodies first get their points, since anchors,
// cuts and frames add to them; their order is fixed at the end, for it depends on the points.
MbsFile FileBuilder::Build() {
  IndexCoordinates();
  IndexFramesAndSensors();
  RegisterNames();
  PlanBodies();
  StartBodies();
  AddTreeChains();
  AddLoops();
  AddRods();
  AddFrames();
  AddSensors();
  OrderBodies();
  AddUserData();
  AddNative();
  FillHeader();
  LayOutDiagram(file_);
  return std::move(file_);
}

void FileBuilder::Refuse(SourceLocation where, Statement statement) {
  diagnostics_.Add(
      MessageAt(model_, where, Severity::kError, "mbs-not-legal", std::move(statement)));
}

// Helper joints and copies are given names that nobody else has, in the file as it was too: joints
// that are kept must not find theirs taken.
void FileBuilder::RegisterNames() {
  for (const JointId id : Joints(model_)) {
    const Joint& joint = model_.joint(id);
    for (const std::string& name : CoordinateNames(joint)) joint_names_.Add(name);
    if (std::holds_alternative<Fixed>(joint.kind)) joint_names_.Add(CoordinateName(joint, 0));
  }
  for (const LinkId id : Links(model_)) body_names_.Add(model_.link(id).name);
  if (!source_.file()) return;
  for (const FileBody& body : source_.file()->bodies) {
    body_names_.Add(body.name);
    for (const FileJoint& joint : body.joints) joint_names_.Add(joint.name);
  }
}

// Massless links that only join two joints become part of a chain; the writer of the reader's rods
// takes them back.
void FileBuilder::PlanBodies() {
  const std::size_t n = model_.num_links();
  std::vector<int> children(n, 0), loops(n, 0);
  std::vector<bool> attached(n, false);
  for (const LinkId link : tree_.order)
    if (link != kWorld) ++children[Index(tree_.parent[Index(link)])];
  for (const JointId id : tree_.loop_joints) {
    ++loops[Index(model_.predecessor(id))];
    ++loops[Index(model_.successor(id))];
  }
  // What something hangs on, or is named by, must stay a body.
  const auto attach = [&](LinkId link) {
    if (link != kNoLink) attached[Index(link)] = true;
  };
  for (const Frame& frame : model_.frames) attach(frame.link);
  for (const Sensor& sensor : model_.sensors) attach(sensor.link);
  for (const Coupling& coupling : model_.couplings) {
    attach(coupling.predecessor);
    attach(coupling.successor);
    attach(coupling.reference);
  }
  collapsed_.assign(n, false);
  rod_.assign(n, kNoJoint);
  // A link without mass, looks and guests.
  const auto is_bare = [&](LinkId id) {
    return !model_.link(id).inertial && model_.link(id).visuals.empty() && !attached[Index(id)];
  };
  for (const LinkId id : Links(model_)) {
    const std::size_t i = Index(id);
    collapsed_[i] = model_.link(id).synthetic && is_bare(id) && children[i] == 1 && loops[i] == 0 &&
                    tree_.parent_joint[i] != kNoJoint;
  }
  for (const JointId id : tree_.loop_joints) {
    const LinkId link = model_.predecessor(id);
    const std::size_t i = Index(link);
    if (is_bare(link) && children[i] == 0 && loops[i] == 1 && IsRod(link, model_.joint(id)))
      rod_[i] = id;
  }
}

// The reader's form of a rod, by its names too, so that nothing is lost by writing it as one: a
// universal joint with its axes across the x axis, along which the ball joint's point lies.
bool FileBuilder::IsRod(LinkId id, const Joint& ball) const {
  const std::string& name = model_.link(id).name;
  const JointId parent = tree_.parent_joint[Index(id)];
  if (parent == kNoJoint || !std::holds_alternative<Ball>(ball.kind) || ball.name != name + "_ball")
    return false;
  const Joint& universal = model_.joint(parent);
  const Universal* kind = std::get_if<Universal>(&universal.kind);
  return kind && kind->axis1 == Vector3::UnitY() && kind->axis2 == Vector3::UnitZ() &&
         universal.name == name + "_universal" && universal.X_SM.IsExactlyIdentity() &&
         ball.X_PF.p.x() > 0 && ball.X_PF.p.y() == 0 && ball.X_PF.p.z() == 0;
}

// Links that are folded away leave their path of joints in `open`; the body that ends the path
// takes it over as its chain.
void FileBuilder::StartBodies() {
  body_of_.assign(model_.num_links(), kNone);
  std::unordered_map<std::uint32_t, std::pair<std::vector<const Joint*>, std::vector<JointId>>>
      open;  // paths to collapsed links
  std::vector<std::size_t> parent_body(model_.num_links(), kNone);
  for (const LinkId id : tree_.order) {
    const std::size_t i = Index(id);
    if (id == kWorld || rod_[i] != kNoJoint) continue;
    const LinkId parent = tree_.parent[i];
    Body body;
    if (const auto path = open.find(static_cast<std::uint32_t>(parent)); path != open.end()) {
      body.path = path->second.first;
      body.joints = path->second.second;
      parent_body[i] = parent_body[Index(parent)];
    } else {
      parent_body[i] = parent == kWorld ? kNone : body_of_[Index(parent)];
    }
    if (tree_.parent_joint[i] != kNoJoint) {
      body.path.push_back(&model_.joint(tree_.parent_joint[i]));
      body.joints.push_back(tree_.parent_joint[i]);
    }
    if (collapsed_[i]) {
      open.emplace(static_cast<std::uint32_t>(id),
                   std::pair(std::move(body.path), std::move(body.joints)));
      continue;
    }
    body.link = id;
    body.parent = parent_body[i];
    StartBody(body);
    body_of_[i] = bodies_.size();
    bodies_.push_back(std::move(body));
  }
  // The base has points and shapes, but no joints.
  const MbsFile* before = source_.file();
  if (before) base_points_ = KeptPoints(before->base_points, kWorld, kNone);
  file_.base_graphics = Graphics(model_.link(kWorld), before ? &before->base_graphics : nullptr,
                                 before ? &source_.world() : nullptr);
}

// The bodies as a source has them, new ones last; as they are where a parent would follow its
// child.
// A file that was edited by hand may have children before their parents, which the editor cannot
// load: it gets the usual order.
std::vector<std::size_t> FileBuilder::OrderOf(const MbsFile& source,
                                              std::vector<std::size_t> order) const {
  NameMap<std::size_t> places;
  for (const FileBody& body : source.bodies) places.Add(body.name, places.size());
  std::vector<std::pair<std::size_t, std::size_t>> placed;  // in the source, body
  for (const std::size_t i : order) {
    const std::size_t* const place = places.Find(bodies_[i].out.name);
    placed.emplace_back(place ? *place : places.size(), i);
  }
  std::stable_sort(placed.begin(), placed.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<bool> stands(bodies_.size());
  std::vector<std::size_t> sorted;
  for (const auto& [place, i] : placed) {
    if (bodies_[i].parent != kNone && !stands[bodies_[i].parent]) return order;
    stands[i] = true;
    sorted.push_back(i);
  }
  return sorted;
}

// Joints are numbered in document order: as the source has them. New files are in depth-first
// preorder, siblings in the order of their anchor points, as the editor saves.
void FileBuilder::OrderBodies() {
  // The place of a body among its siblings is that of its anchor in the parent's list of points,
  // `origin` first.
  const std::size_t n = bodies_.size();
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> children(
      n + 1);  // [n]: of the base; anchor's place, body
  std::vector<std::unordered_map<std::string, std::size_t>> places(n + 1);
  for (std::size_t b = 0; b <= n; ++b) {
    std::vector<FilePoint>& points = b == n ? file_.base_points : bodies_[b].out.points;
    points = std::move(PointsOf(b == n ? kNone : b)).Take();
    places[b].emplace("origin", 0);
    for (std::size_t i = 0; i < points.size(); ++i) places[b].emplace(points[i].name, i + 1);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t parent = bodies_[i].parent == kNone ? n : bodies_[i].parent;
    children[parent].emplace_back(places[parent].at(bodies_[i].out.parent_point), i);
  }
  for (auto& list : children)
    std::stable_sort(list.begin(), list.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
  // A stack with the last sibling lowest: depth first, in order.
  std::vector<std::size_t> stack;
  const auto push = [&](std::size_t parent) {
    for (auto it = children[parent].rbegin(); it != children[parent].rend(); ++it)
      stack.push_back(it->second);
  };
  push(n);
  std::vector<std::size_t> order;
  while (!stack.empty()) {
    order.push_back(stack.back());
    stack.pop_back();
    push(order.back());
  }
  if (const MbsFile* before = source_.file()) order = OrderOf(*before, std::move(order));
  file_.bodies.reserve(n);
  for (const std::size_t i : order) {
    written_joints_.insert(written_joints_.end(), bodies_[i].joints.begin(),
                           bodies_[i].joints.end());
    file_.bodies.push_back(std::move(bodies_[i].out));
  }

  // User data is written in the order of the joints in the file; rods and cuts come after the tree.
  for (const LinkId id : Links(model_))
    if (rod_[Index(id)] != kNoJoint) written_joints_.push_back(tree_.parent_joint[Index(id)]);
  for (const bool ball : {false, true}) {
    for (const JointId id : tree_.loop_joints)
      if (std::holds_alternative<Ball>(model_.joint(id).kind) == ball)
        written_joints_.push_back(id);
  }
}

MbsFile BuildFile(const Model& model, const Source* source, Diagnostics& diagnostics) {
  const SpanningTree tree = ChooseSpanningTree(model, {}, diagnostics);
  const std::size_t errors = diagnostics.num_errors();
  CheckWritable(model, tree, diagnostics);
  if (diagnostics.num_errors() > errors) return {};
  return FileBuilder(model, tree, source, diagnostics).Build();
}

}  // namespace kinemorph::mbs
