#include "emit/symbolic_closure.h"

#include <algorithm>
#include <numbers>

#include "base/index.h"
#include "closures/closure_sequence.h"

namespace kinemorph::emit {
namespace {

// One aggregate on its way to closure.
// The closure of explicit_closure.cc with expressions for numbers: the same steps, in the same
// order, and the templates of the closed forms do the geometry. What a formula cannot do without a
// branch (no solution) comes out as NaN of a square root.
struct Closing {
  Tape& tape;
  const Mechanism& m;
  const Aggregate& g;
  std::size_t aggregate;
  const std::vector<Expression>& guess;
  std::vector<Expression>& q;
  SymbolicMechanism& opened;  // with the unknown joints of a step at zero

  [[nodiscard]] const Body& BodyOf(int column) const {
    std::size_t i = 0;
    while (column >= g.column[i] + m.bodies[U(g.bodies[i])].nv) ++i;
    return m.bodies[U(g.bodies[i])];
  }
  // Index into q of a scalar joint by its column: q and v of a body are in the same order.
  [[nodiscard]] std::size_t At(int column) const {
    const Body& body = BodyOf(column);
    return U(body.q + g.velocity[U(column)] - body.v);
  }
  [[nodiscard]] bool IsHinge(int column) const {
    return std::holds_alternative<Revolute>(BodyOf(column).kind);
  }

  // A coupling that is linear in its last unknown; the other terms are known by then.
  void Couple(const ClosureStep& step) {
    const CouplingConstraint& coupling = g.couplings[U(step.couplings.front())];
    Expression rest = coupling.constant, slope = 1;
    for (const CouplingConstraint::Term& term : coupling.terms) {
      const std::array<double, 4>& c = term.c;
      const Expression x = q[At(term.column)];
      if (term.column == step.unknown.front())
        slope = c[0];
      else
        rest -= x * (Expression(c[0]) +
                     x * (Expression(c[1]) + x * (Expression(c[2]) + x * Expression(c[3]))));
    }
    q[At(step.unknown.front())] = rest / slope;
  }

  void CloseLoop(const ClosureStep& step) {
    // The geometry of a loop is measured with its unknown joints at zero, where the closed forms
    // count their angles from.
    for (const int c : step.unknown) q[At(c)] = 0;
    opened.PositionsOf(aggregate, tape, q);
    const SymbolicAggregate& at = opened.aggregate(aggregate);
    const Pose parent;
    const auto pose = [&](int position) -> const Pose& {
      return position < 0 ? parent : at.X[U(position)];
    };
    const auto line = [&](int column) -> closed_forms::Line<Expression> {
      const Vector3E turn = at.S[U(column)].head<3>(), slide = at.S[U(column)].tail<3>();
      if (!IsHinge(column)) return {slide, Vector3E::Zero()};
      return {turn, turn.cross(slide)};
    };
    ClosureGeometry<Expression> geometry = Cast<Expression>(step.geometry);
    if (!step.constant) MeasureGeometry(step, g.loops[U(step.loops.front())], pose, line, geometry);
    std::array<Expression, 5> near, x;
    // Of several solutions the one near the guess: the formula is told the old values of its
    // unknowns.
    for (std::size_t i = 0; i < step.order.size(); ++i) near[i] = guess[At(step.order[i])];
    SolveClosedForm(step, geometry, pose, &near, x);
    // Angles of the formula lie within one turn; the guess tells which turn the joint is in.
    constexpr double kTurn = 2 * std::numbers::pi;
    for (std::size_t i = 0; i < step.order.size(); ++i) {
      const int c = step.order[i];
      if (IsHinge(c)) x[i] -= Expression(kTurn) * Nearest((x[i] - near[i]) * Expression(1 / kTurn));
      q[At(c)] = x[i];
    }
  }
};

}  // namespace

Formulas FindFormulas(const Mechanism& m, const Coordinates& coordinates) {
  Formulas all(m.aggregates.size());
  if (coordinates.rank == 0) return all;
  ClosureWorkspace workspace(m, coordinates);
  for (std::size_t a = 0; a < all.size(); ++a) {
    if (coordinates.aggregates[a].dependent.empty() || workspace.too_large[a]) continue;
    // Steps with frames of so few digits that a formula is off by more than rounding (`noisy`) are
    // left to Newton, and with them the aggregate: a formula could not be iterated.
    const ClosureSequence closure(workspace, m.aggregates[a], coordinates.aggregates[a],
                                  Division::kSteps, true, true);
    const auto by_formula = [](const ClosureStep& step) {
      return step.form != StepForm::kNumerical && !step.noisy;
    };
    if (std::all_of(closure.steps().begin(), closure.steps().end(), by_formula))
      all[a] = closure.steps();
  }
  return all;
}

void CloseByFormulas(Tape& tape, const Mechanism& m, const Coordinates& coordinates,
                     const Formulas& formulas, const std::vector<Expression>& guess,
                     std::vector<Expression>& q) {
  // No rows: this mechanism is walked for its poses and axes alone.
  const RowChoice no_rows;
  SymbolicMechanism opened(m, coordinates, no_rows);
  for (std::size_t a = 0; a < formulas.size(); ++a) {
    Closing closing{tape, m, m.aggregates[a], a, guess, q, opened};
    for (const ClosureStep& step : formulas[a]) {
      if (step.form == StepForm::kCoupling)
        closing.Couple(step);
      else
        closing.CloseLoop(step);
    }
  }
}

}  // namespace kinemorph::emit
