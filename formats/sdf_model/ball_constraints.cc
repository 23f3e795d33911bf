// Drake's tag for loops in SDFormat: points that coincide, together the loop joints they are.
#include <set>

#include "kinemorph/graph/model/point_joint.h"
#include "sdf_model/builder.h"

namespace kinemorph::sdformat {

// Drake closes loops by points of two bodies that coincide. Points of one pair of bodies are taken
// together: one is a ball, two are a hinge about the line through them, three hold the bodies
// together (graph/model/point_joint.h decides, with the bodies' rotation at zero).

namespace {

const std::string kTag = "drake:ball_constraint";

}  // namespace

// The body and the point of it that one end names; nothing with an error.
std::optional<Builder::BallEnd> Builder::ReadBallEnd(const DrakeItem& item, const std::string& side,
                                                     const std::string& point) {
  const std::string body = item.element.ChildText(kTag + "_body_" + side).value_or("");
  const NodeId frame = body == "world" ? frames_.world() : frames_.Find(item.model, body);
  if (frame == kNoNode) {
    Diagnostic& error = item.element.Error(
        "loop-link-undefined", {"", kTag, "body " + side + " '" + body + "' is not defined"});
    error.suggestion = frames_.Nearest(item.model, body);
    return std::nullopt;
  }
  const xml::Element place = item.element.Child(kTag + "_" + point);
  const auto p = place.TextNumbers(3, 3);
  if (!p) {
    if (!place)
      item.element.Error("loop-end-missing",
                         {"", kTag, "has no <" + kTag + "_" + point + ">x y z</...>"});
    return std::nullopt;
  }
  // Drake allows any frame as a body; its point is carried over to the link that it moves with.
  const LinkId link = LinkOf(frame);
  return BallEnd{link, frames_.Relative(NodeOf(link), frame) * Vector3((*p)[0], (*p)[1], (*p)[2])};
}

void Builder::BuildBallConstraints() {
  std::vector<PointPair> points;
  std::vector<const DrakeItem*> items;
  for (const DrakeItem& item : description_.balls) {
    static_cast<void>(item.element.Attribute("name"));  // that of the first one is the joint's
    const std::optional<BallEnd> A = ReadBallEnd(item, "A", "p_AP"),
                                 B = ReadBallEnd(item, "B", "p_BQ");
    if (!A || !B) continue;
    if (A->link == B->link) {
      item.element.Error("self-joint",
                         {"", kTag, "joins a body to itself; the bodies must differ"});
      continue;
    }
    points.push_back({A->link, B->link, A->p_L, B->p_L});
    items.push_back(&item);
  }
  std::set<std::string> names;
  for (const JointId id : Joints(model_)) names.insert(model_.joint(id).name);
  int number = 0;
  for (PointJoint& held : JointsOfPoints(
           points, [&](LinkId A, LinkId B) { return frames_.Relative(NodeOf(B), NodeOf(A)).R; })) {
    const DrakeItem& item = *items[held.points.front()];
    Joint joint;
    joint.name = item.element.Attribute("name", "");  // as we write it; Drake has none
    if (!joint.name.empty()) joint.name = Shown(item.model, joint.name);
    while (joint.name.empty() || !names.insert(joint.name).second)
      joint.name = ++number == 1 ? "loop" : "loop_" + std::to_string(number);
    model_.dialect = "drake";
    joint.kind = std::move(held.kind);
    joint.axes.resize(static_cast<std::size_t>(NumAxes(joint.kind)));
    joint.role = JointRole::kLoop;
    joint.native_type = kTag;
    joint.scope = scope_ids_[static_cast<std::size_t>(item.model)];
    joint.where = item.element.where();
    // X_PF and X_SM are on the two bodies, so the loop need not be closed at zero.
    joint.X_PF = held.X_AF;
    joint.X_SM = held.X_BM;
    const std::size_t count = held.points.size();
    item.element.Warn(
        "dialect", {"", kTag,
                    "is Drake's way to close a loop; " + std::to_string(count) +
                        (count == 1 ? " point is" : " points are") + " read as the loop joint '" +
                        joint.name + "'; write <joint name=\"" + joint.name + "\" type=\"" +
                        std::string(KindName(joint.kind)) + "\"> with must_be_loop_joint"});
    static_cast<void>(model_.AddJoint(held.A, held.B, std::move(joint)));
  }
}

}  // namespace kinemorph::sdformat
