// Compiles a model with its spanning tree and LACG into flat arrays.
#include "kinemorph/graph/mechanics/mechanism.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "kinemorph/graph/base/overloaded.h"

namespace kinemorph {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

int ToInt(std::size_t n) { return static_cast<int>(n); }

// Compile walks the tree once for the bodies and their indices into q and v, then gathers by
// aggregate what constrains them; from there on no code needs the model. All frames are those of
// Body: X_PJ and X_JB swap roles where a joint points against the tree, so that its q and v keep
// the author's sign.

// X_PB(q) = const + s R1 + (1 - c) R2 + q terms for joints with one coordinate.
void CompileOneDof(Body& body) {
  Vector3 axis = Vector3::UnitZ();
  double pitch = 0;
  Body::OneDof& fast = body.fast;
  if (const auto* revolute = std::get_if<Revolute>(&body.kind)) {
    axis = revolute->axis, fast.rotates = true;
  } else if (const auto* screw = std::get_if<Screw>(&body.kind)) {
    axis = screw->axis, pitch = screw->pitch, fast.rotates = true;
  } else if (const auto* prismatic = std::get_if<Prismatic>(&body.kind)) {
    axis = prismatic->axis, pitch = 1;
  } else {
    return;
  }
  // Rodrigues' formula multiplied out with the two constant frames; turning back is the sine with
  // the other sign.
  const double sign = body.reversed ? -1 : 1;
  const Matrix3 A = Skew(axis);
  fast.R0 = body.X_PJ.R * body.X_JB.R;
  fast.R1 = sign * (body.X_PJ.R * A * body.X_JB.R);
  fast.R2 = body.X_PJ.R * (A * A) * body.X_JB.R;
  fast.p0 = body.X_PJ * body.X_JB.p;
  fast.p1 = sign * (body.X_PJ.R * (A * body.X_JB.p));
  fast.p2 = body.X_PJ.R * (A * (A * body.X_JB.p));
  fast.p3 = sign * pitch * (body.X_PJ.R * axis);
}

// S in the body's frame where it is constant.
void CompileSubspace(Body& body) {
  // A reversed ball is one whose body moves with F: its axes, fixed in M, turn in the body.
  const bool turns_with_q =
      std::holds_alternative<Universal>(body.kind) || std::holds_alternative<Planar>(body.kind) ||
      (body.reversed &&
       (std::holds_alternative<Ball>(body.kind) || std::holds_alternative<Free>(body.kind)));
  body.constant_subspace = !turns_with_q;
  std::array<double, 7> zero{};
  SetZeroPosition(body.kind, zero.data());
  body.S = MotionSubspace(body.kind, zero.data());
  for (Eigen::Index i = 0; i < body.S.cols(); ++i) {
    // Forward: M is fixed in the body. Reversed: F is, and S_F = S_M where S is constant.
    const Vector6 column = body.S.col(i);
    body.S.col(i) = (body.reversed ? -1 : 1) * InverseTransformMotion(body.X_JB, column);
  }
  CompileOneDof(body);
}

bool IsHeldFree(const Body& body, const CompileOptions& options) {
  return options.hold_base && body.parent == 0 && std::holds_alternative<Free>(body.kind);
}

Body CompileBody(const Model& model, const SpanningTree& tree, LinkId link,
                 const std::vector<int>& body_of) {
  Body body;
  body.link = link, body.name = model.link(link).name;
  if (model.link(link).inertial) body.inertia = model.link(link).inertial->InLink();
  if (link == kWorld) return body;
  body.weightless = model.link(link).gravity == false;
  const std::size_t i = Index(link);
  body.parent = tree.parent[i] == kNoLink ? 0 : body_of[Index(tree.parent[i])];
  body.joint = tree.parent_joint[i];
  if (body.joint == kNoJoint) return body;
  const Joint& joint = model.joint(body.joint);
  body.kind = joint.kind;
  body.reversed = tree.reversed[i];
  body.X_PJ = body.reversed ? joint.X_SM : joint.X_PF;
  body.X_JB = (body.reversed ? joint.X_PF : joint.X_SM).inverse();
  return body;
}

int Depth(const Aggregate& aggregate, int position) {
  int depth = 0;
  for (; position >= 0; position = aggregate.parent_in[static_cast<std::size_t>(position)]) ++depth;
  return depth;
}

// nu_p and nu_s: paths from the nearest common ancestor (excluded) to the two ends.
void FindPaths(const Aggregate& aggregate, LoopConstraint& loop) {
  int p = loop.predecessor, s = loop.successor;
  int depth_p = Depth(aggregate, p), depth_s = Depth(aggregate, s);
  while (p != s) {
    if (depth_p >= depth_s) {
      loop.predecessor_path.push_back(p);
      p = aggregate.parent_in[static_cast<std::size_t>(p)], --depth_p;
    } else {
      loop.successor_path.push_back(s);
      s = aggregate.parent_in[static_cast<std::size_t>(s)], --depth_s;
    }
  }
  std::reverse(loop.predecessor_path.begin(), loop.predecessor_path.end());
  std::reverse(loop.successor_path.begin(), loop.successor_path.end());
}

Matrix3 RowAxes(const JointKind& kind) {
  return std::visit(Overloaded{[](const Revolute& k) { return RotationWithZ(k.axis); },
                               [](const Prismatic& k) { return RotationWithZ(k.axis); },
                               [](const Screw& k) { return RotationWithZ(k.axis); },
                               [](const Planar& k) { return PlanarBasis(k.normal); },
                               [](const Cylindrical& k) { return RotationWithZ(k.axis); },
                               [](const Fixed&) -> Matrix3 { return Matrix3::Identity(); },
                               [](const Universal&) -> Matrix3 { return Matrix3::Identity(); },
                               [](const Ball&) -> Matrix3 { return Matrix3::Identity(); },
                               [](const Free&) -> Matrix3 { return Matrix3::Identity(); }},
                    kind);
}

// Finds where a link stands in the aggregate; false when it is neither inside nor the parent body.
bool Locate(const Mechanism& m, const Aggregate& aggregate, const std::vector<int>& position,
            LinkId link, int aggregate_index, int& where) {
  const int body = m.body_of[Index(link)];
  if (m.bodies[static_cast<std::size_t>(body)].aggregate == aggregate_index) {
    where = position[static_cast<std::size_t>(body)];
    return true;
  }
  where = -1;
  return body == aggregate.parent;
}

void CompileLoops(const Model& model, const AggregateLink& source, const std::vector<int>& position,
                  int index, Mechanism& m) {
  Aggregate& aggregate = m.aggregates[static_cast<std::size_t>(index)];
  for (const JointId id : source.loop_joints) {
    const Joint& joint = model.joint(id);
    LoopConstraint loop;
    loop.joint = id, loop.name = joint.name, loop.kind = joint.kind, loop.X_PF = joint.X_PF,
    loop.X_SM = joint.X_SM;
    loop.B = RowAxes(joint.kind);
    loop.R_PB = loop.X_PF.R * loop.B, loop.R_SB = loop.X_SM.R * loop.B;
    if (!Locate(m, aggregate, position, model.predecessor(id), index, loop.predecessor) ||
        !Locate(m, aggregate, position, model.successor(id), index, loop.successor)) {
      m.problems.push_back("loop joint '" + joint.name + "' leaves its aggregate");
      continue;
    }
    FindPaths(aggregate, loop);
    loop.row = aggregate.rows, loop.rows = NumConstraints(joint.kind);
    aggregate.rows += loop.rows;
    aggregate.loops.push_back(std::move(loop));
  }
}

void CompileCouplings(const Model& model, const AggregateLink& source,
                      const std::vector<int>& body_of_joint, const std::vector<int>& position,
                      int index, Mechanism& m) {
  Aggregate& aggregate = m.aggregates[static_cast<std::size_t>(index)];
  for (const std::size_t c : source.couplings) {
    const Coupling& coupling = model.couplings[c];
    CouplingConstraint row;
    row.coupling = c, row.name = coupling.name, row.constant = coupling.constant;
    // What cannot be an equation between coordinates of this state is left out and told: a loop
    // joint has no coordinate, a quaternion no single one.
    std::string problem;
    for (const CouplingTerm& term : coupling.terms) {
      const int body =
          term.coordinate.joint == kNoJoint ? -1 : body_of_joint[Index(term.coordinate.joint)];
      const std::string name =
          term.coordinate.joint == kNoJoint ? "" : model.joint(term.coordinate.joint).name;
      if (body < 0) {
        problem = "joint '" + name + "' is a loop joint, whose coordinate is not part of the state";
        break;
      }
      const Body& b = m.bodies[static_cast<std::size_t>(body)];
      if (b.aggregate != index) {
        problem = "joint '" + name + "' lies outside the aggregate";
        break;
      }
      if (b.nq != b.nv || term.coordinate.axis < 0 || term.coordinate.axis >= b.nv) {
        problem =
            "joint '" + name + "' has no scalar coordinate " + std::to_string(term.coordinate.axis);
        break;
      }
      const int at = position[static_cast<std::size_t>(body)];
      row.terms.push_back({at, term.coordinate.axis,
                           aggregate.column[static_cast<std::size_t>(at)] + term.coordinate.axis,
                           term.coefficients});
    }
    if (!problem.empty()) {
      m.problems.push_back("coupling '" + coupling.name + "': " + problem +
                           "; kinemorph leaves it out");
      continue;
    }
    row.row = aggregate.rows++;
    aggregate.couplings.push_back(std::move(row));
  }
}

void AddVelocities(const Model& model, const Actuations& actuations, const Body& body,
                   Mechanism& m) {
  if (body.joint == kNoJoint) return;
  const Joint& joint = model.joint(body.joint);
  // Limits and spring references are numbers of one coordinate: a quaternion has none to compare.
  const bool scalar = body.nq == body.nv;
  for (int i = 0; i < body.nv; ++i) {
    // Ball and free joints have one record for all their coordinates.
    const std::size_t record = joint.axes.size() == 1 ? 0 : static_cast<std::size_t>(i);
    const JointAxis axis = record < joint.axes.size() ? joint.axes[record] : JointAxis{};
    m.names.push_back(body.nv == 1 ? joint.name : joint.name + "[" + std::to_string(i) + "]");
    m.actuation.push_back(actuations.Of(body.joint, i));
    m.armature.push_back(axis.armature.value_or(0));
    m.damping.push_back(axis.damping.value_or(0));
    m.friction.push_back(axis.friction.value_or(0));
    m.spring_stiffness.push_back(axis.spring_stiffness.value_or(0));
    m.spring_reference.push_back(scalar ? axis.spring_reference.value_or(0) : 0);
    m.limit_stiffness.push_back(axis.limit_stiffness.value_or(0));
    m.limit_dissipation.push_back(axis.limit_dissipation.value_or(0));
    m.lower.push_back(scalar ? axis.lower.value_or(-kInfinity) : -kInfinity);
    m.upper.push_back(scalar ? axis.upper.value_or(kInfinity) : kInfinity);
    const double velocity = axis.velocity.value_or(0), effort = axis.effort.value_or(0);
    m.velocity_limit.push_back(velocity > 0 ? velocity : kInfinity);  // 0 is what nobody filled in
    m.effort_upper.push_back(effort > 0 ? effort : kInfinity);
    m.effort_lower.push_back(axis.effort_lower.value_or(-m.effort_upper.back()));
  }
}

void CompileDrives(const Model& model, const std::vector<int>& body_of_joint, Mechanism& m) {
  for (const Actuator& actuator : model.actuators) {
    const int b = actuator.joint == kNoJoint ? -1 : body_of_joint[Index(actuator.joint)];
    if (b < 0 || m.bodies[static_cast<std::size_t>(b)].nv == 0) continue;
    m.drives.push_back({actuator.name, m.bodies[static_cast<std::size_t>(b)].v, actuator.gear,
                        actuator.effort_lower.value_or(-kInfinity),
                        actuator.effort_upper.value_or(kInfinity)});
  }
}

void CompileDeclaration(const Model& model, Mechanism& m) {
  Declaration& out = m.declared;
  // What the formats mean by silence differs (UnsaidIndependence). In URDF+ it declares a
  // coordinate independent wherever loops or couplings other than mimicking constrain the robot;
  // elsewhere it declares nothing, or in a free tree all. The follower of a mimic is never meant.
  std::vector<bool> follower(model.num_joints(), false);
  bool structural = false;  // loops, or couplings other than mimicking
  for (const Coupling& coupling : model.couplings) {
    const bool mimic = coupling.form == CouplingForm::kMimic;
    if (mimic && !coupling.terms.empty() && coupling.terms.front().coordinate.joint != kNoJoint)
      follower[Index(coupling.terms.front().coordinate.joint)] = true;
    structural = structural || !mimic;
  }
  bool constrained = false;
  for (const Aggregate& aggregate : m.aggregates) {
    structural = structural || !aggregate.loops.empty();
    constrained = constrained || aggregate.rows > 0;
  }
  for (const JointId id : Joints(model)) out.any = out.any || model.joint(id).independent;
  out.any = out.any || (model.unsaid == UnsaidIndependence::kEverywhere && structural);
  out.all = !out.any && !constrained && model.unsaid != UnsaidIndependence::kNothing;
  for (const Body& body : m.bodies) {
    if (body.joint == kNoJoint) continue;
    const std::optional<bool> said = model.joint(body.joint).independent;
    for (int i = 0; i < body.nv; ++i) {
      out.independent.push_back(said.value_or(!follower[Index(body.joint)]));
      out.named.push_back(said.value_or(false));
    }
  }
}

constexpr double kRoundOffOfPlaces = 1e-12;  // of a difference, relative to what it is taken of

// Mean distance between neighbouring joints and to centres of mass: what a metre is measured by
// when it is added to radians. It scales with the robot, so that a gripper and an excavator are
// solved alike.
double CharacteristicLength(const Mechanism& m) {
  double sum = 0;
  int count = 0;
  for (const Body& body : m.bodies) {
    // Where frames of links fall together, as in robots drawn at one origin, the joint is away.
    const double away = body.X_PJ.p.norm(), apart = (body.X_PJ * body.X_JB.p).norm();
    const double length =
        (apart > kRoundOffOfPlaces * away ? apart : away) + body.inertia.p_BoBcm.norm();
    const bool stands = body.parent == 0 && body.nv == 0;  // on the world, said or not
    if (body.joint != kNoJoint && !stands && length > 0 && std::isfinite(length))
      sum += length, ++count;
  }
  return count > 0 && sum > 0 ? sum / count : 1;
}

}  // namespace

