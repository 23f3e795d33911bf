// A model compiled for computation: bodies in tree order, loop constraints and couplings gathered
// by aggregate, state indices.
//
//   q  positions, body after body in tree order (a joint's own coordinates, NumPositions each;
//      quaternions w first)
//   v  velocities in the same order (NumVelocities each); a joint that points against the tree
//      keeps its own q and v
#pragma once

#include <array>
#include <string>
#include <vector>

#include "kinemorph/graph/connectivity/lacg.h"
#include "kinemorph/graph/connectivity/spanning_tree.h"
#include "kinemorph/graph/mechanics/joint_motion.h"
#include "kinemorph/graph/model/actuation.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// A link with the tree joint that leads to it: X_PB = X_PJ * X_FM(q)^(+-1) * X_JB, P the parent
/// body.
struct Body {
  LinkId link = kWorld;  ///< of the model
  std::string name;      ///< the link's
  JointId joint =
      kNoJoint;             ///< kNoJoint: the world, and roots without a joint to it (held rigidly)
  int parent = -1;          ///< body index, -1 for the world
  int aggregate = 0;        ///< index into Mechanism::aggregates
  bool reversed = false;    ///< the joint's predecessor is this body
  JointKind kind;           ///< Fixed where `joint` is kNoJoint
  RigidTransform X_PJ,      ///< X_PF, or X_SM when reversed
      X_JB;                 ///< X_SM^-1, or X_PF^-1 when reversed
  int q = 0,                ///< first index into q
      nq = 0,               ///< NumPositions of the kind
      v = 0,                ///< first index into v
      nv = 0;               ///< NumVelocities of the kind; 0 where the joint is held
  SpatialInertia inertia;   ///< in the link frame; zero where the link has none
  bool weightless = false;  ///< gravity does not act on it (Link::gravity is false)
  bool constant_subspace = true;  ///< S does not change in the body's frame (then S holds it)
  JointMatrix S{6, 0};  ///< 6 x nv, about Bo in axes of B; at q = 0 where it is not constant
  /// Revolute, prismatic, screw: X_PB as const + sin(q) + (1 - cos(q)) + q terms.
  struct OneDof {
    /// @{
    /// R_PB = R0 + sin(q) R1 + (1 - cos(q)) R2.
    Matrix3 R0, R1, R2;
    /// @}
    /// @{
    /// p_PB = p0 + sin(q) p1 + (1 - cos(q)) p2 + q p3 (m).
    Vector3 p0, p1, p2, p3;
    /// @}
    bool rotates = false;  ///< false: R_PB is R0, and p1 and p2 have no part
  } fast;                  ///< of no meaning for other kinds
};

/// A loop joint inside an aggregate; bodies are positions in Aggregate::bodies, -1 the aggregate's
/// parent body.
struct LoopConstraint {
  JointId joint = kNoJoint;           ///< of the model
  std::string name;                   ///< the joint's
  JointKind kind;                     ///< the joint's
  int predecessor = -1,               ///< the body P
      successor = -1;                 ///< the body S
  RigidTransform X_PF,                ///< joint frame on P
      X_SM;                           ///< joint frame on S
  Matrix3 B = Matrix3::Identity();    ///< axes of the rows in F: the joint's axis is z (x, y, z for
                                      ///< ball and fixed)
  Matrix3 R_PB,                       ///< the same axes in the predecessor
      R_SB;                           ///< those of M in the successor
  std::vector<int> predecessor_path,  ///< nu_p: from the nearest common ancestor (excluded) to P
      successor_path;                 ///< nu_s: the same to S
  int row = 0,                        ///< the first in the aggregate
      rows = 0;                       ///< how many: NumConstraints of the kind
};

/// A coupling inside an aggregate: sum of polynomials of single coordinates = constant.
struct CouplingConstraint {
  std::size_t coupling = 0;  ///< index into Model::couplings
  std::string name;          ///< the coupling's; may be empty
  /// c1 q + c2 q^2 + c3 q^3 + c4 q^4 of one coordinate.
  struct Term {
    int body = 0,               ///< position in Aggregate::bodies
        axis = 0,               ///< which of the joint's coordinates
        column = 0;             ///< column of K in the aggregate
    std::array<double, 4> c{};  ///< c1 .. c4
  };
  std::vector<Term> terms;  ///< all of joints inside the aggregate
  double constant = 0;      ///< rad or m
  int row = 0;              ///< in the aggregate
};

/// An aggregate link: a strongly connected component of the constraint dependency digraph.
struct Aggregate {
  int parent = -1;             ///< body all its base joints hang on; -1 for the world's aggregate
  std::vector<int> bodies;     ///< in tree order
  std::vector<int> parent_in;  ///< by position: the tree parent's position, -1 when it is `parent`
  std::vector<int> column;     ///< by position: first column of its joint
  std::vector<int> velocity;   ///< by column: index into v
  std::vector<LoopConstraint> loops;          ///< first in the rows
  std::vector<CouplingConstraint> couplings;  ///< after the loops
  int nv = 0,                                 ///< columns of its K
      rows = 0;                               ///< rows of its K; 0: nothing is constrained
  int row = 0;                                ///< first row in the stacked K
};

