#include "compiled_mujoco.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace kinemorph {
namespace {

using nlohmann::json;

Vector3 Vec(const json& a) { return {a[0].get<double>(), a[1].get<double>(), a[2].get<double>()}; }
Matrix3 Mat(const json& a) {
  Matrix3 R;
  for (int i = 0; i < 9; ++i) R(i / 3, i % 3) = a[static_cast<std::size_t>(i)].get<double>();
  return R;
}

class Comparison {
 public:
  Comparison(const Model& model, const CompiledMujoco& compiled, const CompareTolerance& tolerance)
      : model_(model), mj_(compiled), tolerance_(tolerance) {}

  std::vector<std::string> RunGeoms() {
    Place();
    if (bodies_.size() != mj_.bodies.size() + 1) return {"other bodies"};
    Geoms();
    Excludes();
    return std::move(differences_);
  }

  std::vector<std::string> Run() {
    Place();
    Bodies();
    JointsOf();
    Equalities();
    return std::move(differences_);
  }

 private:
  void Say(const std::string& what) { differences_.push_back(what); }
  void Near(const std::string& what, double ours, double theirs, double tolerance) {
    if (std::abs(ours - theirs) > tolerance * std::max({1.0, std::abs(ours), std::abs(theirs)})) {
      Say(what + ": " + std::to_string(ours) + " instead of " + std::to_string(theirs) +
          " (off by " + std::to_string(std::abs(ours - theirs) * 1e9) + "e-9)");
    }
  }
  template <class A, class B>
  void Near(const std::string& what, const Eigen::MatrixBase<A>& ours,
            const Eigen::MatrixBase<B>& theirs, double tolerance) {
    const double error = (ours - theirs).cwiseAbs().maxCoeff(),
                 scale = std::max(1.0, theirs.cwiseAbs().maxCoeff());
    if (!(error <= tolerance * scale))
      Say(what + " is off by " + std::to_string(error * 1e9) + "e-9");
  }

  // Poses at zero, down the tree joints; links are added parents first but for links between
  // joints.
  void Place() {
    X_WL_.resize(model_.num_links());
    std::vector<bool> placed(model_.num_links(), false);
    placed[0] = true;
    for (const JointId id : Joints(model_)) {
      const Joint& joint = model_.joint(id);
      if (joint.role == JointRole::kLoop || placed[Index(model_.successor(id))]) continue;
      X_WL_[Index(model_.successor(id))] =
          X_WL_[Index(model_.predecessor(id))] * joint.X_PF * joint.X_SM.inverse();
      placed[Index(model_.successor(id))] = true;
    }
    bodies_.push_back(kWorld);
    for (const LinkId id : Links(model_))
      if (!model_.link(id).synthetic) bodies_.push_back(id);
    for (const JointId id : Joints(model_))
      if (model_.joint(id).role != JointRole::kLoop && !model_.joint(id).implicit)
        joints_.push_back(id);
  }

  [[nodiscard]] LinkId ParentBody(LinkId id) const {
    // Up through the links between joints.
    LinkId at = id;
    do {
      JointId above = kNoJoint;
      for (const JointId j : Joints(model_))
        if (model_.successor(j) == at && model_.joint(j).role != JointRole::kLoop) above = j;
      if (above == kNoJoint) return kNoLink;
      at = model_.predecessor(above);
    } while (model_.link(at).synthetic);
    return at;
  }

