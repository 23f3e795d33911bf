// Chooses the rows that are kept, and records the programs.
#include "kinemorph/graph/emit/equations.h"

#include <algorithm>
#include <cmath>

#include "base/index.h"
#include "emit/names.h"
#include "emit/recorder.h"
#include "kinemorph/graph/base/linear_algebra.h"
#include "kinemorph/graph/base/random.h"
#include "kinemorph/graph/mechanics/constraint_embedding.h"

namespace kinemorph {
namespace {

using emit::RowChoice;

// MakeEquations goes from the cheap refusals to the dear ones: what the mechanism says of itself,
// then a numerical look at K and at the forward dynamics in some closed postures, then the
// recording. A list of steps has no branches, so what is chosen here (rows, independent
// coordinates) holds in all postures.

// Above this many velocities not even a tree is written out.
constexpr int kMostVelocities = 2000;

// sigma_min / sigma_max of the rows and columns.
double Conditioning(const Eigen::MatrixXd& K, const std::vector<int>& rows,
                    const std::vector<int>& columns) {
  const Eigen::VectorXd sigma = SingularValues(K(rows, columns));
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
    // Each state proposes the rows that are best there; a proposal is judged at all states.
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
    // "hip[0]" of a joint with several velocities is the joint "hip".
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
      // Quaternions have no limits and no single velocity; the two lists are separate for that
      // reason.
      scalar.unit = quaternion ? (i < 4 ? "1" : "m") : linear[U(body.v + i)] ? "m" : "rad";
      if (!quaternion) scalar.lower = m.lower[U(body.v + i)], scalar.upper = m.upper[U(body.v + i)];
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
      scalar.reference = m.spring_reference[v], scalar.reversed = body.reversed;
      out.velocities.push_back(std::move(scalar));
    }
  }
}

// The links that move and weigh something: what the others weigh changes no motion.
std::vector<ExportedMass> MassesOf(const Mechanism& m) {
  std::vector<ExportedMass> masses;
  emit::UniqueNames names;
  std::vector<bool> moves(m.bodies.size(), false);
  // Parents stand before children, so one pass finds what moves.
  for (std::size_t b = 1; b < m.bodies.size(); ++b) {
    const Body& body = m.bodies[b];
    moves[b] = body.nv > 0 || (body.parent >= 0 && moves[U(body.parent)]);
    if (moves[b] && body.inertia.mass > 0)
      masses.push_back({body.name, names.Add(body.name), static_cast<int>(b), body.inertia.mass});
  }
  return masses;
}

// What the library itself has to say against the forward dynamics at a closed state.
// One posture with accelerations is enough: others may stand at a dead centre by chance.
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

// Constants are folded while recording; a model with masses of 1e300 overflows there, and C has no
// literal for infinity.
bool AllFinite(const Equations& equations) {
  const auto finite = [](const Program& program) {
    return std::all_of(program.steps.begin(), program.steps.end(),
                       [](const Step& step) { return std::isfinite(step.value); });
  };
  return std::all_of(equations.programs.begin(), equations.programs.end(), finite) &&
         std::all_of(equations.closing.programs.begin(), equations.closing.programs.end(), finite);
}

// What closes the loops: blocks and units. The programs are recorded.
void DescribeClosing(const Mechanism& m, const RowChoice& rows, ExportedClosing& out) {
  const std::vector<bool> linear = IsLinearVelocity(m);
  for (int v = 0; v < m.nv; ++v) out.units.push_back(linear[U(v)] ? m.length : 1);
  for (std::size_t a = 0; a < m.aggregates.size(); ++a) {
    if (rows[a].empty()) continue;
    out.blocks.push_back({m.aggregates[a].velocity, static_cast<int>(rows[a].size())});
    const std::vector<bool> length = IsLengthRow(m, m.aggregates[a]);
    for (const int row : rows[a]) out.row_units.push_back(length[U(row)] ? m.length : 1);
  }
  for (const Body& body : m.bodies) {
    const bool scalar = body.nq == body.nv;
    for (int i = 0; i < body.nq; ++i) out.rates.push_back(scalar ? body.v + i : -1 - body.v);
    for (int i = 0; i < body.nv; ++i) out.joints.push_back(scalar ? body.v + i : body.v);
  }
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

  // Closed postures near the assembled one and far from it, the same ones each time: rows that are
  // best where a robot is drawn may be poor where it works.
  std::vector<Eigen::VectorXd> states = {coordinates.assembled};
  if (m.rows > 0) {
    ClosureSolver solver(m);
    Random random(1);
    for (const double amplitude : {0.3, 0.3, 0.3, 0.3, 1.0, 1.0, 1.0, 1.0})
      states.push_back(
          solver.RandomState(coordinates.assembled, amplitude, coordinates.Ranks(), random));
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

  // Independent velocities in the order of the aggregates: the columns of G, and the entries of
  // v_q.
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
  DescribeClosing(m, rows, out.closing);
  out.feet = options.feet;
  if (options.simulation) {
    emit::UniqueNames names;
    out.masses = MassesOf(m), out.frames = options.frames;
    for (ExportedFrame& frame : out.frames) frame.identifier = names.Add(frame.name);
  }
  if (!emit::Record(m, coordinates, rows, options, out)) {
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
