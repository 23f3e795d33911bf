#include "simulate/motion_start.h"

#include <algorithm>
#include <cmath>

#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/closures/branches.h"
#include "kinemorph/graph/mechanics/closure.h"
#include "kinemorph/graph/mechanics/dynamics.h"

namespace kinemorph {
namespace {

// Failures of a start are common (a loop drawn open, a dead centre, a massless chain) and a number
// alone helps nobody: each text here names joints, and ends with options that can be typed as they
// stand.
constexpr std::size_t kMostNames = 4, kMostOptions = 6, kMostBranches = 4;
constexpr double kStill = 1e-3;  // of the fastest

std::size_t S(int i) { return static_cast<std::size_t>(i); }
std::string Told(double value) { return FormatNumber(NearDecimal(value, 3)); }

// Names of the tree's joints on the way round a loop, as --set spells them.
std::string JointsOf(const Mechanism& m, const Aggregate& g, const std::vector<int>& positions,
                     const std::vector<JointPlace>& joints) {
  std::string names;
  std::size_t told = 0;
  for (const int position : positions) {
    const int body = g.bodies[S(position)];
    if (m.bodies[S(body)].nv == 0) continue;
    for (const JointPlace& joint : joints) {
      if (joint.body != body || ++told > kMostNames) continue;
      names += (names.empty() ? "'" : ", '") + joint.name + "'";
    }
  }
  return told > kMostNames ? names + " ..." : names;
}

// As options spell a coordinate of several: JOINT.0.
// Mechanism::names have "[i]".
std::string OptionName(std::string name) {
  const std::size_t bracket = name.rfind('[');
  if (bracket == std::string::npos || name.back() != ']') return name;
  name.pop_back();
  name[bracket] = '.';
  return name;
}

struct Moved {
  std::string name;  // as --set spells it
  double value = 0,  // as --set takes it
      speed = 0;     // along the branch
};

// Those that move first, then those of the aggregate that stand still: they tell the branch too.
std::vector<Moved> MovedAlong(const Mechanism& m, const std::vector<JointPlace>& joints,
                              int aggregate, const Branch& branch) {
  std::vector<Moved> moved;
  for (const JointPlace& joint : joints) {
    const Body& body = m.bodies[S(joint.body)];
    if (body.nq != body.nv || body.aggregate != aggregate) continue;
    for (int i = 0; i < body.nv; ++i) {
      // A branch is told by a posture a little way along it, from which the closure finds it again:
      // those numbers are for --set, as the file counts.
      const double speed = branch.direction[body.v + i];
      moved.push_back({ColumnName(joint.name, i, body.nq),
                       branch.near[body.q + i] + joint.offset[S(i)], speed});
    }
  }
  std::stable_partition(moved.begin(), moved.end(),
                        [](const Moved& one) { return std::abs(one.speed) >= kStill; });
  return moved;
}

std::string InWords(const std::vector<Moved>& moved, bool one_way) {
  std::string names, ratios, options;
  std::size_t moving = 0;
  for (std::size_t i = 0; i < moved.size(); ++i) {
    // Ratios for people, where one motion is left; all coordinates that tell the branch for --set.
    if (std::abs(moved[i].speed) >= kStill && ++moving <= kMostNames) {
      const std::string between = i == 0 ? "" : " : ";
      names += between + moved[i].name, ratios += between + Told(moved[i].speed);
    }
    if (i < kMostOptions)
      options += " --set " + moved[i].name + "=" + FormatNumber(NearDecimal(moved[i].value, 5));
  }
  if (moving > kMostNames) names += " ...", ratios += " ...";
  const bool alone = moving == 1 || !one_way;
  return names + (alone ? " moving" : " = " + ratios) + " (" + options.substr(1) + ")";
}

}  // namespace

std::string OpenLoop(const Mechanism& m, const std::vector<JointPlace>& joints,
                     const Eigen::VectorXd& q) {
  ClosureSolver solver(m);
  double worst = -1;
  std::string text;
  for (int a = 0; a < static_cast<int>(m.aggregates.size()); ++a) {
    const Aggregate& g = m.aggregates[S(a)];
    if (g.rows == 0) continue;

    // By rows of the aggregate, loops first; the largest error in m or rad as it stands, without
    // scaling.
    const Eigen::VectorXd phi = solver.Rows(a, q).phi;
    for (const LoopConstraint& loop : g.loops) {
      const double gap = phi.segment(loop.row, loop.rows).lpNorm<Eigen::Infinity>();
      if (!(gap > worst)) continue;
      worst = gap;
      std::vector<int> around = loop.predecessor_path;
      around.insert(around.end(), loop.successor_path.begin(), loop.successor_path.end());
      text = "loop '" + loop.name + "' stays open by " + Told(gap) +
             " (m, rad); --set of its joints " + JointsOf(m, g, around, joints) +
             " gives another start to close it from";
    }
    for (const CouplingConstraint& coupling : g.couplings) {
      const double gap = std::abs(phi[coupling.row]);
      if (!(gap > worst)) continue;
      worst = gap;
      std::vector<int> around;
      for (const auto& term : coupling.terms) around.push_back(term.body);
      text = "coupling '" + coupling.name + "' is off by " + Told(gap) +
             " (m, rad); --set of its joints " + JointsOf(m, g, around, joints) +
             " gives another start";
    }
  }
  return text;
}

std::string MovedMost(const Mechanism& m, const std::vector<JointPlace>& joints,
                      const Eigen::VectorXd& from, const Eigen::VectorXd& to) {
  double most = 0;
  std::string text;
  // Angles and lengths side by side: lengths over the characteristic length of the mechanism.
  for (const JointPlace& joint : joints) {
    const Body& body = m.bodies[S(joint.body)];
    if (body.nq != body.nv) continue;
    for (int i = 0; i < body.nq; ++i) {
      const double by = std::abs(to[body.q + i] - from[body.q + i]);
      const bool length = IsLength(m, joint.body, i, false);
      if (by / (length ? m.length : 1) <= most) continue;
      most = by / (length ? m.length : 1);
      text =
          "'" + ColumnName(joint.name, i, body.nq) + "' by " + Told(by) + (length ? " m" : " rad");
    }
  }
  return text;
}

std::string BranchesInWords(const Mechanism& m, const std::vector<JointPlace>& joints,
                            const Eigen::VectorXd& q) {
  std::string text;
  // Each singular cluster has branches of its own; of one with many, the first few.
  for (const int a : SingularAggregates(m, q)) {
    std::size_t told = 0;
    for (const Branch& branch : BranchesAt(m, a, q)) {
      if (++told > kMostBranches) break;
      const std::vector<Moved> moved = MovedAlong(m, joints, a, branch);
      if (moved.empty()) continue;
      text += (text.empty() ? "" : "; ") + InWords(moved, branch.mobility == 1);
      if (branch.mobility > 1) break;  // of surfaces that meet, one example
    }
  }
  return text;
}

// M in the independent coordinates is rho^T M rho. A zero on its diagonal is a motion without
// kinetic energy; the coordinate of v that moves most in it names joint and link.
std::string Weightless(const Mechanism& m, const Eigen::MatrixXd& rho, const Eigen::VectorXd& q) {
  const Eigen::MatrixXd M = MassMatrix(m, q);
  const Eigen::VectorXd own = (rho.transpose() * M * rho).diagonal();
  const double largest = own.size() == 0 ? 0 : own.maxCoeff();
  for (Eigen::Index y = 0; y < own.size(); ++y) {
    if (own[y] > 1e-12 * largest) continue;
    Eigen::Index v = 0;
    rho.col(y).cwiseAbs().maxCoeff(&v);
    for (const Body& body : m.bodies) {
      if (v < body.v || v >= body.v + body.nv) continue;
      const std::string joint = OptionName(m.names[S(static_cast<int>(v))]);
      return "link '" + body.name + "' and what moves with joint '" + joint +
             "' have no inertia there; give the joint a rotor (--armature " + joint +
             "=1e-4), hold it (--hold), or give links without mass some (kinemorph convert "
             "--massless 1e-3)";
    }
  }
  return {};
}

}  // namespace kinemorph
