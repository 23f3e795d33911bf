// Joint data by coordinate.
#include "verify/values.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>

#include "kinemorph/formats/capability_table.h"
#include "kinemorph/formats/formats.h"

namespace kinemorph::verify {
namespace {

// The joints from a shared link up to the next shared one, top first.
struct Hop {
  int top = 0;
  std::vector<int> bodies;
};

std::map<std::pair<LinkId, LinkId>, Hop> Hops(const Side& side, const std::vector<LinkId>& other, const std::vector<LinkId>* translate) {
  std::map<std::pair<LinkId, LinkId>, Hop> hops;
  const auto shared = [&](int body) { return other[Index(side.m.bodies[U(body)].link)] != kNoLink; };
  const auto id = [&](int body) {  // in terms of A
    const LinkId link = side.m.bodies[U(body)].link;
    return translate == nullptr ? link : (*translate)[Index(link)];
  };
  for (int b = 1; b < static_cast<int>(side.m.bodies.size()); ++b) {
    if (!shared(b)) continue;
    Hop hop;
    int at = b;
    do {
      hop.bodies.push_back(at);
      at = side.m.bodies[U(at)].parent;
    } while (at > 0 && !shared(at));
    hop.top = at;
    std::reverse(hop.bodies.begin(), hop.bodies.end());
    hops[{id(at), id(b)}] = hop;
  }
  return hops;
}

std::vector<std::pair<int, int>> ScalarCoordinates(const Side& side, const Hop& hop) {  // (body, axis)
  std::vector<std::pair<int, int>> coordinates;
  for (const int b : hop.bodies) {
    const Body& body = side.m.bodies[U(b)];
    if (body.nq != body.nv) return {};
    for (int i = 0; i < body.nv; ++i) coordinates.emplace_back(b, body.reversed ? body.nv - 1 - i : i);  // from the root outwards
  }
  return coordinates;
}

bool IsAngle(const JointKind& kind, int axis) {
  if (std::holds_alternative<Prismatic>(kind)) return false;
  if (std::holds_alternative<Planar>(kind)) return axis == 2;
  if (std::holds_alternative<Cylindrical>(kind)) return axis == 0;
  return true;
}

// Of a hop's coordinates only the first angle.
void KeepAngle(const Side& side, std::vector<std::pair<int, int>>& coordinates) {
  const auto angle = std::find_if(coordinates.begin(), coordinates.end(),
                                  [&](const auto& c) { return IsAngle(side.m.bodies[U(c.first)].kind, c.second); });
  if (angle != coordinates.end()) std::swap(*angle, coordinates.front());
  coordinates.resize(std::min<std::size_t>(coordinates.size(), 1));
}

// Two angles of which a pose tells only the sum.
bool TurnsAboutOneLine(const JointKind& kind) {
  const auto* universal = std::get_if<Universal>(&kind);
  return universal != nullptr && universal->axis1.cross(universal->axis2).norm() < 1e-9;
}

std::vector<int> BodyOfJoint(const Side& side) {
  std::vector<int> body(side.model.num_joints(), -1);
  for (std::size_t b = 0; b < side.m.bodies.size(); ++b) {
    if (side.m.bodies[b].joint != kNoJoint) body[Index(side.m.bodies[b].joint)] = static_cast<int>(b);
  }
  return body;
}

}  // namespace

std::vector<CoordinatePair> PairCoordinates(const Side& a, const Side& b, const Correspondence& match, const VerifyOptions& options) {
  std::vector<CoordinatePair> pairs;
  const std::vector<int> body_a = BodyOfJoint(a), body_b = BodyOfJoint(b);
  const auto position = [](const Side& side, int body, int axis) {
    if (body < 0) return -1;
    const Body& at = side.m.bodies[U(body)];
    return at.nq == at.nv && at.nv > 0 ? at.q + axis : -1;
  };
  const auto add = [&](JointId ja, int axis_a, JointId jb, int axis_b) {
    CoordinatePair pair;
    pair.joint_a = ja, pair.joint_b = jb, pair.axis_a = axis_a, pair.axis_b = axis_b;
    pair.q_a = position(a, body_a[Index(ja)], axis_a), pair.q_b = position(b, body_b[Index(jb)], axis_b);
    if (pair.q_a < 0 || pair.q_b < 0 || TurnsAboutOneLine(a.model.joint(ja).kind)) pair.q_a = pair.q_b = -1;
    pair.angle = IsAngle(a.model.joint(ja).kind, axis_a);
    pair.name = a.model.joint(ja).name;
    pairs.push_back(pair);
  };
  std::unordered_map<std::string, JointId> by_name;
  for (const JointId id : Joints(b.model)) by_name.emplace(b.model.joint(id).name, id);
  std::vector<bool> done_a(a.model.num_joints(), false), done_b(b.model.num_joints(), false);
  for (const JointId id : Joints(a.model)) {
    const Joint& joint = a.model.joint(id);
    if (joint.implicit) continue;
    const auto found = by_name.find(MappedName(options, SubjectKind::kJoint, joint.name));
    if (found == by_name.end() || done_b[Index(found->second)]) continue;
    const int axes = NumAxes(joint.kind);
    const JointKind& other = b.model.joint(found->second).kind;
    const bool screw = std::holds_alternative<Screw>(joint.kind) != std::holds_alternative<Screw>(other);  // one may be a part of the other
    if (axes != NumAxes(other) || screw) continue;
    done_a[Index(id)] = done_b[Index(found->second)] = true;
    // A universal joint written from its other end has its axes in the other order.
    const bool turned =
        std::holds_alternative<Universal>(joint.kind) && match.b_of_a[Index(a.model.predecessor(id))] == b.model.successor(found->second);
    for (int i = 0; i < axes; ++i) add(id, i, found->second, turned ? axes - 1 - i : i);
  }
  const auto hops_a = Hops(a, match.b_of_a, nullptr), hops_b = Hops(b, match.a_of_b, &match.a_of_b);
  for (const auto& [ends, hop] : hops_a) {
    auto found = hops_b.find(ends);
    const bool turned = found == hops_b.end();
    if (turned) found = hops_b.find({ends.second, ends.first});
    if (found == hops_b.end()) continue;
    std::vector<std::pair<int, int>> ca = ScalarCoordinates(a, hop), cb = ScalarCoordinates(b, found->second);
    if (turned) std::reverse(cb.begin(), cb.end());
    // A screw is an angle and a displacement tied to it.
    const bool screw = ca.size() != cb.size() && std::min(ca.size(), cb.size()) == 1;
    if (screw) KeepAngle(a, ca), KeepAngle(b, cb);
    if (ca.size() != cb.size()) continue;
    for (std::size_t i = 0; i < ca.size(); ++i) {
      const JointId ja = a.m.bodies[U(ca[i].first)].joint, jb = b.m.bodies[U(cb[i].first)].joint;
      if (done_a[Index(ja)] || done_b[Index(jb)]) continue;
      add(ja, ca[i].second, jb, cb[i].second);
      pairs.back().whole = !screw;
    }
  }
  return pairs;
}

Tolerance::Tolerance(const Side& a, const Side& b, const VerifyOptions& options) {
  const std::size_t count = static_cast<std::size_t>(Feature::kCount);
  const auto lacks = [&](const Model& model) {
    std::vector<bool> result(count, false);
    Target target;
    std::string version;
    target.format = FindFormat(model.format, version);
    target.options.version = model.format_version;
    if (target.format == nullptr) return result;
    for (std::size_t f = 0; f < count; ++f) {
      const Support support = CapabilityOf(static_cast<Feature>(f), target).support;
      result[f] = support == Support::kLost || support == Support::kPartial;
    }
    return result;
  };
  a_lacks_ = lacks(a.model), b_lacks_ = lacks(b.model);
  if (a.model.format == b.model.format && a.model.format_version == b.model.format_version && options.report == nullptr) {
    a_lacks_.assign(count, false), b_lacks_.assign(count, false);  // what one could hold, so could the other
  }
  for (const Feature feature : options.ignore)
    a_lacks_[static_cast<std::size_t>(feature)] = b_lacks_[static_cast<std::size_t>(feature)] = true;
  if (options.report == nullptr) return;
  for (const Loss& loss : options.report->losses) { b_lacks_[Position(loss.feature)] = true; }
}

bool Tolerance::MayLack(bool in_b, Feature feature) const { return (in_b ? b_lacks_ : a_lacks_)[static_cast<std::size_t>(feature)]; }

namespace {

// Axes as they stand in the predecessor (the second one of a universal joint: in the successor), and the pitch: what a joint that is
// locked by loops does not show by moving.
double AxisError(const Side& a, const Side& b, const CoordinatePair& pair, const Correspondence& match) {
  const Joint& x = a.model.joint(pair.joint_a);
  const Joint& y = b.model.joint(pair.joint_b);
  const LinkId ends_a[] = {a.model.predecessor(pair.joint_a), a.model.successor(pair.joint_a)};
  const LinkId ends_b[] = {b.model.predecessor(pair.joint_b), b.model.successor(pair.joint_b)};
  if (x.kind.index() != y.kind.index() || match.b_of_a[Index(ends_a[0])] != ends_b[0]) return 0;
  const std::vector<Vector3> axes_a = AxesOf(x.kind), axes_b = AxesOf(y.kind);
  const bool loop = x.role == JointRole::kLoop || y.role == JointRole::kLoop;
  double error = 0;
  for (std::size_t i = 0; i < axes_a.size(); ++i) {
    const LinkId link = ends_a[i];
    if (match.b_of_a[Index(link)] != ends_b[i]) continue;
    const Matrix3 R = link == kWorld ? match.X_BA.R : Matrix3(match.X_ab[Index(link)].R.transpose());
    const Vector3 at_a = R * (i == 0 ? x.X_PF.R : x.X_SM.R) * axes_a[i], at_b = (i == 0 ? y.X_PF.R : y.X_SM.R) * axes_b[i];
    double difference = (at_a - at_b).cwiseAbs().maxCoeff();
    if (loop) difference = std::min(difference, (at_a + at_b).cwiseAbs().maxCoeff());  // a closed hinge has no positive side
    error = std::max(error, difference);
  }
  if (const auto* screw = std::get_if<Screw>(&x.kind))
    error = std::max(error, RelativeError(screw->pitch, std::get<Screw>(y.kind).pitch, 0));
  return error;
}

using Value = std::optional<double>;

Value Finite(Value value) { return value && std::abs(*value) < 1e15 ? value : std::nullopt; }
Value NonZero(Value value) { return value && *value != 0 ? value : std::nullopt; }
Value Plus(Value value, double shift) { return value ? Value(*value + shift) : value; }

}  // namespace

std::set<std::string> MovedZeros(const LossReport* report) {
  std::set<std::string> joints;
  if (report == nullptr) return joints;
  for (const Loss& loss : report->losses) {
    if (loss.feature == Feature::kPositionOffset) joints.insert(loss.subject.joint);
  }
  for (const NameChange& change : report->names) {
    if (change.kind == SubjectKind::kJoint && joints.contains(change.from)) joints.insert(change.to);
  }
  return joints;
}

void CompareJointValues(const Side& a, const Side& b, const std::vector<CoordinatePair>& pairs, const Correspondence& match,
                        const Tolerance& lacks, const VerifyOptions& options, std::vector<Worst>& checks) {
  const double t = options.tolerance;
  Worst types("joint types", 0), axes("joint axes", t), limits("position limits", t), efforts("effort limits", t),
      velocities("velocity limits", t), others("other limits", t), damping("damping", t), friction("friction", t), springs("springs", t),
      armature("armature", t), independent("independent coordinates", 0);
  bool loop_in_b = false;  // a loop joint of B: most formats give it no data of its own
  const auto compare = [&](Worst& check, Value x, Value y, Feature feature, double scale, const std::string& name) {
    if (x && y) {
      check.Add(RelativeError(*x, *y, scale), name);
    } else if (x || y) {
      const bool excused = lacks.MayLack(x.has_value(), feature) || (loop_in_b && lacks.MayLack(x.has_value(), Feature::kLoopAxisData));
      check.Add(excused ? 0 : kMissing, name);
    }
  };
  const std::vector<int> body_a = BodyOfJoint(a), body_b = BodyOfJoint(b);
  JointId last = kNoJoint;
  for (const CoordinatePair& pair : pairs) {
    const Joint& joint_a = a.model.joint(pair.joint_a);
    const Joint& joint_b = b.model.joint(pair.joint_b);
    if (pair.joint_a != last) {
      last = pair.joint_a;
      const bool trees = body_a[Index(pair.joint_a)] >= 0 && body_b[Index(pair.joint_b)] >= 0;
      // A joint of the same name that leads elsewhere is the end of a chain that was folded into one.
      const bool whole = pair.whole && (!trees || match.b_of_a[Index(a.model.successor(pair.joint_a))] != kNoLink);
      if (trees && whole && NumAxes(joint_a.kind) == NumAxes(joint_b.kind))
        types.Add(joint_a.kind.index() == joint_b.kind.index() ? 0 : 1, pair.name);
      if (!AxesOf(joint_a.kind).empty()) axes.Add(AxisError(a, b, pair, match), pair.name);
      if (joint_a.independent && joint_b.independent && !lacks.MayLack(true, Feature::kIndependent))
        independent.Add(*joint_a.independent == *joint_b.independent ? 0 : 1, pair.name);
    }
    if (static_cast<std::size_t>(pair.axis_a) >= joint_a.axes.size() || static_cast<std::size_t>(pair.axis_b) >= joint_b.axes.size())
      continue;
    const JointAxis& x = joint_a.axes[U(pair.axis_a)];
    const JointAxis& y = joint_b.axes[U(pair.axis_b)];
    loop_in_b = body_b[Index(pair.joint_b)] < 0;
    const std::string name = joint_a.axes.size() > 1 ? pair.name + "[" + std::to_string(pair.axis_a) + "]" : pair.name;
    const double scale = pair.angle ? 1 : a.m.length;
    compare(limits, Plus(Finite(x.lower), pair.shift), Finite(y.lower), Feature::kPositionLimit, scale, name);
    compare(limits, Plus(Finite(x.upper), pair.shift), Finite(y.upper), Feature::kPositionLimit, scale, name);
    compare(efforts, Finite(x.effort), Finite(y.effort), Feature::kEffortLimit, 0, name);
    compare(efforts, Finite(x.effort_lower), Finite(y.effort_lower), Feature::kAsymmetricEffortLimit, 0, name);
    compare(velocities, Finite(x.velocity), Finite(y.velocity), Feature::kVelocityLimit, 0, name);
    compare(others, Finite(x.acceleration), Finite(y.acceleration), Feature::kAccelerationLimit, 0, name);
    compare(others, Finite(x.deceleration), Finite(y.deceleration), Feature::kAccelerationLimit, 0, name);
    compare(others, Finite(x.jerk), Finite(y.jerk), Feature::kJerkLimit, 0, name);
    compare(others, Finite(x.limit_stiffness), Finite(y.limit_stiffness), Feature::kLimitCompliance, 0, name);
    compare(others, Finite(x.limit_dissipation), Finite(y.limit_dissipation), Feature::kLimitCompliance, 0, name);
    compare(damping, NonZero(x.damping), NonZero(y.damping), Feature::kDamping, 0, name);
    compare(friction, NonZero(x.friction), NonZero(y.friction), Feature::kFriction, 0, name);
    compare(springs, NonZero(x.spring_stiffness), NonZero(y.spring_stiffness), Feature::kSpring, 0, name);
    if (NonZero(x.spring_stiffness) && NonZero(y.spring_stiffness)) {
      springs.Add(RelativeError(x.spring_reference.value_or(0) + pair.shift, y.spring_reference.value_or(0), scale), name);
    }
    compare(armature, NonZero(x.armature), NonZero(y.armature), Feature::kArmature, 0, name);
    if (x.safety && y.safety) {
      compare(others, x.safety->soft_lower, y.safety->soft_lower, Feature::kSafety, scale, name);
      compare(others, x.safety->soft_upper, y.safety->soft_upper, Feature::kSafety, scale, name);
      compare(others, x.safety->k_position, y.safety->k_position, Feature::kSafety, 0, name);
      compare(others, x.safety->k_velocity, y.safety->k_velocity, Feature::kSafety, 0, name);
    } else if (x.safety || y.safety) {
      others.Add(lacks.MayLack(x.safety.has_value(), Feature::kSafety) ? 0 : kMissing, name);
    }
  }
  for (const Worst* check :
       {&types, &axes, &limits, &efforts, &velocities, &others, &damping, &friction, &springs, &armature, &independent}) {
    if (!check->check().worst.empty()) checks.push_back(*check);
  }
}

}  // namespace kinemorph::verify
