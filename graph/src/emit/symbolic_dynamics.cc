// Mass matrix, bias and forward dynamics as expressions: the recursions of mechanics/dynamics.cc
// and of constraint embedding.

#include "base/index.h"
#include "emit/symbolic_inertia.h"
#include "mechanics/armature.h"
#include "mechanics/joint_forces.h"

namespace kinemorph::emit {
// Every product with a zero and every repeated product vanishes on the tape, so the recursions are
// written as for numbers, in the plainest form: what they cost is decided by which frames they use.
// A body alone in a free aggregate stays in its own frame, where S is constant; bodies of a loop
// stand together in the frame of their parent, where K has its rows.
namespace {

// Up to this size D is factorized by written-out steps, above by a loop.
constexpr Eigen::Index kWrittenOut = 6;

// A body in the recursion, in its own frame.
struct Node {
  Inertia I;                      // articulated
  Vector6E p = Vector6E::Zero();  // bias force
  Vector6E V = Vector6E::Zero(), a = Vector6E::Zero();
  bool has_children = false;  // other aggregates hang on it
};

}  // namespace

MatrixE SolvePositive(Tape& tape, const MatrixE& D, const MatrixE& B) {
  const Eigen::Index n = D.rows();
  MatrixE X = B;

  // D is the mass matrix of one aggregate's freedoms, positive definite: no pivoting, so its
  // elimination can be written out and its zeros be exploited. From kWrittenOut on the text would
  // grow with the cube of the size, and a call of an LU is shorter.
  if (n > kWrittenOut) {
    std::vector<Expression> entries, right;
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index j = 0; j < n; ++j) entries.push_back(D(i, j));
      for (Eigen::Index j = 0; j < B.cols(); ++j) right.push_back(B(i, j));
    }
    const int system = tape.Factorize(static_cast<int>(n), entries);
    const std::vector<Expression> x = tape.Solve(system, static_cast<int>(B.cols()), right);
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index j = 0; j < B.cols(); ++j)
        X(i, j) = x[static_cast<std::size_t>(i * B.cols() + j)];
    }
    return X;
  }
  MatrixE Ld = MatrixE::Zero(n, n), L = MatrixE::Zero(n, n);  // D = L d L^T
  // Square roots are avoided: with Cholesky's own form they would be steps that no compiler
  // simplifies.
  VectorE inverse(n);
  for (Eigen::Index j = 0; j < n; ++j) {
    for (Eigen::Index i = j; i < n; ++i) {
      Ld(i, j) = D(i, j);
      for (Eigen::Index k = 0; k < j; ++k) Ld(i, j) -= Ld(i, k) * L(j, k);
    }
    inverse[j] = Expression(1) / Ld(j, j);
    for (Eigen::Index i = j + 1; i < n; ++i) L(i, j) = Ld(i, j) * inverse[j];
  }
  for (Eigen::Index c = 0; c < B.cols(); ++c) {
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index k = 0; k < i; ++k) X(i, c) -= L(i, k) * X(k, c);
    }
    for (Eigen::Index i = n - 1; i >= 0; --i) {
      X(i, c) *= inverse[i];
      for (Eigen::Index k = i + 1; k < n; ++k) X(i, c) -= L(k, i) * X(k, c);
    }
  }
  return X;
}

// Upper and lower half are set together from one product, so that the exported M is symmetric to
// the bit.
MatrixE SymbolicMechanism::MassMatrix() const {
  // Composite rigid bodies: I[b] is what hangs on body b, and its force F for each of its columns
  // is carried up to the root, where it meets the columns of the ancestors.
  const std::size_t n = m_.bodies.size();
  std::vector<Inertia> I(n);
  for (std::size_t b = 1; b < n; ++b) I[b] = Inertia::Of(m_.bodies[b].inertia, {}, ScaleOf(b));
  MatrixE M = MatrixE::Zero(m_.nv, m_.nv);
  for (std::size_t b = n - 1; b > 0; --b) {
    const Body& body = m_.bodies[b];
    if (body.parent > 0) I[U(body.parent)] += I[b].InParent(X_PB_[b]);
    for (int c = body.v; c < body.v + body.nv; ++c) {
      Vector6E F = I[b] * S_[U(c)];
      for (int r = body.v; r < body.v + body.nv; ++r) M(r, c) = S_[U(r)].dot(F);
      std::size_t child = b;
      for (int a = body.parent; a > 0; a = m_.bodies[U(a)].parent) {
        F = TransformForce(X_PB_[child], F);
        const Body& ancestor = m_.bodies[U(a)];
        for (int r = ancestor.v; r < ancestor.v + ancestor.nv; ++r)
          M(r, c) = M(c, r) = S_[U(r)].dot(F);
        child = U(a);
      }
    }
  }
  // Of rotors, by velocity: they turn with the joint, and what else they do is left out of M.
  for (int i = 0; i < m_.nv; ++i) M(i, i) += Expression(m_.armature[U(i)]);
  return M;
}

