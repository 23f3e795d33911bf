#include "kinemorph/graph/checks/turn_axes.h"

#include <utility>
#include <variant>

#include "kinemorph/graph/model/elements.h"
#include "kinemorph/graph/model/zero_poses.h"

namespace kinemorph {
namespace {

// The direction about which a joint turns, in F and in M; zero: it does not turn. Nothing: there
// are several.
std::optional<Vector3> TurnOf(const JointKind& kind) {
  struct {
    std::optional<Vector3> operator()(const Fixed&) const { return Vector3::Zero(); }
    std::optional<Vector3> operator()(const Prismatic&) const { return Vector3::Zero(); }
    std::optional<Vector3> operator()(const Revolute& j) const { return j.axis; }
    std::optional<Vector3> operator()(const Screw& j) const { return j.axis; }
    std::optional<Vector3> operator()(const Cylindrical& j) const { return j.axis; }
    std::optional<Vector3> operator()(const Planar& j) const { return j.normal; }
    std::optional<Vector3> operator()(const Universal&) const { return std::nullopt; }
    std::optional<Vector3> operator()(const Ball&) const { return std::nullopt; }
    std::optional<Vector3> operator()(const Free&) const { return std::nullopt; }
  } visitor;
  return std::visit(visitor, kind);
}

constexpr double kParallel = 1e-9;  // rad

// From the world outwards: first over joints that do not turn, then, from all that was reached so,
// over those that turn about the direction of the first turn.
class Spread {
 public:
  explicit Spread(const Model& model)
      : model_(model), joints_(model.num_links()), reached_(model.num_links()) {
    std::vector<char> on_world(model.num_links(), false);
    std::vector<bool> hangs(model.num_links(), false);
    for (const JointId id : Joints(model)) {
      joints_[Index(model.predecessor(id))].push_back(id);
      joints_[Index(model.successor(id))].push_back(id);
      if (model.joint(id).role != JointRole::kLoop) hangs[Index(model.successor(id))] = true;
    }
    // What a joint leads to the world from hangs on that.
    std::vector<LinkId> grounded = {kWorld};
    for (std::size_t i = 0; i < grounded.size(); ++i)  // it grows
      for (const JointId id : joints_[Index(grounded[i])])
        for (const LinkId end : {model.predecessor(id), model.successor(id)})
          if (end != kWorld && !std::exchange(on_world[Index(end)], char{true}))
            grounded.push_back(end);
    const Reached still{Matrix3::Identity(), Vector3::Zero()};
    Reach(kWorld, still);
    for (const LinkId id : Links(model))
      if (!hangs[Index(id)] && !on_world[Index(id)]) Reach(id, still);
  }

  std::vector<std::optional<Vector3>> Run() {
    Over([](const Vector3&, const Vector3& turn) { return turn.isZero(0); });
    Over([](const Vector3& axis, const Vector3& turn) {
      return axis.isZero(0) || turn.cross(axis).norm() < kParallel;
    });
    std::vector<std::optional<Vector3>> axes(reached_.size());
    for (std::size_t v = 0; v < axes.size(); ++v)
      if (reached_[v]) axes[v] = reached_[v]->R_WL.transpose() * reached_[v]->axis;
    return axes;
  }

 private:
  struct Reached {
    Matrix3 R_WL;  // at zero
    Vector3 axis;  // in the world
  };

  void Reach(LinkId id, const Reached& how) {
    if (reached_[Index(id)]) return;
    reached_[Index(id)] = how;
    order_.push_back(id);
  }

  // `keeps`: whether what turns about an axis, or not at all, may be joined by such a turn.
  template <class Keeps>
  void Over(const Keeps& keeps) {
    for (std::size_t i = 0; i < order_.size(); ++i) {  // it grows
      const LinkId from = order_[i];
      const auto [R_WL, axis] = *reached_[Index(from)];
      for (const JointId id : joints_[Index(from)]) {
        const Joint& joint = model_.joint(id);
        const std::optional<Vector3> turn = TurnOf(joint.kind);
        if (!turn) continue;
        const bool down = model_.predecessor(id) == from;
        const Vector3 t_W = R_WL * (down ? joint.X_PF : joint.X_SM).R * *turn;
        if (!keeps(axis, t_W)) continue;
        const Matrix3 R_PS = PoseAtZero(joint).R;
        Reach(down ? model_.successor(id) : model_.predecessor(id),
              {R_WL * (down ? R_PS : R_PS.transpose()), axis.isZero(0) ? t_W : axis});
      }
    }
  }

  const Model& model_;
  std::vector<std::vector<JointId>> joints_;  // by link
  std::vector<std::optional<Reached>> reached_;
  std::vector<LinkId> order_;
};

}  // namespace

std::vector<std::optional<Vector3>> TurnAxes(const Model& model) { return Spread(model).Run(); }

}  // namespace kinemorph
