// Which coordinate of A is which of B.
#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>

#include "kinemorph/graph/checks/units.h"
#include "verify/values.h"

namespace kinemorph::verify {
namespace {

// The joints from a shared link up to the next shared one, top first.
struct Hop {
  int top = 0;
  std::vector<int> bodies;
};

// Between the same two shared links, one side may have a universal joint and the other two hinges:
// a hop is the row of joints between them, and coordinates are paired in their order along it.
std::map<std::pair<LinkId, LinkId>, Hop> Hops(const Side& side, const std::vector<LinkId>& other,
                                              const std::vector<LinkId>* translate) {
  std::map<std::pair<LinkId, LinkId>, Hop> hops;
  const auto shared = [&](int body) {
    return other[Index(side.m.bodies[U(body)].link)] != kNoLink;
  };
  const auto id = [&](int body) {  // in terms of A
    const LinkId link = side.m.bodies[U(body)].link;
    return translate == nullptr ? link : (*translate)[Index(link)];
  };
  for (int b = 1; b < static_cast<int>(side.m.bodies.size()); ++b) {
    if (!shared(b)) continue;
    Hop hop;
    int at = b;
    do {
      hop.bodies.push_back(at);
      at = side.m.bodies[U(at)].parent;
    } while (at > 0 && !shared(at));
    hop.top = at;
    std::reverse(hop.bodies.begin(), hop.bodies.end());
    hops[{id(at), id(b)}] = hop;
  }
  return hops;
}

std::vector<std::pair<int, int>> ScalarCoordinates(const Side& side,
                                                   const Hop& hop) {  // (body, axis)
  std::vector<std::pair<int, int>> coordinates;
  for (const int b : hop.bodies) {
    const Body& body = side.m.bodies[U(b)];
    if (body.nq != body.nv) return {};
    for (int i = 0; i < body.nv; ++i)
      coordinates.emplace_back(b, body.reversed ? body.nv - 1 - i : i);  // from the root outwards
  }
  return coordinates;
}

// Of a hop's coordinates only the first angle.
void KeepAngle(const Side& side, std::vector<std::pair<int, int>>& coordinates) {
  const auto angle = std::find_if(coordinates.begin(), coordinates.end(), [&](const auto& c) {
    return IsAngular(side.m.bodies[U(c.first)].kind, U(c.second));
  });
  if (angle != coordinates.end()) std::swap(*angle, coordinates.front());
  coordinates.resize(std::min<std::size_t>(coordinates.size(), 1));
}

// A turn and a displacement along one line have no order: no angle is paired with a displacement.
void PutAnglesBesideAngles(const Side& a, const std::vector<std::pair<int, int>>& ca, const Side& b,
                           std::vector<std::pair<int, int>>& cb) {
  const auto angular = [](const Side& side, const std::pair<int, int>& coordinate) {
    return IsAngular(side.m.bodies[U(coordinate.first)].kind, U(coordinate.second));
  };
  for (std::size_t i = 0; i < ca.size(); ++i) {
    const auto from = cb.begin() + static_cast<std::ptrdiff_t>(i);
    const auto same = std::find_if(
        from, cb.end(), [&](const auto& c) { return angular(b, c) == angular(a, ca[i]); });
    if (same != cb.end()) std::rotate(from, same, same + 1);
  }
}

// Two angles of which a pose tells only the sum.
bool TurnsAboutOneLine(const JointKind& kind) {
  const auto* universal = std::get_if<Universal>(&kind);
  return universal != nullptr && universal->axis1.cross(universal->axis2).norm() < 1e-9;
}

}  // namespace

std::vector<int> BodyOfJoint(const Side& side) {
  std::vector<int> body(side.model.num_joints(), -1);
  for (std::size_t b = 0; b < side.m.bodies.size(); ++b) {
    if (side.m.bodies[b].joint != kNoJoint)
      body[Index(side.m.bodies[b].joint)] = static_cast<int>(b);
  }
  return body;
}

double CountsFrom(const Model& model, JointId id, int axis) {
  const std::vector<JointAxis>& axes = model.joint(id).axes;
  return U(axis) < axes.size() ? axes[U(axis)].position_offset : 0;
}

std::vector<CoordinatePair> PairCoordinates(const Side& a, const Side& b,
                                            const Correspondence& match) {
  std::vector<CoordinatePair> pairs;
  const std::vector<int> body_a = BodyOfJoint(a), body_b = BodyOfJoint(b);
  const auto position = [](const Side& side, int body, int axis) {
    if (body < 0) return -1;
    const Body& at = side.m.bodies[U(body)];
    return at.nq == at.nv && at.nv > 0 ? at.q + axis : -1;
  };
  // A pair has a place in the states only where one number on each side tells the same; of loop
  // joints and quaternions data are compared, and no state.
  const auto add = [&](JointId ja, int axis_a, JointId jb, int axis_b) {
    CoordinatePair pair;
    pair.joint_a = ja, pair.joint_b = jb, pair.axis_a = axis_a, pair.axis_b = axis_b;
    pair.q_a = position(a, body_a[Index(ja)], axis_a),
    pair.q_b = position(b, body_b[Index(jb)], axis_b);
    if (pair.q_a < 0 || pair.q_b < 0 || TurnsAboutOneLine(a.model.joint(ja).kind))
      pair.q_a = pair.q_b = -1;
    if (pair.q_a >= 0) {
      pair.v_a = a.m.bodies[U(body_a[Index(ja)])].v + axis_a;
      pair.v_b = b.m.bodies[U(body_b[Index(jb)])].v + axis_b;
      pair.shift = CountsFrom(a.model, ja, axis_a) - CountsFrom(b.model, jb, axis_b);
    }
    pair.angle = IsAngular(a.model.joint(ja).kind, U(axis_a));
    pair.name = a.model.joint(ja).name;
    pairs.push_back(pair);
  };

  // By name where the kinds agree; that settles most joints of most robots.
  std::unordered_map<std::string, JointId> by_name;
  for (const JointId id : Joints(b.model)) by_name.emplace(b.model.joint(id).name, id);
  std::vector<bool> done_a(a.model.num_joints(), false), done_b(b.model.num_joints(), false);
  for (const JointId id : Joints(a.model)) {
    const Joint& joint = a.model.joint(id);
    if (joint.implicit) continue;
    const auto found = by_name.find(match.renames.Of(SubjectKind::kJoint, joint.where, joint.name));
    if (found == by_name.end() || done_b[Index(found->second)]) continue;
    const int axes = NumAxes(joint.kind);
    const JointKind& other = b.model.joint(found->second).kind;
    const bool screw = std::holds_alternative<Screw>(joint.kind) !=
                       std::holds_alternative<Screw>(other);  // one may be a part of the other
    if (axes != NumAxes(other) || screw) continue;
    done_a[Index(id)] = done_b[Index(found->second)] = true;
    // A universal joint written from its other end has its axes in the other order.
    const bool turned =
        std::holds_alternative<Universal>(joint.kind) &&
        match.b_of_a[Index(a.model.predecessor(id))] == b.model.successor(found->second);
    for (int i = 0; i < axes; ++i) add(id, i, found->second, turned ? axes - 1 - i : i);
  }

  // The rest by hops, in A's terms of the ends; a hop that runs the other way in B has its joints
  // reversed.
  const auto hops_a = Hops(a, match.b_of_a, nullptr), hops_b = Hops(b, match.a_of_b, &match.a_of_b);
  for (const auto& [ends, hop] : hops_a) {
    auto found = hops_b.find(ends);
    const bool turned = found == hops_b.end();
    if (turned) found = hops_b.find({ends.second, ends.first});
    if (found == hops_b.end()) continue;
    std::vector<std::pair<int, int>> ca = ScalarCoordinates(a, hop),
                                     cb = ScalarCoordinates(b, found->second);
    if (turned) std::reverse(cb.begin(), cb.end());
    // A screw is an angle and a displacement tied to it.
    const bool screw = ca.size() != cb.size() && std::min(ca.size(), cb.size()) == 1;
    if (screw) KeepAngle(a, ca), KeepAngle(b, cb);
    if (ca.size() != cb.size()) continue;
    PutAnglesBesideAngles(a, ca, b, cb);
    for (std::size_t i = 0; i < ca.size(); ++i) {
      const JointId ja = a.m.bodies[U(ca[i].first)].joint, jb = b.m.bodies[U(cb[i].first)].joint;
      if (done_a[Index(ja)] || done_b[Index(jb)]) continue;
      add(ja, ca[i].second, jb, cb[i].second);
      pairs.back().whole = !screw;
    }
  }
  return pairs;
}

}  // namespace kinemorph::verify
