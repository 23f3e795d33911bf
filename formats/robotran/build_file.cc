#include "build_file.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "body_points.h"
#include "chain_build.h"
#include "diagram_layout.h"
#include "kinemorph/graph/spanning_tree.h"
#include "name_table.h"
#include "rotation_chain.h"
#include "shapes.h"
#include "user_data.h"
#include "write_checks.h"
#include "xml_writer.h"

namespace kinemorph::mbs {
namespace {

constexpr const char* kX3D =
    "<x3D>\n  <background>\n    <color R=\"204\" G=\"204\" B=\"255\"/>\n  </background>\n  <shapeScaleFactors>\n    <frame>0.2</frame>\n"
    "    <joint>0.3</joint>\n    <com>0.3</com>\n    <point>0.3</point>\n  </shapeScaleFactors>\n  <lights/>\n</x3D>";
constexpr const char* kShown = "<graphics>\n  <x3D>\n    <shown/>\n  </x3D>\n</graphics>";

bool SameInertial(const std::optional<Inertial>& a, const std::optional<Inertial>& b) {
  if (!a || !b) return !a && !b;
  return a->mass == b->mass && a->X_LI == b->X_LI && a->I_I == b->I_I;
}

// Tensor in link axes; exact as authored when the inertial frame is not turned, else without the noise of the products.
FileInertia ToInertia(const Inertial& inertial) {
  Matrix3 I = inertial.I_I;
  if (inertial.X_LI.R != Matrix3::Identity()) {
    I = inertial.InLink().I_BBcm;
    const double noise = 1e-15 * I.cwiseAbs().maxCoeff();
    I = I.unaryExpr([&](double x) { return std::abs(x) <= noise ? 0.0 : x; });
  }
  return {I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2)};
}

class Builder {
 public:
  Builder(const Model& model, const SpanningTree& tree, const Source* source, Diagnostics& diagnostics)
      : model_(model), tree_(tree), source_(source, model), diagnostics_(diagnostics) {}

  MbsFile Build() {
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

 private:
  static constexpr std::size_t kNone = BuiltModel::kNoBody;

  // A body to be written, before the order is known. Bodies 0.. stand for links; copies of solid cuts follow.
  struct Body {
    FileBody out;
    BodyPoints points;
    LinkId link = kNoLink;
    std::size_t parent = kNone;        // index here; kNone: the base
    std::vector<const Joint*> path;    // from the parent body
    std::vector<JointId> joints;
    std::size_t source = kNone;        // body of the source with the same name
  };

  void Warn(SourceLocation where, std::string message) {
    diagnostics_.Add({Severity::kWarning, "not-written", model_.FileName(where), where.line, "", std::move(message), {}});
  }

  // --- bodies ---

  void RegisterNames() {
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

  // Massless links that only join two joints become part of a chain; the writer of the reader's rods takes them back.
  void PlanBodies() {
    const std::size_t n = model_.num_links();
    std::vector<int> children(n, 0), loops(n, 0);
    std::vector<bool> attached(n, false);
    for (const LinkId link : tree_.order) if (link != kWorld) ++children[Index(tree_.parent[Index(link)])];
    for (const JointId id : tree_.loop_joints) {
      ++loops[Index(model_.predecessor(id))];
      ++loops[Index(model_.successor(id))];
    }
    const auto attach = [&](LinkId link) { if (link != kNoLink) attached[Index(link)] = true; };
    for (const Frame& frame : model_.frames) attach(frame.link);
    for (const Sensor& sensor : model_.sensors) attach(sensor.link);
    for (const Coupling& coupling : model_.couplings) {
      attach(coupling.predecessor);
      attach(coupling.successor);
      attach(coupling.reference);
    }
    collapsed_.assign(n, false);
    rod_.assign(n, kNoJoint);
    const auto is_bare = [&](LinkId id) { return !model_.link(id).inertial && model_.link(id).visuals.empty() && !attached[Index(id)]; };
    for (const LinkId id : Links(model_)) {
      const std::size_t i = Index(id);
      collapsed_[i] = model_.link(id).synthetic && is_bare(id) && children[i] == 1 && loops[i] == 0 && tree_.parent_joint[i] != kNoJoint;
    }
    for (const JointId id : tree_.loop_joints) {
      const LinkId link = model_.predecessor(id);
      const std::size_t i = Index(link);
      if (is_bare(link) && children[i] == 0 && loops[i] == 1 && IsRod(link) && std::holds_alternative<Ball>(model_.joint(id).kind)) rod_[i] = id;
    }
  }

  // The reader's form of a rod: universal joint with its axes across the rod.
  [[nodiscard]] bool IsRod(LinkId id) const {
    const Link& link = model_.link(id);
    const bool marked = std::any_of(link.native.begin(), link.native.end(), [](const NativeData& n) { return n.format == "mbs" && n.element == "rod"; });
    const JointId joint = tree_.parent_joint[Index(id)];
    return marked && joint != kNoJoint && std::holds_alternative<Universal>(model_.joint(joint).kind) &&
           model_.joint(joint).X_SM.IsExactlyIdentity();
  }

  void StartBodies() {
    body_of_.assign(model_.num_links(), kNone);
    std::unordered_map<std::uint32_t, std::pair<std::vector<const Joint*>, std::vector<JointId>>> open;  // paths to collapsed links
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
        open.emplace(static_cast<std::uint32_t>(id), std::pair(std::move(body.path), std::move(body.joints)));
        continue;
      }
      body.link = id;
      body.parent = parent_body[i];
      StartBody(body);
      body_of_[i] = bodies_.size();
      bodies_.push_back(std::move(body));
    }
    const MbsFile* before = source_.file();
    if (before) base_points_ = KeptPoints(before->base_points, kWorld, kNone);
    file_.base_graphics = Graphics(model_.link(kWorld), before ? &before->base_graphics : nullptr, before ? &source_.world() : nullptr);
  }

