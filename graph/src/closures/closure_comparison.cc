// Closed forms beside Newton on all loops of an aggregate at once.
#include <algorithm>

#include "kinemorph/graph/closures/explicit_closure.h"
#include "mechanics/constraint_sample.h"

namespace kinemorph {
namespace {

constexpr double kPerturbed = 1e-3;  // rad, or characteristic lengths
constexpr double kSingular = 1e-5;   // conditioning from where round-off is more than 1e-10

// Moves the dependent coordinates of an aggregate, each by up to `reach`.
void Perturb(const Mechanism& m, const std::vector<bool>& linear, const Aggregate& g,
             const std::vector<int>& dependent, double reach, Random& random, Eigen::VectorXd& q) {
  Eigen::VectorXd by = Eigen::VectorXd::Zero(g.nv);
  for (const int c : dependent) {
    const std::size_t velocity = static_cast<std::size_t>(g.velocity[static_cast<std::size_t>(c)]);
    by[c] = random.Uniform(-reach, reach) * (linear[velocity] ? m.length : 1);
  }
  for (std::size_t i = 0; i < g.bodies.size(); ++i) {
    const Body& body = m.bodies[static_cast<std::size_t>(g.bodies[i])];
    double* const own = q.data() + body.q;
    if (body.nv > 0) IntegratePosition(body.kind, own, by.data() + g.column[i], 1, own);
  }
}

// Between two positions of a body's joint; balls by the turn between them.
double Difference(const Mechanism& m, const std::vector<bool>& linear, const Body& body,
                  const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  double largest = 0;
  const bool quaternion = body.nq != body.nv;
  if (quaternion) {
    const auto turn = [&](const Eigen::VectorXd& q) {
      return Eigen::Quaterniond(q[body.q], q[body.q + 1], q[body.q + 2], q[body.q + 3]);
    };
    largest = turn(a).angularDistance(turn(b));
  }
  for (int k = quaternion ? 4 : 0; k < body.nq; ++k) {
    const bool length = quaternion || linear[static_cast<std::size_t>(body.v + k)];
    largest = std::max(largest, std::abs(a[body.q + k] - b[body.q + k]) / (length ? m.length : 1));
  }
  return largest;
}

// What the rows of K say of G and g; the rows that others imply apart.
void CompareRates(const ConstraintRows& rows, const AggregateCoordinates& c,
                  const Eigen::MatrixXd& G, const Eigen::VectorXd& g, double size,
                  ClosureComparison& out) {
  const ExplicitConstraint basis = MakeExplicit(rows.K, rows.k, c.independent, c.dependent);
  const double scale = 1 + rows.k.lpNorm<Eigen::Infinity>();
  for (int r = 0; r < static_cast<int>(rows.K.rows()); ++r) {
    const bool used = std::find(basis.rows.begin(), basis.rows.end(), r) != basis.rows.end();
    const double velocity = G.cols() == 0 ? 0 : (rows.K.row(r) * G).cwiseAbs().maxCoeff() / size;
    const double acceleration = std::abs(rows.K.row(r).dot(g) - rows.k[r]) / scale;
    if (used) {
      out.velocity = std::max(out.velocity, velocity);
      out.acceleration = std::max(out.acceleration, acceleration);
    } else {
      out.contradiction = std::max({out.contradiction, velocity, acceleration});
    }
  }
}

}  // namespace

// Checks the promise of ExplicitClosures on random closed states: the same q as Newton on all loops
// together, K G = 0 and K g = k. Three kinds of failure are told apart: a posture where the
// independent coordinates say too little (singular), a closure that is not reached (lost), and
// frames whose digits contradict each other on rows that others imply.
std::vector<ClosureComparison> CompareClosures(const Mechanism& mechanism,
                                               const Coordinates& coordinates, int states) {
  std::vector<ClosureComparison> all(mechanism.aggregates.size());
  ExplicitClosures analytical(mechanism, coordinates),
      numerical(mechanism, coordinates, {.closed_forms = false, .warm = true});
  ClosureSolver solver(mechanism);
  Random random(2);
  const std::vector<int> ranks = coordinates.Ranks();
  const std::vector<bool> linear = IsLinearVelocity(mechanism);
  Eigen::MatrixXd G;
  Eigen::VectorXd g;
  for (int i = 0; i < states; ++i) {
    const Eigen::VectorXd state = solver.RandomState(coordinates.assembled, 0.3, ranks, random);
    for (std::size_t a = 0; a < all.size(); ++a) {
      const int index = static_cast<int>(a);
      const Aggregate& aggregate = mechanism.aggregates[a];
      ClosureComparison& out = all[a];
      if (coordinates.aggregates[a].dependent.empty() || solver.IsLarge(index)) continue;
      Eigen::VectorXd q = state, v = Eigen::VectorXd::Zero(mechanism.nv);
      const GammaStatus status = analytical.Position(index, q);
      const double conditioning =
          TakeSample(solver, index, q)->Conditioning(coordinates.aggregates[a].dependent);
      // Near a singular posture both would be right in their rows and differ in q: not a finding.
      if (status == GammaStatus::kOk && conditioning < kSingular) {
        ++out.singular;
        continue;
      }
      // Nearer than the other branch is.
      const double reach = std::min(kPerturbed, 0.1 * conditioning);
      Eigen::VectorXd newton = q;
      Perturb(mechanism, linear, aggregate, coordinates.aggregates[a].dependent, reach, random,
              newton);
      if (status != GammaStatus::kOk || numerical.Position(index, newton) != GammaStatus::kOk ||
          analytical.Velocity(index, q, G) != GammaStatus::kOk) {
        ++out.lost;
        continue;
      }
      ++out.states;
      for (const int b : aggregate.bodies) {
        const Body& body = mechanism.bodies[static_cast<std::size_t>(b)];
        out.position = std::max(out.position, Difference(mechanism, linear, body, q, newton));
      }

      // All independent coordinates at one rate, so that no dependent one is faster than their
      // number: k and with it the scale of accelerations stay near one.
      const double size = G.size() == 0 ? 1 : std::max(1.0, G.cwiseAbs().maxCoeff());
      for (int k = 0; k < aggregate.nv; ++k)
        v[aggregate.velocity[static_cast<std::size_t>(k)]] = G.row(k).sum() / size;
      if (analytical.Acceleration(index, q, v, G, g) != GammaStatus::kOk) continue;
      CompareRates(solver.Rows(index, q, &v), coordinates.aggregates[a], G, g, size, out);
    }
  }
  return all;
}

}  // namespace kinemorph
