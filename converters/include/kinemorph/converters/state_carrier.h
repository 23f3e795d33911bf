// States of one description as states of another one of the same mechanism.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "kinemorph/converters/loss_report.h"
#include "kinemorph/graph/mechanics/mechanism.h"

namespace kinemorph {

/// Puts B where A is: each link that both have stands and moves as in A. Joints may be split, turned
/// or counted from elsewhere, and loops be cut at other joints: links that only B has follow from
/// the joints around them and from the loops that end on them.
class StateCarrier {
 public:
  /// A state of B, in the order of its mechanism.
  struct State {
    Eigen::VectorXd q;  ///< nq: positions
    Eigen::VectorXd v;  ///< nv: velocities
  };
  /// B is what a conversion of A wrote, as it is read back; `report` is that of the conversion.
  StateCarrier(const Model& a, const Model& b, const LossReport& report);
  ~StateCarrier();
  StateCarrier(StateCarrier&&) noexcept;  ///< the other may only be destroyed
  StateCarrier(const StateCarrier&) = delete;
  StateCarrier& operator=(const StateCarrier&) = delete;
  StateCarrier& operator=(StateCarrier&&) = delete;

  /// B's model and mechanism.
  [[nodiscard]] const Model& model() const;
  [[nodiscard]] const Mechanism& mechanism() const;  ///< of `model`
  /// The state of B at q and v of `a`, a mechanism of A's model whose joints may be held. Turns of
  /// joints that A has too are A's, those of others near the last state. The loops of B are closed
  /// to 1e-9 (rad, lengths over that of the robot), or as far as those of A are; else nothing, and
  /// why.
  [[nodiscard]] std::optional<State> Carry(const Mechanism& a, const Eigen::VectorXd& q,
                                           const Eigen::VectorXd& v, std::string& why);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace kinemorph