Vector6E SymbolicMechanism::WorldLinear(std::size_t body, const Vector3E& a_W) const {
  std::vector<std::size_t> way;  // up to the world
  for (std::size_t b = body; b > 0; b = U(m_.bodies[b].parent)) way.push_back(b);
  Vector6E a = Vector6E::Zero();
  Vector3E turned = a_W;
  // From the world inwards: X_PB of each body on the way turns the vector on.
  for (auto b = way.rbegin(); b != way.rend(); ++b)
    turned = Vector3E(X_PB_[*b].R.transpose() * turned);
  a.tail<3>() = turned;
  return a;
}

std::vector<Expression> SymbolicMechanism::Bias(const Vector3E& gravity) const {
  const std::size_t n = m_.bodies.size();
  const Vector6E zero = Vector6E::Zero();
  // Newton-Euler at qdd = 0. Gravity comes in as an acceleration of the world upwards.
  std::vector<Vector6E> V(n, zero), A(n, zero), F(n, zero);
  A[0].tail<3>() = -gravity;
  for (std::size_t b = 1; b < n; ++b) {
    const Body& body = m_.bodies[b];
    Vector6E S_v = zero;
    for (int i = body.v; i < body.v + body.nv; ++i) S_v += S_[U(i)] * v_[U(i)];
    V[b] = emit::InverseTransformMotion(X_PB_[b], V[U(body.parent)]) + S_v;
    A[b] = emit::InverseTransformMotion(X_PB_[b], A[U(body.parent)]) + CrossMotion(V[b], S_v) +
           S_rate_v_[b];
    const Inertia I = Inertia::Of(body.inertia, {}, ScaleOf(b));
    F[b] = I * A[b] + CrossForce(V[b], I * V[b]);
    // A body that does not feel gravity gets it back.
    if (body.weightless) F[b] += I * WorldLinear(b, gravity);
  }
  std::vector<Expression> tau(U(m_.nv));
  for (std::size_t b = n - 1; b > 0; --b) {
    const Body& body = m_.bodies[b];
    for (int i = body.v; i < body.v + body.nv; ++i) tau[U(i)] = S_[U(i)].dot(F[b]);
    if (body.parent > 0) F[U(body.parent)] += TransformForce(X_PB_[b], F[b]);
  }
  // Armature of a free joint resists in the axes of F, its velocities count in those of M, which
  // turn.
  for (const int b : BodiesWithArmatureBias(m_)) AddArmatureBias(m_, b, v_, 1, tau);
  return tau;
}

std::vector<Expression> SymbolicMechanism::PassiveForces() const {
  std::vector<Expression> tau(U(m_.nv));
  for (const Body& body : m_.bodies) {
    for (std::size_t i = U(body.v); i < U(body.v + body.nv); ++i)
      tau[i] = Expression(-m_.damping[i]) * v_[i];
    static_cast<void>(AddSprings(m_, body, q_.data(), tau));
  }
  return tau;
}

std::vector<Expression> SymbolicMechanism::FrictionAndLimits() const {
  std::vector<Expression> tau(U(m_.nv));
  for (const Body& body : m_.bodies) {
    for (int i = 0; i < body.nv; ++i) {
      const std::size_t at = U(body.v + i);
      const Expression* const x = body.nq == body.nv ? &q_[U(body.q + i)] : nullptr;
      const Resistance<Expression> more = kinemorph::FrictionAndLimits(m_, at, x, v_[at]);
      tau[at] += more.kept + more.lost;
    }
  }
  return tau;
}

