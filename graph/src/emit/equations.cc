// Chooses the rows that are kept, and records the programs.
#include "kinemorph/graph/emit/equations.h"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "emit/names.h"
#include "emit/symbolic_mechanism.h"
#include "kinemorph/graph/base/random.h"
#include "kinemorph/graph/mechanics/constraint_embedding.h"

namespace kinemorph {
namespace {

using emit::Expression;
using emit::RowChoice;
using emit::SymbolicMechanism;
using emit::Tape;

std::size_t U(int i) { return static_cast<std::size_t>(i); }

// Above this many velocities not even a tree is written out.
constexpr int kMostVelocities = 2000;

// sigma_min / sigma_max of the rows and columns.
double Conditioning(const Eigen::MatrixXd& K, const std::vector<int>& rows,
                    const std::vector<int>& columns) {
  const Eigen::MatrixXd part = K(rows, columns);
  const Eigen::VectorXd sigma = part.jacobiSvd().singularValues();
  return sigma.size() == 0 || !(sigma[0] > 0) ? 0 : sigma[sigma.size() - 1] / sigma[0];
}

// By aggregate as many rows as its rank, those with the best condition at the worst of some closed
// states. `states` becomes sorted so that the best comes first.
bool ChooseRows(const Mechanism& m, const Coordinates& coordinates,
                const std::vector<Eigen::VectorXd>& states, RowChoice& choice, std::string& why) {
  ClosureSolver solver(m);
  choice.resize(m.aggregates.size());
  for (std::size_t a = 0; a < m.aggregates.size(); ++a) {
    const AggregateCoordinates& c = coordinates.aggregates[a];
    if (c.dependent.empty()) continue;
    const int index = static_cast<int>(a);
    if (solver.IsLarge(index)) {
      why = "it holds an aggregate of " + std::to_string(m.aggregates[a].bodies.size()) +
            " links in loops, too large to be written out";
      return false;
    }
    std::vector<Eigen::MatrixXd> K;
    for (const Eigen::VectorXd& q : states) K.push_back(solver.ScaledK(index, q));
    double best = 0;
    for (const Eigen::MatrixXd& at : K) {
      const ExplicitConstraint e =
          MakeExplicit(at, Eigen::VectorXd::Zero(at.rows()), c.independent, c.dependent);
      if (e.singular) continue;
      std::vector<int> rows = e.rows;
      std::sort(rows.begin(), rows.end());
      // The worst state but one: one of them may stand at a dead centre.
      std::vector<double> condition;
      for (const Eigen::MatrixXd& other : K)
        condition.push_back(Conditioning(other, rows, c.dependent));
      std::sort(condition.begin(), condition.end());
      const double worst = condition[std::min<std::size_t>(1, condition.size() - 1)];
      if (worst > best) best = worst, choice[a] = rows;
    }
    if (best < 1e-9) {
      const Body& body = m.bodies[U(m.aggregates[a].bodies.front())];
      why = "the independent coordinates do not determine the rest of the loops around link '" +
            body.name + "'";
      return false;
    }
  }
  return true;
}

const char* const kPositionParts[] = {"w", "x", "y", "z", "px", "py", "pz"};

void NameScalars(const Mechanism& m, Equations& out) {
  emit::UniqueNames position_names, velocity_names;
  const std::vector<bool> linear = IsLinearVelocity(m);
  for (const Body& body : m.bodies) {
    if (body.nq == 0) continue;
    std::string joint = body.nv > 0 ? m.names[U(body.v)] : body.name;
    if (body.nv > 1) joint.resize(joint.rfind('['));
    const bool quaternion = body.nq == 4 || body.nq == 7;
    for (int i = 0; i < body.nq; ++i) {
      ExportedScalar scalar;
      scalar.joint = joint;
      const std::string part = quaternion ? kPositionParts[i] : std::to_string(i);
      scalar.name = body.nq == 1 ? joint
                    : quaternion ? joint + "." + part
                                 : joint + "[" + part + "]";
      scalar.identifier = position_names.Add(body.nq == 1 ? joint : joint + "_" + part);
      scalar.unit = quaternion ? (i < 4 ? "1" : "m") : linear[U(body.v + i)] ? "m" : "rad";
      out.positions.push_back(std::move(scalar));
    }
    for (int i = 0; i < body.nv; ++i) {
      const std::size_t v = U(body.v + i);
      ExportedScalar scalar;
      scalar.joint = joint;
      scalar.name = m.names[v];
      scalar.identifier =
          velocity_names.Add(body.nv == 1 ? joint : joint + "_" + std::to_string(i));
      scalar.unit = linear[v] ? "m/s" : "rad/s";
      scalar.armature = m.armature[v], scalar.damping = m.damping[v];
      scalar.friction = m.friction[v], scalar.stiffness = m.spring_stiffness[v];
      scalar.reference = m.spring_reference[v];
      out.velocities.push_back(std::move(scalar));
    }
  }
}

// Row by row.
std::vector<Expression> Flat(const emit::MatrixE& matrix) {
  std::vector<Expression> out;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) out.push_back(matrix(i, j));
  }
  return out;
}

