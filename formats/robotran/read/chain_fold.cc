#include "read/chain_fold.h"

#include <algorithm>
#include <cmath>

#include "rotation_chain.h"

namespace kinemorph::mbs {
namespace {
// A body hangs on its parent by a chain of rotations and translations about coordinate axes. Driven
// joints are constants in it; the others are motions. A run of motions becomes one joint of the
// model where this writer says so by a mark in user_models (FindMarked), or where six of them are a
// free joint; any other motion is a joint of its own, as its author wrote it. For a cut, the chain
// of its massless copy must be one joint, and the kind is found by the geometry alone.
// Poses: X_PF = (constants before) R2, X_SM = what is left after the motion, with R2 chosen such
// that S has the axes of F (Place).

// A joint that moves, and the constant transform between the motion before it (or the anchor) and
// it.
struct Motion {
  RigidTransform before;
  const FileJoint* joint = nullptr;
  [[nodiscard]] bool rotation() const { return joint->rotation; }
  [[nodiscard]] Vector3 axis() const { return Vector3::Unit(joint->k); }
};

// Motions joints belonging together, as a kind; `rest` is the constant rotation from the kind's M
// to the frame after the last motion.
struct Group {
  JointKind kind;
  RigidTransform rest;
  std::vector<std::size_t> order;  // of the motions, in order of the kind's axes
};

constexpr double kAligned = 1e-9;  // rad: axes written by other programs carry rounded digits

RigidTransform Constant(const FileJoint& joint) {
  if (joint.rotation) return RigidTransform::Rotation(ElementaryRotation(joint.k, joint.q));
  return RigidTransform::Translation(joint.q * Vector3::Unit(joint.k));
}

RigidTransform Displacement(const FileJoint& joint) { return Constant(joint); }

// Splits the chain; returns the constant after the last motion.
RigidTransform Split(const std::vector<FileJoint>& chain, const Vector3& p_PA,
                     std::vector<Motion>& motions) {
  RigidTransform constant = RigidTransform::Translation(p_PA);
  for (const FileJoint& joint : chain) {
    // A driven joint stands at its initial value for ever.
    if (joint.nature == Nature::kDriven) {
      if (joint.q != 0) constant = constant * Constant(joint);
      continue;
    }
    motions.push_back({{Snapped(constant.R), constant.p}, &joint});
    constant = {};
  }
  return {Snapped(constant.R), constant.p};
}

bool OnlyRotates(const RigidTransform& X) { return X.p == Vector3::Zero(); }
bool Parallel(const Vector3& a, const Vector3& b) { return (a - b).norm() < kAligned; }
bool Perpendicular(const Vector3& a, const Vector3& b) { return std::abs(a.dot(b)) < kAligned; }

// With the second axis carried back by the constant between the two.
std::optional<Group> AsUniversal(const Motion* m) {
  if (!m[0].rotation() || !m[1].rotation() || !OnlyRotates(m[1].before)) return std::nullopt;
  return Group{Universal{m[0].axis(), m[1].before.R * m[1].axis()}, m[1].before, {0, 1}};
}

// Two turns about one line: a universal joint only where its author says so.
bool IsIdle(const Group& group) {
  const auto* universal = std::get_if<Universal>(&group.kind);
  return universal && universal->axis1.cross(universal->axis2).norm() < kAligned;
}

// A rotation and a translation along one axis, in either order: they commute.
std::optional<Group> AsCylindrical(const Motion* m) {
  if (m[0].rotation() == m[1].rotation() || !OnlyRotates(m[1].before)) return std::nullopt;
  if (!Parallel(m[1].before.R * m[1].axis(), m[0].axis())) return std::nullopt;
  using Order = std::vector<std::size_t>;
  return Group{Cylindrical{m[0].axis()}, m[1].before, m[0].rotation() ? Order{0, 1} : Order{1, 0}};
}

// A cylindrical joint whose slide follows its turn, which is the only coordinate.
void MakeScrew(Group& group, double pitch) {
  group.kind = Screw{std::get<Cylindrical>(group.kind).axis, pitch};
  group.order.resize(1);
}

std::optional<Group> AsPlanar(const Motion* m) {
  // Of planar joints the writer makes T, T, R in this order; x and y are the coordinates'
  // directions.
  if (m[0].rotation() || m[1].rotation() || !m[2].rotation() || !OnlyRotates(m[1].before) ||
      !OnlyRotates(m[2].before))
    return std::nullopt;
  const Matrix3 R2 = m[1].before.R, R3 = R2 * m[2].before.R;
  const Vector3 x = m[0].axis(), y = R2 * m[1].axis(), normal = R3 * m[2].axis();
  if (!Perpendicular(x, y) || !Parallel(x.cross(y), normal)) return std::nullopt;
  return Group{Planar{normal}, RigidTransform::Rotation(R3), {0, 1, 2}};
}

std::optional<Group> AsBall(const Motion* m) {
  if (!m[0].rotation() || !m[1].rotation() || !m[2].rotation() || !OnlyRotates(m[1].before) ||
      !OnlyRotates(m[2].before))
    return std::nullopt;

  // A ball in the model has a quaternion that starts at one: three angles that start elsewhere
  // would have another zero. The three axes must be those of an Euler sequence, each across the
  // next.
  if (m[0].joint->q != 0 || m[1].joint->q != 0 || m[2].joint->q != 0) return std::nullopt;
  if (!Perpendicular(m[0].axis(), m[1].before.R * m[1].axis()) ||
      !Perpendicular(m[1].axis(), m[2].before.R * m[2].axis()))
    return std::nullopt;
  return Group{Ball{}, RigidTransform::Rotation(m[1].before.R * m[2].before.R), {0, 1, 2}};
}

// Not where one of the six has data of its own: the author means six joints.
// Three translations along x, y, z before three rotations about x, y, z, in any order within the
// three, of one nature.
bool IsFree(const Motion* m, const JointDataMap& data) {
  int translations = 0, rotations = 0;
  for (int i = 0; i < 6; ++i) {
    if (m[i].rotation() != (i >= 3) || m[i].joint->nature != m[0].joint->nature ||
        data.count(m[i].joint->name) > 0)
      return false;
    if (i > 0 && !m[i].before.IsExactlyIdentity()) return false;

    // All three axes of each: bits 0, 1, 2.
    (i < 3 ? translations : rotations) |= 1 << m[i].joint->k;
  }
  return translations == 7 && rotations == 7;
}

// With a constant C after the motion and the gauge in which the joint's axes are those of the frame
// after it.
void Place(const Motion* m, const Group& group, const RigidTransform& after, FoldedJoint& out) {
  // C is the constant between the motion's M and the body's frame. Turning the joint's frame by R2
  // makes it a translation alone, so that X_SM is one too: the body frame has the joint's axes, as
  // most formats want it.
  const RigidTransform C = group.rest * after;
  const Matrix3 R2 = Snapped(C.R);
  const Vector3 p = Snapped(Vector3(R2.transpose() * C.p));
  out.X_PF = m[0].before * RigidTransform::Rotation(R2);
  out.X_SM = RigidTransform::Translation(Snapped(Vector3(-p)));
  out.kind = Rotated(group.kind, R2.transpose());
  if (std::holds_alternative<Prismatic>(
          group.kind)) {  // a translation commutes with the constant one
    out.X_PF = m[0].before * C;
    out.X_SM = {};
  }
  const Revolute* revolute = std::get_if<Revolute>(&out.kind);
  if (revolute &&
      revolute->axis.cross(p).norm() <= kNoise) {  // along the axis it commutes with the rotation
    out.X_PF = out.X_PF * RigidTransform::Translation(p);
    out.X_SM = {};
  }
  if (const Planar* planar = std::get_if<Planar>(&out.kind)) {
    const Vector3 x = R2.transpose() * m[0].axis();
    if (!Parallel(PlanarBasis(planar->normal).col(0),
                  x)) {  // the coordinates x, y need the frame turned
      Matrix3 G;
      G << x, planar->normal.cross(x), planar->normal;
      out.X_PF = out.X_PF * RigidTransform::Rotation(G);
      out.X_SM = {G, out.X_SM.p};
      out.kind = Planar{};
    }
  }
  out.X_PF.R = Snapped(out.X_PF.R);
  for (const std::size_t i : group.order) {
    out.joints.push_back(m[i].joint);
    out.initial.push_back(m[i].joint->q);
  }
  // Of a ball no angle is an initial position.
  if (std::holds_alternative<Ball>(group.kind)) out.initial.clear();
}

// Axes are unit vectors to the last digit where they are coordinate axes.
void SnapAxes(JointKind& kind) {
  const auto snap = [](Vector3& axis) {
    for (double& x : axis)
      x = std::abs(std::abs(x) - 1) <= kNoise ? std::copysign(1.0, x) : Snapped(x);
  };
  if (auto* k = std::get_if<Revolute>(&kind)) snap(k->axis);
  if (auto* k = std::get_if<Prismatic>(&kind)) snap(k->axis);
  if (auto* k = std::get_if<Screw>(&kind)) snap(k->axis);
  if (auto* k = std::get_if<Cylindrical>(&kind)) snap(k->axis);
  if (auto* k = std::get_if<Planar>(&kind)) snap(k->normal);
  if (auto* k = std::get_if<Universal>(&kind)) snap(k->axis1), snap(k->axis2);
}

std::optional<bool> Independence(const FileJoint& joint) {
  return joint.nature == Nature::kIndependent;
}

Group Single(const Motion& m) {
  if (m.rotation()) return {Revolute{m.axis()}, {}, {0}};
  return {Prismatic{m.axis()}, {}, {0}};
}

struct Marked {
  std::string name;
  Group group;
  std::size_t size = 1;
};

// The writer's `kind_...` mark on joints <name>_1 ... <name>_n, if the geometry still agrees.
std::optional<Marked> FindMarked(const Motion* m, std::size_t left, const JointDataMap& data) {
  const std::string& first = m[0].joint->name;
  if (first.size() < 3 || first.substr(first.size() - 2) != "_1") return std::nullopt;
  const std::string name = first.substr(0, first.size() - 2);
  const auto found = data.find(name);
  if (found == data.end() || found->second.kind.empty()) return std::nullopt;
  const std::string& kind = found->second.kind;
  const std::size_t size = kind == "ball" || kind == "planar" ? 3 : 2;
  if (left < size) return std::nullopt;
  // The joints may have been renamed or their natures changed by hand; then the mark is void. A
  // screw's slide is dependent, its turn is not.
  for (std::size_t i = 1; i < size; ++i) {
    if (m[i].joint->name != name + "_" + std::to_string(i + 1)) return std::nullopt;
    if (kind != "screw" && m[i].joint->nature != m[0].joint->nature) return std::nullopt;
  }
  std::optional<Group> group;
  if (kind == "universal") group = AsUniversal(m);
  if (kind == "cylindrical" || kind == "screw") group = AsCylindrical(m);
  if (kind == "planar") group = AsPlanar(m);
  if (kind == "ball") group = AsBall(m);
  if (!group) return std::nullopt;
  if (kind == "screw") MakeScrew(*group, found->second.pitch);
  return Marked{name, *std::move(group), size};
}

// FJ_T1 ... FJ_R3 is the joint FJ; other names have nothing in common that could name it.
std::string FreeName(const Motion* m, const std::string& body) {
  const std::string& first = m[0].joint->name;
  const std::string prefix = first.size() > 3 ? first.substr(0, first.size() - 3) : "";
  for (int i = 0; i < 6; ++i) {
    const std::string suffix =
        std::string(m[i].rotation() ? "_R" : "_T") + std::to_string(m[i].joint->k + 1);
    if (prefix.empty() || m[i].joint->name != prefix + suffix) return body + "_free";
  }
  return prefix;
}

FoldedJoint FoldFree(const Motion* m, const RigidTransform& after, const std::string& body) {
  FoldedJoint out;
  out.name = FreeName(m, body);
  // Initial values of six joints are where the robot is drawn, not where its coordinates start:
  // they go into X_PF.
  out.kind = Free{};
  out.X_PF = m[0].before;
  for (int i = 0; i < 6; ++i) {
    if (m[i].joint->q != 0) out.X_PF = out.X_PF * Displacement(*m[i].joint);
    out.joints.push_back(m[i].joint);
  }
  out.X_PF = out.X_PF * after;
  out.X_PF.R = Snapped(out.X_PF.R);
  return out;
}

FoldedJoint FoldConstant(const std::vector<FileJoint>& chain, const RigidTransform& constant) {
  FoldedJoint out;
  out.X_PF = constant;
  if (!chain.empty()) {
    out.name = chain.back().name;
    out.where = chain.back().where;
  }
  return out;
}

}  // namespace

std::vector<FoldedJoint> FoldChain(const std::string& body, const std::vector<FileJoint>& chain,
                                   const Vector3& p_PA, const JointDataMap& data) {
  std::vector<Motion> motions;
  const RigidTransform last = Split(chain, p_PA, motions);
  if (motions.empty()) return {FoldConstant(chain, last)};
  std::vector<FoldedJoint> folded;
  for (std::size_t i = 0; i < motions.size();) {
    const Motion* m = &motions[i];
    const std::size_t left = motions.size() - i;
    std::size_t size = 1;
    FoldedJoint out;
    if (left >= 6 && IsFree(m, data)) {
      size = 6;

      // The constant after the last motion belongs to the last joint; those between two motions are
      // the next one's.
      out = FoldFree(m, left == size ? last : RigidTransform(), body);
    } else {
      const auto marked = FindMarked(m, left, data);
      const Group group = marked ? marked->group : Single(*m);
      out.name = marked ? marked->name : m->joint->name;
      size = marked ? marked->size : 1;
      Place(m, group, left == size ? last : RigidTransform(), out);
    }
    SnapAxes(out.kind);
    out.where = m->joint->where;
    out.independent = Independence(*out.joints.front());
    folded.push_back(std::move(out));
    i += size;
  }
  return folded;
}

std::optional<FoldedJoint> FoldToOneJoint(const std::vector<FileJoint>& chain, const Vector3& p_PA,
                                          const JointDataMap& data, const std::string& name) {
  std::vector<Motion> motions;
  const RigidTransform last = Split(chain, p_PA, motions);
  if (motions.empty()) {
    FoldedJoint out = FoldConstant(chain, last);
    out.name = name;
    return out;
  }
  std::optional<Group> group;
  // The plainest kind first. Two turns about one line would be a universal joint too; they are left
  // to the next kinds and to refusal.
  if (!group && motions.size() == 1) group = Single(motions[0]);
  if (!group && motions.size() == 2) group = AsUniversal(motions.data());
  if (group && IsIdle(*group)) group.reset();
  if (!group && motions.size() == 2) group = AsCylindrical(motions.data());
  const auto mark = data.find(name);
  if (group && std::holds_alternative<Cylindrical>(group->kind) && mark != data.end() &&
      mark->second.kind == "screw")
    MakeScrew(*group, mark->second.pitch);
  if (!group && motions.size() == 3) group = AsPlanar(motions.data());
  if (!group && motions.size() == 3) group = AsBall(motions.data());
  if (!group) return std::nullopt;
  FoldedJoint out;
  out.name = name;
  Place(motions.data(), *group, last, out);
  SnapAxes(out.kind);
  out.where = motions[0].joint->where;
  out.independent = Independence(*out.joints.front());
  return out;
}

}  // namespace kinemorph::mbs
