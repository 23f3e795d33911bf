// Pass `assemble`: a zero configuration in which all loops are closed.
#include <algorithm>
#include <cmath>

#include "edit/align.h"
#include "edit/model_edit.h"
#include "edit/removal.h"
#include "kinemorph/graph/mechanics/coordinates.h"
#include "kinemorph/graph/mechanics/joint_motion.h"
#include "kinemorph/graph/mechanics/start_posture.h"
#include "kinemorph/graph/model/model_dump.h"
#include "normalise/passes.h"

namespace kinemorph {
namespace {

// What a source written with a few digits leaves open; closed by the solver as everything else, but
// without a word.
constexpr double kDrawnClosed = 1e-9;

// The largest error of any loop joint at zero (m or rad, whichever is larger): how far its ends are
// from the nearest pose that the joint can make.
double WorstGap(const Model& model, const SpanningTree& tree, JointId& worst) {
  const std::vector<RigidTransform> X_W = ZeroPoses(model, tree);
  double gap = 0;
  for (const JointId id : tree.loop_joints) {
    const Joint& joint = model.joint(id);
    const RigidTransform X_PS =
        X_W[Index(model.predecessor(id))].inverse() * X_W[Index(model.successor(id))];
    const RigidTransform X_FM = joint.X_PF.inverse() * X_PS * joint.X_SM;
    std::array<double, 7> q{};
    PositionFromTransform(joint.kind, X_FM, q.data());
    const RigidTransform rest = JointTransform(joint.kind, q.data()).inverse() * X_FM;
    const double open = std::max(rest.p.norm(), std::abs(Eigen::AngleAxisd(rest.R).angle()));
    if (open > gap) {
      gap = open;
      worst = id;
    }
  }
  return gap;
}

// Newton from where the source starts, else from zero, then from 24 random starts of a fixed seed:
// equal input, equal output.
ClosureResult Solve(const Model& model, const Mechanism& mechanism, Eigen::VectorXd& q) {
  ClosureSolver solver(mechanism);
  q = AuthoredStart(model, mechanism).value_or(mechanism.ZeroPosition());
  return solver.Assemble(1, 24, q);
}

bool HasFreeBase(const Mechanism& mechanism) {
  return std::any_of(mechanism.bodies.begin(), mechanism.bodies.end(),
                     [](const Body& b) { return std::holds_alternative<Free>(b.kind); });
}

bool Starts(const Joint& joint) {
  return std::ranges::any_of(
      joint.axes, [](const JointAxis& axis) { return axis.initial_position.value_or(0) != 0; });
}

// The tree joints take the configuration q as their new zero.
void MoveZero(Model& model, const Mechanism& mechanism, const Eigen::VectorXd& q,
              PassContext& context) {
  for (const Body& body : mechanism.bodies) {
    if (body.joint == kNoJoint || body.nq == 0) continue;
    const double* qj = q.data() + body.q;
    std::array<double, 7> zero{};
    SetZeroPosition(model.joint(body.joint).kind, zero.data());
    double moved = 0;
    for (int i = 0; i < body.nq; ++i)
      moved = std::max(moved, std::abs(qj[i] - zero[static_cast<std::size_t>(i)]));
    // Less than the last digit of a coordinate near 1: no offset and no loss for it.
    if (moved < 1e-15) continue;
    const Joint& joint = model.joint(body.joint);
    const RigidTransform X_PS = joint.X_PF * JointTransform(joint.kind, qj) * joint.X_SM.inverse();
    const bool started = Starts(joint);
    AlignToZero(model, body.joint, X_PS, INFINITY);
    if (started && !Starts(joint)) context.Lowered(SubjectOf(joint), "starts at its new zero");
    if (std::holds_alternative<Ball>(joint.kind) ||
        std::holds_alternative<Free>(joint.kind))  // no axis that could keep the offset
      context.Lose(model, Feature::kPositionOffset, SubjectOf(joint),
                   "its zero position is an assembled one, not the drawn one",
                   "the target needs loops that are closed at zero");
  }
}

}  // namespace

void Assemble::operator()(Model& model, PassContext& context) const {
  SpanningTree tree = TreeOf(model);
  if (tree.loop_joints.empty()) return;
  JointId worst = kNoJoint;
  const double gap = WorstGap(model, tree, worst);
  double stated = kDrawnClosed;  // what is left open after solving is said from here on
  // In its own format a drawing stays as it is: what is kept as text counts from its zero.
  const bool as_drawn = may_stay_open && model.format == context.options.target.format->name;
  if (gap > kDrawnClosed && !as_drawn) {
    // Free bases stay where they are drawn unless the loops close only when they move, and must.
    CompileOptions held;
    held.hold_base = true;
    Mechanism mechanism = Compile(model, held);
    Eigen::VectorXd q;
    stated *= std::min(1.0, mechanism.length);
    ClosureResult result = Solve(model, mechanism, q);
    if (!result.closed && !result.nearly && !may_stay_open && HasFreeBase(mechanism)) {
      mechanism = Compile(model);
      result = Solve(model, mechanism, q);
    }
    const Subject subject = SubjectOf(model.joint(worst));
    const bool assembled = result.closed || result.nearly;
    if (!assembled && !may_stay_open) {
      // Nothing the target could write means the same: the loop goes, loudly, and the rest is tried
      // again.
      context.Lose(model, LoopFeature(model.joint(worst).kind), subject,
                   "the loop joint is left out and the chain is open there",
                   "the loop is open by " + FormatNumber(gap) +
                       " at zero, and no position closes it (best residual " +
                       FormatNumber(result.residual) +
                       "); the target takes one frame of every loop from a closed position");
      Lose(model, TakeJoints(model, [&](JointId id) { return id == worst; }),
           "the loop joint it belongs to is left out", context);
      (*this)(model, context);
      return;
    }
    // Where nothing closes the loops better than the drawing does (frames of a few digits), the
    // drawing stays.
    if (assembled && (result.closed || gap > 10 * result.residual * mechanism.length)) {
      MoveZero(model, mechanism, q, context);
      context.Lowered(subject, "open by " + FormatNumber(gap) +
                                   " at zero: the zero position is moved to an assembled one");
      tree = TreeOf(model);
    }
  }
  // The loop joints themselves count from the drawing; what is left of the gap goes into their
  // successor frame.
  const std::vector<RigidTransform> X_W = ZeroPoses(model, tree);
  for (const JointId id : tree.loop_joints) {
    const RigidTransform X_PS =
        X_W[Index(model.predecessor(id))].inverse() * X_W[Index(model.successor(id))];
    const double rest = AlignToZero(model, id, X_PS, may_stay_open ? kDrawnClosed : INFINITY);
    if (may_stay_open || rest <= stated) continue;
    context
        .Lose(model, LoopFeature(model.joint(id).kind), SubjectOf(model.joint(id)),
              "its frame on the successor is moved by " + FormatNumber(rest) + " (m or rad)",
              "the loop in the source does not close more exactly, and the target takes this "
              "frame from a closed position")
        .fields = {"on-successor"};
  }
}

}  // namespace kinemorph
