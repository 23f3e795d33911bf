// Pass `axis_aligned_frames`: link frames whose coordinate axes are the axes of the joints.
#include <algorithm>
#include <cmath>
#include <optional>

#include "edit/model_edit.h"
#include "kinemorph/graph/mechanics/planar_loop.h"
#include "kinemorph/graph/model/references.h"
#include "lower/passes.h"

namespace kinemorph {
namespace {

// GRBDA takes hinges about coordinate axes alone, and loops that move in a coordinate plane of
// their nearest common ancestor. Each link may have any orientation, so one is chosen from the root
// down: Demands says what is asked of a link, Candidates which orientations are worth trying, Fits
// which of them do, and demands are given up one by one where no orientation meets them all.
// Reframe turns the links; nothing moves.

constexpr double kAligned = 1e-9;

// Which coordinate axis of a frame with orientation R `axis` is, from 0 to 2; -1 when none.
// Directions in world axes.
int Coordinate3(const Matrix3& R, const Vector3& axis) {
  const Vector3 local = R.transpose() * axis;
  for (int i = 0; i < 3; ++i)  // by what is left across it: 1 - cos would pass 4e-5 rad
    if (local.cross(Vector3::Unit(i)).norm() <= kAligned) return i;
  return -1;
}

// What is asked of a link's orientation, in world axes at q = 0.
struct Demands {
  std::optional<Vector3> axis;   ///< of its own hinge: a positive coordinate axis
  std::vector<Vector3> normals;  ///< of planar loops whose nearest common ancestor it is:
                                 ///< coordinate axes, positive if possible
  bool on_plane =
      false;  ///< part of a planar loop: turned against its parent about its own axis alone
};

enum Strictness { kAll, kAnySignOfNormals, kNotInPlane, kAxisOnly, kLeast };

bool Fits(const Matrix3& R, const Matrix3& R_parent, const Demands& d, Strictness strictness) {
  int own = -1;
  if (d.axis) {
    own = Coordinate3(R, *d.axis);
    if (own < 0 || R.col(own).dot(*d.axis) < 0) return false;
  }
  for (const Vector3& normal : strictness >= kAxisOnly ? std::vector<Vector3>() : d.normals) {
    const int i = Coordinate3(R, normal);
    if (i < 0 || (strictness == kAll && R.col(i).dot(normal) < 0)) return false;
  }
  if (!d.on_plane || strictness >= kNotInPlane || own < 0) return true;
  return (R_parent.col(own) - R.col(own)).norm() <= kAligned;
}

// Orientations worth trying, the ones that change least first.
std::vector<Matrix3> Candidates(const Matrix3& R_old, const Matrix3& R_parent, const Demands& d) {
  std::vector<Matrix3> out;
  if (!d.on_plane) out.push_back(R_old);
  out.push_back(R_parent);
  Matrix3 cycle;  // x to y to z to x
  cycle << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  const auto turned = [&](const Matrix3& R) {  // by half and quarter turns
    for (int i = 0; i < 3; ++i) {
      Matrix3 half = -Matrix3::Identity();
      half(i, i) = 1;
      out.push_back(R * half);
    }
    out.push_back(R * cycle);
    out.push_back(R * cycle * cycle);
  };
  turned(R_old);
  turned(R_parent);
  // Built from the demands: one direction becomes `first` (z, y or x), a perpendicular one the
  // next.
  std::vector<Vector3> directions = d.normals;
  if (d.axis) directions.insert(directions.begin(), *d.axis);
  if (!directions.empty()) {
    const Vector3 z = directions.front();
    Vector3 x = Vector3::Zero();
    for (const Vector3& direction : directions)
      if (x.isZero(0) && std::abs(z.dot(direction)) <= kAligned) x = direction;
    for (int i = 0; i < 3 && x.isZero(0);
         ++i) {  // nothing asked: as near to the parent's axes as possible
      const Vector3 across = R_parent.col(i) - z * z.dot(R_parent.col(i));
      if (across.norm() > 0.5) x = across.normalized();
    }
    Matrix3 R;
    R << x, z.cross(x), z;
    for (int i = 0; i < 3; ++i, R = Matrix3(R * cycle)) {
      out.push_back(R);
      turned(R);
    }
  }
  return out;
}

// The rotation of a link against its parent without the noise of arithmetic: none, or one about a
// coordinate axis.
Matrix3 Cleaned(const Matrix3& R_PL) {
  if ((R_PL - Matrix3::Identity()).cwiseAbs().maxCoeff() <= 1e-12) return Matrix3::Identity();
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    if (R_PL(k, k) < 0 || std::max(std::abs(R_PL(i, k)), std::abs(R_PL(j, k))) > 1e-12) continue;
    return RotationFromAxisAngle(Vector3::Unit(k), std::atan2(R_PL(j, i), R_PL(i, i)));
  }
  return Orthonormalized(R_PL);
}

// The axis itself, or the coordinate axis that it is but for noise.
Vector3 Snapped(const Vector3& axis) {
  const int i = Coordinate3(Matrix3::Identity(), axis);
  return i < 0 ? axis : Vector3((axis[i] < 0 ? -1 : 1) * Vector3::Unit(i));
}

std::vector<Demands> DemandsOf(const Model& model, const SpanningTree& tree,
                               const std::vector<RigidTransform>& X_W) {
  std::vector<Demands> demands(model.num_links());
  for (const LinkId link : tree.order) {
    const JointId up = tree.parent_joint[Index(link)];
    if (up == kNoJoint) continue;
    if (const auto* hinge = std::get_if<Revolute>(&model.joint(up).kind))
      demands[Index(link)].axis = X_W[Index(link)].R * hinge->axis;
  }
  for (const JointId loop : tree.loop_joints) {
    const std::optional<Vector3> normal = PlaneNormal(model, tree, X_W, loop);
    if (!normal) continue;
    const LinkId p = model.predecessor(loop), s = model.successor(loop),
                 nca = NearestCommonAncestor(tree, p, s);
    // The ancestor's frame must have the plane, and the links between it and the loop joint must
    // only turn in it.
    demands[Index(nca)].normals.push_back(*normal);
    for (const LinkId end : {p, s})
      for (const LinkId link : PathSubchain(tree, nca, end)) demands[Index(link)].on_plane = true;
  }
  return demands;
}

// Gives each link L the frame N; X_LN by link.
void Reframe(Model& model, PassContext& context, const std::vector<RigidTransform>& X_LN) {
  for (const LinkId id : Links(model)) {
    const RigidTransform& X = X_LN[Index(id)];
    if (X.IsExactlyIdentity()) continue;
    RebaseLinkContent(model.link(id), X.inverse());
    context.report.frames.push_back({model.link(id).name, X});
  }
  const auto follow = [&](LinkId link, RigidTransform& X) {
    if (!X_LN[Index(link)].IsExactlyIdentity()) X = X_LN[Index(link)].inverse() * X;
  };
  for (const JointId id : Joints(model)) {
    Joint& joint = model.joint(id);
    follow(model.predecessor(id), joint.X_PF);
    if (joint.role == JointRole::kLoop) {
      follow(model.successor(id), joint.X_SM);
      continue;
    }
    // A tree joint's frame is its successor's link frame: it turns with it, and so do its axes'
    // coordinates.
    const RigidTransform& X = X_LN[Index(model.successor(id))];
    joint.X_PF = {Cleaned(joint.X_PF.R * X.R), joint.X_PF.p + joint.X_PF.R * X.p};
    if (auto* hinge = std::get_if<Revolute>(&joint.kind)) {
      hinge->axis = Snapped(X.R.transpose() * hinge->axis);
    } else {
      joint.kind = Rotated(joint.kind, X.R.transpose());
    }
  }
  VisitAllLinks(model, [&](LinkId link, RigidTransform* X) {
    if (X) follow(link, *X);
  });
}

// Takes the noise of arithmetic from what stands in the plane through a link's origin. R: the
// link's orientation.
void PutInPlane(const Matrix3& R, const Vector3& normal, Vector3& p_L) {
  const int k = Coordinate3(R, normal);
  if (k >= 0) p_L[k] = 0;
}

// The joints and points of planar loops stand in the plane through the origin of their nearest
// common ancestor (the links' frames do already): to the bit, where that is a coordinate plane.
void FlattenLoops(Model& model, const SpanningTree& tree) {
  const std::vector<RigidTransform> X_W = ZeroPoses(model, tree);
  for (const JointId id : tree.loop_joints) {
    const std::optional<Vector3> normal = PlaneNormal(model, tree, X_W, id);
    if (!normal) continue;
    Joint& loop = model.joint(id);
    const LinkId p = model.predecessor(id), s = model.successor(id),
                 nca = NearestCommonAncestor(tree, p, s);
    for (const LinkId end : {p, s}) {
      for (const LinkId link : PathSubchain(tree, nca, end)) {
        const JointId up = tree.parent_joint[Index(link)];
        if (std::holds_alternative<Revolute>(model.joint(up).kind))
          PutInPlane(X_W[Index(tree.parent[Index(link)])].R, *normal, model.joint(up).X_PF.p);
      }
    }
    const double d_P = (X_W[Index(p)].R * loop.X_PF.p).dot(*normal),
                 d_S = (X_W[Index(s)].R * loop.X_SM.p).dot(*normal);
    if (std::abs(d_P - d_S) > kAligned) continue;  // open along the normal
    // The frames of the loop joint itself: as the predecessor's. In a plane a ball does what a
    // hinge does, and a hinge may slide along its axis.
    const Matrix3 R_PF = loop.X_PF.R;
    loop.X_PF.R = Matrix3::Identity();
    loop.X_SM.R = Cleaned(loop.X_SM.R * R_PF.transpose());
    const auto* hinge = std::get_if<Revolute>(&loop.kind);
    const Vector3 axis_P =
        hinge != nullptr ? Vector3(R_PF * hinge->axis) : X_W[Index(p)].R.transpose() * *normal;
    if (hinge == nullptr) loop.native_type.clear();
    loop.kind = Revolute{Snapped(axis_P)};
    PutInPlane(X_W[Index(p)].R, *normal, loop.X_PF.p);
    PutInPlane(X_W[Index(s)].R, *normal, loop.X_SM.p);
  }
}

}  // namespace

