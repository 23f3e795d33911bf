#include "build_model.h"

#include <algorithm>
#include <cmath>

#include "chain_fold.h"
#include "name_table.h"
#include "rotation_chain.h"
#include "shapes.h"
#include "user_data.h"
#include "xml_writer.h"

namespace kinemorph::mbs {
namespace {

constexpr std::size_t kBase = BuiltModel::kNoBody;  // as a body index: the base

struct PointRef {
  const FilePoint* point = nullptr;  // null: the implicit origin
  Vector3 p = Vector3::Zero();
};

class Builder {
 public:
  Builder(const MbsFile& file, const xml::Context& context) : file_(file), context_(context), data_(FindJointData(file.user_models)) {}

  BuiltModel Build() {
    out_.model.scopes.emplace_back();
    out_.model.scopes[0].name = file_.name;
    IndexNames();
    OrderBodies();
    ResolveCuts();
    FindCopies();
    FoldBodies();
    AddLinks();
    AddTreeJoints();
    AddCuts();
    AddPoints();
    AddUserData();
    ForgetIdleNatures();
    return std::move(out_);
  }

 private:
  Diagnostic& Report(Severity severity, std::string code, SourceLocation where, std::string message) {
    return context_.diagnostics->Add({severity, std::move(code), context_.file_name, where.line, "", std::move(message), {}});
  }
  void Error(std::string code, SourceLocation where, std::string message) { Report(Severity::kError, std::move(code), where, std::move(message)); }
  void Warn(std::string code, SourceLocation where, std::string message) { Report(Severity::kWarning, std::move(code), where, std::move(message)); }

  void Register(NameTable& table, const char* kind, const std::string& name, SourceLocation where) {
    if (!name.empty() && !table.Add(name)) Error("duplicate-name", where, "'" + name + "': there are two " + std::string(kind) + " of this name");
  }

  void IndexPoints(const std::vector<FilePoint>& points, std::size_t body, NameTable& sensors, NameTable& forces) {
    for (const FilePoint& point : points) {
      if (!points_[body + 1].emplace(point.name, &point).second && !point.name.empty()) {
        Error("duplicate-name", point.where, "'" + point.name + "': there are two points of this name in one body");
      }
      if (!point.sensor.empty()) Register(sensors, "sensors", point.sensor_name, point.where);
      if (!point.extforce.empty()) Register(forces, "external forces", point.extforce_name, point.where);
    }
  }

  void IndexNames() {
    NameTable sensors, forces;
    points_.resize(file_.bodies.size() + 1);  // [0]: the base
    IndexPoints(file_.base_points, kBase, sensors, forces);
    for (std::size_t i = 0; i < file_.bodies.size(); ++i) {
      const FileBody& body = file_.bodies[i];
      if (body.name == "base") Error("reserved-name", body.where, "'base': this name stands for the inertial frame and cannot be a body's");
      Register(link_names_, "bodies", body.name, body.where);
      bodies_.emplace(body.name, i);
      for (const FileJoint& joint : body.joints) Register(joint_names_, "joints", joint.name, joint.where);
      IndexPoints(body.points, i, sensors, forces);
    }
    NameTable cuts, links;
    for (const FileCut& cut : file_.cuts) Register(cuts, "cuts", cut.name, cut.where);
    for (const FileLink& link : file_.links) Register(links, "links", link.name, link.where);
  }

  // The body of a name; nothing with an error when there is none.
  bool FindBody(const std::string& name, SourceLocation where, const std::string& subject, std::size_t& body) {
    if (name == "base") {
      body = kBase;
      return true;
    }
    const auto found = bodies_.find(name);
    if (found != bodies_.end()) {
      body = found->second;
      return true;
    }
    Diagnostic& d = Report(Severity::kError, "unknown-body", where, subject + ": there is no body '" + name + "'");
    std::vector<std::string> candidates;
    for (const FileBody& b : file_.bodies) candidates.push_back(b.name);
    if (const std::string near = NearestName(name, candidates); !near.empty()) d.notes.push_back("did you mean '" + near + "'?");
    return false;
  }

