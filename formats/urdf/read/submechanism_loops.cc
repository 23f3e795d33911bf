#include "read/submechanism_loops.h"

#include <cmath>

namespace kinemorph::urdf_format {
namespace {

// submechanisms.yml holds a loop as rows of a constraint: [rx ry rz tx ty tz] in the loop frame,
// each forbidding one turn or slide. Which joint that is follows from the spaces that the turns and
// the slides span, not from the rows themselves, which may be any basis of them.

constexpr double kParallel = 1e-9;

}  // namespace

void Span::Add(const Vector3& direction) {
  // Gram-Schmidt: a row that only repeats others adds no dimension.
  Vector3 rest = direction.normalized();
  for (const Vector3& b : basis) rest -= b.dot(rest) * b;
  if (rest.norm() > kParallel) basis.push_back(rest.normalized());
}

RowsMeaning MeaningOf(const std::vector<SubmechanismRow>& rows) {
  Span turns, slides;
  for (const SubmechanismRow& row : rows) {
    const Vector3 r = row.axis.head<3>(), t = row.axis.tail<3>();
    const bool turn = !r.isZero(0), slide = !t.isZero(0);
    if (turn == slide) return {};  // a screw's row, or no row at all
    if (turn)
      turns.Add(r);
    else
      slides.Add(t);
  }
  const auto parallel = [](const Vector3& a, const Vector3& b) {
    return a.cross(b).norm() <= kParallel;
  };
  // No slides at all: the kinds that turn about a point. What is left free is the complement of the
  // forbidden turns.
  if (slides.rank() == 3) {
    if (turns.rank() == 0) return {Ball{}, {}};
    if (turns.rank() == 2) return {Revolute{turns.Normal()}, {}};
    if (turns.rank() == 3) return {Fixed{}, {}};
  }
  // One slide is left, along the common normal of the two that are forbidden. Without any row of
  // turns this is a hinge only where the loop moves in that plane, which the caller looks up.
  if (slides.rank() == 2) {
    const Vector3 n = slides.Normal();
    if (turns.rank() == 3) return {Prismatic{n}, {}};
    if (turns.rank() == 2 && parallel(turns.Normal(), n)) return {Cylindrical{n}, {}};
    if (turns.rank() == 0) return {std::nullopt, n};
  }
  // A plane: slides in it and turns about its normal are free.
  if (slides.rank() == 1 && turns.rank() == 2 && parallel(turns.Normal(), slides.basis[0]))
    return {Planar{slides.basis[0]}, {}};
  return {};
}

bool IsPlanarPath(const Model& model, const LinkTree& tree, const std::vector<RigidTransform>& X_WL,
                  LinkId a, LinkId b, const Vector3& normal_W, double tolerance,
                  std::size_t& steps) {
  // Both sides of the loop up to the nearest common ancestor: hinges along the normal and slides
  // across it keep everything in the plane. `steps` bounds the work over all loops of a file.
  const LinkId top = CommonAncestor(tree, a, b);
  for (LinkId end : {a, b}) {
    for (; end != top; end = tree.parent[Index(end)]) {
      if (steps == 0) return false;
      --steps;
      const JointId id = tree.parent_joint[Index(end)];
      if (id == kNoJoint) return false;
      const Joint& joint = model.joint(id);
      if (std::holds_alternative<Fixed>(joint.kind)) continue;
      const bool slide = std::holds_alternative<Prismatic>(joint.kind);
      if (!slide && !std::holds_alternative<Revolute>(joint.kind)) return false;
      const Vector3 axis_W =
          X_WL[Index(model.predecessor(id))].R * joint.X_PF.R * AxesOf(joint.kind)[0];
      const double off = slide ? std::abs(axis_W.dot(normal_W)) : axis_W.cross(normal_W).norm();
      if (off > tolerance) return false;
    }
  }
  return true;
}

std::string RowsText(const std::vector<SubmechanismRow>& rows) {
  constexpr const char* kNames[] = {"rx", "ry", "rz", "tx", "ty", "tz"};
  std::string text;
  for (const SubmechanismRow& row : rows) {
    std::string name;
    for (int i = 0; i < 6; ++i)
      if (row.axis[i] != 0) name += (name.empty() ? "" : "+") + std::string(kNames[i]);
    text += (text.empty() ? "" : ", ") + (name.empty() ? "0" : name);
    if (text.size() > 60) return text + ", ...";
  }
  return text;
}

std::string LoopNameIn(const std::vector<SubmechanismRow>& rows) {
  std::string shared;
  for (const SubmechanismRow& row : rows) {
    const std::size_t dot = row.name.rfind('.');
    // Our writer names rows LOOP.rx, LOOP.tz, ...: where all have one stem, the loop gets its name
    // back.
    if (dot == std::string::npos || dot == 0) return {};
    if (!shared.empty() && row.name.compare(0, dot, shared) != 0) return {};
    shared = row.name.substr(0, dot);
  }
  return shared;
}

}  // namespace kinemorph::urdf_format