  void Bodies() {
    if (bodies_.size() != mj_.bodies.size() + 1) {
      Say("bodies: " + std::to_string(bodies_.size() - 1) + " instead of " +
          std::to_string(mj_.bodies.size()));
      aligned_ = false;
      return;
    }
    for (std::size_t i = 0; i < mj_.bodies.size(); ++i) {
      const CompiledBody& theirs = mj_.bodies[i];
      const LinkId id = bodies_[i + 1];
      const Link& link = model_.link(id);
      const std::string who = "body '" + link.name + "'";
      if (!theirs.name.empty() && theirs.name != link.name)
        Say(who + ": called '" + theirs.name + "'");
      if (ParentBody(id) != bodies_[static_cast<std::size_t>(theirs.parent)])
        Say(who + ": another parent");
      const RigidTransform& X_WL = X_WL_[Index(id)];
      Near(who + " position", X_WL.p, theirs.X_WB.p, tolerance_.kinematics);
      Near(who + " orientation", X_WL.R, theirs.X_WB.R, tolerance_.kinematics);
      const double mass = link.inertial ? link.inertial->mass : 0;
      Near(who + " mass", mass, theirs.mass, tolerance_.inertia);
      if (!link.inertial || theirs.mass == 0) continue;
      const SpatialInertia M = link.inertial->InLink().InFrame(X_WL);
      Near(who + " centre of mass", M.p_BoBcm, theirs.X_WI.p, tolerance_.inertia);
      const Matrix3 I = theirs.X_WI.R * theirs.moments.asDiagonal() * theirs.X_WI.R.transpose();
      const double scale = std::max(theirs.moments.maxCoeff(), 1e-12);
      Near(who + " inertia", Matrix3(M.I_BBcm / scale), Matrix3(I / scale), tolerance_.inertia);
    }
  }

  void JointsOf() {
    int nv = 0;
    for (const JointId id : joints_) nv += NumVelocities(model_.joint(id).kind);
    if (nv != mj_.nv) Say("nv: " + std::to_string(nv) + " instead of " + std::to_string(mj_.nv));
    if (joints_.size() != mj_.joints.size()) {
      Say("joints: " + std::to_string(joints_.size()) + " instead of " +
          std::to_string(mj_.joints.size()));
      aligned_ = false;
      return;
    }
    for (std::size_t i = 0; i < joints_.size(); ++i) CompareJoint(joints_[i], mj_.joints[i]);
  }

  void CompareJoint(JointId id, const CompiledJoint& theirs) {
    const Joint& joint = model_.joint(id);
    const JointAxis& axis = joint.axes.at(0);
    const std::string who = "joint '" + joint.name + "'";
    const double t = tolerance_.kinematics;
    if (!theirs.name.empty() && theirs.name != joint.name)
      Say(who + ": called '" + theirs.name + "'");
    const int type = std::holds_alternative<Free>(joint.kind)        ? 0
                     : std::holds_alternative<Ball>(joint.kind)      ? 1
                     : std::holds_alternative<Prismatic>(joint.kind) ? 2
                                                                     : 3;
    if (type != theirs.type)
      return Say(who + ": type " + std::to_string(type) + " instead of " +
                 std::to_string(theirs.type));
    const RigidTransform X_WM = X_WL_[Index(model_.successor(id))] * joint.X_SM;
    Near(who + " anchor", X_WM.p, theirs.anchor, t);
    const bool scalar = type >= 2;
    if (scalar) {
      Near(who + " axis", Vector3(X_WM.R * AxesOf(joint.kind).front()), theirs.axis, t);
      Near(who + " ref", axis.position_offset, theirs.ref, t);
    }
    const auto limit = [](double value) { return std::abs(value) < 1e15; };
    if (type != 0) {
      const double shift = scalar ? theirs.ref : 0;
      const bool lower = theirs.limited && limit(theirs.lower) && scalar,
                 upper = theirs.limited && limit(theirs.upper);
      if (axis.lower.has_value() != lower || axis.upper.has_value() != upper)
        Say(who + ": limited on other sides");
      if (axis.lower && lower) Near(who + " lower limit", *axis.lower, theirs.lower - shift, t);
      if (axis.upper && upper) Near(who + " upper limit", *axis.upper, theirs.upper - shift, t);
      if (axis.effort.has_value() != theirs.effort_limited) Say(who + ": effort limited or not");
      if (axis.effort && theirs.effort_limited) {
        Near(who + " effort", *axis.effort, theirs.effort_upper, t);
        Near(who + " lower effort", axis.effort_lower.value_or(-*axis.effort), theirs.effort_lower,
             t);
      }
      if (scalar && axis.spring_reference)
        Near(who + " springref", *axis.spring_reference, theirs.springref - theirs.ref, t);
    }
    Near(who + " stiffness", axis.spring_stiffness.value_or(0), theirs.stiffness, t);
    Near(who + " damping", axis.damping.value_or(0), theirs.damping, t);
    Near(who + " armature", axis.armature.value_or(0), theirs.armature, t);
    Near(who + " frictionloss", axis.friction.value_or(0), theirs.frictionloss, t);
  }

