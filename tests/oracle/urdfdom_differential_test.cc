// Our reader against urdfdom on every URDF of the shared corpus: the same links, poses, masses,
// inertias, anchors, axes, limits.
#include <console_bridge/console.h>
#include <gtest/gtest.h>
#include <urdf_parser/urdf_parser.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "kinemorph/formats/formats.h"
#include "kinemorph/graph/model/model.h"
#include "paths.h"

namespace kinemorph {
namespace {

namespace fs = std::filesystem;

std::string Slurp(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::vector<fs::path> UrdfFiles(const fs::path& root) {
  std::vector<fs::path> files;
  if (!fs::exists(root)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.is_regular_file() && entry.path().extension() == ".urdf")
      files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Line by line: `only-kinemorph <path>: <reason>`, `only-urdfdom <path>: <reason>`, or `differs
// <path>: <reason>`.
std::map<std::string, std::string> ExpectedDisagreements() {
  std::ifstream in(kinemorph::test::SourceDir() + "/tests/oracle/urdfdom_acceptance.txt");
  std::map<std::string, std::string> expected;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t space = line.find(' '), colon = line.find(": ", space);
    expected[line.substr(space + 1, colon - space - 1)] = line.substr(0, space);
  }
  return expected;
}

urdf::ModelInterfaceSharedPtr ParseWithUrdfdom(const std::string& text) {
  console_bridge::noOutputHandler();
  try {
    return urdf::parseURDF(text);
  } catch (const std::exception&) { return nullptr; }
}

std::optional<Model> ParseWithKinemorph(const std::string& text, const std::string& name) {
  Diagnostics diagnostics;
  ReadOptions options;
  options.file_name = name;
  std::optional<Model> model = FindFormat("urdf")->read(text, options, diagnostics);
  return diagnostics.has_errors() ? std::nullopt : std::move(model);
}

// Joins a mismatch to the list when two numbers differ by more than 1e-9 of their size.
class Comparison {
 public:
  void Number(const std::string& what, double ours, double theirs) {
    if (std::abs(ours - theirs) > 1e-9 * (1 + std::max(std::abs(ours), std::abs(theirs))))
      Report(what, std::to_string(ours), std::to_string(theirs));
  }
  template <class A, class B>
  void Matrix(const std::string& what, const A& ours, const B& theirs) {
    const double scale = 1 + std::max(ours.cwiseAbs().maxCoeff(), theirs.cwiseAbs().maxCoeff());
    if (!((ours - theirs).cwiseAbs().maxCoeff() <= 1e-9 * scale)) {
      std::ostringstream o, t;
      o << ours;
      t << theirs;
      Report(what, o.str(), t.str());
    }
  }
  void Text(const std::string& what, const std::string& ours, const std::string& theirs) {
    if (ours != theirs) Report(what, ours, theirs);
  }
  [[nodiscard]] const std::string& report() const { return report_; }

 private:
  void Report(const std::string& what, const std::string& ours, const std::string& theirs) {
    if (++count_ <= 5) report_ += "  " + what + ": ours " + ours + ", urdfdom " + theirs + "\n";
  }
  std::string report_;
  int count_ = 0;
};

Vector3 ToVector(const urdf::Vector3& v) { return {v.x, v.y, v.z}; }
RigidTransform ToTransform(const urdf::Pose& pose) {
  return {Eigen::Quaterniond(pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z)
              .normalized()
              .toRotationMatrix(),
          ToVector(pose.position)};
}

std::string TypeOf(const Joint& joint) {
  if (std::holds_alternative<Free>(joint.kind)) return "floating";
  return std::string(KindName(joint.kind));
}
std::string TypeOf(const urdf::Joint& joint) {
  switch (joint.type) {
    case urdf::Joint::REVOLUTE:
    case urdf::Joint::CONTINUOUS:
      return "revolute";
    case urdf::Joint::PRISMATIC:
      return "prismatic";
    case urdf::Joint::FLOATING:
      return "floating";
    case urdf::Joint::PLANAR:
      return "planar";
    case urdf::Joint::FIXED:
      return "fixed";
    case urdf::Joint::UNKNOWN:
      break;
  }
  return "unknown";
}

void CompareLimits(const std::string& name, const JointAxis& ours, const urdf::Joint& theirs,
                   Comparison& compare) {
  const auto text = [](const std::optional<double>& x) {
    return x ? std::to_string(*x) : std::string("none");
  };
  const auto bound = [](double x) {
    return std::abs(x) >= 1e16 ? std::nullopt : std::optional<double>(x);
  };
  // A negative effort or velocity limits nothing: we read "none" (with a warning), urdfdom keeps
  // the number.
  const auto magnitude = [&](double x) { return x < 0 ? std::nullopt : bound(x); };
  const bool has = theirs.limits != nullptr, bounded = theirs.type == urdf::Joint::REVOLUTE ||
                                                       theirs.type == urdf::Joint::PRISMATIC;
  compare.Text(name + " lower", text(ours.lower),
               text(has && bounded ? bound(theirs.limits->lower) : std::nullopt));
  compare.Text(name + " upper", text(ours.upper),
               text(has && bounded ? bound(theirs.limits->upper) : std::nullopt));
  compare.Text(name + " effort", text(ours.effort),
               text(has ? magnitude(theirs.limits->effort) : std::nullopt));
  compare.Text(name + " velocity", text(ours.velocity),
               text(has ? magnitude(theirs.limits->velocity) : std::nullopt));
  compare.Number(name + " damping", ours.damping.value_or(0),
                 theirs.dynamics ? theirs.dynamics->damping : 0);
  compare.Number(name + " friction", ours.friction.value_or(0),
                 theirs.dynamics ? theirs.dynamics->friction : 0);
}

void CompareVisuals(const Link& ours, const urdf::Link& theirs, const std::string& name,
                    Comparison& compare) {
  compare.Number(name + " visuals", static_cast<double>(ours.visuals.size()),
                 static_cast<double>(theirs.visual_array.size()));
  compare.Number(name + " collisions", static_cast<double>(ours.collisions.size()),
                 static_cast<double>(theirs.collision_array.size()));
  for (std::size_t i = 0; i < std::min(ours.visuals.size(), theirs.visual_array.size()); ++i) {
    const Visual& v = ours.visuals[i];
    const urdf::Visual& t = *theirs.visual_array[i];
    compare.Matrix(name + " visual position", v.X_LG.p, ToTransform(t.origin).p);
    compare.Matrix(name + " visual orientation", v.X_LG.R, ToTransform(t.origin).R);
    // A material that nobody defines: we keep its name (with a warning), urdfdom drops it.
    const bool defined = v.material && (v.material->diffuse || v.material->texture);
    compare.Text(name + " material", defined ? v.material->name : "",
                 t.material ? t.material->name : "");
    if (v.material && v.material->diffuse && t.material) {
      const urdf::Color& c = t.material->color;  // single precision there
      compare.Number(
          name + " colour",
          std::round(
              (v.material->diffuse->array() - Rgba(c.r, c.g, c.b, c.a).array()).abs().maxCoeff() *
              1e6),
          0);
    }
    if (const auto* box = std::get_if<Box>(&v.shape))
      compare.Matrix(name + " box", box->size, ToVector(dynamic_cast<urdf::Box&>(*t.geometry).dim));
    if (const auto* mesh = std::get_if<Mesh>(&v.shape)) {
      compare.Text(name + " mesh", mesh->uri, dynamic_cast<urdf::Mesh&>(*t.geometry).filename);
      compare.Matrix(name + " mesh scale", mesh->scale,
                     ToVector(dynamic_cast<urdf::Mesh&>(*t.geometry).scale));
    }
  }
}

std::string Compare(const Model& model, const urdf::ModelInterface& robot) {
  Comparison compare;
  compare.Text("name", model.name, robot.getName());
  compare.Number("links", static_cast<double>(model.num_links() - 1),
                 static_cast<double>(robot.links_.size()));
  std::map<std::string, LinkId> links;
  std::map<std::string, JointId> joints;
  for (const LinkId id : Links(model)) links[model.link(id).name] = id;
  std::size_t tree_joints = 0;
  for (const JointId id : Joints(model)) {
    const Joint& held = model.joint(id);  // an implicit one to the world stands for <static>
    if (held.role == JointRole::kLoop || (held.implicit && model.predecessor(id) == kWorld))
      continue;
    joints[model.joint(id).name] = id;
    ++tree_joints;
  }
  compare.Number("joints", static_cast<double>(tree_joints),
                 static_cast<double>(robot.joints_.size()));
  struct Item {
    urdf::LinkConstSharedPtr link;
    RigidTransform ours, theirs;
  };
  std::vector<Item> stack{{robot.getRoot(), {}, {}}};
  while (!stack.empty()) {
    const Item item = stack.back();
    stack.pop_back();
    const std::string& name = item.link->name;
    if (!links.count(name)) {
      compare.Text("link", "absent", name);
      continue;
    }
    const Link& link = model.link(links[name]);
    compare.Matrix(name + " position", item.ours.p, item.theirs.p);
    compare.Matrix(name + " orientation", item.ours.R, item.theirs.R);
    const SpatialInertia M = link.inertial ? link.inertial->InLink() : SpatialInertia();
    compare.Number(name + " mass", M.mass, item.link->inertial ? item.link->inertial->mass : 0);
    if (item.link->inertial) {
      const urdf::Inertial& t = *item.link->inertial;
      const RigidTransform X = ToTransform(t.origin);
      Matrix3 I;
      I << t.ixx, t.ixy, t.ixz, t.ixy, t.iyy, t.iyz, t.ixz, t.iyz, t.izz;
      compare.Matrix(name + " centre of mass", item.ours * M.p_BoBcm, item.theirs * X.p);
      compare.Matrix(name + " inertia", item.ours.R * M.I_BBcm * item.ours.R.transpose(),
                     item.theirs.R * X.R * I * X.R.transpose() * item.theirs.R.transpose());
    }
    CompareVisuals(link, *item.link, name, compare);
    for (const urdf::JointSharedPtr& t : item.link->child_joints) {
      if (!joints.count(t->name)) {
        compare.Text("joint", "absent", t->name);
        continue;
      }
      const JointId id = joints[t->name];
      const Joint& joint = model.joint(id);
      const RigidTransform ours = item.ours * joint.X_PF,
                           theirs = item.theirs * ToTransform(t->parent_to_joint_origin_transform);
      compare.Text(t->name + " type", TypeOf(joint), TypeOf(*t));
      compare.Text(t->name + " child", model.link(model.successor(id)).name, t->child_link_name);
      compare.Matrix(t->name + " anchor", ours.p, theirs.p);
      if (const std::vector<Vector3> axes = AxesOf(joint.kind); !axes.empty())
        compare.Matrix(t->name + " axis", ours.R * axes[0],
                       theirs.R * ToVector(t->axis).normalized());
      if (NumVelocities(joint.kind) == 1) CompareLimits(t->name, joint.axes[0], *t, compare);
      stack.push_back({robot.getLink(t->child_link_name), ours * joint.X_SM.inverse(), theirs});
    }
  }
  std::size_t mimics = 0, their_mimics = 0;
  for (const auto& [name, joint] : robot.joints_)
    their_mimics += joint->mimic && joint->type != urdf::Joint::FIXED;
  for (const Coupling& coupling : model.couplings) {
    if (coupling.form != CouplingForm::kMimic) continue;
    ++mimics;
    const auto found = robot.joints_.find(model.joint(coupling.terms[0].coordinate.joint).name);
    if (found == robot.joints_.end() || !found->second->mimic) {
      compare.Text("mimic", coupling.name, "none");
      continue;
    }
    compare.Text(coupling.name + " leader", model.joint(coupling.terms[1].coordinate.joint).name,
                 found->second->mimic->joint_name);
    compare.Number(coupling.name + " multiplier", -coupling.terms[1].coefficients[0],
                   found->second->mimic->multiplier);
    compare.Number(coupling.name + " offset", coupling.constant, found->second->mimic->offset);
  }
  compare.Number("mimics", static_cast<double>(mimics), static_cast<double>(their_mimics));
  return compare.report();
}

bool HasColoursBeyondOne(const Model& model) {
  for (const LinkId id : Links(model))
    for (const Visual& visual : model.link(id).visuals)
      if (visual.material && visual.material->diffuse && visual.material->diffuse->maxCoeff() > 1)
        return true;
  return false;
}

TEST(UrdfdomDifferential, EveryCorpusFileMeansTheSame) {
  const fs::path root = fs::path(kinemorph::test::SharedDir()) / "data/corpus/urdf";
  const std::vector<fs::path> files = UrdfFiles(root);
  if (files.empty()) GTEST_SKIP() << "no shared corpus beside the project";
  std::map<std::string, std::string> expected = ExpectedDisagreements();
  std::size_t compared = 0;
  for (const fs::path& path : files) {
    const std::string name = fs::relative(path, root).generic_string(), text = Slurp(path);
    const std::optional<Model> ours = ParseWithKinemorph(text, name);
    const urdf::ModelInterfaceSharedPtr theirs = ParseWithUrdfdom(text);
    const std::string difference = ours && theirs ? Compare(*ours, *theirs) : "";
    const std::string verdict = ours && !theirs      ? "only-kinemorph"
                                : !ours && theirs    ? "only-urdfdom"
                                : difference.empty() ? ""
                                                     : "differs";
    EXPECT_EQ(expected[name], verdict) << name << "\n" << difference;
    expected.erase(name);
    compared += ours && theirs;
  }
  for (const auto& [name, verdict] : expected)
    ADD_FAILURE() << name << " is listed as " << verdict << " but is not in the corpus";
  EXPECT_GT(compared, 200u);
}

TEST(UrdfdomDifferential, WhatIsWrittenLoadsAndMeansTheSame) {
  const fs::path root = fs::path(kinemorph::test::SharedDir()) / "data/corpus/urdf";
  const std::vector<fs::path> files = UrdfFiles(root);
  if (files.empty()) GTEST_SKIP() << "no shared corpus beside the project";
  std::map<std::string, std::string> expected = ExpectedDisagreements();
  std::size_t compared = 0;
  for (const fs::path& path : files) {
    const std::string name = fs::relative(path, root).generic_string();
    if (expected[name] == "differs") continue;  // urdfdom drops the same part of what we write
    const std::optional<Model> model = ParseWithKinemorph(Slurp(path), name);
    if (!model || HasColoursBeyondOne(*model)) continue;  // which a pass brings within
    Diagnostics diagnostics;
    const std::string text = FindFormat("urdf+")->write(*model, {}, diagnostics).text;
    if (text.empty()) continue;  // needs a pass first; the round-trip test lists which
    const urdf::ModelInterfaceSharedPtr theirs = ParseWithUrdfdom(text);
    if (!theirs) {
      ADD_FAILURE() << name << ": urdfdom refuses what we wrote";
      continue;
    }
    ++compared;
    EXPECT_EQ(Compare(*ParseWithKinemorph(text, name), *theirs), "") << name;
  }
  EXPECT_GT(compared, 200u);
}

}  // namespace
}  // namespace kinemorph
