// Our mechanism built in Simbody through its own interface: pins, sliders, welds; loops that are
// balls, hinges or welds; couplings.
#pragma once

#include <vector>

#include "kinemorph/graph/mechanics/kinematics.h"
#include "simbody_plain.h"

namespace kinemorph::test {

class SimbodyModel {
 public:
  /// `hinges`: revolute loops are hinges; else the balls that close them in the plane.
  explicit SimbodyModel(const Mechanism& m, bool hinges = false) : m_(m) {
    std::vector<PlainBody> bodies;
    for (std::size_t b = 1; b < m.bodies.size(); ++b) bodies.push_back(Plain(m.bodies[b]));
    std::vector<PlainLoop> loops;
    std::vector<PlainCoupling> couplings;
    for (const Aggregate& g : m.aggregates) {
      const auto body = [&](int position) {
        return position < 0 ? g.parent : g.bodies[static_cast<std::size_t>(position)];
      };
      for (const LoopConstraint& loop : g.loops) {
        PlainLoop& plain = loops.emplace_back();
        plain.a = body(loop.predecessor), plain.b = body(loop.successor);
        plain.kind = std::holds_alternative<Revolute>(loop.kind) && hinges ? PlainLoop::kHinge
                     : std::holds_alternative<Fixed>(loop.kind)            ? PlainLoop::kWeld
                                                                           : PlainLoop::kBall;
        RigidTransform X_a = loop.X_PF, X_b = loop.X_SM;
        X_a.R = loop.R_PB, X_b.R = loop.R_SB;
        plain.X_a = Plain(X_a), plain.X_b = Plain(X_b);
      }
      for (const CouplingConstraint& coupling : g.couplings) {
        PlainCoupling& plain = couplings.emplace_back();
        plain.constant = coupling.constant;
        for (const CouplingConstraint::Term& term : coupling.terms) {
          PlainCoupling::Term& own = plain.terms.emplace_back();
          own.body = g.bodies[static_cast<std::size_t>(term.body)];
          std::copy(term.c.begin(), term.c.end(), own.c);
        }
      }
    }
    simbody_ = std::make_unique<PlainSimbody>(m.gravity.data(), bodies, loops, couplings);
  }
  /// Whether all of it can be built so.
  [[nodiscard]] static bool Holds(const Mechanism& m) {
    for (const Body& body : m.bodies)
      if (body.nv > 1 || std::holds_alternative<Screw>(body.kind)) return false;
    for (const Aggregate& g : m.aggregates)
      for (const LoopConstraint& loop : g.loops)
        if (!std::holds_alternative<Revolute>(loop.kind) &&
            !std::holds_alternative<Ball>(loop.kind) && !std::holds_alternative<Fixed>(loop.kind))
          return false;
    return true;
  }
  /// q at each of `times` from the state that was set.
  PlainMotion Integrate(const std::vector<double>& times, double accuracy) {
    return simbody_->Integrate(times, accuracy);
  }

  void SetState(const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& tau) {
    const std::size_t n = m_.bodies.size() - 1;
    std::vector<double> by_body_q(n, 0), by_body_v(n, 0), by_body_tau(n, 0);
    for (std::size_t b = 1; b <= n; ++b) {
      if (m_.bodies[b].nv != 1) continue;
      by_body_q[b - 1] = q[m_.bodies[b].q], by_body_v[b - 1] = v[m_.bodies[b].v],
                    by_body_tau[b - 1] = tau[m_.bodies[b].v];
    }
    simbody_->SetState(by_body_q, by_body_v, by_body_tau);
  }
  void Realize() { simbody_->Realize(); }
  // Simbody's projection of q to closure; whether it got there.
  bool Close(Eigen::VectorXd& q, double accuracy) {
    std::vector<double> by_body(m_.bodies.size() - 1, 0);
    for (std::size_t b = 1; b < m_.bodies.size(); ++b)
      if (m_.bodies[b].nv == 1) by_body[b - 1] = q[m_.bodies[b].q];
    if (!simbody_->Close(by_body, accuracy)) return false;
    for (std::size_t b = 1; b < m_.bodies.size(); ++b)
      if (m_.bodies[b].nv == 1) q[m_.bodies[b].q] = by_body[b - 1];
    return true;
  }
  [[nodiscard]] Eigen::VectorXd Accelerations() const {
    const std::vector<double> by_body = simbody_->Accelerations();
    Eigen::VectorXd qdd = Eigen::VectorXd::Zero(m_.nv);
    for (std::size_t b = 1; b < m_.bodies.size(); ++b) {
      if (m_.bodies[b].nv == 1) qdd[m_.bodies[b].v] = by_body[b - 1];
    }
    return qdd;
  }

 private:
  static PlainTransform Plain(const RigidTransform& X) {
    PlainTransform plain;
    for (int i = 0; i < 9; ++i) plain.R[i] = X.R(i / 3, i % 3);
    for (int i = 0; i < 3; ++i) plain.p[i] = X.p[i];
    return plain;
  }
  static PlainBody Plain(const Body& body) {
    PlainBody plain;
    plain.parent = body.parent;
    RigidTransform turn;
    if (const auto* revolute = std::get_if<Revolute>(&body.kind)) {
      plain.kind = PlainBody::kPin;
      turn.R = RotationWithZ(revolute->axis);
    } else if (const auto* prismatic = std::get_if<Prismatic>(&body.kind)) {
      plain.kind = PlainBody::kSlider;
      const Matrix3 z = RotationWithZ(prismatic->axis);
      turn.R << z.col(2), z.col(0), z.col(1);
    }
    plain.X_PJ = Plain(body.X_PJ * turn), plain.X_BJ = Plain(body.X_JB.inverse() * turn);
    plain.mass = body.inertia.mass;
    const Matrix3 I = body.inertia.AsMatrix().topLeftCorner<3, 3>();
    const double about_origin[6] = {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)};
    for (int i = 0; i < 6; ++i) plain.inertia[i] = about_origin[i];
    for (int i = 0; i < 3; ++i) plain.com[i] = body.inertia.p_BoBcm[i];
    return plain;
  }

  const Mechanism& m_;
  std::unique_ptr<PlainSimbody> simbody_;
};

}  // namespace kinemorph::test
