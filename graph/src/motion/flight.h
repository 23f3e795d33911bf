// A mechanism of which no foot stands, with one division of its coordinates: dynamics by recursion,
// loops closed by formulas where they have one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kinemorph/graph/closures/explicit_closure.h"
#include "kinemorph/graph/mechanics/constraint_embedding.h"

namespace kinemorph::motion {

class Flight {
 public:
  /// From a closed q on. `mechanism` must outlive this object.
  Flight(const Mechanism& mechanism, const Eigen::VectorXd& q, const std::vector<int>& independent);
  [[nodiscard]] ConstraintEmbeddingDynamics& recursion() { return recursion_; }
  /// Moves the dependent coordinates of q to where the loops are closed, and completes v: by
  /// formulas, on the branch near q, and by Newton with the K of the recursion, which is evaluated
  /// last at the q that stays. `gap` is work space. What stands against it; else nothing.
  [[nodiscard]] std::string Close(Eigen::VectorXd& q, Eigen::VectorXd& v, Eigen::VectorXd& gap);
  /// After the first Close: the aggregates that formulas close, in whole or in part.
  [[nodiscard]] const std::vector<int>& by_formula() const { return by_formula_; }

 private:
  void FindFormulas();

  const Mechanism& m_;
  Coordinates coordinates_;
  ConstraintEmbeddingDynamics recursion_;
  std::vector<bool> linear_;
  std::unique_ptr<ExplicitClosures> closures_;  // made when they are needed
  std::vector<int> by_formula_;
};

}  // namespace kinemorph::motion
