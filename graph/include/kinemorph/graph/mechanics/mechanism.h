// A model compiled for computation: bodies in tree order, loop constraints and couplings gathered
// by aggregate, state indices.
//
//   q  positions, body after body in tree order (a joint's own coordinates, NumPositions each;
//   quaternions w first) v  velocities in the same order (NumVelocities each); a joint that points
//   against the tree keeps its own q and v
#pragma once

#include <array>
#include <string>
#include <vector>

#include "kinemorph/graph/connectivity/lacg.h"
#include "kinemorph/graph/connectivity/spanning_tree.h"
#include "kinemorph/graph/mechanics/joint_motion.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// A link with the tree joint that leads to it: X_PB = X_PJ * X_FM(q)^(+-1) * X_JB, P the parent
/// body.
struct Body {
  LinkId link = kWorld;
  std::string name;  ///< the link's
  JointId joint =
      kNoJoint;     ///< kNoJoint: the world, and roots without a joint to it (held rigidly)
  int parent = -1;  ///< body index, -1 for the world
  int aggregate = 0;
  bool reversed = false;      ///< the joint's predecessor is this body
  JointKind kind;             ///< Fixed where `joint` is kNoJoint
  RigidTransform X_PJ, X_JB;  ///< X_PF and X_SM^-1, or X_SM and X_PF^-1 when reversed
  int q = 0, nq = 0, v = 0, nv = 0;
  SpatialInertia inertia;         ///< in the link frame; zero where the link has none
  bool constant_subspace = true;  ///< S does not change in the body's frame (then S holds it)
  JointMatrix S{6, 0};
  /// Revolute, prismatic, screw: X_PB as const + sin(q) + (1 - cos(q)) + q terms.
  struct OneDof {
    Matrix3 R0, R1, R2;
    Vector3 p0, p1, p2, p3;
    bool rotates = false;
  } fast;
};

/// A loop joint inside an aggregate; bodies are positions in Aggregate::bodies, -1 the aggregate's
/// parent body.
struct LoopConstraint {
  JointId joint = kNoJoint;
  std::string name;
  JointKind kind;
  int predecessor = -1, successor = -1;
  RigidTransform X_PF, X_SM;
  Matrix3 B = Matrix3::Identity();  ///< axes of the rows in F: the joint's axis is z (x, y, z for
                                    ///< ball and fixed)
  Matrix3 R_PB, R_SB;               ///< the same axes in the predecessor, and of M in the successor
  std::vector<int> predecessor_path,
      successor_path;     ///< nu_p and nu_s (nearest common ancestor excluded)
  int row = 0, rows = 0;  ///< in the aggregate
};

/// A coupling inside an aggregate: sum of polynomials of single coordinates = constant.
struct CouplingConstraint {
  std::size_t coupling = 0;  ///< index into Model::couplings
  std::string name;
  struct Term {
    int body = 0, axis = 0, column = 0;
    std::array<double, 4> c{};
  };
  std::vector<Term>
      terms;  ///< body is a position in Aggregate::bodies, column one of the aggregate's
  double constant = 0;
  int row = 0;
};

/// An aggregate link: a strongly connected component of the constraint dependency digraph.
struct Aggregate {
  int parent = -1;             ///< body all its base joints hang on; -1 for the world's aggregate
  std::vector<int> bodies;     ///< in tree order
  std::vector<int> parent_in;  ///< by position: the tree parent's position, -1 when it is `parent`
  std::vector<int> column;     ///< by position: first column of its joint
  std::vector<int> velocity;   ///< by column: index into v
  std::vector<LoopConstraint> loops;
  std::vector<CouplingConstraint> couplings;
  int nv = 0, rows = 0;
  int row = 0;  ///< first row in the stacked K
};

/// An actuator on a joint of the tree.
struct Drive {
  std::string name;
  int velocity = 0;     ///< the first of its joint
  double gear = 1;      ///< joint effort / actuator effort
  double lower, upper;  ///< of its effort; infinite where unlimited
};

/// What the author said of independent coordinates.
struct Declaration {
  bool any = false;                      ///< something is said; what is not, follows from it
  bool all = false;                      ///< nothing is said, which in this format means: all are
  std::vector<bool> independent, named;  ///< by velocity; named: in so many words
};

/// Stands by itself: nothing that computes with it needs the model again.
struct Mechanism {
  std::vector<Body> bodies;  ///< [0] is the world; parents first
  std::vector<int> body_of;  ///< by link
  std::vector<Aggregate> aggregates;
  int nq = 0, nv = 0, rows = 0;
  Vector3 gravity = Vector3(0, 0, -9.81);
  // By velocity:
  std::vector<std::string> names;  ///< the joint's name, with "[i]" when it has several
  std::vector<double> armature;
  std::vector<double> damping, friction;                   ///< viscous; Coulomb; zero if absent
  std::vector<double> spring_stiffness, spring_reference;  ///< zero if absent
  std::vector<double> limit_stiffness, limit_dissipation;  ///< zero: the limits are hard
  std::vector<double> lower,
      upper;  ///< by velocity; infinite where unlimited, and for ball and free joints
  std::vector<Drive> drives;
  Declaration declared;
  double length = 1;  ///< characteristic length (m), for scaling
  std::vector<std::string>
      problems;  ///< what could not be compiled (a coupling on a quaternion ...), for people

  [[nodiscard]] Eigen::VectorXd ZeroPosition() const;
  /// q moved by v for a time dt.
  [[nodiscard]] Eigen::VectorXd Integrate(const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                          double dt) const;
};

struct CompileOptions {
  bool hold_base =
      false;  ///< free joints from the world keep their coordinates but have no velocities
};

/// Compiles. Gravity is the model's, or 9.81 m/s^2 along -z where it has none.
[[nodiscard]] Mechanism Compile(const Model& model, const SpanningTree& tree,
                                const LoopAggregatedConnectivityGraph& lacg,
                                const CompileOptions& options = {});
/// The same with the default spanning tree.
[[nodiscard]] Mechanism Compile(const Model& model, const CompileOptions& options = {});

/// By velocity: whether it is a length per time (for scaling).
[[nodiscard]] std::vector<bool> IsLinearVelocity(const Mechanism& mechanism);

}  // namespace kinemorph
