// Rows of loop joints and couplings as expressions: what mechanics/loop_constraint.cc computes, for
// the rows that are kept; then the dependent coordinates in terms of the independent ones.
#include <algorithm>
#include <numbers>

#include "base/index.h"
#include "emit/symbolic_mechanism.h"
#include "kinemorph/graph/base/overloaded.h"

namespace kinemorph::emit {
namespace {

// Frames: P and S are the bodies that the loop joint joins, F and M its frames on them; all is
// relative to the aggregate's parent p, which drops out of the rows. phi is written in axes of F's
// row frame, so that K v is its exact rate also where the loop is open.

// A loop joint at a state; all vectors in axes of the aggregate's parent body.
struct LoopState {
  Matrix3E F, M;  // row axes as they stand in F and in M
  Matrix3E R_pF, R_pM;
  Vector3E p_M, d;  // Mo, and Mo - Fo
  Vector3E w = Vector3E::Zero(), alpha = Vector3E::Zero(), a = Vector3E::Zero();
};

// d phi/dt = W . (V_S - V_P), W about p's origin.
struct Row {
  Vector6E W = Vector6E::Zero();
  Expression phi, k;
};

struct RowWriter {
  const LoopState& s;
  std::vector<Row> rows;

  void Angular(const Expression& value, const Vector3E& direction, const Vector3E& rate) {
    Row& row = rows.emplace_back();
    row.W.head<3>() = direction;
    row.phi = value, row.k = -(rate.dot(s.w) + direction.dot(s.alpha));
  }
  void Linear(int axis) {
    const Vector3E direction = s.F.col(axis);
    Row& row = rows.emplace_back();
    row.W << s.p_M.cross(direction), direction;
    row.phi = direction.dot(s.d), row.k = -direction.dot(s.a);
  }
  void Linear(std::initializer_list<int> axes) {
    for (const int axis : axes) Linear(axis);
  }
  // z of M stays along z of F: small tilts about x and y. The products are sines of the tilt, so
  // that phi has no branch near closure.
  void Tilt() {
    const Vector3E fx = s.F.col(0), fy = s.F.col(1), mz = s.M.col(2), mz_rate = s.w.cross(mz);
    Angular(-fy.dot(mz), fy.cross(mz), fy.cross(mz_rate));
    Angular(fx.dot(mz), mz.cross(fx), mz_rate.cross(fx));
  }
  void Orientation() {
    Tilt();
    const Vector3E fy = s.F.col(1), mx = s.M.col(0);
    const Vector3E mx_rate = s.w.cross(mx);
    Angular(fy.dot(mx), mx.cross(fy), mx_rate.cross(fy));
  }
  // vz - pitch wz, with the turn chosen that is nearest.
  // The angle about z is atan2(sine, cosine) of the axes' products, which also holds where the
  // screw is tilted a little. Its rate is (sine' cosine - cosine' sine) / (sine^2 + cosine^2), and
  // that once more by the quotient rule for k.
  // The nearest turn is a step of its own; its derivative is zero, as it stays the same between
  // turns.
  void Thread(double pitch) {
    const Vector3E fx = s.F.col(0), fy = s.F.col(1), mx = s.M.col(0), my = s.M.col(1);
    const Expression sine = fy.dot(mx) - fx.dot(my), cosine = fx.dot(mx) + fy.dot(my);
    const Vector3E d_sine = mx.cross(fy) - my.cross(fx), d_cosine = mx.cross(fx) + my.cross(fy);
    const Vector3E mx_rate = s.w.cross(mx), my_rate = s.w.cross(my);
    const Vector3E d_sine_rate = mx_rate.cross(fy) - my_rate.cross(fx);
    const Vector3E d_cosine_rate = mx_rate.cross(fx) + my_rate.cross(fy);
    const Expression square = sine * sine + cosine * cosine;
    const Expression sine_rate = d_sine.dot(s.w), cosine_rate = d_cosine.dot(s.w);
    const Vector3E numerator = d_sine * cosine - d_cosine * sine;
    const Vector3E numerator_rate =
        d_sine * cosine_rate + d_sine_rate * cosine - d_cosine * sine_rate - d_cosine_rate * sine;
    const Expression square_rate = Expression(2) * (sine * sine_rate + cosine * cosine_rate);
    const Expression scale = Expression(-pitch) / square;
    const Vector3E rate = (numerator_rate - numerator * (square_rate / square)) * scale;
    // The thread is a slide along z that is turned into: its row is that of the slide, with the
    // turn added.
    Linear(2);
    Row& row = rows.back();
    const Vector3E direction = numerator * scale;
    row.W.head<3>() += direction;
    row.k -= rate.dot(s.w) + direction.dot(s.alpha);
    row.phi -= Expression(pitch) * ArcTangent(sine, cosine);
    const double turn = 2 * std::numbers::pi * std::abs(pitch);
    if (turn > 0) row.phi -= Expression(turn) * Nearest(row.phi / Expression(turn));
  }
  // The axes of a universal joint keep their angle.
  // Scaled by the sine between the axes, so that phi is the angle itself to first order. Parallel
  // axes, of which the checks warn, leave a row of zeros.
  void AxisAngle(const Universal& kind) {
    const Vector3E axis1 = s.R_pF * kind.axis1.cast<Expression>(),
                   axis2 = s.R_pM * kind.axis2.cast<Expression>();
    const double sine = kind.axis1.cross(kind.axis2).norm(), cosine = kind.axis1.dot(kind.axis2);
    const Expression scale(sine > 1e-9 ? 1 / sine : 0);
    const Vector3E axis2_rate = s.w.cross(axis2);
    Angular(-(axis1.dot(axis2) - Expression(cosine)) * scale, axis1.cross(axis2) * scale,
            axis1.cross(axis2_rate) * scale);
  }
  // The order of rows within a kind is that of the numerical rows (loop_constraint.cc): rows_ holds
  // indices into it.
  void Write(const JointKind& kind) {
    std::visit(Overloaded{[&](const Fixed&) {
                            Orientation(), Linear({0, 1, 2});
                          },
                          [&](const Revolute&) {
                            Tilt(), Linear({0, 1, 2});
                          },
                          [&](const Prismatic&) {
                            Orientation(), Linear({0, 1});
                          },
                          [&](const Screw& k) {
                            Tilt(), Linear({0, 1}), Thread(k.pitch);
                          },
                          [&](const Universal& k) {
                            AxisAngle(k), Linear({0, 1, 2});
                          },
                          [&](const Ball&) {
                            Linear({0, 1, 2});
                          },
                          [&](const Planar&) { Tilt(), Linear({2}); },
                          [&](const Cylindrical&) {
                            Tilt(), Linear({0, 1});
                          },
                          [](const Free&) {}},
               kind);
  }
};

// An index below zero is p itself, which stands still in its own frame.
LoopState StateOf(const LoopConstraint& loop, const SymbolicAggregate& g, bool moving) {
  const Pose still;
  const Pose& X_pP = loop.predecessor < 0 ? still : g.X[U(loop.predecessor)];
  const Pose& X_pS = loop.successor < 0 ? still : g.X[U(loop.successor)];
  LoopState s;
  s.R_pF = X_pP.R * loop.X_PF.R.cast<Expression>();
  s.R_pM = X_pS.R * loop.X_SM.R.cast<Expression>();
  s.F = X_pP.R * loop.R_PB.cast<Expression>();
  s.M = X_pS.R * loop.R_SB.cast<Expression>();
  const Vector3E p_F = X_pP.R * loop.X_PF.p.cast<Expression>() + X_pP.p;
  s.p_M = X_pS.R * loop.X_SM.p.cast<Expression>() + X_pS.p;
  s.d = s.p_M - p_F;

  // Rates as they are seen from the turning body P: the motion of M relative to F without what P's
  // own turning adds (transport and Coriolis terms), for the row axes turn with P.
  if (!moving) return s;
  const Vector6E zero = Vector6E::Zero();
  const Vector6E& V_P = loop.predecessor < 0 ? zero : g.V[U(loop.predecessor)];
  const Vector6E& V_S = loop.successor < 0 ? zero : g.V[U(loop.successor)];
  const Vector6E& A_P = loop.predecessor < 0 ? zero : g.A[U(loop.predecessor)];
  const Vector6E& A_S = loop.successor < 0 ? zero : g.A[U(loop.successor)];
  const Vector3E w_P = V_P.head<3>(), w_S = V_S.head<3>();
  const Vector3E alpha_P = A_P.head<3>(), alpha_S = A_S.head<3>();
  const Vector3E v_F = V_P.tail<3>() + w_P.cross(p_F), v_M = V_S.tail<3>() + w_S.cross(s.p_M);
  const Vector3E a_F = A_P.tail<3>() + alpha_P.cross(p_F) + w_P.cross(v_F);
  const Vector3E a_M = A_S.tail<3>() + alpha_S.cross(s.p_M) + w_S.cross(v_M);
  const Vector3E turning = w_P.cross(s.d);
  const Vector3E v = v_M - v_F - turning;
  s.w = w_S - w_P;
  s.alpha = alpha_S - alpha_P - w_P.cross(w_S);
  s.a = a_M - a_F - alpha_P.cross(s.d) - w_P.cross(turning) - w_P.cross(v) * Expression(2);
  return s;
}

}  // namespace

void SymbolicMechanism::Constraints() {
  for (std::size_t a = 0; a < aggregates_.size(); ++a) Rows(a, false);
}
void SymbolicMechanism::Rates() {
  for (std::size_t a = 0; a < aggregates_.size(); ++a) Rows(a, true);
}

// phi and K; or k, when there are velocities.
void SymbolicMechanism::Rows(std::size_t a, bool moving) {
  const Aggregate& g = m_.aggregates[a];
  SymbolicAggregate& out = aggregates_[a];
  const std::vector<int>& kept = rows_[a];
  const auto count = static_cast<Eigen::Index>(kept.size());
  if (moving) {
    out.k.assign(kept.size(), 0);
  } else {
    out.phi.assign(kept.size(), 0);
    out.K = MatrixE::Zero(count, g.nv);
  }
  // All rows of a loop are written and some kept: the others are never asked for, and so not
  // listed.
  for (const LoopConstraint& loop : g.loops) {
    const LoopState state = StateOf(loop, out, moving);
    RowWriter writer{state, {}};
    writer.Write(loop.kind);
    for (std::size_t i = 0; i < kept.size(); ++i) {
      const int r = kept[i] - loop.row;
      if (r < 0 || r >= loop.rows) continue;
      const Row& row = writer.rows[U(r)];
      if (moving) {
        out.k[i] = row.k;
        continue;
      }
      out.phi[i] = row.phi;
      // A body on both paths has no part in the loop: paths begin at the nearest common body.
      const auto add = [&](const std::vector<int>& path, bool successor) {
        for (const int position : path) {
          const int nv = m_.bodies[U(g.bodies[U(position)])].nv;
          for (int c = g.column[U(position)]; c < g.column[U(position)] + nv; ++c) {
            const Expression rate = row.W.dot(out.S[U(c)]);
            out.K(static_cast<Eigen::Index>(i), c) = successor ? rate : -rate;
          }
        }
      };
      add(loop.predecessor_path, false), add(loop.successor_path, true);
    }
  }
  // sum of polynomials = constant; of each term its value, its slope for K and its curvature for k.
  for (const CouplingConstraint& coupling : g.couplings) {
    const auto at = std::find(kept.begin(), kept.end(), coupling.row);
    if (at == kept.end()) continue;
    const auto i = static_cast<std::size_t>(at - kept.begin());
    if (!moving) out.phi[i] = -coupling.constant;
    for (const CouplingConstraint::Term& term : coupling.terms) {
      const Body& body = m_.bodies[U(g.bodies[U(term.body)])];
      const Expression x = q_[U(body.q + term.axis)];
      const std::array<double, 4>& c = term.c;
      // The second derivative of the polynomial times v squared, with the sign of k = -(dK/dt) v.
      if (moving) {  // c1 x + c2 x^2 + c3 x^3 + c4 x^4
        const Expression v = v_[U(body.v + term.axis)];
        const Expression curvature =
            (Expression(12 * c[3]) * x + Expression(6 * c[2])) * x + Expression(2 * c[1]);
        out.k[i] -= curvature * (v * v);
        continue;
      }
      out.phi[i] += x * (Expression(c[0]) +
                         x * (Expression(c[1]) + x * (Expression(c[2]) + x * Expression(c[3]))));
      out.K(static_cast<Eigen::Index>(i), term.column) +=
          Expression(c[0]) +
          x * (Expression(2 * c[1]) + x * (Expression(3 * c[2]) + x * Expression(4 * c[3])));
    }
  }
}

// The system K_d x = B: by hand for one and two unknowns, else by the steps of an elimination.
static std::vector<Expression> SolveDependent(Tape& tape, const std::vector<Expression>& A,
                                              int size, int columns,
                                              const std::vector<Expression>& B, int& system) {
  // Cramer's rule up to two unknowns. There the determinant is the only quotient, and four-bars,
  // the usual case, get by without a call of an LU.
  std::vector<Expression> x(B.size());
  if (size == 1) {
    const Expression inverse = Expression(1) / A[0];
    for (int c = 0; c < columns; ++c) x[U(c)] = inverse * B[U(c)];
    return x;
  }
  if (size == 2) {
    const Expression inverse = Expression(1) / (A[0] * A[3] - A[1] * A[2]);
    for (int c = 0; c < columns; ++c) {
      const Expression &top = B[U(c)], &bottom = B[U(columns + c)];
      x[U(c)] = inverse * (A[3] * top - A[1] * bottom);
      x[U(columns + c)] = inverse * (A[0] * bottom - A[2] * top);
    }
    return x;
  }
  if (system < 0) system = tape.Factorize(size, A);
  return tape.Solve(system, columns, B);
}

void SymbolicMechanism::Explicit(bool closing) {
  for (std::size_t a = 0; a < aggregates_.size(); ++a) {
    const AggregateCoordinates& c = coordinates_.aggregates[a];
    SymbolicAggregate& out = aggregates_[a];

    // K_d [G_d, closing] = [-K_q, phi]: one system for both. `system` keeps its factorization,
    // which ExplicitRates uses again.
    const int size = static_cast<int>(c.dependent.size()),
              mobility = static_cast<int>(c.independent.size());
    out.G = MatrixE::Zero(m_.aggregates[a].nv, mobility);
    out.closing.assign(U(m_.aggregates[a].nv), 0);
    for (int i = 0; i < mobility; ++i) out.G(c.independent[U(i)], i) = 1;
    if (size == 0) continue;
    std::vector<Expression> A, B;
    const int columns = mobility + (closing ? 1 : 0);
    for (int i = 0; i < size; ++i) {
      for (const int column : c.dependent) A.push_back(out.K(i, column));
      for (const int column : c.independent) B.push_back(-out.K(i, column));
      if (closing) B.push_back(out.phi[U(i)]);
    }
    if (columns == 0) continue;
    const std::vector<Expression> x = SolveDependent(*tape_, A, size, columns, B, out.system);
    for (int i = 0; i < size; ++i) {
      for (int k = 0; k < mobility; ++k) out.G(c.dependent[U(i)], k) = x[U(i * columns + k)];
      if (closing) out.closing[U(c.dependent[U(i)])] = x[U(i * columns + mobility)];
    }
  }
}

void SymbolicMechanism::ExplicitRates() {
  for (std::size_t a = 0; a < aggregates_.size(); ++a) {
    const AggregateCoordinates& c = coordinates_.aggregates[a];
    SymbolicAggregate& out = aggregates_[a];
    const int size = static_cast<int>(c.dependent.size());
    out.g.assign(U(m_.aggregates[a].nv), 0);
    if (size == 0) continue;
    std::vector<Expression> A;
    for (int i = 0; i < size; ++i) {
      for (const int column : c.dependent) A.push_back(out.K(i, column));
    }
    const std::vector<Expression> x = SolveDependent(*tape_, A, size, 1, out.k, out.system);
    for (int i = 0; i < size; ++i) out.g[U(c.dependent[U(i)])] = x[U(i)];
  }
}

MatrixE SymbolicMechanism::AllOfG() const {
  MatrixE G = MatrixE::Zero(m_.nv, coordinates_.mobility);
  Eigen::Index first = 0;
  for (std::size_t a = 0; a < aggregates_.size(); ++a) {
    const Aggregate& g = m_.aggregates[a];
    const MatrixE& part = aggregates_[a].G;
    for (int c = 0; c < g.nv; ++c)
      for (Eigen::Index k = 0; k < part.cols(); ++k) G(g.velocity[U(c)], first + k) = part(c, k);
    first += part.cols();
  }
  return G;
}

std::vector<Expression> SymbolicMechanism::Spanning(const std::vector<Expression>& v_q) const {
  const MatrixE G = AllOfG();
  std::vector<Expression> v(U(m_.nv));
  for (int i = 0; i < m_.nv; ++i)
    for (Eigen::Index k = 0; k < G.cols(); ++k)
      v[U(i)] += G(i, k) * v_q[static_cast<std::size_t>(k)];
  return v;
}

}  // namespace kinemorph::emit