  // Type and sizes as MuJoCo says them; -1: none of its simple shapes.
  static std::pair<int, Vector3> Simple(const Shape& shape) {
    if (const auto* s = std::get_if<Sphere>(&shape)) return {2, Vector3(s->radius, 0, 0)};
    if (const auto* s = std::get_if<Capsule>(&shape))
      return {3, Vector3(s->radius, s->length / 2, 0)};
    if (const auto* s = std::get_if<Ellipsoid>(&shape)) return {4, s->radii};
    if (const auto* s = std::get_if<Cylinder>(&shape))
      return {5, Vector3(s->radius, s->length / 2, 0)};
    if (const auto* s = std::get_if<Box>(&shape)) return {6, Vector3(s->size / 2)};
    return {-1, Vector3::Zero()};
  }

  template <class Part>
  [[nodiscard]] bool Holds(const std::vector<Part>& parts, const RigidTransform& X_WL,
                           const CompiledGeom& geom) const {
    return std::any_of(parts.begin(), parts.end(), [&](const Part& part) {
      const auto [type, size] = Simple(part.shape);
      const RigidTransform X_WG = X_WL * part.X_LG;
      const double t = tolerance_.kinematics;
      return type == geom.type && (size - geom.size).cwiseAbs().maxCoeff() < t &&
             (X_WG.p - geom.X_WG.p).cwiseAbs().maxCoeff() < t &&
             (X_WG.R - geom.X_WG.R).cwiseAbs().maxCoeff() < t &&
             (part.name.empty() || geom.name.empty() || part.name == geom.name);
    });
  }

  void Geoms() {
    std::size_t colliding = 0, ours = 0;
    for (const LinkId id : bodies_) ours += model_.link(id).collisions.size();
    for (const CompiledGeom& geom : mj_.geoms) {
      const LinkId id = bodies_[static_cast<std::size_t>(geom.body)];
      const Link& link = model_.link(id);
      colliding += geom.collides ? 1 : 0;
      if (!(geom.collides ? Holds(link.collisions, X_WL_[Index(id)], geom)
                          : Holds(link.visuals, X_WL_[Index(id)], geom)))
        Say("geom '" + geom.name + "' of body '" + link.name + "' is not a shape of ours");
    }
    if (ours != colliding)
      Say("geoms that collide: " + std::to_string(ours) + " instead of " +
          std::to_string(colliding));
  }

  void Excludes() {
    using Pair = std::pair<std::size_t, std::size_t>;
    const auto pair = [](LinkId a, LinkId b) -> Pair { return std::minmax({Index(a), Index(b)}); };
    std::set<Pair> ours, theirs;
    for (const auto& exclusion : model_.contact_exclusions)
      ours.insert(pair(exclusion.a, exclusion.b));
    for (const auto& [a, b] : mj_.excludes)
      theirs.insert(
          pair(bodies_[static_cast<std::size_t>(a)], bodies_[static_cast<std::size_t>(b)]));
    if (ours != theirs)
      Say("pairs that do not touch: " + std::to_string(ours.size()) + " of ours, " +
          std::to_string(theirs.size()) + " of theirs");
  }

  // Every equality that is active and not a handle must hold in our model as a loop joint or a
  // coupling.
  void Equalities() {
    if (!aligned_) return;
    std::size_t points = 0, joint_equalities = 0;
    for (const CompiledEquality& eq : mj_.equalities) {
      if (!eq.active) continue;
      if (eq.type <= 1) {
        const auto mocap = [this](int body) {
          return body > 0 && mj_.bodies[static_cast<std::size_t>(body - 1)].mocap;
        };
        if (mocap(eq.a) || mocap(eq.b)) continue;
        ++points;
        PointEquality(eq);
      } else if (eq.type == 2) {
        ++joint_equalities;
        JointEquality(eq);
      }
    }
    const auto ours = static_cast<std::size_t>(
        std::count_if(model_.couplings.begin(), model_.couplings.end(),
                      [](const Coupling& c) { return c.form == CouplingForm::kPolynomial; }));
    if (ours > joint_equalities)
      Say("joint equalities: " + std::to_string(ours) + " instead of " +
          std::to_string(joint_equalities));
    std::size_t loop_joints = 0;
    for (const JointId id : Joints(model_))
      if (model_.joint(id).role == JointRole::kLoop) ++loop_joints;
    if (loop_joints > points || (loop_joints == 0 && points > 0))
      Say("loops: " + std::to_string(loop_joints) + " for " + std::to_string(points) +
          " connects and welds");
  }