// Constraint embedding, sweep by sweep. In a single free aggregate of one body everything stands in
// the body's frame; in others in that of their parent body p.
struct SymbolicMechanism::Embedding {
  // What one aggregate leaves for the way back.
  struct Passed {
    std::vector<Vector6E> c;  // by position: velocity-product accelerations, S g included
    std::vector<MatrixE> J;   // 6 x mobility
    MatrixE U_sum, D;         // 6 x mobility, mobility squared
    MatrixE W;                // U D^-1, where the aggregate hangs on a moving body
    VectorE u, ydd;           // ydd: D^-1 u there
  };

  // Featherstone's articulated bodies, with J = S G of an aggregate in place of S of a joint: D =
  // J^T I J + G^T diag(armature) G, U = I J, u = G^T (tau - armature g) - J^T (p + I c).
  const SymbolicMechanism& s;
  const Mechanism& m;
  std::vector<Node> nodes;
  std::vector<Passed> passed;

  explicit Embedding(const SymbolicMechanism& mechanism)
      : s(mechanism), m(mechanism.m_), nodes(m.bodies.size()), passed(m.aggregates.size()) {
    for (const Aggregate& g : m.aggregates)
      if (g.parent > 0) nodes[U(g.parent)].has_children = true;
  }

  [[nodiscard]] bool OwnFrame(std::size_t a) const {
    return m.aggregates[a].bodies.size() == 1 && s.coordinates_.aggregates[a].rank == 0;
  }

  // Velocity and velocity products of the body at position i.
  void Move(std::size_t a, std::size_t i, const Vector6E& V_p, const Vector3E& gravity) {
    const Aggregate& g = m.aggregates[a];
    const int b = g.bodies[i];
    const Body& body = m.bodies[U(b)];
    Node& node = nodes[U(b)];
    const Pose& X = s.aggregates_[a].X[i];
    if (OwnFrame(a)) {
      // In its own frame: S of the joint and its rate are those of Positions and Velocities.
      Vector6E S_v = Vector6E::Zero();
      for (int k = body.v; k < body.v + body.nv; ++k) S_v += s.S_[U(k)] * s.v_[U(k)];
      node.V = emit::InverseTransformMotion(X, V_p);
      passed[a].c[i] = CrossMotion(node.V, S_v) + s.S_rate_v_[U(b)];
      node.V += S_v;
      node.I = Inertia::Of(body.inertia, {}, s.ScaleOf(U(b)));
    } else {
      // In the frame of p: velocities within the aggregate have been found there, and p's own are
      // added.
      const Vector6E& V = s.aggregates_[a].V[i];
      passed[a].c[i] = s.aggregates_[a].A[i] + CrossMotion(V_p, V);
      // Where others hang on it, in its own frame; else in that of p.
      node.V = V_p + V;
      if (node.has_children) node.V = emit::InverseTransformMotion(X, node.V);
      node.I = Inertia::Of(body.inertia, node.has_children ? Pose() : X, s.ScaleOf(U(b)));
    }
    // Velocity products: gyroscopic forces. Not the weight, which comes with the acceleration of
    // the world.
    node.p = CrossForce(node.V, node.I * node.V);
    if (body.weightless) {
      const int frame = OwnFrame(a) || node.has_children ? b : std::max(g.parent, 0);
      node.p += node.I * s.WorldLinear(U(frame), gravity);
    }
  }

  // From the base.
  void Velocities(const Vector3E& gravity) {
    for (std::size_t a = 0; a < passed.size(); ++a) {
      const Aggregate& g = m.aggregates[a];
      // The parent's velocity in the parent's own frame, which is p's frame for all bodies of this
      // aggregate.
      const Vector6E V_p = g.parent > 0 ? nodes[U(g.parent)].V : Vector6E(Vector6E::Zero());
      passed[a].c.resize(g.bodies.size());
      for (std::size_t i = 0; i < g.bodies.size(); ++i)
        if (g.bodies[i] != 0) Move(a, i, V_p, gravity);
    }
  }

