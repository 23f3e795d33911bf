// The equations of motion of a mechanism with loops and feet as one explicit ordinary differential
// equation x' = f(t, x).
//
//   x = (q, v, W)   q and v as in Mechanism, W the work (J) of controller, dampers and friction on
//   the mechanism
//
// The coordinates are divided, q = (y, z): K_z is square, rho = [1; -K_z^-1 K_y] and v = rho yd.
//   embedding   z is closed at every evaluation, by formulas or by Newton from the z in x;
//               x' = (N v, vd, power)
//   spf         the singularly perturbed formulation (Kamidi et al.): z' = -K_z^-1 (phi/eps + K_y
//   yd), so that phi decays as exp(-t/eps) and stays bounded; the dynamics takes v = rho yd
// vd = rho ydd + g with K_z g = k: constraint-embedding recursion in flight, dense projection while
// feet stand (their rows are those of loops to the ground then).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kinemorph/graph/mechanics/dynamics.h"
#include "kinemorph/graph/mechanics/foot.h"

namespace kinemorph {

/// How the loops are kept closed; the formulas stand at the head of the file.
enum class MotionMethod {
  kEmbedding,  ///< closed at every evaluation
  kSpf,        ///< the singularly perturbed formulation: phi decays as exp(-t/eps)
};

/// Forces of the actuators by velocity (N, N m), from the state; `standing` by foot. `tau` comes in
/// as zero.
using Controller = std::function<void(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                      const std::vector<bool>& standing, Eigen::VectorXd& tau)>;

/// What a MotionSystem is made of beside the mechanism.
struct MotionOptions {
  MotionMethod method = MotionMethod::kEmbedding;  ///< of the loops, and of standing feet
  double eps = 0.05;       ///< time in which phi decays (s), of kSpf only; positive
  std::vector<Foot> feet;  ///< known by their index; may be empty
  Ground ground;           ///< what they may stand on
  Controller controller;   ///< none: no forces
};

/// What can be measured at a state.
struct MotionSample {
  double t = 0;       ///< s
  Eigen::VectorXd q,  ///< nq
      v,              ///< nv
      tau;            ///< nv: what the controller gave (N m, N)
  double phi = 0;     ///< largest closure residual of loops and couplings (m, rad)
  /// Kinetic, potential (zero at the world's origin), of springs and of soft limits (J).
  double energy = 0;
  double foot_drift = 0;       ///< largest distance of a standing foot from where it came down (m)
  std::vector<bool> standing;  ///< by foot
  std::vector<Vector3> foot,   ///< by foot: where it is (m), world axes
      force;                   ///< by foot: what the ground does (N), world axes; zero in the air
};

/// What an impact does.
struct ImpactResult {
  bool ok = false;               ///< false: MotionSystem::Why says why not
  Eigen::VectorXd v;             ///< after it (nv)
  std::vector<Vector3> impulse;  ///< by foot (N s), world axes
};

/// How near the constraints of one block are to a change point.
struct RankMargin {
  double least = 1;      ///< sigma_rank(K) / sigma_1(K) of all its rows, without units; 1: not near
  bool positive = true;  ///< det K_z > 0; of meaning until the next Divide
};

/// The right-hand side f(t, x) of the equations of motion, for an integrator, and what can be
/// measured. Divide comes first, and again whenever other feet stand.
class MotionSystem {
 public:
  /// `mechanism` must outlive this object.
  MotionSystem(const Mechanism& mechanism, MotionOptions options);
  ~MotionSystem();
  MotionSystem(const MotionSystem&) = delete;
  MotionSystem& operator=(const MotionSystem&) = delete;

  [[nodiscard]] const Mechanism& mechanism() const;    ///< the one it was made for
  [[nodiscard]] const MotionOptions& options() const;  ///< as given
  /// x = (q, v, 0): no work done yet.
  [[nodiscard]] Eigen::VectorXd StateOf(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const;
  [[nodiscard]] Eigen::VectorXd Position(const Eigen::VectorXd& x) const;  ///< q of x
  [[nodiscard]] Eigen::VectorXd Velocity(const Eigen::VectorXd& x) const;  ///< v of x

  /// Divides the coordinates at a closed q, with these feet standing where they are (their height
  /// becomes that of the ground). `afresh`: by the numbers alone, not by what the author declared.
  /// False where that cannot be done; Why() says so.
  bool Divide(const Eigen::VectorXd& q, const std::vector<bool>& standing, bool afresh = false);
  /// By foot: as given to the last Divide.
  [[nodiscard]] const std::vector<bool>& standing() const;
  /// Velocities that are independent now, in order.
  [[nodiscard]] const std::vector<int>& independent() const;
  /// rho (nv x independent) at the q of the last Rate or Settle.
  [[nodiscard]] Eigen::MatrixXd Rho() const;

  /// x' at x. False where there is none; Why() says so.
  bool Rate(double t, const Eigen::VectorXd& x, Eigen::VectorXd& rate);
  /// After a step: unit quaternions, z closed (embedding), v = rho yd. False where that cannot be;
  /// Why() says so.
  bool Settle(Eigen::VectorXd& x);
  /// The same with nothing but rounding left of phi: beside a change point, what is left of it
  /// counts as much more in z.
  bool SettleToRounding(Eigen::VectorXd& x);
  /// From here on z is closed with kSpf too: beside a change point, a gap that has not faded yet
  /// bends the branch.
  void CloseAlways(bool always);
  /// sigma_min(K_z) at the last Settle over what it was when the coordinates were divided; the
  /// least over the aggregates.
  [[nodiscard]] double Conditioning() const;

  /// By block, at the last Settle. A block is an aggregate in flight, the robot while feet stand.
  [[nodiscard]] const std::vector<RankMargin>& RankMargins() const;
  /// RankMargin::least of one block at x, whatever its size; nothing is solved for.
  [[nodiscard]] double RankMarginAt(std::size_t block, const Eigen::VectorXd& x);
  /// Names of the coordinates that move most where this block has its least singular value: they
  /// get free at a change point. Of the last Settle.
  [[nodiscard]] std::vector<std::string> LoosestJoints(std::size_t block) const;

  /// At a settled state. False where there are no accelerations while feet stand; Why() says so.
  bool Measure(double t, const Eigen::VectorXd& x, MotionSample& sample);
  /// The same with q and v as they stand in x, also where the loops have lost rank.
  bool MeasureAsItIs(double t, const Eigen::VectorXd& x, MotionSample& sample);
  /// Height of a foot above the ground (m).
  [[nodiscard]] double FootHeight(const Eigen::VectorXd& x, std::size_t foot) const;
  /// Velocity of a foot along the ground's normal (m/s).
  [[nodiscard]] double FootRate(const Eigen::VectorXd& x, std::size_t foot) const;
  /// Rigid, without restitution: the mass-weighted projection of v on what the standing feet and
  /// the loops allow, at a settled state with the coordinates divided for them.
  [[nodiscard]] ImpactResult Impact(const Eigen::VectorXd& x);
  /// phi of the rows in use of the last evaluation, without units.
  [[nodiscard]] double Gap() const;

  /// What went wrong last, in words; of no meaning after a success.
  [[nodiscard]] const std::string& Why() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kinemorph
