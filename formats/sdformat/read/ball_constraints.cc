// Drake's tag for loops in SDFormat: two points that coincide, which is a ball as loop joint.
#include <set>

#include "read/builder.h"

namespace kinemorph::sdformat {

void Builder::BuildBallConstraints() {
  const std::string tag = "drake:ball_constraint";
  std::set<std::string> names;
  for (const JointId id : Joints(model_)) names.insert(model_.joint(id).name);
  int number = 0;
  for (const BallItem& item : description_.balls) {
    struct End {
      LinkId link = kWorld;
      NodeId frame = kNoNode;
      Vector3 point = Vector3::Zero();
    };
    const auto read_end = [&](const std::string& side, const std::string& point) {
      std::optional<End> end(std::in_place);
      const std::string body = item.element.ChildText(tag + "_body_" + side).value_or("");
      end->frame = body == "world" ? frames_.world() : frames_.Find(item.model, body);
      if (end->frame == kNoNode) {
        Diagnostic& error =
            item.element.Error("loop-link-undefined",
                               "'" + tag + "': body " + side + " '" + body + "' is not defined");
        if (const std::string near = frames_.Nearest(item.model, body); !near.empty())
          error.notes.push_back("did you mean '" + near + "'?");
        return std::optional<End>();
      }
      const xml::Element place = item.element.Child(tag + "_" + point);
      const auto p = place.TextNumbers(3, 3);
      if (!p) {
        if (!place)
          item.element.Error("loop-end-missing",
                             "'" + tag + "': has no <" + tag + "_" + point + ">x y z</...>");
        return std::optional<End>();
      }
      end->link = LinkOf(end->frame);
      end->point << (*p)[0], (*p)[1], (*p)[2];
      return end;
    };
    const std::optional<End> A = read_end("A", "p_AP"), B = read_end("B", "p_BQ");
    if (!A || !B) continue;
    if (A->link == B->link) {
      item.element.Error("self-joint",
                         "'" + tag + "': joins a body to itself; the bodies must differ");
      continue;
    }
    const auto link_frame = [&](LinkId link) {
      return link == kWorld ? frames_.world() : frames_.of_link(Index(link) - 1);
    };
    Joint joint;
    do joint.name = ++number == 1 ? "loop" : "loop_" + std::to_string(number);
    while (!names.insert(joint.name).second);
    joint.kind = Ball{};
    joint.axes.resize(static_cast<std::size_t>(NumAxes(joint.kind)));
    joint.role = JointRole::kLoop;
    joint.native_type = tag;
    joint.scope = scope_ids_[static_cast<std::size_t>(item.model)];
    joint.where = item.element.where();
    joint.X_PF =
        RigidTransform::Translation(frames_.Relative(link_frame(A->link), A->frame) * A->point);
    joint.X_SM = {frames_.Relative(link_frame(B->link), link_frame(A->link)).R,
                  frames_.Relative(link_frame(B->link), B->frame) * B->point};
    item.element.Warn("dialect", "'" + tag +
                                     "': is Drake's way to close a loop; read as the loop "
                                     "joint '" +
                                     joint.name + "'; write <joint name=\"" + joint.name +
                                     "\" type=\"ball\"> with must_be_loop_joint");
    static_cast<void>(model_.AddJoint(A->link, B->link, std::move(joint)));
  }
}

}  // namespace kinemorph::sdformat