  // What forces and armature of the joints add to D and u.
  void AddJoints(std::size_t a, const std::vector<Expression>& tau) {
    const Aggregate& g = m.aggregates[a];
    const SymbolicAggregate& kinematics = s.aggregates_[a];
    Passed& out = passed[a];
    const Eigen::Index mobility = kinematics.G.cols();
    for (int k = 0; k < g.nv; ++k) {
      const std::size_t v = U(g.velocity[U(k)]);
      const Expression armature(m.armature[v]);
      for (Eigen::Index r = 0; r < mobility; ++r) {
        // Armature is an inertia of the joint alone: G^T diag(armature) G, with its share of G's
        // rate.
        out.u[r] += kinematics.G(k, r) * (tau[v] - armature * kinematics.g[U(k)]);
        for (Eigen::Index c = 0; c < mobility; ++c)
          out.D(r, c) += armature * (kinematics.G(k, r) * kinematics.G(k, c));
      }
    }
  }

  // J and the part S g of the accelerations of the body at position i.
  void Columns(std::size_t a, std::size_t i, std::vector<Vector6E>& shift) {
    const Aggregate& g = m.aggregates[a];
    const SymbolicAggregate& kinematics = s.aggregates_[a];
    const Body& body = m.bodies[U(g.bodies[i])];
    // The parent inside the aggregate has been visited: its columns are a part of this body's.
    Passed& out = passed[a];
    if (g.parent_in[i] >= 0)
      out.J[i] = out.J[U(g.parent_in[i])], shift[i] = shift[U(g.parent_in[i])];
    for (int k = 0; k < body.nv; ++k) {
      const int column = g.column[i] + k;
      const Vector6E& S = OwnFrame(a) ? s.S_[U(body.v + k)] : kinematics.S[U(column)];
      for (Eigen::Index c = 0; c < kinematics.G.cols(); ++c) {
        for (int r = 0; r < 6; ++r) out.J[i](r, c) += S[r] * kinematics.G(column, c);
      }
      shift[i] += S * kinematics.g[U(column)];
    }
    out.c[i] += shift[i];
  }

  // Its bodies in D, u and U; what they weigh together is left in I_sum and p_sum.
  void AddBodies(std::size_t a, Inertia& I_sum, Vector6E& p_sum) {
    const Aggregate& g = m.aggregates[a];
    const SymbolicAggregate& kinematics = s.aggregates_[a];
    Passed& out = passed[a];
    const Eigen::Index mobility = kinematics.G.cols();
    std::vector<Vector6E> shift(g.bodies.size(), Vector6E::Zero());
    for (std::size_t i = 0; i < g.bodies.size(); ++i) {
      if (g.bodies[i] == 0) continue;
      const Node& node = nodes[U(g.bodies[i])];
      Columns(a, i, shift);
      // A body that other aggregates hang on has its inertia in its own frame; here it is carried
      // over to p's.
      const bool carry = !OwnFrame(a) && node.has_children;
      const Inertia I = carry ? node.I.InParent(kinematics.X[i]) : node.I;
      const Vector6E p = carry ? TransformForce(kinematics.X[i], node.p) : node.p;
      const Vector6E force = p + I * out.c[i];  // at ydd = 0 and a_p = 0
      for (Eigen::Index c = 0; c < mobility; ++c) {
        const Vector6E U_i = I * Vector6E(out.J[i].col(c));
        out.U_sum.col(c) += U_i;
        for (Eigen::Index r = 0; r < mobility; ++r)
          out.D(r, c) += Vector6E(out.J[i].col(r)).dot(U_i);
        out.u[c] -= Vector6E(out.J[i].col(c)).dot(force);
      }
      I_sum += I, p_sum += force;
    }
  }

