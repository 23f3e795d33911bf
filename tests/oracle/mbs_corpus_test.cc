// Every URDF of the corpus as MBS: the published loaders' rules hold, and bodies stand, weigh and
// move as in the URDF, judged by forward kinematics straight from the text. Humanoids of the size
// of Atlas, NAO, WalkMan and iCub are among them.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

#include "../formats/robotran/loader_rules.h"
#include "has_tree.h"
#include "kinemorph/formats/formats.h"
#include "kinemorph/graph/base/random.h"
#include "kinemorph/graph/mechanics/joint_motion.h"
#include "paths.h"

namespace kinemorph::test {
namespace {

namespace fs = std::filesystem;

// Names as a conversion pass would make them: legal and different; 'base' belongs to the inertial
// frame.
class LegalNames {
 public:
  void Fix(std::string& name, bool is_link) {
    for (char& c : name)
      if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))) c = '_';
    if (name.empty() || (name[0] >= '0' && name[0] <= '9') || (is_link && name == "base"))
      name = "n_" + name;
    std::set<std::string>& taken = is_link ? links_ : joints_;
    while (!taken.insert(name).second) name += "_";
  }

 private:
  std::set<std::string> links_, joints_;
};

// What a pass does for MBS: legal names, everything the format cannot hold dropped.
void MakeLegal(Model& model) {
  LegalNames names;
  for (const LinkId id : Links(model)) {
    Link& link = model.link(id);
    names.Fix(link.name, true);
    link.collisions.clear();
    link.visuals.clear();
    link.native.clear();
  }
  for (const JointId id : Joints(model)) {
    names.Fix(model.joint(id).name, false);
    model.joint(id).native.clear();
  }
  for (Coupling& coupling : model.couplings) coupling.name.clear();
  model.native.clear();
  model.sensors.clear();
  model.actuators.clear();
  model.contact_exclusions.clear();
}

double Error(const RigidTransform& a, const RigidTransform& b) {
  return std::max((a.R - b.R).cwiseAbs().maxCoeff(),
                  (a.p - b.p).cwiseAbs().maxCoeff() / std::max(1.0, a.p.norm()));
}

// Poses of the model's links at a random state of its one-coordinate joints, and that state by the
// names of the MBS joints.
std::map<std::string, RigidTransform> RandomPoses(const Model& model, Random& random,
                                                  std::map<std::string, double>& q) {
  std::vector<RigidTransform> poses(model.num_links());
  std::vector<std::vector<JointId>> below(model.num_links());
  std::vector<bool> has_parent(model.num_links());
  for (const JointId id : Joints(model)) {
    if (model.joint(id).role == JointRole::kLoop) continue;
    below[Index(model.predecessor(id))].push_back(id);
    has_parent[Index(model.successor(id))] = true;
  }
  std::vector<LinkId> open = {kWorld};
  for (const LinkId id : Links(model))
    if (!has_parent[Index(id)]) open.push_back(id);
  std::map<std::string, RigidTransform> by_name;
  while (!open.empty()) {
    const LinkId link = open.back();
    open.pop_back();
    if (link != kWorld) by_name[model.link(link).name] = poses[Index(link)];
    for (const JointId id : below[Index(link)]) {
      const Joint& joint = model.joint(id);
      std::vector<double> position(static_cast<std::size_t>(NumPositions(joint.kind)), 0);
      SetZeroPosition(joint.kind, position.data());
      const bool scalar = NumPositions(joint.kind) == 1;
      if (scalar) q[joint.name] = position[0] = random.Uniform(-2, 2);
      poses[Index(model.successor(id))] = poses[Index(link)] * joint.X_PF *
                                          JointTransform(joint.kind, position.data()) *
                                          joint.X_SM.inverse();
      open.push_back(model.successor(id));
    }
  }
  return by_name;
}

TEST(MbsCorpus, EveryUrdfMovesAndWeighsAsMbs) {
  const fs::path root = fs::path(kinemorph::test::SharedDir()) / "data";
  if (!fs::exists(root / "corpus" / "urdf")) GTEST_SKIP() << "no data folder beside the project";
  Random random(21);
  std::size_t converted = 0, humanoids = 0;
  for (const fs::path& folder : {root / "corpus" / "urdf", root / "urdf_plus", root / "mbs"}) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() != ".urdf") continue;
      std::ifstream in(entry.path(), std::ios::binary);
      std::ostringstream text;
      text << in.rdbuf();
      Diagnostics diagnostics;
      ReadOptions options;
      std::optional<Model> model = FindFormat("urdf")->read(text.str(), options, diagnostics);
      // Where <gazebo> holds further parts, a pass chooses the tree.
      if (!model || diagnostics.has_errors() || !HasTree(*model)) continue;
      MakeLegal(*model);
      Diagnostics said;
      const std::string mbs = WriteMbs(*model, {}, said).text;
      ASSERT_FALSE(said.has_errors()) << entry.path() << Messages(said);
      ASSERT_THAT(LoaderRules::Check(mbs), ::testing::IsEmpty()) << entry.path();
      const Parsed parsed(mbs);
      std::map<std::string, double> q;
      const auto poses = RandomPoses(*model, random, q);
      // What the state does not name stands at zero: loops' copies, planar and floating joints.
      for (const std::string& body : BodyNames(parsed)) {
        for (const std::string& joint : JointsOf(parsed, body))
          q.emplace(joint.substr(0, joint.find(" ")), 0);
      }
      const auto by_text = PosesByText(parsed, q);
      for (const auto& [name, X] : poses) {
        ASSERT_TRUE(by_text.count(name)) << entry.path() << " " << name;
        ASSERT_LE(Error(X, by_text.at(name)), 1e-10) << entry.path() << " " << name;
      }
      for (const LinkId id : Links(*model)) {
        const Link& link = model->link(id);
        const double mass = NumberOf(FindBody(parsed, link.name), "mass");
        ASSERT_EQ(link.inertial ? link.inertial->mass : 0, mass)
            << entry.path() << " " << link.name;
      }
      ++converted;
      humanoids += model->num_links() >= 40 ? 1u : 0u;
    }
  }
  EXPECT_GE(converted, 50u);
  EXPECT_GE(humanoids, 4u);
  RecordProperty("converted", static_cast<int>(converted));
  std::cout << converted << " files, " << humanoids << " of them with 40 or more links\n";
}

}  // namespace
}  // namespace kinemorph::test