  void StartBody(Body& body) {
    const Link& link = model_.link(body.link);
    body.source = source_.BodyOfLink(link.name);
    const FileBody* before = body.source == kNone ? nullptr : &source_.body(body.source);
    const Link* link_before = before ? &source_.link(body.source) : nullptr;
    body.out.name = link.name;
    if (before) body.points = KeptPoints(before->points, body.link, body.source);
    if (before && SameInertial(link.inertial, link_before->inertial)) {
      body.out.mass = before->mass;
      body.out.com = before->com;
      body.out.inertia = before->inertia;
    } else if (link.inertial) {
      body.out.mass = link.inertial->mass;
      body.out.com = Snapped(link.inertial->X_LI.p);
      body.out.inertia = ToInertia(*link.inertial);
    }
    body.out.graphics = Graphics(link, before ? &before->graphics : nullptr, link_before);
  }

  FileGraphics Graphics(const Link& link, const FileGraphics* before, const Link* link_before) {
    FileGraphics out;
    if (before) {
      out = *before;
      out.shapes.clear();
    }
    for (std::size_t i = 0; i < link.visuals.size(); ++i) {
      const Visual& visual = link.visuals[i];
      std::optional<FileShape> shape = ToShape(visual, link.name + "_visual_" + std::to_string(i + 1));
      if (link_before && i < link_before->visuals.size() && SameVisual(visual, link_before->visuals[i], shape)) {
        out.shapes.push_back(before->shapes[i]);
      } else if (shape) {
        out.shapes.push_back(*std::move(shape));
      } else {
        Warn(visual.where, "visual '" + visual.name + "' of link '" + link.name + "': MBS has no such shape");
      }
    }
    out.has_shapes = out.has_shapes && (!out.shapes.empty() || link.visuals.empty());
    return out;
  }

  static bool SameVisual(const Visual& a, const Visual& b, const std::optional<FileShape>& shape_a) {
    const std::optional<FileShape> shape_b = ToShape(b, "");
    if (shape_a && shape_b) return a.name == b.name && shape_a->SameAs(*shape_b);
    const NativeShape* native_a = std::get_if<NativeShape>(&a.shape);
    const NativeShape* native_b = std::get_if<NativeShape>(&b.shape);
    return native_a && native_b && native_a->data.xml == native_b->data.xml && a.name == b.name && NearlyEqual(a.X_LG, b.X_LG);
  }

  // --- points ---