  void PointEquality(const CompiledEquality& eq) {
    const LinkId a = bodies_[static_cast<std::size_t>(eq.a)],
                 b = bodies_[static_cast<std::size_t>(eq.b)];
    const auto vec = [&eq](std::size_t i) {
      return Vector3(eq.data[i], eq.data[i + 1], eq.data[i + 2]);
    };
    for (const JointId id : Joints(model_)) {
      const Joint& joint = model_.joint(id);
      const LinkId p = model_.predecessor(id), s = model_.successor(id);
      if (joint.role != JointRole::kLoop || !((p == a && s == b) || (p == b && s == a))) continue;
      const RigidTransform &X_AF = p == a ? joint.X_PF : joint.X_SM,
                           &X_BM = p == a ? joint.X_SM : joint.X_PF;
      RigidTransform X_AB;  // as the weld wants it
      if (eq.type == 1) {
        if (eq.by_sites) {
          X_AB = eq.X_AS * eq.X_BS.inverse();
        } else {
          X_AB.R = RotationFromQuaternion(eq.data[6], eq.data[7], eq.data[8], eq.data[9]);
          X_AB.p = vec(3) - X_AB.R * vec(0);
        }
        const RigidTransform ours = X_AF * X_BM.inverse();
        const double position = (ours.p - X_AB.p).norm(),
                     rotation = (ours.R - X_AB.R).cwiseAbs().maxCoeff();
        const bool ball = std::holds_alternative<Ball>(joint.kind) && eq.data[10] == 0;
        const double gap = ball ? (X_AF.p - X_AB * X_BM.p).norm() : std::max(position, rotation);
        if (gap < tolerance_.kinematics) return;
      } else {
        // The two anchors are one point of the joint: the same coordinates in F and M, on the axis
        // of a revolute, at the centre of a ball.
        const Vector3 anchor_a = eq.by_sites ? eq.X_AS.p : vec(0),
                      anchor_b = eq.by_sites ? eq.X_BS.p : vec(3);
        const Vector3 in_F = X_AF.inverse() * anchor_a, in_M = X_BM.inverse() * anchor_b;
        double gap = (in_F - in_M).norm();
        if (std::holds_alternative<Ball>(joint.kind)) gap = std::max(gap, in_F.norm());
        if (std::holds_alternative<Revolute>(joint.kind))
          gap = std::max(gap, in_F.cross(AxesOf(joint.kind).front()).norm());
        if (gap < (eq.by_sites ? 1e-6 : tolerance_.kinematics) * std::max(1.0, in_F.norm())) return;
      }
    }
    Say(std::string(eq.type == 1 ? "weld" : "connect") + " between '" + model_.link(a).name +
        "' and '" + model_.link(b).name + "' is not a loop joint of ours");
  }

  void JointEquality(const CompiledEquality& eq) {
    const JointId dependent = joints_[static_cast<std::size_t>(eq.a)];
    for (const Coupling& coupling : model_.couplings) {
      if (coupling.terms.empty() || coupling.terms.front().coordinate.joint != dependent) continue;
      const bool alone = eq.b < 0;
      if (alone != (coupling.terms.size() == 1)) continue;
      if (!alone && coupling.terms[1].coordinate.joint != joints_[static_cast<std::size_t>(eq.b)])
        continue;
      const double scale = coupling.terms.front().coefficients[0];
      double error = std::abs(coupling.constant / scale - eq.data[0]);
      for (std::size_t i = 0; !alone && i < 4; ++i)
        error =
            std::max(error, std::abs(coupling.terms[1].coefficients[i] / scale + eq.data[i + 1]));
      if (error < tolerance_.kinematics) return;
    }
    Say("joint equality of '" + model_.joint(dependent).name + "' is not a coupling of ours");
  }

