// What springs, friction and soft limits of joints do, for numbers and for expressions.
#pragma once

#include <array>
#include <cmath>
#include <numbers>

#include "base/scalar.h"
#include "kinemorph/graph/mechanics/mechanism.h"

namespace kinemorph {

/// The rotation vector (rad, at most pi long) of a quaternion (w, x, y, z) of any length; the same
/// in the axes that turn and in those that stand.
template <class Number>
std::array<Number, 3> RotationVector(const Number* Q) {
  // The summand keeps sine / |u| defined where nothing is turned.
  const Number sine = Root(Q[1] * Q[1] + Q[2] * Q[2] + Q[3] * Q[3] + Number(1e-300));
  const Number turn = Number(2) * ArcTangent(sine, Q[0]);
  constexpr double kTurn = 2 * std::numbers::pi;
  const Number share = (turn - Number(kTurn) * Nearest(turn * Number(1 / kTurn))) / sine;
  return {share * Q[1], share * Q[2], share * Q[3]};
}

/// R^T p of a quaternion (w, x, y, z) of any length.
template <class Number>
std::array<Number, 3> TurnedBack(const Number* Q, const Number* p) {
  const auto cross = [&](const std::array<Number, 3>& b) {
    return std::array<Number, 3>{Q[2] * b[2] - Q[3] * b[1], Q[3] * b[0] - Q[1] * b[2],
                                 Q[1] * b[1] - Q[2] * b[0]};
  };
  const Number share = Number(2) / (Q[0] * Q[0] + Q[1] * Q[1] + Q[2] * Q[2] + Q[3] * Q[3]);
  const std::array<Number, 3> u_p = cross({p[0], p[1], p[2]}), u_u_p = cross(u_p);
  std::array<Number, 3> out;
  for (std::size_t i = 0; i < 3; ++i) out[i] = p[i] + share * (u_u_p[i] - Q[0] * u_p[i]);
  return out;
}

/// Forces of the springs of a body's joint are added to `tau` (by velocity of the mechanism; N m,
/// N); what they store is returned (J). A scalar joint is pulled to its spring_reference. A ball
/// joint is turned back by k times its rotation vector, a free joint pulled to where it stands at
/// zero as well (MuJoCo, mj_passive).
template <class Number, class Out>
Number AddSprings(const Mechanism& m, const Body& body, const Number* q, Out& tau) {
  std::array<Number, 6> stretch{};
  const Number* const own = q + body.q;
  if (body.nq == body.nv) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(body.nv); ++i)
      stretch[i] = own[i] - Number(m.spring_reference[static_cast<std::size_t>(body.v) + i]);
  } else if (body.nv > 0 && m.spring_stiffness[static_cast<std::size_t>(body.v)] != 0) {
    const std::array<Number, 3> turned = RotationVector(own);
    std::copy(turned.begin(), turned.end(), stretch.begin());
    if (body.nv == 6) {
      const std::array<Number, 3> moved = TurnedBack(own, own + 4);
      std::copy(moved.begin(), moved.end(), stretch.begin() + 3);
    }
  }
  Number energy = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(body.nv); ++i) {
    const std::size_t at = static_cast<std::size_t>(body.v) + i;
    if (m.spring_stiffness[at] == 0) continue;
    tau[at] -= Number(m.spring_stiffness[at]) * stretch[i];
    energy += Number(0.5 * m.spring_stiffness[at]) * stretch[i] * stretch[i];
  }
  return energy;
}

/// Below this speed (rad/s, m/s) Coulomb friction fades: friction * tanh(v / speed).
inline constexpr double kFrictionSpeed = 0.01;

/// Forces on one coordinate (N m, N).
template <class Number>
struct Resistance {
  Number lost = 0,  ///< dissipates
      kept = 0,     ///< comes back
      energy = 0;   ///< that is to come back (J)
};

/// Coulomb friction and soft limits of velocity `at`, which is `rate`; `x` is its coordinate, null
/// where it is no number.
template <class Number>
Resistance<Number> FrictionAndLimits(const Mechanism& m, std::size_t at, const Number* x,
                                     const Number& rate) {
  Resistance<Number> out;
  if (m.friction[at] != 0)
    out.lost -= Number(m.friction[at]) * Tanh(rate * Number(1 / kFrictionSpeed));
  if (x == nullptr || !(m.limit_stiffness[at] > 0)) return out;
  const auto resist = [&](double limit, const Number& is_beyond) {
    if (!std::isfinite(limit)) return;
    const Number stretch = is_beyond * (*x - Number(limit));
    out.kept -= Number(m.limit_stiffness[at]) * stretch;
    out.lost -= is_beyond * Number(m.limit_dissipation[at]) * rate;
    out.energy += Number(0.5 * m.limit_stiffness[at]) * stretch * stretch;
  };
  resist(m.upper[at], Greater(*x, Number(m.upper[at])));
  resist(m.lower[at], Greater(Number(m.lower[at]), *x));
  return out;
}

}  // namespace kinemorph