  // The source's points, without the sensors and frames that are gone.
  BodyPoints KeptPoints(const std::vector<FilePoint>& points, LinkId link, std::size_t source_body) {
    const std::string owner = link == kWorld ? "base" : model_.link(link).name;
    BodyPoints kept;
    for (FilePoint point : points) {
      if (const Frame* frame = source_.FrameOf(source_body, point.name); frame && !TakeFrame(*frame, link)) {
        point.extforce.clear();
        if (point.sensor.empty() && !source_.IsReferenced(owner, point.name)) continue;
      }
      if (!point.sensor.empty() && !TakeSensor(point.sensor_name, link, point.p)) point.sensor.clear();
      kept.Keep(std::move(point));
    }
    return kept;
  }

  void IndexFramesAndSensors() {
    frame_written_.assign(model_.frames.size(), false);
    for (std::size_t i = 0; i < model_.frames.size(); ++i) frames_.emplace(model_.frames[i].name, i);
    sensor_written_.assign(model_.sensors.size(), false);
    for (std::size_t i = 0; i < model_.sensors.size(); ++i) sensors_.emplace(model_.sensors[i].name, i);
  }

  // Whether the model still has the frame a point of the source was read as; it needs no point of its own then.
  bool TakeFrame(const Frame& before, LinkId link) {
    const auto found = frames_.find(before.name);
    if (found == frames_.end()) return false;
    const Frame& now = model_.frames[found->second];
    if (now.link != link || now.X_LF.p != before.X_LF.p) return false;
    frame_written_[found->second] = true;
    if (now.X_LF.R != Matrix3::Identity()) frame_rotations_.push_back(FrameModel(now.name, now.X_LF.R));
    return true;
  }

  bool TakeSensor(const std::string& name, LinkId link, const Vector3& p) {
    const auto found = sensors_.find(name);
    if (found == sensors_.end()) return false;
    const Sensor& sensor = model_.sensors[found->second];
    if (sensor.link != link || sensor.X_LS.p != p || sensor.native.format != "mbs") return false;
    sensor_written_[found->second] = true;
    return true;
  }

  [[nodiscard]] BodyPoints& PointsOf(std::size_t body) { return body == kNone ? base_points_ : bodies_[body].points; }
  [[nodiscard]] std::string NameOf(std::size_t body) const { return body == kNone ? "base" : bodies_[body].out.name; }
  [[nodiscard]] std::size_t BodyOf(LinkId link) const { return link == kWorld ? kNone : body_of_[Index(link)]; }

  // --- joints ---

  // The flag stands at the joint its actuator is named after (MBS), or at every joint of the actuated one (other formats).
  void MarkActuated(const std::vector<JointId>& ids, std::vector<FileJoint>& joints) const {
    NameTable actuated;
    for (const JointId id : ids) {
      const auto range = actuators_.equal_range(static_cast<std::uint32_t>(id));
      for (auto it = range.first; it != range.second; ++it) {
        const Actuator& actuator = model_.actuators[it->second];
        const std::vector<std::string> names = CoordinateNames(model_.joint(id));
        if (actuator.type == "actuated") actuated.Add(actuator.name);
        if (actuator.type != "actuated" || names.size() == 1) for (const std::string& name : names) actuated.Add(name);
      }
    }
    for (FileJoint& joint : joints) joint.actuated = joint.nature != Nature::kDriven && actuated.Has(joint.name);
  }

  // A follower of a coupling is dependent where nobody says otherwise; initial velocities and joint forces of the source stay.
  void Finish(const std::vector<JointId>& ids, std::vector<FileJoint>& joints) const {
    std::unordered_map<std::string, FileJoint*> by_name;
    for (FileJoint& joint : joints) by_name.emplace(joint.name, &joint);
    for (const JointId id : ids) {
      const Joint& joint = model_.joint(id);
      for (const std::string& name : CoordinateNames(joint)) {
        const auto found = by_name.find(name);
        if (found != by_name.end() && followers_.Has(name) && !joint.independent) found->second->nature = Nature::kDependent;
      }
      ApplyNative(joint, by_name);
    }
  }

  static void ApplyNative(const Joint& joint, const std::unordered_map<std::string, FileJoint*>& by_name) {
    for (const NativeData& native : joint.native) {
      if (native.format != "mbs") continue;
      Diagnostics none;
      const auto document = xml::Document::Parse(native.xml, {&none, "", 0, "mbs"});
      if (!document) continue;
      const auto found = by_name.find(native.element == "initialvalue" ? document->root().ChildText("joint").value_or("") : CoordinateName(joint, 0));
      if (found == by_name.end()) continue;
      if (native.element == "extforce") found->second->extforce = native.xml;
      if (native.element != "initialvalue") continue;
      found->second->qd = document->root().ChildNumber("qd").value_or(0);
      found->second->qdd = document->root().ChildNumber("qdd").value_or(0);
    }
  }