void AxisAlignedFrames(Model& model, PassContext& context) {
  const SpanningTree tree = TreeOf(model);
  const std::vector<RigidTransform> X_W = ZeroPoses(model, tree);
  const std::vector<Demands> demands = DemandsOf(model, tree, X_W);
  std::vector<Matrix3> R_W(model.num_links(), Matrix3::Identity());
  std::vector<Vector3> p_W(model.num_links(), Vector3::Zero());
  std::vector<RigidTransform> X_LN(model.num_links());
  for (const LinkId link : tree.order) {
    const RigidTransform& X_old = X_W[Index(link)];
    const Matrix3& R_old = X_old.R;
    R_W[Index(link)] = R_old;
    p_W[Index(link)] = X_old.p;
    if (link == kWorld || tree.parent_joint[Index(link)] == kNoJoint)
      continue;  // the root keeps the world's frame
    const LinkId parent = tree.parent[Index(link)];
    const Matrix3& R_parent = R_W[Index(parent)];
    const Demands& asked = demands[Index(link)];
    const std::vector<Matrix3> candidates = Candidates(R_old, R_parent, asked);
    const auto choose = [&] {
      for (int strictness = kAll; strictness < kLeast; ++strictness) {
        for (const Matrix3& R : candidates)
          if (Fits(R, R_parent, asked, static_cast<Strictness>(strictness))) return R;
      }
      return R_old;
    };
    R_W[Index(link)] = choose();
    if ((R_W[Index(link)] - R_old).cwiseAbs().maxCoeff() > 1e-12)
      X_LN[Index(link)].R = Orthonormalized(R_old.transpose() * R_W[Index(link)]);
    if (!asked.on_plane || !asked.axis) continue;
    // Links of a planar loop may stand at any height along the normal, as a hinge does not mind:
    // they move into the plane of the parent's origin, where a point loop holds them.
    const double off_plane = asked.axis->dot(X_old.p - p_W[Index(parent)]);
    if (std::abs(off_plane) <= 1e-12) continue;
    p_W[Index(link)] -= off_plane * *asked.axis;
    X_LN[Index(link)].p = R_old.transpose() * (p_W[Index(link)] - X_old.p);
  }
  Reframe(model, context, X_LN);
  FlattenLoops(model, tree);
}

}  // namespace kinemorph
