// The closure of one aggregate as a sequence of steps: each a loop (or a coupling, or several that
// only go together) whose unknown joints follow from the ones before.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "kinemorph/graph/mechanics/explicit_closure.h"
#include "mechanics/closed_forms.h"

namespace kinemorph {

enum class StepForm {
  kCoupling,
  kParallelogram,
  kOneHinge,  // what the steps before leave open: the rest of the loop follows by itself
  kOneSlider,
  kSerialTriangle,
  kTriangle,
  kHingeThenSlider,
  kSliderThenHinge,
  kHingeAndSlider,
  kLeg,
  kCrankThenRod,
  kRodThenCrank,
  kCrankAndRod,
  kSpherical,      // two hinges on one side that direct the axis of the loop joint
  kSphericalBoth,  // one on each side
  kCrankRodAndHand,
  kNumerical,
};

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// A joint of a loop's cycle: turning it by x moves the successor end of the loop joint by sign x.
struct CycleTurn {
  int column = 0;
  double sign = 1;
};

// What a closed form is made of, the unknown joints at zero: in the frame of the known body that
// carries the first of them.
struct ClosureGeometry {
  std::array<closed_forms::Line, 5> line;       // by joint in ClosureStep::order
  Vector3 tip = Vector3::Zero(), target = tip;  // ends of the loop joint: own side, other side
  Vector3 tip_axis = tip, target_axis = tip;    // its axis there
};

// One loop (or coupling), or several that only go together.
struct ClosureStep {
  StepForm form = StepForm::kNumerical;
  std::vector<int> loops, couplings;
  std::vector<int> unknown;                    // columns
  std::vector<std::vector<CycleTurn>> cycles;  // by loop: all columns of its two paths
  std::vector<int> path;   // positions on the two paths, and what carries them, in tree order
  std::vector<int> moved;  // those of them that an unknown joint moves
  std::vector<int> fresh;  // others that must be placed before, and were not by an earlier step
  std::vector<int> order;  // of the closed form: its joints in the order of its arguments
  std::array<bool, 5> on_other{};  // by joint in `order`: it lies on the other side of the loop
  bool on_successor = true;        // the first of them lies on the successor's path
  std::array<int, 3> sign{1, 1, 1};
  int base = -1, other = -1;  // positions of the known bodies that carry the two sides
  bool constant = false;      // no known joint lies beyond them: `geometry` is all that is needed
  bool noisy = false;         // digits of the frames: Newton has the last word
  ClosureGeometry geometry;
  int leader = -1;                   // parallelogram: the known column
  std::vector<double> coefficients;  // and what the unknown ones make of it: q = shift + c y
  std::vector<double> shifts;
  std::vector<LoopConstraint> joints;  // by loop: as a ball where the rows of its axis say nothing
  std::vector<bool> live;              // by row: some column is not zero at some posture
  std::vector<int> known;              // columns of its rows that are not unknown
  int rows = 0;                        // live ones
  RowMatrix tableau;                   // [K_U | right sides], or what became of it
  std::vector<int> pivots;             // its rows in the order of elimination
  RowMatrix K_known;                   // by `known`, at the last rates
  // Where two or three unknown joints meet in a point, rates need no elimination: what their rates
  // are by a velocity of that point, and by those of the known joints.
  bool pointwise = false;
  int across = 0;   // of two: the axis of the loop's rows across the plane in which they move
  Vector3 meeting;  // that point, from the parent body's origin in its axes
  std::vector<CycleTurn> unknown_turns, known_turns;
  std::array<Vector3, 3> by_point;
  RowMatrix by_known;
};

/// What an aggregate is divided into.
enum class Division {
  kSteps,           ///< steps, in closed form where the geometry has one
  kNumericalSteps,  ///< the same steps, all of them numerical
  kOneBlock,        ///< one numerical step
};

/// What the sequences of all aggregates use in turn.
struct ClosureWorkspace {
  const Mechanism& m;
  JointCache joints;
  std::vector<bool> linear;     ///< by velocity
  std::vector<bool> too_large;  ///< by aggregate
  /// By aggregate: the first one alike, with equal coordinates and posture.
  std::vector<int> first;
  std::vector<Eigen::VectorXd> postures;  ///< closed ones: the reference first
  Eigen::VectorXd assembled;              ///< the one nearest to zero, maybe singular
  Eigen::VectorXd v, q;
  ClosureWorkspace(const Mechanism& mechanism, const Coordinates& coordinates);
};

class ClosureSequence {
 public:
  /// `workspace` and `aggregate` must outlive this object.
  ClosureSequence(ClosureWorkspace& workspace, const Aggregate& aggregate,
                  const AggregateCoordinates& coordinates, Division division, bool warm);
  /// As in ExplicitClosures.
  GammaStatus Position(Eigen::VectorXd& q);
  /// G at a closed q; and where `v` and `g` are not null: v of the dependent coordinates from that
  /// of the independent ones in it, and g. `placed`: q is what Position made last.
  GammaStatus Rates(const Eigen::VectorXd& q, bool placed, Eigen::VectorXd* v, Eigen::MatrixXd& G,
                    Eigen::VectorXd* g);
  [[nodiscard]] ClosureDescription Describe() const;

