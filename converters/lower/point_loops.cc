// Pass `point_loops`: loop joints as coincidences of points, each row of which constrains
// something.
#include <algorithm>

#include "edit/model_edit.h"
#include "kinemorph/formats/grbda_rules.h"
#include "kinemorph/graph/mechanics/mechanism.h"
#include "kinemorph/graph/mechanics/planar_loop.h"
#include "lower/passes.h"

namespace kinemorph {
namespace {

// GRBDA holds a loop by one point, three rows of which it keeps those that depend on the posture,
// and all rows that it keeps must be independent. A spatial hinge needs two points, a weld three;
// between points of two rigid bodies some distances are then held twice. At each such direction a
// massless link on a hinge gives way, which takes one row away and leaves the motion as it was.
class PointMaker {
 public:
  PointMaker(Model& model, PassContext& context)
      : model_(model),
        context_(context),
        links_(LinkNames(model)),
        joints_(JointNames(model)),
        tree_(TreeOf(model)) {}

  void Run() {
    const std::vector<RigidTransform> X_W = ZeroPoses(model_, tree_);
    const std::vector<JointId> loops = tree_.loop_joints;
    const double length = Compile(model_).length;
    for (const JointId id : loops) {
      const Joint whole = model_.joint(id);
      const bool revolute = std::holds_alternative<Revolute>(whole.kind),
                 fixed = std::holds_alternative<Fixed>(whole.kind);
      size_ = SizeOf(id);
      if (const std::optional<Vector3> normal = PlaneNormal(model_, tree_, X_W, id)) {
        if (RowsOfPointLoop(model_, tree_, id) <= 2) continue;
        const LinkId s = model_.successor(id);
        const Vector3 normal_M = (X_W[Index(s)].R * whole.X_SM.R).transpose() * *normal;
        Point(id, whole, Vector3::Zero(), {normal_M});
        Say(whole,
            "moves in a plane that is not a coordinate plane of its nearest common ancestor, or "
            "about axes of both signs");
      } else if (const auto centre = SphereCentre(model_, tree_, X_W, id, length)) {
        // A point of the axis away from the centre; one at the centre would stand still anyway.
        const Vector3 axis = std::get<Revolute>(whole.kind).axis;
        const RigidTransform X_WM = X_W[Index(model_.successor(id))] * whole.X_SM;
        Point(id, whole, X_WM.inverse() * *centre + size_ * axis, {axis});
        Say(whole, "moves about a point and becomes the coincidence of one point of its axis");
      } else if (revolute) {
        const Vector3 axis = std::get<Revolute>(whole.kind).axis;
        Point(id, whole, Vector3::Zero(), {});
        Point(kNoJoint, whole, size_ * axis, {axis});
        Say(whole, "becomes the coincidence of two points of its axis");
      } else if (fixed) {
        const Vector3 x = Vector3::UnitX(), y = Vector3::UnitY();
        Point(id, whole, Vector3::Zero(), {});
        Point(kNoJoint, whole, size_ * x, {x});
        Point(kNoJoint, whole, size_ * y, {y, x});
        Say(whole, "becomes the coincidence of three points");
      }
    }
    ends_.resize(model_.num_joints(), {kNoLink, kNoLink});
    model_.Reconnect([&](JointId joint) {
      return ends_[Index(joint)].first == kNoLink
                 ? std::pair(model_.predecessor(joint), model_.successor(joint))
                 : ends_[Index(joint)];
    });
  }

 private:
  // A length like those of the loop (m), so that the rows are of one size.
  double SizeOf(JointId id) const {
    double size = 0;
    const LinkId p = model_.predecessor(id), s = model_.successor(id),
                 nca = NearestCommonAncestor(tree_, p, s);
    for (const LinkId end : {p, s}) {
      for (const LinkId link : PathSubchain(tree_, nca, end)) {
        const JointId up = tree_.parent_joint[Index(link)];
        if (up != kNoJoint) size = std::max(size, model_.joint(up).X_PF.p.norm());
      }
    }
    return size > 0 ? size : 1;
  }

  void Say(const Joint& whole, const std::string& what) {
    context_.Lowered(Called("loop joint", SubjectOf(whole)),
                     what + "; massless links give way where the points fix a distance twice");
  }

  // The point `p_M` of both loop frames coincides; the successor's gives way along each of
  // `directions` (unit, in M). `id` is the loop joint itself, or kNoJoint for one more.
  void Point(JointId id, const Joint& whole, const Vector3& p_M,
             const std::vector<Vector3>& directions) {
    // The first point is the loop joint itself, the others are joints beside it with the same ends.
    const JointId first = whole_id_ = id == kNoJoint ? whole_id_ : id;
    const std::pair ends(model_.predecessor(first), model_.successor(first));
    Joint point = whole;
    point.kind = Ball{};
    point.native_type.clear();
    // What the loop joint says of its coordinate stays with the first point, to be lost by name.
    if (id == kNoJoint || whole.axes.empty()) point.axes.assign(1, JointAxis());
    point.X_PF = whole.X_PF * RigidTransform::Translation(p_M);
    point.X_SM = whole.X_SM * RigidTransform::Translation(p_M);
    LinkId successor = ends.second;
    for (const Vector3& direction : directions) successor = GiveWay(successor, point, direction);
    if (id == kNoJoint) {
      point.name = joints_.Take(whole.name);
      id = model_.AddJoint(ends.first, successor, std::move(point));
    } else {
      model_.joint(id) = std::move(point);
    }
    ends_.resize(model_.num_joints(), {kNoLink, kNoLink});
    ends_[Index(id)] = {ends.first, successor};
  }

  // A massless link on a hinge beside the point: turning by e moves the point by -size e along n.
  // X_SM of `point` and its axes follow onto the new link, which keeps the directions of M.
  LinkId GiveWay(LinkId on, Joint& point, const Vector3& n) {
    // w, n and w x n are the axes of the hinge's frame E: it stands at a distance of size_ along w
    // and turns about w x n, so that to first order the point moves along n alone.
    Vector3 w =
        n.cross(Vector3::Unit((n.cwiseAbs().maxCoeff() == std::abs(n[0])) ? 1 : 0)).normalized();
    Link link;
    link.name = links_.Take(point.name + "_give");
    link.scope = model_.link(on).scope;
    link.synthetic = true;
    link.where = point.where;
    const LinkId to = model_.AddLink(std::move(link));
    Joint hinge;
    hinge.name = joints_.Take(point.name + "_give_joint");
    hinge.kind = Revolute{Vector3::UnitZ()};
    hinge.role = JointRole::kTree;
    hinge.axes.assign(1, JointAxis());
    hinge.scope = point.scope;
    hinge.where = point.where;
    Matrix3 R_ME;
    R_ME << w, n, w.cross(n);
    hinge.X_PF = point.X_SM * RigidTransform{R_ME, size_ * w};
    point.X_SM = hinge.X_PF.inverse() * point.X_SM;
    model_.AddJoint(on, to, std::move(hinge));
    return to;
  }

  Model& model_;
  PassContext& context_;
  UniqueNames links_, joints_;
  const SpanningTree tree_;
  double size_ = 1;
  JointId whole_id_ = kNoJoint;
  std::vector<std::pair<LinkId, LinkId>> ends_;
};

}  // namespace

void PointLoops(Model& model, PassContext& context) { PointMaker(model, context).Run(); }

}  // namespace kinemorph
