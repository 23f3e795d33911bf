// A robot's kinematics and dynamics as functions of arrays, in the order and the words of the
// command.
//
//   q  (nq) positions as the file counts them (rad, m): MuJoCo's `ref` is in them; quaternions w
//      first
//   v  (nv) velocities in the same order (rad/s, m/s); of a ball or free joint [omega; v] in axes
//      of its body
//
// Spatial vectors are stacked angular first. Nothing here changes, so that any number of threads
// may ask one object at a time.
#pragma once

#include <string>
#include <vector>

#include "kinemorph/gateway/coordinates.h"
#include "kinemorph/graph/mechanics/dynamics.h"

namespace kinemorph {

/// One scalar coordinate of a joint of the tree.
struct CoordinateInfo {
  std::string name;          ///< "elbow"; "wrist.1" where a joint has several
  std::string joint;         ///< of the joint
  bool length = false;       ///< metres, else radians (or a number of a quaternion)
  bool quaternion = false;   ///< part of the position of a ball or free joint
  bool independent = false;  ///< the loops leave it free, as declared or as chosen
  double lower = 0,          ///< limit as the file counts; infinite where there is none
      upper = 0;             ///< as `lower`
};

/// One scalar velocity of a joint of the tree.
struct VelocityInfo {
  std::string name;          ///< "elbow"; "wrist.1" where a joint has several
  std::string joint;         ///< of the joint
  bool length = false;       ///< m/s, else rad/s
  bool independent = false;  ///< the loops leave it free, as declared or as chosen
};

/// A model compiled for computation.
class Mechanics {
 public:
  /// Linear in the model but for its largest cluster.
  explicit Mechanics(const Model& model);

  /// Every position in tree order: the order of q.
  [[nodiscard]] const std::vector<CoordinateInfo>& coordinates() const { return coordinates_; }
  /// Every velocity in the same order: the order of v, tau and accelerations.
  [[nodiscard]] const std::vector<VelocityInfo>& velocities() const { return velocities_; }
  /// Velocities that the loops leave free, ascending: the columns of G.
  [[nodiscard]] const std::vector<int>& independent() const { return independent_; }
  /// Of the constraint rows: "loop1.vx".
  [[nodiscard]] const std::vector<std::string>& rows() const { return rows_; }
  /// The same robot under another gravity (m/s^2, world axes).
  [[nodiscard]] Mechanics WithGravity(const Vector3& gravity) const;
  /// The closed q nearest to zero, the best where none closes.
  [[nodiscard]] Eigen::VectorXd Assembled() const { return ToFile(analysis_.assembled); }

  /// Largest closure error (m, rad; lengths over the robot's size).
  [[nodiscard]] double Residual(const Eigen::VectorXd& q) const;
  /// X_WL by link of the model, the world first.
  [[nodiscard]] std::vector<RigidTransform> LinkPoses(const Eigen::VectorXd& q) const;
  /// J (6 x nv) of a frame F that is fixed in a link, V = J v of its origin as if the loops were
  /// open, in axes of F (kBody) or of the world.
  [[nodiscard]] Matrix6X Jacobian(const Eigen::VectorXd& q, LinkId link, JacobianFrame frame,
                                  const RigidTransform& X_LF = {}) const;
  /// Mass of all links, and where it is centred in the world.
  [[nodiscard]] MassCentre MassCentreAt(const Eigen::VectorXd& q) const;
  /// phi, K and k of the loops and couplings: dphi/dt = K v, K qdd = k at a closed state.
  [[nodiscard]] ConstraintRows Rows(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const;
  /// v = G yd and qdd = G ydd + g, y the independent coordinates in the order of `independent`.
  [[nodiscard]] Embedding Explicit(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const;
  /// q moved by v for a time dt (s), loops ignored; quaternions stay unit.
  [[nodiscard]] Eigen::VectorXd Integrate(const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                          double dt) const;
  /// M (nv x nv; kg m^2, kg m, kg) of the spanning tree.
  [[nodiscard]] Eigen::MatrixXd Mass(const Eigen::VectorXd& q) const;
  /// Coriolis, centrifugal and gravity forces of the spanning tree (nv; N m, N).
  [[nodiscard]] Eigen::VectorXd BiasForces(const Eigen::VectorXd& q,
                                           const Eigen::VectorXd& v) const;
  /// Springs and viscous damping of the joints (nv; N m, N).
  [[nodiscard]] Eigen::VectorXd Passive(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const;
  /// Kinetic energy, and potential energy of gravity (J).
  [[nodiscard]] Energy EnergyAt(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const;
  /// Accelerations (nv) at a closed state under forces `tau` (nv), springs and damping of the
  /// joints; Coulomb friction is not in it.
  DynamicsStatus Forward(const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                         const Eigen::VectorXd& tau, Eigen::VectorXd& qdd) const;
  /// Forces (nv) on the independent coordinates alone that give `qdd` at a closed state, the
  /// inverse of Forward: zero for the others.
  DynamicsStatus Inverse(const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                         const Eigen::VectorXd& qdd, Eigen::VectorXd& tau) const;

  /// @{
  /// q as the file counts, and as the mechanism does.
  [[nodiscard]] Eigen::VectorXd ToFile(const Eigen::VectorXd& q) const { return q + offset_; }
  [[nodiscard]] Eigen::VectorXd FromFile(const Eigen::VectorXd& q) const { return q - offset_; }
  /// @}
  /// Joints with coordinates, in tree order.
  [[nodiscard]] const std::vector<JointPlace>& joints() const { return joints_; }
  /// What is computed with.
  [[nodiscard]] const Mechanism& mechanism() const { return m_; }
  /// Rank, mobility, and which coordinates are independent.
  [[nodiscard]] const Coordinates& analysis() const { return analysis_; }

 private:
  void DescribeCoordinates();

  Mechanism m_;
  Coordinates analysis_;
  std::vector<JointPlace> joints_;
  std::vector<CoordinateInfo> coordinates_;
  std::vector<VelocityInfo> velocities_;
  std::vector<int> independent_;
  std::vector<std::string> rows_;
  Eigen::VectorXd offset_;  // of the file's q over the mechanism's
};

}  // namespace kinemorph