Eigen::VectorXd Mechanism::ZeroPosition() const {
  Eigen::VectorXd q = Eigen::VectorXd::Zero(nq);
  for (const Body& body : bodies) SetZeroPosition(body.kind, q.data() + body.q);
  return q;
}

Eigen::VectorXd Mechanism::Integrate(const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                     double dt) const {
  Eigen::VectorXd next = q;
  for (const Body& body : bodies) {
    if (body.nv > 0)
      IntegratePosition(body.kind, q.data() + body.q, v.data() + body.v, dt, next.data() + body.q);
  }
  return next;
}

Mechanism Compile(const Model& model, const SpanningTree& tree,
                  const LoopAggregatedConnectivityGraph& lacg, const CompileOptions& options) {
  Mechanism m;
  if (model.gravity) m.gravity = *model.gravity;
  m.body_of.assign(model.num_links(), 0);
  m.bodies.reserve(model.num_links());
  std::vector<int> body_of_joint(model.num_joints(), -1);
  const Actuations actuations(model);
  for (const LinkId link : tree.order) {
    // Held bases keep q, where they stand, and lose v: they are constants of the motion.
    Body body = CompileBody(model, tree, link, m.body_of);
    body.aggregate = ToInt(lacg.aggregate_of[Index(link)]);
    body.q = m.nq, body.v = m.nv;
    body.nq = NumPositions(body.kind),
    body.nv = IsHeldFree(body, options) ? 0 : NumVelocities(body.kind);
    CompileSubspace(body);
    if (body.nv == 0) body.S.resize(6, 0);
    m.nq += body.nq, m.nv += body.nv;
    AddVelocities(model, actuations, body, m);
    m.body_of[Index(link)] = ToInt(m.bodies.size());
    if (body.joint != kNoJoint) body_of_joint[Index(body.joint)] = ToInt(m.bodies.size());
    m.bodies.push_back(std::move(body));
  }
  m.aggregates.resize(lacg.aggregates.size());
  std::vector<int> position(m.bodies.size(), -1);
  for (std::size_t a = 0; a < m.aggregates.size(); ++a) {
    if (lacg.aggregates[a].parent_link != kNoLink)
      m.aggregates[a].parent = m.body_of[Index(lacg.aggregates[a].parent_link)];
  }
  for (std::size_t b = 0; b < m.bodies.size(); ++b) {  // tree order, whatever order the LACG lists
    Aggregate& aggregate = m.aggregates[static_cast<std::size_t>(m.bodies[b].aggregate)];
    position[b] = ToInt(aggregate.bodies.size());
    aggregate.bodies.push_back(ToInt(b));
    const int parent = m.bodies[b].parent;
    const bool inside = parent >= 0 && m.bodies[static_cast<std::size_t>(parent)].aggregate ==
                                           m.bodies[b].aggregate;
    aggregate.parent_in.push_back(inside ? position[static_cast<std::size_t>(parent)] : -1);
    aggregate.column.push_back(aggregate.nv);
    for (int i = 0; i < m.bodies[b].nv; ++i) aggregate.velocity.push_back(m.bodies[b].v + i);
    aggregate.nv += m.bodies[b].nv;
  }
  for (std::size_t a = 0; a < m.aggregates.size(); ++a) {
    // Loops before couplings: callers rely on this order of rows.
    CompileLoops(model, lacg.aggregates[a], position, ToInt(a), m);
    CompileCouplings(model, lacg.aggregates[a], body_of_joint, position, ToInt(a), m);
    m.aggregates[a].row = m.rows;
    m.rows += m.aggregates[a].rows;
  }
  CompileDrives(model, body_of_joint, m);
  CompileDeclaration(model, m);
  m.length = CharacteristicLength(m);
  return m;
}

