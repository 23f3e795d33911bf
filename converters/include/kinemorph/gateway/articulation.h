// A robot's coordinates by name, its loops kept closed while some of them are set or held.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "kinemorph/gateway/coordinates.h"
#include "kinemorph/graph/mechanics/coordinates.h"
#include "kinemorph/graph/mechanics/mechanism.h"

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

/// The posture of a model. Values are as the file counts them (rad, m): MuJoCo's `ref` is in them.
class Articulation {
 public:
  /// Takes the closed posture nearest to zero. Linear in the model but for its largest cluster.
  explicit Articulation(const Model& model);
  Articulation(const Articulation&) = delete;
  Articulation& operator=(const Articulation&) = delete;

  /// Every coordinate in tree order, the order of `values`.
  [[nodiscard]] const std::vector<CoordinateInfo>& coordinates() const { return info_; }
  /// By coordinate.
  [[nodiscard]] std::vector<double> values() const;
  /// Puts one coordinate at a value, the loops closed on the way so that the branch stays. Held
  /// coordinates stay, and the independent ones where the loops allow that. False, and how far the
  /// loops could follow in `why`: then nothing has moved.
  [[nodiscard]] bool Set(const std::string& name, double value, std::string& why);
  /// Several at once: "JOINT=VALUE" with units, as `kinemorph simulate --set`.
  [[nodiscard]] bool Set(const std::vector<std::string>& values, std::string& why);
  /// Keeps a coordinate where it is while others are set, or frees it. False where there is none of
  /// that name.
  [[nodiscard]] bool Hold(const std::string& name, bool held, std::string& why);
  /// Back to the closed posture nearest to zero.
  void Reset();

  /// Largest closure error (m, rad; lengths over the robot's size).
  [[nodiscard]] double residual() const;
  /// Coordinates that stand beyond their limits.
  [[nodiscard]] std::vector<std::string> beyond_limits() const;
  /// X_WL by link of the model, the world first.
  [[nodiscard]] std::vector<RigidTransform> link_poses() const;
  /// `{"values": [...], "residual": ..., "poses": [[16 numbers, row by row], ...]}`, by coordinate
  /// and by link.
  [[nodiscard]] std::string Json() const;

  /// q (nq) as the mechanism counts.
  [[nodiscard]] const Eigen::VectorXd& q() const { return q_; }
  /// What is computed with.
  [[nodiscard]] const Mechanism& mechanism() const { return m_; }
  /// Rank, mobility, and which coordinates are independent.
  [[nodiscard]] const Coordinates& analysis() const { return analysis_; }

 private:
  struct Place {
    int body = 0, index = 0;
    double offset = 0;
  };
  bool Move(const std::vector<GivenCoordinate>& targets, std::string& why);
  [[nodiscard]] std::optional<std::size_t> Find(const std::string& name, std::string& why) const;
  [[nodiscard]] GivenCoordinate Here(std::size_t coordinate) const;

  Mechanism m_;
  Coordinates analysis_;
  std::vector<JointPlace> joints_;
  std::vector<CoordinateInfo> info_;
  std::vector<Place> places_;  // by coordinate
  std::set<std::size_t> held_;
  Eigen::VectorXd q_, assembled_;
};

}  // namespace kinemorph