  PointRef FindPoint(std::size_t body, const std::string& name, SourceLocation where, const std::string& subject) {
    const auto& points = points_[body + 1];
    const auto found = points.find(name);
    if (found != points.end()) {
      used_points_.Add(std::to_string(body + 1) + "/" + name);
      return {found->second, found->second->p};
    }
    if (name == "origin") return {};
    const auto lower = [](std::string text) {
      for (char& c : text) if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
      return text;
    };
    const std::string owner = body == kBase ? "base" : file_.bodies[body].name;
    if (lower(name) == "origin") {
      Warn("origin-case", where, subject + ": point '" + name + "' of '" + owner + "' was taken for 'origin'; not every Robotran tool does that");
      return {};
    }
    Diagnostic& d = Report(Severity::kError, "unknown-point", where, subject + ": '" + owner + "' has no point '" + name + "'");
    std::vector<std::string> candidates;
    for (const auto& [candidate, point] : points) candidates.push_back(candidate);
    std::sort(candidates.begin(), candidates.end());
    if (const std::string near = NearestName(name, candidates); !near.empty()) d.notes.push_back("did you mean '" + near + "'?");
    return {};
  }

  // Parents and anchors; bodies from the base outwards.
  void OrderBodies() {
    const std::size_t n = file_.bodies.size();
    parent_.assign(n, kBase);
    anchor_.assign(n, Vector3::Zero());
    has_child_.assign(n + 1, false);
    std::vector<std::vector<std::size_t>> children(n + 1);
    for (std::size_t i = 0; i < n; ++i) {
      const FileBody& body = file_.bodies[i];
      const std::string subject = "'" + body.name + "'";
      if (FindBody(body.parent, body.parent_where, subject, parent_[i])) {
        anchor_[i] = FindPoint(parent_[i], body.parent_point, body.parent_where, subject).p;
        if (parent_[i] != kBase && parent_[i] > i) {
          Warn("parent-after-child", body.parent_where, subject + ": its parent '" + body.parent + "' comes later in the file; MBsysPad cannot load that");
        }
      }
      children[parent_[i] + 1].push_back(i);
      has_child_[parent_[i] + 1] = true;
    }
    std::vector<std::size_t> stack(children[0].rbegin(), children[0].rend());
    std::vector<bool> reached(n);
    while (!stack.empty()) {
      const std::size_t i = stack.back();
      stack.pop_back();
      reached[i] = true;
      order_.push_back(i);
      stack.insert(stack.end(), children[i + 1].rbegin(), children[i + 1].rend());
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (reached[i]) continue;
      Error("body-cycle", file_.bodies[i].parent_where, "'" + file_.bodies[i].name + "': its chain of parents never reaches the base");
      parent_[i] = kBase;
      order_.push_back(i);
    }
  }

  void ResolveCuts() {
    for (const FileCut& cut : file_.cuts) {
      Ends ends;
      for (int i = 0; i < 2; ++i) {
        const Endpoint& end = cut.ends[i];
        const std::string subject = "'" + cut.name + "'";
        ends.known = FindBody(end.body, end.where, subject, ends.body[i]) && ends.known;
        if (ends.known) ends.p[i] = FindPoint(ends.body[i], end.point, end.where, subject).p;
      }
      cuts_.push_back(ends);
      if (!ends.known) continue;
      for (const std::size_t body : ends.body) ++cuts_at_[body];
      if (cut.ignore[0] || cut.ignore[1] || cut.ignore[2]) {
        Warn("ignore-not-applied", cut.where, "'" + cut.name + "': Robotran drops a row of this cut (<ignore>); the whole cut was read");
      }
    }
    for (const FileLink& link : file_.links) {
      for (const Endpoint& end : link.ends) {
        std::size_t body = kBase;
        if (!FindBody(end.body, end.where, "'" + link.name + "'", body)) continue;
        FindPoint(body, end.point, end.where, "'" + link.name + "'");
        ++cuts_at_[body];
      }
    }
  }

