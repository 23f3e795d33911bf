// q = gamma(y), qd = G yd, qdd = G ydd + g of one aggregate, loop by loop: closed forms where the
// geometry has them, Newton where it has not (the hybrid closure of Kumar et al., one level finer:
// by loop, not by submechanism).
//
// A loop whose unknown joints are determined by it alone is a step; its bodies are known from then
// on (the order of Assur groups). What cannot be ordered so is one numerical block.
//
//   parallelogram   R R R, hinge       constant G, also through the change point
//   hinge, slide    R or P             what the steps before leave open of a loop
//   triangle        R R, hinge         four-bars, two cranks on a rod
//   slider          R P, hinge         cylinders, crank and slider
//   leg             R R P, ball        universal joint, cylinder, ball (n2 perpendicular to P)
//   crank and rod   R R R, ball        a crank, and a rod on two hinges that meet
//   spherical       R R, hinge         all axes through one point
//   crank, rod and cross  5 R, hinge   a crank and rod whose end is a universal joint
//   coupling        one coordinate     gears, mimics, tendons
//   numerical       anything
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/graph/mechanics/coordinates.h"

namespace kinemorph {

class ClosureSequence;
struct ClosureWorkspace;

/// Whether gamma, G or g of an aggregate could be had.
enum class GammaStatus {
  kOk,             ///< the result holds
  kUnreachable,    ///< no position of the dependent joints closes a loop for this y
  kNoConvergence,  ///< a numerical step did not get there
  kSingular,       ///< the independent coordinates do not determine the rest here
  kNotExplicit,    ///< many loops (ClosureSolver solves them), or a ball or free joint of which a
                   ///< part is independent: no coordinate to give
};
/// In words: "ok", "not reachable", "singular posture" ...
[[nodiscard]] std::string_view Name(GammaStatus status);

/// How ExplicitClosures works.
struct ExplicitClosureOptions {
  bool closed_forms = true;  ///< else every aggregate is one numerical block
  /// Numerical steps start from the dependent coordinates in q, wherever they are, and not from the
  /// reference posture: fast along a path, but the branch is the caller's.
  bool warm = false;
  /// Closed forms too: of their branches the one near q, so that motion goes on through a posture
  /// in which branches meet.
  bool nearest = false;
  /// By aggregate: Newton closes these, whatever their geometry, loop after loop where a loop
  /// determines its unknown joints. May be empty.
  std::vector<bool> numerical = {};
};

/// How the loops of an aggregate are closed.
enum class ClosureNature {
  kNone,        ///< nothing depends on anything
  kLinear,      ///< constant G: gears, mimics, parallelograms
  kClosedForm,  ///< every step is solved by a formula
  kMixed,       ///< some steps are
  kNumerical,   ///< none is
};
/// "linear", "closed form", "mixed", "numerical"; "none".
[[nodiscard]] std::string_view Name(ClosureNature nature);

/// How an aggregate is closed, for people.
struct ClosureDescription {
  ClosureNature nature = ClosureNature::kNone;  ///< by its steps
  /// Its steps: "leg + leg", "triangle + numerical (2 loops, 7 unknown)"; "2 loops, 7 unknown".
  std::string detail;
};
/// By aggregate, one after the other: without the memory of solvers for all.
[[nodiscard]] std::vector<ClosureDescription> DescribeClosures(const Mechanism& mechanism,
                                                               const Coordinates& coordinates);

/// What the closures of one aggregate give at random closed states, beside Newton on all its loops
/// at once from a perturbed start. Lengths over the characteristic length.
struct ClosureComparison {
  int states = 0;       ///< where both closed
  int lost = 0;         ///< where one of them did not
  int singular = 0;     ///< where y does not determine the rest to more than five digits
  double position = 0;  ///< largest difference in q (rad, of balls between the two turns, or scaled
                        ///< length)
  double velocity = 0;  ///< largest |K G| on independent rows, relative to the largest |G|
  double acceleration = 0;   ///< largest |K g - k| on them, relative to 1 + the largest |k|
  double contradiction = 0;  ///< the same two on redundant rows: digits of the frames
};
/// By aggregate; zeros where nothing depends or the aggregate is large.
[[nodiscard]] std::vector<ClosureComparison> CompareClosures(const Mechanism& mechanism,
                                                             const Coordinates& coordinates,
                                                             int states = 20);

/// Of all aggregates of a mechanism. Holds its work space: a call allocates nothing. Equal y gives
/// equal q, whatever was asked before. The assembly mode is that of the reference posture (the
/// assembled one, or where that is singular one near it) and never changes, unless the options let it
/// follow q.
class ExplicitClosures {
 public:
  /// `mechanism` must outlive this object.
  ExplicitClosures(const Mechanism& mechanism, const Coordinates& coordinates,
                   const ExplicitClosureOptions& options = {});
  ~ExplicitClosures();
  ExplicitClosures(const ExplicitClosures&) = delete;
  ExplicitClosures& operator=(const ExplicitClosures&) = delete;

  /// Sets the dependent coordinates of the aggregate in q (rad, m) from the independent ones in it;
  /// other aggregates are not touched. Unless kOk, q keeps what it had.
  GammaStatus Position(int aggregate, Eigen::VectorXd& q);
  /// G (nv x mobility; columns and rows as in AggregateCoordinates) at a closed q.
  GammaStatus Velocity(int aggregate, const Eigen::VectorXd& q, Eigen::MatrixXd& G);
  /// G, and g (nv) for velocities v of the whole mechanism with v = G yd here.
  GammaStatus Acceleration(int aggregate, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                           Eigen::MatrixXd& G, Eigen::VectorXd& g);

  /// The same, and the velocities of the dependent coordinates in v from those of the independent
  /// ones in it.
  GammaStatus Rates(int aggregate, const Eigen::VectorXd& q, Eigen::VectorXd& v, Eigen::MatrixXd& G,
                    Eigen::VectorXd& g);
  /// Position and then Rates, in less time than one after the other: the system state of the hybrid
  /// closure paper.
  GammaStatus State(int aggregate, Eigen::VectorXd& q, Eigen::VectorXd& v, Eigen::MatrixXd& G,
                    Eigen::VectorXd& g);

  /// How this aggregate is closed.
  [[nodiscard]] ClosureDescription Describe(int aggregate) const;

 private:
  std::unique_ptr<ClosureWorkspace> workspace_;
  std::vector<std::unique_ptr<ClosureSequence>> sequences_;  // by aggregate; null where none is
};

}  // namespace kinemorph
