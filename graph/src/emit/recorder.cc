#include "emit/recorder.h"

#include "base/index.h"

namespace kinemorph::emit {
namespace {

// Row by row.
std::vector<Expression> Flat(const MatrixE& matrix) {
  std::vector<Expression> out;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) out.push_back(matrix(i, j));
  }
  return out;
}

MatrixE Product(const MatrixE& A, const MatrixE& B) { return A.lazyProduct(B); }

// One program for each function. A recording walks the mechanism on a fresh tape, as far as the
// function needs it: Positions, then Constraints (phi, K), Explicit (G), Velocities, Rates (k),
// ExplicitRates (g). Orders of inputs and outputs are the signatures of the exported functions;
// equations.h lists them.
class Recorder {
 public:
  Recorder(const Mechanism& m, const Coordinates& coordinates, const RowChoice& rows,
           const EquationOptions& options, Equations& out)
      : m_(m),
        coordinates_(coordinates),
        rows_(rows),
        feet_(options.feet),
        max_steps_(options.max_steps),
        out_(out) {
    for (const auto& kept : rows) rank_ += static_cast<int>(kept.size());
  }

  void Functions() {
    Kin();
    Constraints();
    Explicit();
    Tree();
    ForwardDynamics();
    Spf("spf_rhs", false);
    if (!feet_.empty()) Feet(), Impact();
    Closing();
  }
  void Simulation() {
    Spf("rhs", true);
    if (!out_.frames.empty()) Frames();
    Closing();
  }
  [[nodiscard]] bool too_long() const { return too_long_; }

 private:
  struct Recording {
    Tape tape;
    SymbolicMechanism mechanism;
    std::vector<Expression> q, v;
  };
  Recording Start(const std::string& name, const std::string& meaning) {
    Recording r{Tape(max_steps_), SymbolicMechanism(m_, coordinates_, rows_), {}, {}};
    r.tape.program().name = name, r.tape.program().meaning = meaning;
    return r;
  }
  void Finish(Recording& r) { Finish(r, out_.programs); }
  void Finish(Recording& r, std::vector<Program>& programs) {
    too_long_ = too_long_ || r.tape.full();
    programs.push_back(std::move(r.tape.program()));
  }
  void Positions(Recording& r) {
    r.q = r.tape.Input("q", m_.nq, "positions, closed where loops matter");
    r.mechanism.Positions(r.tape, r.q);
  }
  void Velocities(Recording& r) {
    r.v = r.tape.Input("v", m_.nv, "velocities of the spanning tree");
    r.mechanism.Velocities(r.v);
  }
  [[nodiscard]] Vector3E Gravity() const { return m_.gravity.cast<Expression>(); }
  // One value for each kept row, or for each velocity, out of those of the aggregates.
  std::vector<Expression> ByRow(const Recording& r,
                                std::vector<Expression> SymbolicAggregate::*part) const {
    std::vector<Expression> all;
    for (std::size_t a = 0; a < rows_.size(); ++a) {
      const auto& values = r.mechanism.aggregate(a).*part;
      all.insert(all.end(), values.begin(), values.end());
    }
    return all;
  }
  std::vector<Expression> ByVelocity(const Recording& r,
                                     std::vector<Expression> SymbolicAggregate::*part) const {
    std::vector<Expression> all(U(m_.nv));
    for (std::size_t a = 0; a < rows_.size(); ++a) {
      const Aggregate& g = m_.aggregates[a];
      for (int c = 0; c < g.nv; ++c)
        all[U(g.velocity[U(c)])] = (r.mechanism.aggregate(a).*part)[U(c)];
    }
    return all;
  }

  void Kin() {
    Recording r = Start("kin", "Poses of the links in the world.");
    // Body 0 is the world.
    Positions(r);
    std::vector<Expression> R, p;
    const std::vector<Pose> X_WB = r.mechanism.WorldPoses();
    for (std::size_t b = 1; b < X_WB.size(); ++b) {
      const std::vector<Expression> rotation = Flat(X_WB[b].R);
      R.insert(R.end(), rotation.begin(), rotation.end());
      for (int i = 0; i < 3; ++i) p.push_back(X_WB[b].p[i]);
    }
    const int links = static_cast<int>(X_WB.size()) - 1;
    r.tape.Output("R", links, 9, "rotation of each link, row by row: p_world = R p_link + p", R);
    r.tape.Output("p", links, 3, "origin of each link (m)", p);
    Finish(r);
  }

