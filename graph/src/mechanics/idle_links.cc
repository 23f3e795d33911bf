// A link is idle where it can move although its neighbours stand still: a rod on two ball joints
// that spins about itself. Such a freedom counts in the mobility and moves nothing that anybody
// looks at. Looked at body by body, with its children following by their own joints only.
#include "mechanics/idle_links.h"

#include "base/index.h"
#include "kinemorph/graph/base/linear_algebra.h"
#include "kinemorph/graph/mechanics/coordinates.h"
#include "mechanics/constraint_sample.h"
#include "mechanics/loop_rows.h"

namespace kinemorph {
namespace {

// Own motions x of one body are idle where its loops and couplings do not notice and its children
// can stay: rows . x = 0.
class IdleMotions {
 public:
  IdleMotions(const Mechanism& m, const Aggregate& g, const AggregateKinematics& kinematics,
              const double* q)
      : m_(m),
        g_(g),
        kinematics_(kinematics),
        q_(q),
        children_(g.bodies.size()),
        loops_(g.bodies.size()),
        couplings_(g.bodies.size()) {
    for (std::size_t i = 0; i < g.bodies.size(); ++i) {
      if (g.parent_in[i] >= 0) children_[U(g.parent_in[i])].push_back(static_cast<int>(i));
    }
    for (const LoopConstraint& loop : g.loops) {
      if (loop.predecessor == loop.successor) continue;
      if (loop.predecessor >= 0) loops_[U(loop.predecessor)].push_back(&loop);
      if (loop.successor >= 0) loops_[U(loop.successor)].push_back(&loop);
    }
    for (const CouplingConstraint& coupling : g.couplings) {
      for (const auto& term : coupling.terms) {
        auto& there = couplings_[U(term.body)];
        if (there.empty() || there.back() != &coupling) there.push_back(&coupling);
      }
    }
  }

  [[nodiscard]] bool Exist(int i) {
    const int nv = body(i).nv;
    if (nv == 0) return false;
    rows_.resize(0, nv);
    const Matrix6X S = Columns(i, i);
    double scale = 0;
    for (Eigen::Index c = 0; c < S.cols(); ++c) scale = std::max(scale, S.col(c).norm());
    // Three kinds of rows on the motions of the body: its loop joints, what each child's joint
    // cannot undo, and the couplings of all that moved so.
    for (const LoopConstraint* loop : loops_[U(i)]) AddLoop(*loop, i);
    std::vector<std::pair<int, Eigen::MatrixXd>> follow{{i, Eigen::MatrixXd::Identity(nv, nv)}};
    for (const int child : children_[U(i)]) follow.emplace_back(child, AddChild(child, i, S));
    AddCouplings(follow);
    // The size of S stands first, so that the gap is one against the motion itself: rows that are
    // all noise would otherwise be told apart by their own largest.
    Eigen::VectorXd values(1 + nv);
    values << scale, Eigen::VectorXd::Zero(nv);
    const Eigen::VectorXd own =
        nv == 1 ? Eigen::VectorXd::Constant(1, rows_.norm()) : SingularValues(rows_);
    values.segment(1, own.size()) = own;
    return GapRank(values) - 1 < nv;
  }

 private:
  [[nodiscard]] const Body& body(int i) const { return m_.bodies[U(g_.bodies[U(i)])]; }
  [[nodiscard]] double Unit(int i, int c) const {
    return body(i).S.col(c).head<3>().isZero(0) ? m_.length : 1;
  }
  // S of body i about the origin of body `about`, without units.
  [[nodiscard]] Matrix6X Columns(int i, int about) const {
    Matrix6X S = kinematics_.S.middleCols(g_.column[U(i)], body(i).nv);
    for (Eigen::Index c = 0; c < S.cols(); ++c) {
      // About the body's own origin, where its motion is as large as it looks; about the parent's a
      // spin far out would be mostly translation.
      const Vector3 w = S.col(c).head<3>();
      S.col(c).tail<3>() += w.cross(kinematics_.X[U(about)].p);
      S.col(c).tail<3>() /= m_.length;
      S.col(c) *= Unit(i, static_cast<int>(c));
    }
    return S;
  }
  void Append(const Eigen::MatrixXd& rows) {
    rows_.conservativeResize(rows_.rows() + rows.rows(), Eigen::NoChange);
    rows_.bottomRows(rows.rows()) = rows;
  }
  void AddLoop(const LoopConstraint& loop, int i) {
    const LoopRows own = RowsOf(loop, kinematics_, false, Residual::kExact);
    Eigen::MatrixXd rows(own.n, body(i).nv);
    for (int c = 0; c < body(i).nv; ++c) {
      const Vector6 S = Unit(i, c) * kinematics_.S.col(g_.column[U(i)] + c);
      for (int r = 0; r < own.n; ++r) {
        rows(r, c) = r < own.angular ? own.W.col(r).head<3>().dot(S.head<3>())
                                     : own.W.col(r).dot(S) / m_.length;
      }
    }
    Append(rows);
  }
  // What the child cannot undo; returns how its joint follows.
  Eigen::MatrixXd AddChild(int child, int i, const Matrix6X& S) {
    const Matrix6X S_child = Columns(child, i);
    if (S_child.cols() == 0) {
      Append(S);
      return Eigen::MatrixXd(0, S.cols());
    }
    // The child's joint gives way as far as it can; what is left moves the child's own body.
    const Eigen::MatrixXd y = -SolveLeastSquares(S_child, S);
    Append(S + S_child * y);
    return y;
  }
  void AddCouplings(const std::vector<std::pair<int, Eigen::MatrixXd>>& follow) {
    std::vector<const CouplingConstraint*> done;
    for (const auto& [own, unused] : follow) {
      for (const CouplingConstraint* coupling : couplings_[U(own)]) {
        if (std::find(done.begin(), done.end(), coupling) != done.end()) continue;
        done.push_back(coupling);
        Eigen::MatrixXd row = Eigen::MatrixXd::Zero(1, rows_.cols());
        double norm = 0;
        for (const auto& term : coupling->terms) {
          const Quartic at(term.c, q_[body(term.body).q + term.axis]);
          const double slope = at.slope * Unit(term.body, term.axis);
          norm = std::hypot(norm, slope);
          for (const auto& [i, y] : follow) {
            if (i == term.body) row += slope * y.row(term.axis);
          }
        }
        if (norm > 0) Append(row / norm);
      }
    }
  }

  const Mechanism& m_;
  const Aggregate& g_;
  const AggregateKinematics& kinematics_;
  const double* q_;
  std::vector<std::vector<int>> children_;
  std::vector<std::vector<const LoopConstraint*>> loops_;
  std::vector<std::vector<const CouplingConstraint*>> couplings_;
  Eigen::MatrixXd rows_;
};

}  // namespace

std::vector<int> IdleLinks(const Mechanism& m, const Aggregate& aggregate,
                           const AggregateKinematics& kinematics, const double* q) {
  std::vector<int> idle;
  IdleMotions motions(m, aggregate, kinematics, q);
  for (int i = 0; i < static_cast<int>(aggregate.bodies.size()); ++i)
    if (motions.Exist(i)) idle.push_back(i);
  return idle;
}

}  // namespace kinemorph