  [[nodiscard]] bool IsMassless(const FileBody& body) const {
    const FileInertia none;
    const FileInertia I = body.inertia.value_or(none);
    return body.mass.value_or(0) == 0 && body.com.value_or(Vector3::Zero()).isZero(0) && I.xx == 0 && I.xy == 0 && I.xz == 0 && I.yy == 0 &&
           I.yz == 0 && I.zz == 0;
  }

  // A massless leaf that only serves one solid cut: its joints are the loop joint's.
  [[nodiscard]] bool IsCopy(std::size_t i) {
    if (i == kBase || has_child_[i + 1] || cuts_at_[i] != 1) return false;
    const FileBody& body = file_.bodies[i];
    if (!IsMassless(body) || !body.graphics.shapes.empty() || body.joints.empty()) return false;
    return std::all_of(body.points.begin(), body.points.end(), [&](const FilePoint& point) {
      return point.sensor.empty() && point.extforce.empty() && used_points_.Has(std::to_string(i + 1) + "/" + point.name);
    });
  }

  void FindCopies() {
    is_copy_.assign(file_.bodies.size(), false);
    copies_.resize(file_.cuts.size());
    out_.copy_of_cut.assign(file_.cuts.size(), BuiltModel::kNoBody);
    for (std::size_t c = 0; c < file_.cuts.size(); ++c) {
      if (file_.cuts[c].kind != CutKind::kSolid || !cuts_[c].known) continue;
      for (const std::size_t body : cuts_[c].body) {
        if (!IsCopy(body)) continue;
        copies_[c] = FoldToOneJoint(file_.bodies[body].joints, anchor_[body], data_, file_.cuts[c].name);
        if (!copies_[c]) continue;
        out_.copy_of_cut[c] = body;
        is_copy_[body] = true;
        break;
      }
    }
  }

  void FoldBodies() {
    folded_.resize(file_.bodies.size());
    for (std::size_t i = 0; i < file_.bodies.size(); ++i) {
      const FileBody& body = file_.bodies[i];
      for (const FileJoint& joint : body.joints) {
        if (joint.nature != Nature::kDriven || (joint.symbols && !joint.symbol_qd && !joint.symbol_qdd)) continue;
        Warn("driven-joint-frozen", joint.where,
             "'" + joint.name + "': user code may move this driven joint; it is held at its initial value " + std::to_string(joint.q));
      }
      if (!is_copy_[i]) folded_[i] = FoldChain(body.name, body.joints, anchor_[i], data_);
    }
  }

  [[nodiscard]] LinkId LinkOf(std::size_t body) const { return body == kBase ? kWorld : out_.link_of_body[body]; }

  void AddLinks() {
    Model& model = out_.model;
    out_.link_of_body.assign(file_.bodies.size(), kNoLink);
    between_.resize(file_.bodies.size());
    for (std::size_t i = 0; i < file_.bodies.size(); ++i) {
      if (is_copy_[i]) continue;
      const FileBody& body = file_.bodies[i];
      for (std::size_t j = 0; j + 1 < folded_[i].size(); ++j) {
        Link link;
        link.name = link_names_.Unique(folded_[i][j].name + "_link");
        link.synthetic = true;
        link.scope = ScopeId{0};
        between_[i].push_back(model.AddLink(std::move(link)));
      }
      Link link;
      link.name = body.name;
      link.scope = ScopeId{0};
      link.where = body.where;
      if (body.mass || body.com || body.inertia) link.inertial = ReadInertial(body);
      for (const FileShape& shape : body.graphics.shapes) link.visuals.push_back(ToVisual(shape));
      out_.link_of_body[i] = model.AddLink(std::move(link));
    }
    for (const FileShape& shape : file_.base_graphics.shapes) model.link(kWorld).visuals.push_back(ToVisual(shape));
  }

  [[nodiscard]] static Inertial ReadInertial(const FileBody& body) {
    Inertial inertial;
    inertial.mass = body.mass.value_or(0);
    inertial.X_LI.p = body.com.value_or(Vector3::Zero());
    const FileInertia I = body.inertia.value_or(FileInertia{});
    inertial.I_I << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
    inertial.where = body.where;
    return inertial;
  }