  void Frames() {
    Recording r = Start("frames", "Poses of the frames in the world.");
    Positions(r);
    const std::vector<Pose> X_WB = r.mechanism.WorldPoses();
    std::vector<Expression> R, p;
    for (const ExportedFrame& frame : out_.frames) {
      const Pose X_WF = X_WB[U(frame.body)] * Constant(frame.X_BF);
      const std::vector<Expression> rotation = Flat(X_WF.R);
      R.insert(R.end(), rotation.begin(), rotation.end());
      for (int i = 0; i < 3; ++i) p.push_back(X_WF.p[i]);
    }
    const int frames = static_cast<int>(out_.frames.size());
    r.tape.Output("R", frames, 9, "rotation of each frame, row by row", R);
    r.tape.Output("p", frames, 3, "origin of each frame (m)", p);
    Finish(r);
  }

  void Constraints() {
    Recording phi = Start("phi", "Constraint rows that are kept: zero where the loops are closed.");
    Positions(phi);
    phi.mechanism.Constraints();
    phi.tape.Output("phi", rank_, 1, "residuals (rad or m)", ByRow(phi, &SymbolicAggregate::phi));
    Finish(phi);

    // K is written out over all velocities, zeros included: a caller multiplies it by v as it is.
    Recording jacobian = Start("K", "Jacobian of phi: dphi/dt = K v, closed or not.");
    Positions(jacobian);
    jacobian.mechanism.Constraints();
    std::vector<Expression> K(U(rank_) * U(m_.nv));
    std::size_t row = 0;
    for (std::size_t a = 0; a < rows_.size(); ++a) {
      const Aggregate& g = m_.aggregates[a];
      for (std::size_t i = 0; i < rows_[a].size(); ++i, ++row) {
        for (int c = 0; c < g.nv; ++c)
          K[row * U(m_.nv) + U(g.velocity[U(c)])] =
              jacobian.mechanism.aggregate(a).K(static_cast<Eigen::Index>(i), c);
      }
    }
    jacobian.tape.Output("K", rank_, m_.nv, "row by row", K);
    Finish(jacobian);

    Recording k = Start("k_rhs", "Right-hand side of K qdd = k: k = -(dK/dt) v.");
    Positions(k), k.mechanism.Constraints(), Velocities(k), k.mechanism.Rates();
    k.tape.Output("k", rank_, 1, "rad/s^2 or m/s^2", ByRow(k, &SymbolicAggregate::k));
    Finish(k);
  }

  // What "close" calls again and again (closing.h).
  void Closing() {
    Recording loops = Start("loops", "phi, and its Jacobian by blocks of loops.");
    Positions(loops), loops.mechanism.Constraints();
    std::vector<Expression> J;
    for (std::size_t a = 0; a < rows_.size(); ++a) {
      const std::vector<Expression> block = Flat(loops.mechanism.aggregate(a).K);
      J.insert(J.end(), block.begin(), block.end());
    }
    loops.tape.Output("phi", rank_, 1, "rad or m", ByRow(loops, &SymbolicAggregate::phi));
    loops.tape.Output("J", static_cast<int>(J.size()), 1, "block by block, row by row", J);
    Finish(loops, out_.closing.programs);

    // At the rate 1/2, (1 - |Q|^2) / 2 Q is Newton's step to unit length.
    Recording move = Start("move", "Positions after a step.");
    Positions(move);
    const auto step = move.tape.Input("step", m_.nv, "by velocity (rad or m)");
    std::vector<Expression> next = move.mechanism.PositionRates(step, Expression(0.5));
    for (std::size_t i = 0; i < next.size(); ++i) next[i] += move.q[i];
    move.tape.Output("next", m_.nq, 1, "positions; quaternions drawn to unit length", next);
    Finish(move, out_.closing.programs);
  }

  void Explicit() {
    Recording r = Start("G", "All velocities from the independent ones: v = G v_q.");
    Positions(r), r.mechanism.Constraints(), r.mechanism.Explicit(false);
    r.tape.Output("G", m_.nv, coordinates_.mobility, "row by row; columns as v_q",
                  Flat(r.mechanism.AllOfG()));
    Finish(r);

    Recording g = Start("g_rhs", "The rest of qdd = G a_q + g, for velocities with K v = 0.");
    Positions(g), g.mechanism.Constraints(), Velocities(g);
    g.mechanism.Rates(), g.mechanism.ExplicitRates();
    g.tape.Output("g", m_.nv, 1, "rad/s^2 or m/s^2", ByVelocity(g, &SymbolicAggregate::g));
    Finish(g);
  }