  // Towards the base.
  void Inertias(const std::vector<Expression>& tau) {
    for (std::size_t a = passed.size(); a-- > 0;) {
      const Aggregate& g = m.aggregates[a];
      const SymbolicAggregate& kinematics = s.aggregates_[a];
      Passed& out = passed[a];
      const Eigen::Index mobility = kinematics.G.cols();
      out.U_sum = MatrixE::Zero(6, mobility), out.D = MatrixE::Zero(mobility, mobility);
      out.u = VectorE::Zero(mobility);
      out.J.assign(g.bodies.size(), MatrixE::Zero(6, mobility));
      AddJoints(a, tau);
      Inertia I_sum;
      Vector6E p_sum = Vector6E::Zero();
      AddBodies(a, I_sum, p_sum);
      // The freedoms of the aggregate are eliminated from what its parent feels: I - U D^-1 U^T and
      // p + U D^-1 u.
      if (g.parent <= 0) continue;
      Node& parent = nodes[U(g.parent)];
      MatrixE right(mobility, 7);
      right << MatrixE(out.U_sum.transpose()), out.u;
      const MatrixE x = mobility > 0 ? SolvePositive(*s.tape_, out.D, right) : right;
      out.W = x.leftCols(6).transpose();
      out.ydd = x.col(6);
      for (Eigen::Index c = 0; c < mobility; ++c) {
        I_sum.Subtract(out.W.col(c), out.U_sum.col(c));
        p_sum += Vector6E(out.U_sum.col(c)) * out.ydd[c];
      }
      if (OwnFrame(a)) {
        parent.I += I_sum.InParent(kinematics.X[0]);
        parent.p += TransformForce(kinematics.X[0], p_sum);
      } else {
        parent.I += I_sum, parent.p += p_sum;
      }
    }
  }

  // From the base.
  [[nodiscard]] std::vector<Expression> Accelerations(const Vector3E& gravity) {
    nodes[0].a.tail<3>() = -gravity;
    std::vector<Expression> qdd(U(m.nv));
    for (std::size_t a = 0; a < passed.size(); ++a) {
      const Aggregate& g = m.aggregates[a];
      const SymbolicAggregate& kinematics = s.aggregates_[a];
      const Passed& in = passed[a];
      const Eigen::Index mobility = kinematics.G.cols();
      Vector6E a_p = nodes[U(std::max(g.parent, 0))].a;
      if (OwnFrame(a)) a_p = emit::InverseTransformMotion(kinematics.X[0], a_p);
      VectorE ydd = in.ydd;
      // On a moving parent D^-1 is known from the way in. On the world, whose acceleration is known
      // beforehand, one solution with everything in it is enough.
      if (g.parent > 0) {
        for (Eigen::Index c = 0; c < mobility; ++c) ydd[c] -= Vector6E(in.W.col(c)).dot(a_p);
      } else if (mobility > 0) {
        MatrixE right = in.u;
        for (Eigen::Index c = 0; c < mobility; ++c)
          right(c, 0) -= Vector6E(in.U_sum.col(c)).dot(a_p);
        ydd = SolvePositive(*s.tape_, in.D, right).col(0);
      }
      for (int k = 0; k < g.nv; ++k) {
        Expression& rate = qdd[U(g.velocity[U(k)])];
        rate = kinematics.g[U(k)];
        for (Eigen::Index c = 0; c < mobility; ++c) rate += kinematics.G(k, c) * ydd[c];
      }
      // Accelerations are wanted only where further aggregates hang on the body.
      for (std::size_t i = 0; i < g.bodies.size(); ++i) {
        Node& node = nodes[U(g.bodies[i])];
        if (!node.has_children || g.bodies[i] == 0) continue;
        Vector6E acceleration = a_p + in.c[i];
        for (Eigen::Index c = 0; c < mobility; ++c)
          acceleration += Vector6E(in.J[i].col(c)) * ydd[c];
        node.a = OwnFrame(a) ? acceleration
                             : emit::InverseTransformMotion(kinematics.X[i], acceleration);
      }
    }
    return qdd;
  }
};

std::vector<Expression> SymbolicMechanism::ForwardDynamics(std::vector<Expression> tau,
                                                           const Vector3E& gravity) const {
  for (const int b : BodiesWithArmatureBias(m_)) AddArmatureBias(m_, b, v_, -1, tau);
  Embedding embedding(*this);
  embedding.Velocities(gravity);
  embedding.Inertias(tau);
  return embedding.Accelerations(gravity);
}

}  // namespace kinemorph::emit