  Joint ToJoint(const FoldedJoint& folded, JointRole role) {
    Joint joint;
    joint.name = folded.name;
    joint.kind = folded.kind;
    joint.role = role;
    joint.X_PF = folded.X_PF;
    joint.X_SM = folded.X_SM;
    joint.independent = folded.independent;
    joint.where = folded.where;
    joint.scope = ScopeId{0};
    joint.axes.resize(static_cast<std::size_t>(NumAxes(joint.kind)));
    for (std::size_t i = 0; i < std::min(joint.axes.size(), folded.initial.size()); ++i) {
      if (folded.initial[i] != 0) joint.axes[i].initial_position = folded.initial[i];
    }
    for (const FileJoint* source : folded.joints) {
      if (!source->extforce.empty()) joint.native.push_back({"mbs", "extforce", source->extforce, source->where});
      if (source->qd == 0 && source->qdd == 0) continue;
      xml::Writer w(false);
      w.Open("initialvalue").Leaf("joint", source->name).Leaf("qd", source->qd).Leaf("qdd", source->qdd).Close();
      joint.native.push_back({"mbs", "initialvalue", std::move(w).text(), source->where});
    }
    if (const auto found = data_.find(joint.name); found != data_.end()) {
      ApplyJointData(*found->second.source, joint);
      ours_.Add(found->second.source->name);
    }
    return joint;
  }

  // Where the file's joints went, for couplings and actuators.
  void Remember(const FoldedJoint& folded, JointId id) {
    const bool scalar = !std::holds_alternative<Free>(folded.kind) && !std::holds_alternative<Ball>(folded.kind);
    for (std::size_t axis = 0; axis < folded.joints.size(); ++axis) {
      if (scalar) coordinates_[folded.joints[axis]->name] = {id, static_cast<int>(axis)};
      if (!folded.joints[axis]->actuated) continue;
      Actuator actuator;
      actuator.name = folded.joints[axis]->name;
      actuator.type = "actuated";
      actuator.joint = id;
      actuator.where = folded.joints[axis]->where;
      out_.model.actuators.push_back(std::move(actuator));
    }
  }

  void AddTreeJoints() {
    out_.joints_of_body.resize(file_.bodies.size());
    for (std::size_t i = 0; i < file_.bodies.size(); ++i) {
      LinkId from = LinkOf(parent_[i]);
      for (std::size_t j = 0; j < folded_[i].size(); ++j) {
        const LinkId to = j < between_[i].size() ? between_[i][j] : out_.link_of_body[i];
        const JointId id = out_.model.AddJoint(from, to, ToJoint(folded_[i][j], JointRole::kTree));
        out_.joints_of_body[i].push_back(id);
        Remember(folded_[i][j], id);
        from = to;
      }
    }
  }

  void AddCuts() {
    out_.joint_of_cut.assign(file_.cuts.size(), kNoJoint);
    for (std::size_t c = 0; c < file_.cuts.size(); ++c) {
      if (!cuts_[c].known) continue;
      if (file_.cuts[c].kind == CutKind::kRod) AddRod(c);
      else if (copies_[c]) AddSplitJoint(c);
      else AddCut(c);
    }
  }

  // Point to point (ball), or body frame to body frame (solid).
  void AddCut(std::size_t c) {
    const Ends& ends = cuts_[c];
    FoldedJoint folded;
    folded.name = joint_names_.Unique(file_.cuts[c].name);
    if (file_.cuts[c].kind == CutKind::kBall) folded.kind = Ball{};
    folded.X_PF.p = ends.p[0];
    folded.X_SM.p = ends.p[1];
    folded.where = file_.cuts[c].where;
    out_.joint_of_cut[c] = out_.model.AddJoint(LinkOf(ends.body[0]), LinkOf(ends.body[1]), ToJoint(folded, JointRole::kLoop));
  }