 private:
  void Order(bool one_by_one);
  // Unknown columns, cycles and rows of a step.
  void Outline(ClosureStep& step, const std::vector<bool>& known) const;
  bool Determined(ClosureStep& step, const std::vector<bool>& known);
  void Complete(ClosureStep& step, const std::vector<bool>& known);
  // Which bodies each step must place.
  void Schedule();
  // Poses and columns of all bodies.
  void UpdateAll(const Eigen::VectorXd& q);
  // Poses; and the columns of S, after them.
  void Place(const std::vector<int>& positions, const Eigen::VectorXd& q);
  void FindColumns(const std::vector<int>& positions);
  // Velocities of what is placed.
  void Move(const Eigen::VectorXd& q, const Eigen::VectorXd& v);
  // Rows that constrain nothing at any posture do not count.
  void FindLiveRows(ClosureStep& step);
  [[nodiscard]] double Unit(int column) const {
    return s_.linear[At(g_.velocity[At(column)])] ? m_.length : 1;
  }
  // The live rows of a step: unknown columns into the tableau, all others into known_row_; then
  // `right(row)` fills the right sides. Lengths over the characteristic length.
  template <class Right>
  double Fill(ClosureStep& step, const Eigen::VectorXd& q, const Right& right);
  // k of the live rows, to `take(row, k)`.
  template <class Take>
  void Biases(const ClosureStep& step, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
              const Take& take) const;
  // Largest |phi| of a step, with its bodies placed.
  double Gap(ClosureStep& step, const Eigen::VectorXd& q);
  // [K_U | right] -> [factors | K_U^-1 right] in the rows pivots[0 .. n - 1]; the rows left over
  // are what they contradict. False where K_U is singular.
  bool Eliminate(ClosureStep& step, int right, double least = 1e-10);
  // The rows of a step in G by elimination, and in g; the same from the velocity of a point.
  bool RatesByRows(ClosureStep& step, const Eigen::VectorXd& q, Eigen::MatrixXd& G);
  void BiasByRows(const ClosureStep& step, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                  Eigen::VectorXd& g);
  bool RatesByPoint(ClosureStep& step, Eigen::MatrixXd& G);
  void BiasByPoint(const ClosureStep& step, Eigen::VectorXd& g) const;
  double& Q(Eigen::VectorXd& q, int column) const { return q[q_of_[At(column)]]; }
  // Moves the unknown joints; balls along their quaternions. `by(i)` of step.unknown[i].
  template <class By>
  void MoveUnknown(const ClosureStep& step, const By& by, Eigen::VectorXd& q) const;
  GammaStatus Solve(Eigen::VectorXd& q);
  // From the reference along a straight line of y, so that Newton stays on its branch.
  GammaStatus Follow(Eigen::VectorXd& q);
  [[nodiscard]] double Reference(int column) const { return reference_[q_of_[At(column)]]; }
  GammaStatus SolveStep(ClosureStep& step, Eigen::VectorXd& q);
  // False where it is out of reach (or the input is not a number).
  bool ClosedForm(const ClosureStep& step, const ClosureGeometry& geometry, Eigen::VectorXd& q);
  // With the unknown joints at zero and everything placed.
  void Measure(const ClosureStep& step, ClosureGeometry& geometry) const;
  GammaStatus Newton(ClosureStep& step, int iterations, Eigen::VectorXd& q);
  [[nodiscard]] bool IsLinear(const ClosureStep& step) const;
  void Recognise(ClosureStep& step);
  void Bases(ClosureStep& step) const;
  // The posture as far as this aggregate goes, with the unknown joints of the step at zero.
  Eigen::VectorXd& Opened(const ClosureStep& step, const Eigen::VectorXd& posture);
  // Whether the closed form with its known joints as in a posture gives the unknown ones of it.
  bool Returns(const ClosureStep& step, const Eigen::VectorXd& posture);
  [[nodiscard]] bool IsHinge(int c) const { return Is<Revolute>(c); }
  template <class Kind>
  [[nodiscard]] bool Is(int c) const {
    return std::holds_alternative<Kind>(m_.bodies[At(g_.bodies[At(position_of_[At(c)])])].kind);
  }
  // Which closed form fits the kinds and axes of the unknown joints.
  bool Arrange(ClosureStep& step);
  // At what was placed last.
  [[nodiscard]] const RigidTransform& Pose(int position) const {
    static const RigidTransform kNone;
    return position < 0 ? kNone : kinematics_.X[At(position)];
  }
  [[nodiscard]] closed_forms::Line LineOf(int column) const;
  // Four hinges, one of them known, and opposite sides of equal length: the unknown ones follow it
  // one to one. Drawn flat it is the parallelogram too, not the crossed one.
  bool IsParallelogram(ClosureStep& step);
  ClosureWorkspace& s_;
  const Mechanism& m_;
  const Aggregate& g_;
  std::vector<int> independent_, dependent_;
  const Eigen::VectorXd& reference_;
  std::vector<int> position_of_, q_of_;  // by column; q is -1 for coordinates that are no number
  std::vector<bool> known_;
  std::vector<ClosureStep> steps_;
  std::vector<int> dependent_q_;  // entries of q that Position sets
  bool numerical_ = false, warm_ = false;
  bool explicit_ = true;  // no ball or free joint depends in part
  AggregateKinematics kinematics_;
  Eigen::VectorXd known_row_, bias_, before_, y_;
  double phi_ = 0, least_pivot_ = 0;
  std::vector<int> all_;   // positions that the steps speak of, in tree order
  std::vector<int> late_;  // those of them that Position leaves where they were
  ClosureGeometry scratch_;

  [[nodiscard]] static std::size_t At(int i) { return static_cast<std::size_t>(i); }
};

}  // namespace kinemorph