  void Tree() {
    Recording mass = Start("M", "Mass matrix of the spanning tree, armature on its diagonal.");
    Positions(mass);
    mass.tape.Output("M", m_.nv, m_.nv, "row by row (kg m^2, kg m, kg)",
                     Flat(mass.mechanism.MassMatrix()));
    Finish(mass);

    Recording bias = Start("bias", "C v + g: tau that makes qdd = 0 in the spanning tree.");
    Positions(bias), Velocities(bias);
    bias.tape.Output("h", m_.nv, 1, "N m or N", bias.mechanism.Bias(Gravity()));
    Finish(bias);

    Recording passive = Start("passive", "Springs and viscous damping of the joints.");
    Positions(passive), Velocities(passive);
    passive.tape.Output("tau_p", m_.nv, 1, "N m or N", passive.mechanism.PassiveForces());
    Finish(passive);
  }

  // Velocities and what follows from them, and the accelerations.
  std::vector<Expression> Accelerations(Recording& r, const std::vector<Expression>& v_q,
                                        std::vector<Expression> tau, const Vector3E& gravity,
                                        bool simulation = false) {
    r.v = r.mechanism.Spanning(v_q);

    // Only v = G v_q satisfies the loops to rounding; the tree's v is never an input where
    // accelerations are asked for.
    r.mechanism.Velocities(r.v);
    r.mechanism.Rates(), r.mechanism.ExplicitRates();
    const std::vector<Expression> passive = r.mechanism.PassiveForces();
    for (std::size_t i = 0; i < tau.size(); ++i) tau[i] += passive[i];
    if (simulation) {
      const std::vector<Expression> more = r.mechanism.FrictionAndLimits();
      for (std::size_t i = 0; i < tau.size(); ++i) tau[i] += more[i];
    }
    return r.mechanism.ForwardDynamics(tau, gravity);
  }

  void ForwardDynamics() {
    Recording r = Start("fd", "Forward dynamics; springs and damping are included.");
    Positions(r), r.mechanism.Constraints(), r.mechanism.Explicit(false);
    const auto v_q = r.tape.Input("v_q", coordinates_.mobility, "independent velocities");
    const auto tau = r.tape.Input("tau", m_.nv, "forces on all velocities (N m or N)");
    r.tape.Output("qdd", m_.nv, 1, "accelerations (rad/s^2, m/s^2), in the order of v",
                  Accelerations(r, v_q, tau, Gravity()));
    Finish(r);
  }

  void Feet() {
    Recording r = Start("feet", "Where the feet are.");
    Positions(r);
    const std::vector<Pose> X_WB = r.mechanism.WorldPoses();
    std::vector<Expression> p;
    for (const Foot& foot : feet_) {
      const Pose& X = X_WB[U(foot.body)];
      const Vector3E at = X.R * foot.p_B.cast<Expression>() + X.p;
      p.insert(p.end(), at.begin(), at.end());
    }
    r.tape.Output("p", static_cast<int>(feet_.size()), 3, "points in the world (m)", p);
    Finish(r);
  }

  // The mass-weighted projection of v on what loops and standing feet allow, as
  // MotionSystem::Impact: v = G y', y' = y - H^-1 A^T lambda, (A H^-1 A^T) lambda = -A y, with
  // H = G^T M G, the rows A of the feet, y as v has it. The least lambda where feet repeat each
  // other, by three corrections of a system that is a little stiffer.
  void Impact() {
    constexpr double kStiffer = 1e-7;
    Recording r = Start("impact",
                        "Velocities after feet meet the ground and stay: the positions stand, "
                        "nothing rebounds.");
    Positions(r), r.mechanism.Constraints(), r.mechanism.Explicit(false);
    const auto v_q = r.tape.Input("v_q", coordinates_.mobility, "independent velocities before");
    const int count = static_cast<int>(feet_.size());
    const auto contact =
        r.tape.Input("contact", count, "by foot: 1 where it stands after the impact, else 0");
    const std::vector<Pose> X_WB = r.mechanism.WorldPoses();
    const MatrixE G = r.mechanism.AllOfG();
    MatrixE A(3 * count, coordinates_.mobility);

    // A foot in the air has rows of zeros, and a one on the diagonal of S gives it an impulse of
    // zero. So the program needs no branches, and its size does not depend on who stands.
    for (int f = 0; f < count; ++f) {
      const MatrixE J = r.mechanism.PointJacobian(feet_[U(f)], X_WB);
      A.middleRows(3 * f, 3) = Product(J, G) * contact[U(f)];
    }
    // H^-1 A^T for all feet at once; S = A H^-1 A^T is what their impulses feel of each other.
    const MatrixE H = Product(G.transpose(), Product(r.mechanism.MassMatrix(), G));
    const MatrixE W = SolvePositive(r.tape, H, A.transpose());  // H^-1 A^T
    MatrixE S = Product(A, W);
    // The softening is relative to the mean of S's diagonal, so that it has no units.
    Expression scale;
    for (int i = 0; i < 3 * count; ++i) scale += S(i, i);
    // The summand: feet that cannot move take nothing.
    const Expression softer = scale * Expression(kStiffer / (3 * count)) + Expression(1e-300);
    for (int i = 0; i < 3 * count; ++i) S(i, i) += softer + (Expression(1) - contact[U(i / 3)]);
    MatrixE y(coordinates_.mobility, 1);
    for (int i = 0; i < coordinates_.mobility; ++i) y(i, 0) = v_q[U(i)];
    MatrixE lambda = SolvePositive(r.tape, S, -Product(A, y));
    // S x = b of the softened S is iterated to the solution of the true one: each round multiplies
    // the error by softer / (sigma + softer), which is 1e-7 or so where sigma counts, and leaves
    // alone the directions without one.
    MatrixE missing = lambda;
    for (int correction = 0; correction < 3; ++correction) {
      missing = SolvePositive(r.tape, S, missing * softer);
      lambda += missing;
    }
    const MatrixE after = Product(G, y + Product(W, lambda));
    r.tape.Output("v", m_.nv, 1, "velocities of the spanning tree after", Flat(after));
    r.tape.Output("impulse", count, 3, "on each foot, world axes (N s)", Flat(lambda));
    Finish(r);
  }

