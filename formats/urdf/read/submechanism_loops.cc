#include "read/submechanism_loops.h"

#include <cmath>

namespace kinemorph::urdf_format {
namespace {

constexpr double kParallel = 1e-9;

}  // namespace

void Span::Add(const Vector3& direction) {
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
  if (slides.rank() == 3) {
    if (turns.rank() == 0) return {Ball{}, {}};
    if (turns.rank() == 2) return {Revolute{turns.Normal()}, {}};
    if (turns.rank() == 3) return {Fixed{}, {}};
  }
  if (slides.rank() == 2) {
    const Vector3 n = slides.Normal();
    if (turns.rank() == 3) return {Prismatic{n}, {}};
    if (turns.rank() == 2 && parallel(turns.Normal(), n)) return {Cylindrical{n}, {}};
    if (turns.rank() == 0) return {std::nullopt, n};
  }
  if (slides.rank() == 1 && turns.rank() == 2 && parallel(turns.Normal(), slides.basis[0]))
    return {Planar{slides.basis[0]}, {}};
  return {};
}

bool IsPlanarPath(const Model& model, const LinkTree& tree, const std::vector<RigidTransform>& X_WL,
                  LinkId a, LinkId b, const Vector3& normal_W, double tolerance,
                  std::size_t& steps) {
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
    if (dot == std::string::npos || dot == 0) return {};
    if (!shared.empty() && row.name.compare(0, dot, shared) != 0) return {};
    shared = row.name.substr(0, dot);
  }
  return shared;
}

}  // namespace kinemorph::urdf_format