  const Model& model_;
  const CompiledMujoco& mj_;
  const CompareTolerance& tolerance_;
  std::vector<std::string> differences_;
  std::vector<RigidTransform> X_WL_;
  std::vector<LinkId> bodies_;   // by MuJoCo's body id
  std::vector<JointId> joints_;  // by MuJoCo's joint id
  bool aligned_ = true;
};

}  // namespace

CompiledMujoco CompiledFromJson(const std::string& line, std::string& file) {
  CompiledMujoco result;
  const json d = json::parse(line);
  file = d.at("file").get<std::string>();
  if (d.contains("error")) {
    result.error = d["error"].get<std::string>();
    return result;
  }
  result.nv = d["nv"].get<int>();
  for (const json& b : d["bodies"]) {
    result.bodies.push_back({b["name"].get<std::string>(),
                             b["parent"].get<int>(),
                             b["mocap"].get<bool>(),
                             b["mass"].get<double>(),
                             {Mat(b["mat"]), Vec(b["pos"])},
                             {Mat(b["imat"]), Vec(b["ipos"])},
                             Vec(b["inertia"])});
  }
  for (const json& j : d["joints"]) {
    CompiledJoint joint;
    joint.name = j["name"].get<std::string>();
    joint.body = j["body"].get<int>();
    joint.type = j["type"].get<int>();
    joint.anchor = Vec(j["anchor"]);
    joint.axis = Vec(j["axis"]);
    joint.limited = j["limited"].get<bool>();
    joint.effort_limited = j["effort_limited"].get<bool>();
    joint.lower = j["range"][0].get<double>();
    joint.upper = j["range"][1].get<double>();
    joint.effort_lower = j["effort"][0].get<double>();
    joint.effort_upper = j["effort"][1].get<double>();
    joint.ref = j["ref"].get<double>();
    joint.springref = j["springref"].get<double>();
    joint.stiffness = j["stiffness"].get<double>();
    joint.damping = j["damping"].get<double>();
    joint.armature = j["armature"].get<double>();
    joint.frictionloss = j["frictionloss"].get<double>();
    result.joints.push_back(joint);
  }
  for (const json& g : d["geoms"]) {
    result.geoms.push_back({g["name"].get<std::string>(),
                            g["body"].get<int>(),
                            g["type"].get<int>(),
                            Vec(g["size"]),
                            {Mat(g["mat"]), Vec(g["pos"])},
                            g["collides"].get<bool>()});
  }
  for (const json& a : d["actuators"])
    result.actuators.push_back({a["name"].get<std::string>(), a["gain"].get<double>(),
                                a["gear"].get<double>(), a["range"][0].get<double>(),
                                a["range"][1].get<double>(), Vec(a["bias"])});
  for (const json& e : d["excludes"])
    result.excludes.emplace_back(e[0].get<int>(), e[1].get<int>());
  for (const json& e : d["equalities"]) {
    CompiledEquality eq;
    eq.type = e["type"].get<int>();
    eq.active = e["active"].get<bool>();
    eq.a = e["a"].get<int>();
    eq.b = e["b"].get<int>();
    eq.data = e["data"].get<std::vector<double>>();
    if (e.contains("sites")) {
      eq.by_sites = true;
      const auto pose = [](const json& s) {
        const json& q = s["quat"];
        return RigidTransform{RotationFromQuaternion(q[0].get<double>(), q[1].get<double>(),
                                                     q[2].get<double>(), q[3].get<double>()),
                              Vec(s["pos"])};
      };
      eq.X_AS = pose(e["sites"][0]);
      eq.X_BS = pose(e["sites"][1]);
    }
    result.equalities.push_back(std::move(eq));
  }
  return result;
}

std::vector<std::string> DifferencesFromMujoco(const Model& model, const CompiledMujoco& compiled,
                                               const CompareTolerance& tolerance) {
  return Comparison(model, compiled, tolerance).Run();
}

std::vector<std::string> GeomDifferencesFromMujoco(const Model& model,
                                                   const CompiledMujoco& compiled,
                                                   const CompareTolerance& tolerance) {
  return Comparison(model, compiled, tolerance).RunGeoms();
}

}  // namespace kinemorph