  void IndexCoordinates() {
    for (std::size_t i = 0; i < model_.actuators.size(); ++i) {
      if (model_.actuators[i].joint != kNoJoint) actuators_.emplace(static_cast<std::uint32_t>(model_.actuators[i].joint), i);
    }
    for (const Coupling& coupling : model_.couplings) {
      if (coupling.terms.empty() || (coupling.form != CouplingForm::kMimic && coupling.form != CouplingForm::kPolynomial)) continue;
      const Coordinate& follower = coupling.terms[0].coordinate;
      followers_.Add(CoordinateName(model_.joint(follower.joint), follower.axis));
    }
  }

  void AddTreeChains() {
    for (Body& body : bodies_) {
      body.out.parent = NameOf(body.parent);
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

  std::string AnchorLike(const FileBody& before, std::size_t parent) {
    return PointsOf(parent).At(source_.PointOf(before.parent, before.parent_point), before.name + "_anchor", &before.parent_point);
  }

  // --- loops ---

  void AddLoops() {
    for (const JointId id : tree_.loop_joints) {
      if (rod_[Index(model_.predecessor(id))] == id) continue;
      const std::size_t cut = source_.CutOf(model_.joint(id).name);
      if (cut != kNone && source_.IsSame(id)) KeepCut(id, cut);
      else AddLoop(id);
    }
  }

  void KeepCut(JointId id, std::size_t c) {
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
        const std::size_t body = copy != kNone ? bodies[1] : bodies[i];
        cut.ends[i].point = PointsOf(body).At(source_.PointOf(end.body, end.point), cut.name + (i == 0 ? "_predecessor" : "_successor"), &end.point);
      }
    }
    file_.cuts.push_back(std::move(cut));
  }

  // Ball: the two points coincide. Fixed: the two bodies do. Any other kind: a massless copy of the successor hangs on the predecessor
  // by the joint, and a solid cut says that copy and successor coincide.
  void AddLoop(JointId id) {
    const Joint& joint = model_.joint(id);
    const std::size_t p = BodyOf(model_.predecessor(id)), s = BodyOf(model_.successor(id));
    if (std::holds_alternative<Free>(joint.kind)) {
      Warn(joint.where, "loop joint '" + joint.name + "': a free joint constrains nothing");
      return;
    }
    FileCut cut;
    cut.name = joint.name;
    cut.graphics = kShown;
    cut.kind = std::holds_alternative<Ball>(joint.kind) ? CutKind::kBall : CutKind::kSolid;
    const std::string successor = PointsOf(s).At(Snapped(joint.X_SM.p), joint.name + "_successor");
    cut.ends[1] = {NameOf(s), successor, {}};
    const Matrix3 R_PS = Snapped(Matrix3(joint.X_PF.R * joint.X_SM.R.transpose()));
    const bool parallel = std::holds_alternative<Fixed>(joint.kind) && (R_PS - Matrix3::Identity()).cwiseAbs().maxCoeff() <= kNoise;
    if (cut.kind == CutKind::kBall || parallel) {
      cut.ends[0] = {NameOf(p), PointsOf(p).At(Snapped(joint.X_PF.p), joint.name + "_predecessor"), {}};
    } else {
      Body copy;
      Joint at_copy = joint;  // the copy has its origin at M and the axes of the successor
      at_copy.X_SM.p.setZero();
      BuiltChain chain = BuildChain({&at_copy}, {}, joint.name + "_joint", joint_names_);
      for (FileJoint& file_joint : chain.joints) {
        if (file_joint.nature == Nature::kIndependent && joint.independent != true) file_joint.nature = Nature::kDependent;
      }
      copy.parent = p;
      copy.out.name = body_names_.Unique(joint.name + "_copy");
      copy.out.parent = NameOf(p);
      copy.out.parent_point = PointsOf(p).At(chain.p_PA, joint.name + "_predecessor");
      copy.out.joints = std::move(chain.joints);
      MarkActuated({id}, copy.out.joints);
      cut.ends[0] = {copy.out.name, "origin", {}};
      bodies_.push_back(std::move(copy));
    }
    file_.cuts.push_back(std::move(cut));
  }