Mechanism Compile(const Model& model, const CompileOptions& options) {
  const SpanningTree tree = ChooseSpanningTree(model);
  return Compile(model, tree, BuildLoopAggregatedConnectivityGraph(model, tree), options);
}

std::vector<bool> IsLinearVelocity(const Mechanism& mechanism) {
  std::vector<bool> linear(static_cast<std::size_t>(mechanism.nv), false);
  for (const Body& body : mechanism.bodies) {
    for (int i = 0; i < body.nv; ++i)
      linear[static_cast<std::size_t>(body.v + i)] = body.S.col(i).head<3>().isZero(0);
  }
  return linear;
}

std::vector<bool> IsDriven(const Mechanism& mechanism) {
  std::vector<bool> driven(static_cast<std::size_t>(mechanism.nv), false);
  for (const Drive& drive : mechanism.drives)
    driven[static_cast<std::size_t>(drive.velocity)] = true;
  return driven;
}

std::vector<int> Reluctance(const Mechanism& mechanism) {
  std::vector<int> reluctance;
  for (std::size_t v = 0; v < mechanism.actuation.size(); ++v)
    reluctance.push_back(mechanism.declared.named[v] ? kDeclared
                                                     : static_cast<int>(mechanism.actuation[v]));
  return reluctance;
}

}  // namespace kinemorph