  // The copy L hangs on P by the loop joint; the cut says L and the successor S coincide: X_SM = Trans(p_S - p_L) X_LM.
  void AddSplitJoint(std::size_t c) {
    const std::size_t copy = out_.copy_of_cut[c];
    const int copy_end = cuts_[c].body[0] == copy ? 0 : 1;
    FoldedJoint folded = *copies_[c];
    folded.name = joint_names_.Unique(file_.cuts[c].name);
    folded.where = file_.cuts[c].where;
    folded.X_SM = RigidTransform::Translation(cuts_[c].p[1 - copy_end] - cuts_[c].p[copy_end]) * folded.X_SM;
    if (folded.independent == false) folded.independent.reset();  // what a loop joint is anyway
    Joint joint = ToJoint(folded, JointRole::kLoop);
    const JointId id = out_.model.AddJoint(LinkOf(parent_[copy]), LinkOf(cuts_[c].body[1 - copy_end]), std::move(joint));
    Remember(folded, id);
    out_.joint_of_cut[c] = id;
  }

  // A massless rod: universal joint at one end, ball at the other, net one constraint. It is drawn pointing at its other end.
  void AddRod(std::size_t c) {
    const FileCut& cut = file_.cuts[c];
    const Ends& ends = cuts_[c];
    if (poses_.empty()) ComputePoses();
    const RigidTransform X_W1 = Pose(ends.body[0]);
    Vector3 direction = X_W1.R.transpose() * (Pose(ends.body[1]) * ends.p[1] - X_W1 * ends.p[0]);
    direction = direction.norm() > 1e-12 ? Vector3(direction.normalized()) : Vector3(Vector3::UnitX());
    const Matrix3 along_z = RotationWithZ(Snapped(direction));
    FoldedJoint universal;
    universal.name = joint_names_.Unique(cut.name + "_universal");
    universal.kind = Universal{Vector3::UnitY(), Vector3::UnitZ()};
    universal.X_PF.R << along_z.col(2), along_z.col(0), along_z.col(1);
    universal.X_PF.p = ends.p[0];
    universal.independent = false;
    universal.where = cut.where;
    FoldedJoint ball;
    ball.name = joint_names_.Unique(cut.name + "_ball");
    ball.kind = Ball{};
    ball.X_PF.p = cut.length * Vector3::UnitX();
    ball.X_SM.p = ends.p[1];
    ball.where = cut.where;
    Link rod;
    rod.name = link_names_.Unique(cut.name);
    rod.where = cut.where;
    rod.scope = ScopeId{0};
    xml::Writer w(false);
    w.Open("rod").Leaf("name", cut.name).Leaf("length", cut.length).Close();
    rod.native.push_back({"mbs", "rod", std::move(w).text(), cut.where});
    const LinkId link = out_.model.AddLink(std::move(rod));
    out_.model.AddJoint(LinkOf(ends.body[0]), link, ToJoint(universal, JointRole::kTree));
    out_.joint_of_cut[c] = out_.model.AddJoint(link, LinkOf(ends.body[1]), ToJoint(ball, JointRole::kLoop));
  }

  void ComputePoses() {
    poses_.resize(file_.bodies.size());
    for (const std::size_t i : order_) {
      RigidTransform X = Pose(parent_[i]) * RigidTransform::Translation(anchor_[i]);
      for (const FileJoint& joint : file_.bodies[i].joints) {
        if (joint.rotation) X = X * RigidTransform::Rotation(ElementaryRotation(joint.k, joint.q));
        else X = X * RigidTransform::Translation(joint.q * Vector3::Unit(joint.k));
      }
      poses_[i] = X;
    }
  }
  [[nodiscard]] RigidTransform Pose(std::size_t body) const { return body == kBase ? RigidTransform() : poses_[body]; }