  void AddRods() {
    for (const LinkId id : Links(model_)) {
      const JointId ball = rod_[Index(id)];
      if (ball == kNoJoint) continue;
      const JointId universal = tree_.parent_joint[Index(id)];
      const Joint &at_1 = model_.joint(universal), &at_2 = model_.joint(ball);
      FileCut cut;
      cut.kind = CutKind::kRod;
      cut.name = model_.link(id).name;
      cut.graphics = kShown;
      cut.length = at_2.X_PF.p.norm();
      const std::size_t source_cut = source_.CutOf(at_2.name);
      const FileCut* before = source_cut == kNone ? nullptr : &source_.file()->cuts[source_cut];
      if (before) {
        cut.graphics = before->graphics;
        cut.ignore = before->ignore;
      }
      const std::size_t bodies[2] = {BodyOf(model_.predecessor(universal)), BodyOf(model_.successor(ball))};
      const Vector3 points[2] = {Snapped(at_1.X_PF.p), Snapped(at_2.X_SM.p)};
      for (int i = 0; i < 2; ++i) {
        const std::string wanted = cut.name + (i == 0 ? "_predecessor" : "_successor");
        cut.ends[i] = {NameOf(bodies[i]), PointsOf(bodies[i]).At(points[i], wanted, before ? &before->ends[i].point : nullptr), {}};
      }
      file_.cuts.push_back(std::move(cut));
    }
  }

  // --- frames and sensors that no point of the source carries ---

  void AddFrames() {
    for (std::size_t i = 0; i < model_.frames.size(); ++i) {
      if (frame_written_[i]) continue;
      const Frame& frame = model_.frames[i];
      FilePoint point;
      point.name = frame.name;
      point.p = Snapped(frame.X_LF.p);
      for (const NativeData& native : frame.native) if (native.format == "mbs" && native.element == "extforce") point.extforce = native.xml;
      const std::string& name = PointsOf(BodyOf(frame.link)).AddUnique(std::move(point));
      if (frame.X_LF.R != Matrix3::Identity()) frame_rotations_.push_back(FrameModel(name, frame.X_LF.R));
    }
  }

  void AddSensors() {
    for (std::size_t i = 0; i < model_.sensors.size(); ++i) {
      if (sensor_written_[i]) continue;
      const Sensor& sensor = model_.sensors[i];
      if (sensor.native.format != "mbs" || sensor.link == kNoLink) {
        Warn(sensor.where, "sensor '" + sensor.name + "': MBS has kinematic sensors only");
        continue;
      }
      BodyPoints& points = PointsOf(BodyOf(sensor.link));
      if (sensor.X_LS.p == Vector3::Zero() && points.DeclaredOrigin().sensor.empty()) {
        points.DeclaredOrigin().sensor = sensor.native.xml;
        continue;
      }
      FilePoint point;
      point.name = sensor.name + "_point";
      point.p = Snapped(sensor.X_LS.p);
      point.sensor = sensor.native.xml;
      points.AddUnique(std::move(point));
    }
  }

  // Depth-first preorder, siblings in the order of their anchor points: joints are numbered in document order, and the editor saves so.
  void OrderBodies() {
    const std::size_t n = bodies_.size();
    std::vector<std::vector<std::pair<std::size_t, std::size_t>>> children(n + 1);  // [n]: of the base; anchor's place, body
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
    for (auto& list : children) std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::size_t> stack;
    const auto push = [&](std::size_t parent) {
      for (auto it = children[parent].rbegin(); it != children[parent].rend(); ++it) stack.push_back(it->second);
    };
    push(n);
    file_.bodies.reserve(n);
    while (!stack.empty()) {
      const std::size_t i = stack.back();
      stack.pop_back();
      push(i);
      written_joints_.insert(written_joints_.end(), bodies_[i].joints.begin(), bodies_[i].joints.end());
      file_.bodies.push_back(std::move(bodies_[i].out));
    }
    for (const LinkId id : Links(model_)) if (rod_[Index(id)] != kNoJoint) written_joints_.push_back(tree_.parent_joint[Index(id)]);
    for (const bool ball : {false, true}) {
      for (const JointId id : tree_.loop_joints) if (std::holds_alternative<Ball>(model_.joint(id).kind) == ball) written_joints_.push_back(id);
    }
  }

