#include "kinemorph/graph/motion/held_joints.h"

#include "base/index.h"
#include "mechanics/loop_rows.h"

namespace kinemorph {
namespace {

// A held joint becomes a fixed one that keeps its numbers in q: nv of its body goes to zero, and
// everything that is numbered by velocity closes ranks. Bodies and aggregates stay, so poses and
// rows of loops need no other code.

// The entries that stay, in order.
template <class T>
void Keep(const std::vector<int>& new_index, std::vector<T>& values) {
  std::vector<T> kept;
  for (std::size_t i = 0; i < values.size() && i < new_index.size(); ++i)
    if (new_index[i] >= 0) kept.push_back(values[i]);
  values = std::move(kept);
}

// A held coordinate is a number: its term goes over to the constant of the row. The polynomial is
// c1 x + ... + c4 x^4.
void HoldCoupling(const Mechanism& m, const Aggregate& g, const Eigen::VectorXd& q,
                  CouplingConstraint& coupling) {
  std::vector<CouplingConstraint::Term> terms;
  for (CouplingConstraint::Term term : coupling.terms) {
    const Body& body = m.bodies[U(g.bodies[U(term.body)])];
    if (body.nv == 0) {
      coupling.constant -= Quartic(term.c, q[body.q + term.axis]).value;
      continue;
    }
    term.column = g.column[U(term.body)] + term.axis;
    terms.push_back(term);
  }
  coupling.terms = std::move(terms);
}

}  // namespace

std::vector<int> VelocitiesWithHeldJoints(const Mechanism& m, const std::vector<bool>& held) {
  std::vector<int> new_index(U(m.nv), -1);
  int next = 0;
  for (std::size_t b = 0; b < m.bodies.size(); ++b) {
    const Body& body = m.bodies[b];
    for (int i = 0; i < body.nv && !held[b]; ++i) new_index[U(body.v + i)] = next++;
  }
  return new_index;
}

Mechanism WithHeldJoints(const Mechanism& mechanism, const std::vector<bool>& held,
                         const Eigen::VectorXd& q) {
  Mechanism m = mechanism;
  const std::vector<int> new_index = VelocitiesWithHeldJoints(mechanism, held);
  m.nv = 0;
  for (std::size_t b = 0; b < m.bodies.size(); ++b) {
    Body& body = m.bodies[b];
    if (held[b]) body.nv = 0, body.S.resize(6, 0);
    body.v = m.nv;
    m.nv += body.nv;
  }
  for (const auto member : kNumbersByVelocity) Keep(new_index, m.*member);
  Keep(new_index, m.names), Keep(new_index, m.actuation);
  Keep(new_index, m.declared.independent), Keep(new_index, m.declared.named);
  std::erase_if(m.drives, [&](const Drive& drive) { return new_index[U(drive.velocity)] < 0; });
  for (Drive& drive : m.drives) drive.velocity = new_index[U(drive.velocity)];
  // Columns of each aggregate's K without the held ones. Rows stay, even if nothing is left to move
  // them.
  for (Aggregate& g : m.aggregates) {
    g.nv = 0, g.velocity.clear();
    for (std::size_t i = 0; i < g.bodies.size(); ++i) {
      const Body& body = m.bodies[U(g.bodies[i])];
      g.column[i] = g.nv;
      for (int k = 0; k < body.nv; ++k) g.velocity.push_back(body.v + k);
      g.nv += body.nv;
    }
    for (CouplingConstraint& coupling : g.couplings) HoldCoupling(m, g, q, coupling);
  }
  return m;
}

}  // namespace kinemorph
