// The closure of one aggregate as a sequence of steps: each a loop (or a coupling, or several that
// only go together) whose unknown joints follow from the ones before.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "closures/closure_step.h"
#include "kinemorph/graph/closures/explicit_closure.h"

namespace kinemorph {

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
                  const AggregateCoordinates& coordinates, Division division, bool warm,
                  bool nearest);
  /// As in ExplicitClosures.
  GammaStatus Position(Eigen::VectorXd& q);
  /// G at a closed q; and where `v` and `g` are not null: v of the dependent coordinates from that
  /// of the independent ones in it, and g. `placed`: q is what Position made last.
  GammaStatus Rates(const Eigen::VectorXd& q, bool placed, Eigen::VectorXd* v, Eigen::MatrixXd& G,
                    Eigen::VectorXd* g);
  [[nodiscard]] ClosureDescription Describe() const;
  [[nodiscard]] const std::vector<ClosureStep>& steps() const { return steps_; }

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
  // `guess`: where the branch is the one near it, by joint of the form; null: that of the step.
  bool ClosedForm(const ClosureStep& step, const ClosureGeometry<double>& geometry,
                  const std::array<double, 5>* guess, Eigen::VectorXd& q);
  // With the unknown joints at zero and everything placed.
  void Measure(const ClosureStep& step, ClosureGeometry<double>& geometry) const;
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
  [[nodiscard]] closed_forms::Line<double> LineOf(int column) const;
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
  bool numerical_ = false;
  const bool warm_, nearest_;
  bool explicit_ = true;  // no ball or free joint depends in part
  AggregateKinematics kinematics_;
  Eigen::VectorXd known_row_, bias_, before_, y_;
  double phi_ = 0, least_pivot_ = 0;
  std::vector<int> all_;   // positions that the steps speak of, in tree order
  std::vector<int> late_;  // those of them that Position leaves where they were
  ClosureGeometry<double> scratch_;
  std::array<double, 5> guess_{};

  [[nodiscard]] static std::size_t At(int i) { return static_cast<std::size_t>(i); }
};

}  // namespace kinemorph