  void Spf(const std::string& name, bool simulation) {
    Recording r = Start(name,
                        "The singularly perturbed formulation: dstate/dt, an explicit ODE; the "
                        "residuals phi decay as exp(-t / epsilon).");
    // The time is there for the signature that integrators expect of an ODE.
    r.tape.Number("t", "time (s); nothing depends on it");
    const int mobility = coordinates_.mobility;
    const auto state = r.tape.Input("state", m_.nq + mobility, "q, then v_q");
    const auto tau = r.tape.Input("tau", m_.nv, "forces on all velocities (N m or N)");
    const Expression epsilon =
        r.tape.Number("epsilon", "time constant of the residuals (s), 2 to 50 steps; 0.05");
    Vector3E gravity = Gravity();
    // A simulation may change gravity and masses while it runs; in the plain export they are
    // numbers in the formulas.
    if (simulation) {
      const auto given = r.tape.Input("gravity", 3, "in world axes (m/s^2)");
      gravity << given[0], given[1], given[2];
      const auto factors = r.tape.Input("scale", static_cast<int>(out_.masses.size()),
                                        "factors of the masses of links; their inertias keep step");
      std::vector<Expression> scale(m_.bodies.size(), Expression(1));
      for (std::size_t i = 0; i < factors.size(); ++i) scale[U(out_.masses[i].body)] = factors[i];
      r.mechanism.Scale(std::move(scale));
    }

    // The dynamics sees v = G v_q at the q of the state, closed or not; only dq/dt gets the
    // correction -J_z^-1 phi / epsilon, as in the paper.
    r.q.assign(state.begin(), state.begin() + m_.nq);
    const std::vector<Expression> v_q(state.begin() + m_.nq, state.end());
    r.mechanism.Positions(r.tape, r.q);
    r.mechanism.Constraints(), r.mechanism.Explicit(true);
    const std::vector<Expression> qdd = Accelerations(r, v_q, tau, gravity, simulation);
    const Expression rate = Expression(1) / epsilon;
    const std::vector<Expression> closing = ByVelocity(r, &SymbolicAggregate::closing);
    std::vector<Expression> v = r.v;
    for (std::size_t i = 0; i < v.size(); ++i) v[i] -= closing[i] * rate;
    // Q's length is drawn to one with the same time constant.
    std::vector<Expression> derivative = r.mechanism.PositionRates(v, Expression(0.5) * rate);
    for (const int i : out_.independent) derivative.push_back(qdd[U(i)]);
    r.tape.Output("dstate", m_.nq + mobility, 1, "time derivative of the state", derivative);
    if (simulation) r.tape.Output("v", m_.nv, 1, "velocities of the spanning tree, G v_q", r.v);
    Finish(r);
  }

  const Mechanism& m_;
  const Coordinates& coordinates_;
  const RowChoice& rows_;
  const std::vector<Foot>& feet_;
  std::size_t max_steps_;
  Equations& out_;
  int rank_ = 0;
  bool too_long_ = false;
};

}  // namespace

bool Record(const Mechanism& m, const Coordinates& coordinates, const RowChoice& rows,
            const EquationOptions& options, Equations& out) {
  Recorder recorder(m, coordinates, rows, options, out);
  if (options.simulation) {
    recorder.Simulation();
  } else {
    recorder.Functions();
  }
  return !recorder.too_long();
}

}  // namespace kinemorph::emit