  // Points nobody refers to are frames; those that carry a sensor are that sensor.
  void AddPoints() {
    std::unordered_map<std::string, int> times;
    ForEachFramePoint([&](std::size_t, const FilePoint& point) { ++times[point.name]; });
    NameTable frames;
    ForEachFramePoint([&](std::size_t body, const FilePoint& point) {
      Frame frame;
      const bool plain = times[point.name] == 1 && point.name != "origin" && !link_names_.Has(point.name) && !joint_names_.Has(point.name);
      const std::string owner = body == kBase ? "base" : file_.bodies[body].name;
      frame.name = frames.Unique(plain ? point.name : owner + "_" + point.name);
      frame.link = LinkOf(body);
      frame.X_LF.p = point.p;
      frame.native_type = "point";
      frame.scope = ScopeId{0};
      frame.where = point.where;
      if (!point.extforce.empty()) frame.native.push_back({"mbs", "extforce", point.extforce, point.where});
      out_.frame_of_point.emplace(std::to_string(body + 1) + "/" + point.name, out_.model.frames.size());
      out_.model.frames.push_back(std::move(frame));
    });
    AddSensors(kBase, file_.base_points);
    for (std::size_t i = 0; i < file_.bodies.size(); ++i) AddSensors(i, file_.bodies[i].points);
  }

  void AddSensors(std::size_t body, const std::vector<FilePoint>& points) {
    for (const FilePoint& point : points) {
      if (point.sensor.empty()) continue;
      Sensor sensor;
      sensor.name = point.sensor_name;
      sensor.type = "kinematic";
      sensor.link = LinkOf(body);
      sensor.X_LS.p = point.p;
      sensor.native = {"mbs", "sensor", point.sensor, point.where};
      sensor.where = point.where;
      out_.model.sensors.push_back(std::move(sensor));
    }
  }

  template <class Visit>
  void ForEachFramePoint(Visit visit) const {
    const auto visit_all = [&](std::size_t body, const std::vector<FilePoint>& points) {
      for (const FilePoint& point : points) {
        const bool used = used_points_.Has(std::to_string(body + 1) + "/" + point.name) || !point.sensor.empty();
        if (!used || !point.extforce.empty()) visit(body, point);
      }
    };
    visit_all(kBase, file_.base_points);
    for (std::size_t i = 0; i < file_.bodies.size(); ++i) if (!is_copy_[i]) visit_all(i, file_.bodies[i].points);
  }

  void AddUserData() {
    Model& model = out_.model;
    std::unordered_map<std::string, LinkId> links = {{"base", kWorld}};
    for (std::size_t i = 0; i < file_.bodies.size(); ++i) if (!is_copy_[i]) links[file_.bodies[i].name] = out_.link_of_body[i];
    std::unordered_map<std::string, std::size_t> frames;
    for (std::size_t i = 0; i < model.frames.size(); ++i) frames[model.frames[i].name] = i;
    for (const UserModel& user : file_.user_models) {
      if (user.name.substr(0, kFrameDataPrefix.size()) == kFrameDataPrefix) {
        const auto frame = frames.find(user.name.substr(kFrameDataPrefix.size()));
        const auto R = FrameRotation(user);
        if (frame != frames.end() && R) {
          model.frames[frame->second].X_LF.R = *R;
          ours_.Add(user.name);
        }
      } else if (auto coupling = ReadCoupling(user, coordinates_, links)) {
        couplings_.Add(user.name);
        ours_.Add(user.name);
        model.couplings.push_back(*std::move(coupling));
      }
    }
    for (const FileLink& link : file_.links) model.native.push_back({"mbs", "link", link.xml, link.where});
    AddUserConstraints();
    for (const UserModel& user : file_.user_models) if (!ours_.Has(user.name)) model.native.push_back({"mbs", "user_model", user.xml, user.where});
    for (const UserVariable& variable : file_.user_variables) model.native.push_back({"mbs", "user_variable", variable.xml, variable.where});
  }

