#include "mechanics/aggregate_shapes.h"

#include <cmath>
#include <string>
#include <unordered_map>

#include "base/index.h"

namespace kinemorph {
namespace {

constexpr double kGrain = 1e-12;

// All that decides what is found of an aggregate, as the bytes of numbers.
class ShapeKey {
 public:
  explicit ShapeKey(const Mechanism& m) : m_(m), reluctance_(Reluctance(m)) {}

  // Where nothing is constrained, frames and limits decide nothing: every free hinge is one shape.
  std::string Of(const Aggregate& g) {
    numbers_.clear();
    const bool free = g.rows == 0;
    Count(g.rows), Count(std::ssize(g.bodies));
    // The legs of a robot stand at different places of its trunk, and are alike all the same:
    // frames on the parent body count from where the first joint of the aggregate is.
    if (!g.bodies.empty()) X_first_p_ = m_.bodies[U(g.bodies.front())].X_PJ.inverse();
    for (std::size_t i = 0; i < g.bodies.size(); ++i) {
      const Body& body = m_.bodies[U(g.bodies[i])];
      AddJoint(body, free);
      if (free) continue;
      Count(g.parent_in[i]), Count(body.reversed ? 1 : 0);
      AddFrame(g.parent_in[i] < 0 ? X_first_p_ * body.X_PJ : body.X_PJ), AddFrame(body.X_JB);
    }
    Count(std::ssize(g.loops));
    // So do the frames of loop joints on the parent body.
    for (const LoopConstraint& loop : g.loops) {
      AddKind(loop.kind);
      Count(loop.predecessor), Count(loop.successor);
      AddFrame(loop.predecessor < 0 ? X_first_p_ * loop.X_PF : loop.X_PF);
      AddFrame(loop.successor < 0 ? X_first_p_ * loop.X_SM : loop.X_SM);
    }
    for (const CouplingConstraint& coupling : g.couplings) {
      Number(coupling.constant), Count(std::ssize(coupling.terms));
      for (const auto& term : coupling.terms) {
        Count(term.body), Count(term.axis);
        for (const double c : term.c) Number(c);
      }
    }
    return {reinterpret_cast<const char*>(numbers_.data()), numbers_.size() * sizeof(double)};
  }

 private:
  void Count(std::ptrdiff_t n) { Number(static_cast<double>(n)); }
  void Number(double x) { numbers_.push_back(x + 0.0); }  // -0 is 0
  void Rounded(double x, double grain) { Number(std::nearbyint(x / grain)); }
  void AddFrame(const RigidTransform& X) {
    for (const double x : X.R.reshaped()) Rounded(x, kGrain);
    for (const double x : X.p) Rounded(x, kGrain * m_.length);
  }
  void AddAxis(const Vector3& axis) {
    for (const double x : axis) Rounded(x, kGrain);
  }
  void AddKind(const JointKind& kind) {
    Count(static_cast<std::ptrdiff_t>(kind.index()));
    if (const auto* hinge = std::get_if<Revolute>(&kind)) return AddAxis(hinge->axis);
    if (const auto* screw = std::get_if<Screw>(&kind)) Number(screw->pitch);
    for (const Vector3& axis : AxesOf(kind)) AddAxis(axis);
  }
  // A joint and what is said of its coordinates.
  void AddJoint(const Body& body, bool free) {
    if (free) {
      Count(static_cast<std::ptrdiff_t>(body.kind.index()));
    } else {
      AddKind(body.kind);
    }
    Count(body.nv);
    for (int v = body.v; v < body.v + body.nv; ++v) {
      Count(m_.declared.independent[U(v)] ? 1 : 0);
      if (!free) Count(reluctance_[U(v)]), Number(m_.lower[U(v)]), Number(m_.upper[U(v)]);
    }
  }

  const Mechanism& m_;
  const std::vector<int> reluctance_;  // by velocity
  RigidTransform X_first_p_;           // the parent body from the first joint
  std::vector<double> numbers_;
};

}  // namespace

std::vector<int> FirstAlike(const Mechanism& m) {
  ShapeKey key(m);
  // Equal keys are equal bytes, since rounded numbers hold whole counts of grains and -0 is made 0.
  std::unordered_map<std::string, int> known;
  std::vector<int> first;
  for (const Aggregate& g : m.aggregates) {
    const int next = static_cast<int>(first.size());
    first.push_back(known.try_emplace(key.Of(g), next).first->second);
  }
  return first;
}

bool StandAlike(const Mechanism& m, const Aggregate& a, const Aggregate& b,
                const Eigen::VectorXd& q) {
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    const Body &x = m.bodies[U(a.bodies[i])], &y = m.bodies[U(b.bodies[i])];
    if (q.segment(x.q, x.nq) != q.segment(y.q, y.nq)) return false;
  }
  return true;
}

void CopyPosture(const Mechanism& m, const Aggregate& from, const Aggregate& to,
                 Eigen::VectorXd& q) {
  for (std::size_t i = 0; i < from.bodies.size(); ++i) {
    const Body &x = m.bodies[U(from.bodies[i])], &y = m.bodies[U(to.bodies[i])];
    q.segment(y.q, y.nq) = q.segment(x.q, x.nq);
  }
}

}  // namespace kinemorph
