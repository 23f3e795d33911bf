// A robot's coordinates by name, its loops kept closed while some of them are set or held.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kinemorph/gateway/mechanics.h"

namespace kinemorph {

/// The posture of a model. Values are as the file counts them (rad, m): MuJoCo's `ref` is in them.
class Articulation {
 public:
  /// Takes the closed posture nearest to zero. Linear in the model but for its largest cluster.
  explicit Articulation(const Model& model);
  /// The same of a model that was compiled before, which several articulations may share.
  explicit Articulation(std::shared_ptr<const Mechanics> mechanics);
  Articulation(const Articulation&) = delete;
  Articulation& operator=(const Articulation&) = delete;

  /// Every coordinate in tree order, the order of `values`.
  [[nodiscard]] const std::vector<CoordinateInfo>& coordinates() const {
    return mechanics_->coordinates();
  }
  /// By coordinate.
  [[nodiscard]] std::vector<double> values() const;
  /// Puts one coordinate at a value, the loops closed on the way so that the branch stays. Held
  /// coordinates stay, and the independent ones where the loops allow that. False, and how far the
  /// loops could follow in `why`: then nothing has moved.
  [[nodiscard]] bool Set(const std::string& name, double value, std::string& why);
  /// Several at once: "JOINT=VALUE" with units, as `kinemorph simulate --set`.
  [[nodiscard]] bool Set(const std::vector<std::string>& values, std::string& why);
  /// The same by index into `coordinates`.
  [[nodiscard]] bool Set(const std::vector<std::pair<std::size_t, double>>& values,
                         std::string& why);
  /// Asked at every step of a Set: a reason ends it, and nothing has moved.
  void InterruptBy(std::function<std::string()> interrupted) {
    interrupted_ = std::move(interrupted);
  }
  /// Stands at q (nq, as the file counts), closed or not: the next Set starts there.
  void StandAt(const Eigen::VectorXd& q);
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
  [[nodiscard]] const Mechanism& mechanism() const { return mechanics_->mechanism(); }
  /// Rank, mobility, and which coordinates are independent.
  [[nodiscard]] const Coordinates& analysis() const { return mechanics_->analysis(); }

 private:
  struct Place {
    int body = 0, index = 0;
    double offset = 0;
  };
  bool Move(const std::vector<GivenCoordinate>& targets, std::string& why);
  [[nodiscard]] std::optional<std::size_t> Find(const std::string& name, std::string& why) const;
  [[nodiscard]] GivenCoordinate Here(std::size_t coordinate) const;

  std::shared_ptr<const Mechanics> mechanics_;
  Coordinates from_;           // where a move starts is its `assembled`
  std::vector<Place> places_;  // by coordinate
  std::set<std::size_t> held_;
  Eigen::VectorXd q_;
  std::function<std::string()> interrupted_;  // may be empty
};

}  // namespace kinemorph