class Recorder {
 public:
  Recorder(const Mechanism& m, const Coordinates& coordinates, const RowChoice& rows,
           std::size_t max_steps, Equations& out)
      : m_(m), coordinates_(coordinates), rows_(rows), max_steps_(max_steps), out_(out) {
    for (const auto& kept : rows) rank_ += static_cast<int>(kept.size());
  }

  void Functions() {
    Kin();
    Constraints();
    Explicit();
    Tree();
    ForwardDynamics();
    Spf("spf_rhs", false);
  }
  void Simulation() { Spf("rhs", true); }
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
  void Finish(Recording& r) {
    too_long_ = too_long_ || r.tape.full();
    out_.programs.push_back(std::move(r.tape.program()));
  }
  void Positions(Recording& r) {
    r.q = r.tape.Input("q", m_.nq, "positions, closed where loops matter");
    r.mechanism.Positions(r.tape, r.q);
  }
  void Velocities(Recording& r) {
    r.v = r.tape.Input("v", m_.nv, "velocities of the spanning tree");
    r.mechanism.Velocities(r.v);
  }
  [[nodiscard]] emit::Vector3E Gravity() const { return m_.gravity.cast<Expression>(); }
  // One value for each kept row, or for each velocity, out of those of the aggregates.
  std::vector<Expression> ByRow(const Recording& r,
                                std::vector<Expression> emit::SymbolicAggregate::*part) const {
    std::vector<Expression> all;
    for (std::size_t a = 0; a < rows_.size(); ++a) {
      const auto& values = r.mechanism.aggregate(a).*part;
      all.insert(all.end(), values.begin(), values.end());
    }
    return all;
  }
  std::vector<Expression> ByVelocity(const Recording& r,
                                     std::vector<Expression> emit::SymbolicAggregate::*part) const {
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
    Positions(r);
    std::vector<Expression> R, p;
    const std::vector<emit::Pose> X_WB = r.mechanism.WorldPoses();
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

  void Constraints() {
    Recording phi = Start("phi", "Constraint rows that are kept: zero where the loops are closed.");
    Positions(phi);
    phi.mechanism.Constraints();
    phi.tape.Output("phi", rank_, 1, "residuals (rad or m)",
                    ByRow(phi, &emit::SymbolicAggregate::phi));
    Finish(phi);

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
    k.tape.Output("k", rank_, 1, "rad/s^2 or m/s^2", ByRow(k, &emit::SymbolicAggregate::k));
    Finish(k);
  }

  void Explicit() {
    Recording r = Start("G", "All velocities from the independent ones: v = G v_q.");
    Positions(r), r.mechanism.Constraints(), r.mechanism.Explicit(false);
    const int mobility = coordinates_.mobility;
    std::vector<Expression> G(U(m_.nv) * U(mobility));
    std::size_t first = 0;
    for (std::size_t a = 0; a < rows_.size(); ++a) {
      const emit::MatrixE& part = r.mechanism.aggregate(a).G;
      for (Eigen::Index c = 0; c < part.rows(); ++c) {
        const std::size_t row =
            U(m_.aggregates[a].velocity[static_cast<std::size_t>(c)]) * U(mobility);
        for (Eigen::Index k = 0; k < part.cols(); ++k)
          G[row + first + static_cast<std::size_t>(k)] = part(c, k);
      }
      first += static_cast<std::size_t>(part.cols());
    }
    r.tape.Output("G", m_.nv, mobility, "row by row; columns as v_q", G);
    Finish(r);

    Recording g = Start("g_rhs", "The rest of qdd = G a_q + g, for velocities with K v = 0.");
    Positions(g), g.mechanism.Constraints(), Velocities(g);
    g.mechanism.Rates(), g.mechanism.ExplicitRates();
    g.tape.Output("g", m_.nv, 1, "rad/s^2 or m/s^2", ByVelocity(g, &emit::SymbolicAggregate::g));
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
                                        std::vector<Expression> tau,
                                        const emit::Vector3E& gravity) {
    r.v = r.mechanism.Spanning(v_q);
    r.mechanism.Velocities(r.v);
    r.mechanism.Rates(), r.mechanism.ExplicitRates();
    const std::vector<Expression> passive = r.mechanism.PassiveForces();
    for (std::size_t i = 0; i < tau.size(); ++i) tau[i] += passive[i];
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

  void Spf(const std::string& name, bool simulation) {
    Recording r = Start(name,
                        "The singularly perturbed formulation: dstate/dt, an explicit ODE; the "
                        "residuals phi decay as exp(-t / epsilon).");
    r.tape.Number("t", "time (s); nothing depends on it");
    const int mobility = coordinates_.mobility;
    const auto state = r.tape.Input("state", m_.nq + mobility, "q, then v_q");
    const auto tau = r.tape.Input("tau", m_.nv, "forces on all velocities (N m or N)");
    const Expression epsilon =
        r.tape.Number("epsilon", "time constant of the residuals (s), 2 to 50 steps; 0.05");
    emit::Vector3E gravity = Gravity();
    if (simulation) {
      const auto given = r.tape.Input("gravity", 3, "in world axes (m/s^2)");
      gravity << given[0], given[1], given[2];
    }
    r.q.assign(state.begin(), state.begin() + m_.nq);
    const std::vector<Expression> v_q(state.begin() + m_.nq, state.end());
    r.mechanism.Positions(r.tape, r.q);
    r.mechanism.Constraints(), r.mechanism.Explicit(true);
    const std::vector<Expression> qdd = Accelerations(r, v_q, tau, gravity);
    const Expression rate = Expression(1) / epsilon;
    const std::vector<Expression> closing = ByVelocity(r, &emit::SymbolicAggregate::closing);
    std::vector<Expression> v = r.v;
    for (std::size_t i = 0; i < v.size(); ++i) v[i] -= closing[i] * rate;
    std::vector<Expression> derivative = r.mechanism.PositionRates(v, Expression(0.5) * rate);
    for (const int i : out_.independent) derivative.push_back(qdd[U(i)]);
    r.tape.Output("dstate", m_.nq + mobility, 1, "time derivative of the state", derivative);
    if (simulation) r.tape.Output("v", m_.nv, 1, "velocities of the spanning tree, G v_q", r.v);
    Finish(r);
  }

  const Mechanism& m_;
  const Coordinates& coordinates_;
  const RowChoice& rows_;
  std::size_t max_steps_;
  Equations& out_;
  int rank_ = 0;
  bool too_long_ = false;
};

// What the library itself has to say against the forward dynamics at a closed state.
std::string FaultOfDynamics(const Mechanism& m, const Coordinates& coordinates,
                            const std::vector<Eigen::VectorXd>& states) {
  ConstraintEmbeddingDynamics dynamics(m, coordinates);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(m.nv);
  Eigen::VectorXd qdd;
  std::string fault;
  for (const Eigen::VectorXd& q : states) {
    const DynamicsStatus status = dynamics.ForwardDynamics(q, zero, zero, qdd);
    if (status == DynamicsStatus::kOk) return {};
    if (!fault.empty()) continue;
    fault = std::string(Name(status));
    const int body = dynamics.body_at_fault();
    if (body > 0) fault += " at link '" + m.bodies[U(body)].name + "'";
  }
  return fault;
}

bool AllFinite(const Equations& equations) {
  for (const Program& program : equations.programs) {
    for (const Step& step : program.steps) {
      if (!std::isfinite(step.value)) return false;
    }
  }
  return true;
}

}  // namespace

const Program* Equations::Find(std::string_view program) const {
  for (const Program& each : programs) {
    if (each.name == program) return &each;
  }
  return nullptr;
}

std::optional<Equations> MakeEquations(const Mechanism& m, const Coordinates& coordinates,
                                       std::string_view name, const EquationOptions& options,
                                       std::string& why) {
  if (!m.problems.empty()) {
    why = m.problems.front();
    return std::nullopt;
  }
  if (m.nv == 0) {
    why = "nothing in it moves";
    return std::nullopt;
  }
  if (m.nv > kMostVelocities) {
    why = "it has " + std::to_string(m.nv) + " velocities; at most " +
          std::to_string(kMostVelocities) + " are written out";
    return std::nullopt;
  }
  if (!coordinates.assembles) {
    why = "its loops cannot be closed";
    return std::nullopt;
  }
  std::vector<Eigen::VectorXd> states = {coordinates.assembled};
  if (m.rows > 0) {
    ClosureSolver solver(m);
    Random random(1);
    for (int i = 0; i < 4; ++i)
      states.push_back(solver.RandomState(coordinates.assembled, 0.3, coordinates.Ranks(), random));
  }
  RowChoice rows;
  if (!ChooseRows(m, coordinates, states, rows, why)) return std::nullopt;
  if (const std::string fault = FaultOfDynamics(m, coordinates, states); !fault.empty()) {
    why = "it has no forward dynamics: " + fault;
    return std::nullopt;
  }
  Equations out;
  out.model_name = name, out.name = emit::ModelIdentifier(name);
  out.assembled = coordinates.assembled, out.gravity = m.gravity;
  NameScalars(m, out);
  for (std::size_t b = 1; b < m.bodies.size(); ++b) out.links.push_back(m.bodies[b].name);
  out.dependent.assign(U(m.nv), true);
  for (std::size_t a = 0; a < m.aggregates.size(); ++a) {
    const std::vector<std::string> names = RowNames(m.aggregates[a]);
    for (const int row : rows[a]) {
      out.rows.push_back(names[U(row)]);
      out.kept.push_back(m.aggregates[a].row + row);
    }
    for (const int i : coordinates.aggregates[a].independent) {
      out.independent.push_back(m.aggregates[a].velocity[U(i)]);
      out.dependent[U(out.independent.back())] = false;
    }
  }
  Recorder recorder(m, coordinates, rows, options.max_steps, out);
  if (options.simulation) {
    recorder.Simulation();
  } else {
    recorder.Functions();
  }
  if (recorder.too_long()) {
    why = "a function of it needs more than " + std::to_string(options.max_steps) + " steps";
    return std::nullopt;
  }
  if (!AllFinite(out)) {
    why = "its numbers lead out of the range of doubles";
    return std::nullopt;
  }
  return out;
}

}  // namespace kinemorph