  // --- what has no element ---

  void AddUserData() {
    for (const JointId id : written_joints_) {  // in the order of the file, so that writing what was read changes nothing
      const Joint& joint = model_.joint(id);
      if (std::optional<UserModel> data = JointDataModel(joint); data && !std::holds_alternative<Free>(joint.kind)) ours_.push_back(*std::move(data));
      if (std::holds_alternative<Screw>(joint.kind)) screws_.push_back({joint.name + "_screw", CoordinateNames(joint), {}});
    }
    for (UserModel& frame : frame_rotations_) ours_.push_back(std::move(frame));
    NameTable names;
    for (const UserModel& model : ours_) names.Add(model.name);
    for (const Coupling& coupling : model_.couplings) {
      if (coupling.terms.empty()) continue;
      const Joint& first = model_.joint(coupling.terms[0].coordinate.joint);
      const std::string name = names.Unique(IsLegalName(coupling.name) ? coupling.name : "coupling_" + first.name);
      file_.user_constraints.push_back(CouplingConstraint(model_, coupling, name));
      ours_.push_back(CouplingModel(model_, coupling, name));
    }
    for (UserConstraint& screw : screws_) file_.user_constraints.push_back(std::move(screw));
  }

  // "body/point" of everything written.
  [[nodiscard]] NameTable WrittenPoints() const {
    NameTable written;
    const auto add = [&](const std::string& body, const std::vector<FilePoint>& points) {
      written.Add(body + "/origin");
      for (const FilePoint& point : points) written.Add(body + "/" + point.name);
    };
    add("base", file_.base_points);
    for (const FileBody& body : file_.bodies) add(body.name, body.points);
    return written;
  }

  void AddNative() {
    MbsFile native = ParseNative(model_, diagnostics_);
    const NameTable written = native.links.empty() ? NameTable() : WrittenPoints();
    for (FileLink& link : native.links) {
      if (std::all_of(link.ends, link.ends + 2, [&](const Endpoint& end) { return written.Has(end.body + "/" + end.point); })) file_.links.push_back(std::move(link));
      else Warn({}, "link '" + link.name + "': a body or point it acts on is not there");
    }
    file_.user_constraints.insert(file_.user_constraints.begin(), native.user_constraints.begin(), native.user_constraints.end());
    file_.user_models = std::move(native.user_models);
    file_.user_models.insert(file_.user_models.end(), std::make_move_iterator(ours_.begin()), std::make_move_iterator(ours_.end()));
    file_.user_variables = std::move(native.user_variables);
  }

  void FillHeader() {
    const MbsFile* before = source_.file();
    file_.name = model_.name.empty() ? "model" : model_.name;
    file_.version = model_.format == "mbs" && !model_.format_version.empty() ? model_.format_version : "1.30.0";
    file_.gravity = model_.gravity.value_or(Vector3(0, 0, -9.81));
    file_.base_name = before && !before->base_name.empty() ? before->base_name : "Body_0";
    file_.x3D = before && !before->x3D.empty() ? before->x3D : kX3D;
  }

  const Model& model_;
  const SpanningTree& tree_;
  const SourceIndex source_;
  Diagnostics& diagnostics_;
  MbsFile file_;
  std::vector<Body> bodies_;
  BodyPoints base_points_;
  std::vector<std::size_t> body_of_;    // by link
  std::vector<bool> collapsed_;         // by link
  std::vector<JointId> rod_;            // by link: the ball joint at the rod's far end
  NameTable joint_names_, body_names_, followers_;
  std::unordered_map<std::string, std::size_t> frames_, sensors_;
  std::unordered_multimap<std::uint32_t, std::size_t> actuators_;  // by joint
  std::vector<JointId> written_joints_;
  std::vector<bool> frame_written_, sensor_written_;
  std::vector<UserModel> frame_rotations_, ours_;
  std::vector<UserConstraint> screws_;
};

}  // namespace

MbsFile BuildFile(const Model& model, const Source* source, Diagnostics& diagnostics) {
  const SpanningTree tree = ChooseSpanningTree(model, {}, diagnostics);
  const std::size_t errors = diagnostics.num_errors();
  CheckWritable(model, tree, diagnostics);
  if (diagnostics.num_errors() > errors) return {};
  return Builder(model, tree, source, diagnostics).Build();
}

}  // namespace kinemorph::mbs