  // A user constraint without our numbers is an equation in somebody's C code.
  void AddUserConstraints() {
    for (const UserConstraint& constraint : file_.user_constraints) {
      for (const std::string& joint : constraint.joints) {
        if (!joint_names_.Has(joint)) Error("unknown-joint", constraint.where, "'" + constraint.name + "': there is no joint '" + joint + "'");
        constrained_.Add(joint);
      }
      const std::string suffix = "_screw";
      const std::string stem = constraint.name.size() > suffix.size() ? constraint.name.substr(0, constraint.name.size() - suffix.size()) : "";
      const auto screw = data_.find(stem);
      const bool is_screw = stem + suffix == constraint.name && screw != data_.end() && screw->second.kind == "screw";
      if (couplings_.Has(constraint.name) || is_screw) continue;
      xml::Writer w(false);
      w.Open("user_constraint").Leaf("name", constraint.name).Open("joints");
      std::string list;
      for (const std::string& joint : constraint.joints) {
        w.Leaf("jointname", joint);
        list += (list.empty() ? "'" : ", '") + joint + "'";
      }
      w.Close().Close();
      out_.model.native.push_back({"mbs", "user_constraint", std::move(w).text(), constraint.where});
      Warn("user-constraint-code", constraint.where, "'" + constraint.name + "': the equation between " + list +
                                                         " is in user code, not in the file; the joints were read as unconstrained");
    }
  }

  // A joint's nature says something on a loop or in a constraint only; 'independent' elsewhere is what every joint is.
  void ForgetIdleNatures() {
    Model& model = out_.model;
    // Every loop marks its two ends; below a joint of the loop lies exactly one of them, so that the marks of a subtree do not cancel.
    std::vector<std::uint64_t> marks(model.num_links(), 0);
    std::uint64_t loop = 0;
    for (const JointId id : Joints(model)) {
      if (model.joint(id).role != JointRole::kLoop) continue;
      std::uint64_t z = (loop += 0x9E3779B97F4A7C15ull);  // splitmix64
      z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
      z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
      z ^= z >> 31;
      marks[Index(model.predecessor(id))] ^= z;
      marks[Index(model.successor(id))] ^= z;
    }
    const auto forget = [&](JointId id) {
      Joint& joint = model.joint(id);
      const std::vector<std::string> names = CoordinateNames(joint);
      const bool constrained = std::any_of(names.begin(), names.end(), [&](const std::string& name) { return constrained_.Has(name); });
      if (joint.independent == true && marks[Index(model.successor(id))] == 0 && !constrained) joint.independent.reset();
      marks[Index(model.predecessor(id))] ^= marks[Index(model.successor(id))];
    };
    for (const JointId id : Joints(model)) {  // rods are leaves
      if (model.joint(id).role == JointRole::kTree && Index(id) >= NumBodyJoints()) forget(id);
    }
    for (std::size_t i = order_.size(); i-- > 0;) {
      const auto& chain = out_.joints_of_body[order_[i]];
      for (std::size_t j = chain.size(); j-- > 0;) forget(chain[j]);
    }
  }
  [[nodiscard]] std::size_t NumBodyJoints() const {
    std::size_t n = 0;
    for (const auto& chain : out_.joints_of_body) n += chain.size();
    return n;
  }

  struct Ends {
    std::size_t body[2] = {kBase, kBase};
    Vector3 p[2] = {Vector3::Zero(), Vector3::Zero()};
    bool known = true;
  };

  const MbsFile& file_;
  const xml::Context& context_;
  const JointDataMap data_;
  BuiltModel out_;
  std::unordered_map<std::string, std::size_t> bodies_;
  std::vector<std::unordered_map<std::string, const FilePoint*>> points_;  // by body + 1
  NameTable link_names_, joint_names_, used_points_, ours_, couplings_, constrained_;
  std::vector<std::size_t> parent_, order_;
  std::vector<Vector3> anchor_;
  std::vector<bool> has_child_, is_copy_;
  std::vector<Ends> cuts_;
  std::unordered_map<std::size_t, int> cuts_at_;
  std::vector<std::optional<FoldedJoint>> copies_;
  std::vector<std::vector<FoldedJoint>> folded_;
  std::vector<std::vector<LinkId>> between_;
  std::unordered_map<std::string, Coordinate> coordinates_;
  std::vector<RigidTransform> poses_;
};

}  // namespace

BuiltModel BuildModel(const MbsFile& file, const xml::Context& context) {
  BuiltModel built = Builder(file, context).Build();
  built.model.name = file.name;
  built.model.format = "mbs";
  built.model.format_version = file.version;
  built.model.gravity = file.gravity;
  return built;
}

}  // namespace kinemorph::mbs