/// An actuator on a joint of the tree.
struct Drive {
  std::string name;  ///< the actuator's; may be empty
  int velocity = 0;  ///< index into v: the first of its joint
  double gear = 1;   ///< joint effort / actuator effort
  double lower,      ///< of its own effort, before the gear; infinite where unlimited
      upper;         ///< as `lower`
};

/// What the author said of independent coordinates.
struct Declaration {
  bool any = false;               ///< something is said; what is not, follows from it
  bool all = false;               ///< nothing is said, which in this format means: all are
  std::vector<bool> independent,  ///< by velocity: said, or not denied and following no leader
      named;                      ///< by velocity: declared independent in so many words
};

/// Stands by itself: nothing that computes with it needs the model again.
struct Mechanism {
  std::vector<Body> bodies;                ///< [0] is the world; parents first
  std::vector<int> body_of;                ///< by link: index into `bodies`
  std::vector<Aggregate> aggregates;       ///< as in the LACG: parents first, [0] the world's
  int nq = 0,                              ///< size of q
      nv = 0,                              ///< size of v
      rows = 0;                            ///< rows of the stacked K
  Vector3 gravity = Vector3(0, 0, -9.81);  ///< m/s^2, world axes
  // By velocity:
  std::vector<std::string> names;        ///< the joint's name, with "[i]" when it has several
  std::vector<double> armature;          ///< on the diagonal of M (kg m^2, kg); zero if absent
  std::vector<double> damping,           ///< viscous (N m s/rad, N s/m); zero if absent
      friction;                          ///< Coulomb (N m, N); zero if absent
  std::vector<double> spring_stiffness,  ///< N m/rad, N/m; zero if absent
      spring_reference;  ///< where it is slack (rad, m); zero if absent, and for ball and free
  std::vector<double> limit_stiffness,  ///< N m/rad, N/m; zero: the limits are hard
      limit_dissipation;                ///< beyond a limit (N m s/rad, N s/m)
  std::vector<double> lower,  ///< limit (rad, m); infinite where unlimited, and for ball and free
      upper;                  ///< as `lower`
  std::vector<double> velocity_limit,  ///< largest |v| (rad/s, m/s); infinite where unlimited
      effort_lower,                    ///< of the effort (N m, N); infinite where unlimited
      effort_upper;                    ///< as `effort_lower`
  std::vector<Drive> drives;           ///< actuators whose joint moves in the tree
  std::vector<Actuation> actuation;    ///< by velocity: what is known of who moves it
  Declaration declared;                ///< independent coordinates, as authored
  double length = 1;                   ///< characteristic length (m), for scaling
  /// What could not be compiled and is left out (a coupling on a quaternion ...), for people.
  std::vector<std::string> problems;

  /// q (nq) of the zero configuration: zeros, and (1, 0, 0, 0) for quaternions. Loops need not be
  /// closed there.
  [[nodiscard]] Eigen::VectorXd ZeroPosition() const;
  /// q moved by v for a time dt (s), joint by joint, loops ignored; quaternions stay unit.
  [[nodiscard]] Eigen::VectorXd Integrate(const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                          double dt) const;
};

/// The numbers of a mechanism that are by velocity.
inline constexpr std::array kNumbersByVelocity = {&Mechanism::armature,
                                                  &Mechanism::damping,
                                                  &Mechanism::friction,
                                                  &Mechanism::spring_stiffness,
                                                  &Mechanism::spring_reference,
                                                  &Mechanism::limit_stiffness,
                                                  &Mechanism::limit_dissipation,
                                                  &Mechanism::lower,
                                                  &Mechanism::upper,
                                                  &Mechanism::velocity_limit,
                                                  &Mechanism::effort_lower,
                                                  &Mechanism::effort_upper};

/// What may be asked of Compile.
struct CompileOptions {
  /// Free joints from the world keep their coordinates but have no velocities.
  bool hold_base = false;
};

/// Compiles; what cannot be is in Mechanism::problems. Tree and LACG must be of this model. Gravity
/// is the model's, or 9.81 m/s^2 along -z where it has none.
[[nodiscard]] Mechanism Compile(const Model& model, const SpanningTree& tree,
                                const LoopAggregatedConnectivityGraph& lacg,
                                const CompileOptions& options = {});
/// The same with the default spanning tree.
[[nodiscard]] Mechanism Compile(const Model& model, const CompileOptions& options = {});

/// By velocity: whether it is a length per time (for scaling).
[[nodiscard]] std::vector<bool> IsLinearVelocity(const Mechanism& mechanism);
/// By velocity: whether a drive is on it; of a joint with several, the first stands for all.
[[nodiscard]] std::vector<bool> IsDriven(const Mechanism& mechanism);
/// Of what is declared independent in so many words: more than any Actuation.
inline constexpr int kDeclared = static_cast<int>(Actuation::kDriven) + 1;
/// By velocity: how reluctantly it follows others, an Actuation or kDeclared.
[[nodiscard]] std::vector<int> Reluctance(const Mechanism& mechanism);

}  // namespace kinemorph
