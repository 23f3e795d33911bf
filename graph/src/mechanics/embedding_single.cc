// The articulated-body algorithm (Featherstone, ch. 7) for an aggregate of one body whose joint no
// constraint touches, where G = 1 and g = 0. Sizes of D are known to the compiler; a joint has at
// most six coordinates.
#include "mechanics/embedding_single.h"

namespace kinemorph::embedding {

void SingleBody::Velocity(Recursion& r, const double* v, const ExternalForces* forces) {
  const Body& body = r.m.bodies[static_cast<std::size_t>(body_)];
  Node& node = r.node(body_);
  if (body.parent > 0) {
    node.V = InverseTransformMotion(r.joints.X_PB[static_cast<std::size_t>(body_)],
                                    r.node(body.parent).V);
  } else {
    node.V.setZero();
  }
  if (body.nv > 0) {
    Vector6 S_v = r.joints.S.col(body.v) * v[body.v];
    for (int i = body.v + 1; i < body.v + body.nv; ++i) S_v += r.joints.S.col(i) * v[i];
    // V_parent x S v: adding S v x S v would change nothing, so V may be the parent's still.
    c_ = CrossMotion(node.V, S_v);
    if (!body.constant_subspace) c_ += r.joints.S_rate_v[static_cast<std::size_t>(body_)];
    node.V += S_v;
  }
  node.Start(forces == nullptr ? nullptr : &(*forces)[static_cast<std::size_t>(body_)]);
}

template <int NV>
bool SingleBody::InertiaOf(Recursion& r, const double* tau) {
  const Body& body = r.m.bodies[static_cast<std::size_t>(body_)];
  Node& node = r.node(body_);
  if constexpr (NV > 0) {
    Eigen::Matrix<double, NV, NV> D, D_inverse;
    for (int i = 0; i < NV; ++i) {
      const auto S = r.joints.S.col(body.v + i);
      U_.col(i) = node.I * Vector6(S);
      u_[i] = tau[body.v + i] - S.dot(node.p);
    }
    for (int i = 0; i < NV; ++i) {
      for (int j = 0; j < NV; ++j) D(i, j) = r.joints.S.col(body.v + i).dot(U_.col(j));
      D(i, i) += r.m.armature[static_cast<std::size_t>(body.v + i)];
    }
    if (!InvertPositive<NV>(D, r.least_pivot, D_inverse)) return false;
    D_.template topLeftCorner<NV, NV>() = D;
    W_.template leftCols<NV>().noalias() = U_.template leftCols<NV>() * D_inverse;
    u_.template head<NV>() = (D_inverse * u_.template head<NV>()).eval();
    // Nobody asks what a body on the world looks like from outside.
    if (body.parent > 0) {
      for (int i = 0; i < NV; ++i) node.I.Subtract(W_.col(i), U_.col(i));
      node.p += node.I * c_ + U_.template leftCols<NV>() * u_.template head<NV>();
    }
  }
  if (body.parent > 0) {
    const RigidTransform& X_PB = r.joints.X_PB[static_cast<std::size_t>(body_)];
    Node& parent = r.node(body.parent);
    parent.I += InParent(X_PB, node.I);
    parent.p += TransformForce(X_PB, node.p);
  }
  return true;
}

bool SingleBody::Inertia(Recursion& r, const double* tau) {
  switch (r.m.bodies[static_cast<std::size_t>(body_)].nv) {
    case 0:
      return InertiaOf<0>(r, tau);
    case 1:
      return InertiaOf<1>(r, tau);
    case 2:
      return InertiaOf<2>(r, tau);
    case 3:
      return InertiaOf<3>(r, tau);
    default:
      return InertiaOf<6>(r, tau);
  }
}

template <int NV>
void SingleBody::AccelerationOf(Recursion& r, double* qdd) const {
  const Body& body = r.m.bodies[static_cast<std::size_t>(body_)];
  Node& node = r.node(body_);
  node.a =
      InverseTransformMotion(r.joints.X_PB[static_cast<std::size_t>(body_)], r.node(body.parent).a);
  if constexpr (NV > 0) {
    node.a += c_;
    Eigen::Map<Eigen::Matrix<double, NV, 1>> ydd(qdd + body.v);
    ydd.noalias() = u_.template head<NV>() - W_.template leftCols<NV>().transpose() * node.a;
    if (node.has_children) {
      for (int i = 0; i < NV; ++i) node.a += r.joints.S.col(body.v + i) * ydd[i];
    }
  }
}

void SingleBody::Acceleration(Recursion& r, double* qdd) const {
  switch (r.m.bodies[static_cast<std::size_t>(body_)].nv) {
    case 0:
      return AccelerationOf<0>(r, qdd);
    case 1:
      return AccelerationOf<1>(r, qdd);
    case 2:
      return AccelerationOf<2>(r, qdd);
    case 3:
      return AccelerationOf<3>(r, qdd);
    default:
      return AccelerationOf<6>(r, qdd);
  }
}

}  // namespace kinemorph::embedding
