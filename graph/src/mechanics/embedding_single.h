// A body alone in the constraint-embedding recursion: a step of the articulated-body algorithm.
#pragma once

#include "mechanics/embedding_recursion.h"

namespace kinemorph::embedding {

class SingleBody {
 public:
  explicit SingleBody(int body) : body_(body) {}
  [[nodiscard]] int body() const { return body_; }

  /// V, c, and the body's own part of I and p.
  void Velocity(Recursion& r, const double* v, const ExternalForces* forces);
  /// U, D, u; what the body looks like to its parent. False where D is singular.
  bool Inertia(Recursion& r, const double* tau);
  void Acceleration(Recursion& r, double* qdd) const;

  /// U D^-1 and D.
  [[nodiscard]] auto W(int nv) const { return W_.leftCols(nv); }
  [[nodiscard]] auto D(int nv) const { return D_.topLeftCorner(nv, nv); }

 private:
  template <int NV>
  bool InertiaOf(Recursion& r, const double* tau);
  template <int NV>
  void AccelerationOf(Recursion& r, double* qdd) const;

  int body_;
  Vector6 c_ = Vector6::Zero(), u_;  // velocity-product acceleration; D^-1 u
  Matrix6 U_, W_, D_;                // I S, U D^-1, S^T U: the first columns
};

}  // namespace kinemorph::embedding
