// What the parts of the constraint-embedding recursion share: the bodies as they are on the way,
// and the inversion of small matrices.
#pragma once

#include <algorithm>
#include <vector>

#include "kinemorph/graph/base/linear_algebra.h"
#include "kinemorph/graph/mechanics/dynamics.h"
#include "mechanics/articulated_inertia.h"

namespace kinemorph::embedding {

/// A body on which others may hang. All in its own frame.
struct Node {
  RigidInertia rigid;
  ArticulatedInertia I;         ///< articulated: its own, and what hangs on it
  Vector6 p = Vector6::Zero();  ///< bias force
  Vector6 V = Vector6::Zero(), a = Vector6::Zero();
  bool has_children = false;  ///< other aggregates hang on it

  /// From V on: only the body itself.
  void Start(const Vector6* force) {
    SetRigid(rigid, I);
    p = rigid.VelocityProduct(V);
    if (force != nullptr) p -= *force;
  }
};

struct Recursion {
  const Mechanism& m;
  JointCache joints;
  std::vector<Node> nodes;  ///< by body
  double least_pivot = 0;   ///< kg m^2, read as kg along a slide: less resists no motion

  explicit Recursion(const Mechanism& mechanism)
      : m(mechanism), joints(mechanism), nodes(mechanism.bodies.size()) {
    double mass = 0;
    for (std::size_t b = 0; b < nodes.size(); ++b) {
      nodes[b].rigid.Set(m.bodies[b].inertia, {});
      mass += m.bodies[b].inertia.mass;
    }
    for (const double armature : m.armature) mass = std::max(mass, armature);
    least_pivot = 1e-15 * mass * m.length * m.length;
  }
  Node& node(int body) { return nodes[static_cast<std::size_t>(body)]; }
  [[nodiscard]] const Node& node(int body) const { return nodes[static_cast<std::size_t>(body)]; }
};

/// D^-1 of a positive definite D; false when a pivot is not above `least`.
template <int M, class In, class Out>
bool InvertPositive(const In& D, double least, Out& inverse) {
  if constexpr (M == 1) {
    if (!(D(0, 0) > least)) return false;
    inverse(0, 0) = 1 / D(0, 0);
    return true;
  } else if constexpr (M == Eigen::Dynamic) {
    return kinemorph::InvertPositive(D, least, inverse);
  } else {
    const Eigen::LLT<Eigen::Matrix<double, M, M>> llt(D);
    if (llt.info() != Eigen::Success) return false;
    for (Eigen::Index i = 0; i < D.rows(); ++i) {
      const double pivot = llt.matrixLLT()(i, i);
      if (!(pivot * pivot > least)) return false;
    }
    inverse.setIdentity();
    llt.solveInPlace(inverse);
    return true;
  }
}

}  // namespace kinemorph::embedding
