// Our URDF to SDFormat conversion against libsdformat's own, on URDF files of the shared corpus.
//
// libsdformat merges links on fixed joints, so both results are merged before they are compared:
// masses, centres of mass and inertias of the merged bodies, joints with their anchors, axes and
// limits, in world axes. It writes angles and numbers with some ten digits: lengths and axes agree
// to 1e-7 at best. What differs for another reason is listed in libsdformat_urdf.txt, with the
// reason, and the list is checked both ways.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <future>
#include <set>
#include <sstream>
#include <thread>

#include "conversion.h"
#include "in_child.h"
#include "kinemorph/formats/file_resolver.h"
#include "kinemorph/graph/base/disjoint_sets.h"
#include "paths.h"
#include "sdformat_judge.h"

namespace kinemorph::test {
namespace {

namespace fs = std::filesystem;

constexpr double kTolerance = 1e-7;      // relative above 1
constexpr double kMassTolerance = 1e-6;  // of the whole, relative

fs::path Corpus() { return fs::path(SharedDir()) / "data" / "corpus" / "urdf"; }

std::vector<std::string> UrdfFiles() {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(Corpus()))
    if (entry.is_regular_file() && entry.path().extension() == ".urdf")
      files.push_back(fs::relative(entry.path(), Corpus()).string());
  std::sort(files.begin(), files.end());
  return files;
}

// A body is what fixed joints hold together.
struct Bodies {
  std::map<std::string, std::size_t> of;  // by name of link
  std::vector<SpatialInertia> inertia;    // in world axes, about the world's origin
  double mass = 0;                        // of all links
  std::size_t world = 0;                  // the body of what is fixed to the world
};

Bodies BodiesOf(const SdfFacts& facts) {
  Bodies bodies;
  bodies.of["world"] = 0;
  for (const auto& [name, link] : facts.links) bodies.of.emplace(name, bodies.of.size());
  DisjointSets sets(bodies.of.size());
  for (const auto& [name, joint] : facts.joints)
    if (joint.type == "fixed" && bodies.of.count(joint.parent) && bodies.of.count(joint.child))
      sets.Unite(bodies.of.at(joint.parent), bodies.of.at(joint.child));
  bodies.inertia.resize(bodies.of.size());
  for (auto& [name, body] : bodies.of) {
    body = sets.Find(body);
    const auto link = facts.links.find(name);
    if (link == facts.links.end()) continue;
    bodies.mass += link->second.inertia.mass;
    bodies.inertia[body] = bodies.inertia[body].mass > 0
                               ? bodies.inertia[body] + link->second.inertia
                               : link->second.inertia;
  }
  bodies.world = bodies.of.at("world");
  return bodies;
}

// Empty when both are the same robot.
std::string DifferencesOfBodies(const SdfFacts& ours, const SdfFacts& theirs) {
  std::string text;
  int count = 0;
  const auto say = [&](const std::string& what) {
    if (++count <= 5) text += (text.empty() ? "" : "; ") + what;
  };
  const auto same = [&](const std::string& what, const Eigen::MatrixXd& a, const Eigen::MatrixXd& b,
                        double scale) {
    if (!((a - b).cwiseAbs().maxCoeff() <= kTolerance * scale)) say(what);
  };
  const Bodies a = BodiesOf(ours), b = BodiesOf(theirs);
  if (!(std::abs(a.mass - b.mass) <= kMassTolerance * std::max(a.mass, b.mass)))
    say("total mass: " + std::to_string(a.mass) + ", theirs " + std::to_string(b.mass));
  for (const auto& [name, body] : b.of) {
    const auto found = a.of.find(name);
    if (found == a.of.end()) {
      say("link " + name + " is only theirs");
      continue;
    }
    const SpatialInertia &x = a.inertia[found->second], &y = b.inertia[body];
    if (name == "world" || found->second == a.world || y.mass == 0) continue;
    const double size = std::max(x.I_BBcm.cwiseAbs().maxCoeff(), y.I_BBcm.cwiseAbs().maxCoeff());
    if (!(std::abs(x.mass - y.mass) <= kMassTolerance * y.mass)) say("mass of the body of " + name);
    same("centre of mass of the body of " + name, x.p_BoBcm, y.p_BoBcm,
         std::max(1.0, y.p_BoBcm.norm()));
    same("inertia of the body of " + name, x.I_BBcm, y.I_BBcm,
         size + y.mass * std::max(1.0, y.p_BoBcm.norm()) * kTolerance);
  }
  for (const auto& [name, joint] : ours.joints)
    if (joint.type != "fixed" && joint.type != "gearbox" && !theirs.joints.count(name))
      say("joint " + name + " is only ours");
  for (const auto& [name, y] : theirs.joints) {
    if (y.type == "fixed") continue;
    const auto found = ours.joints.find(name);
    if (found == ours.joints.end()) {
      say("joint " + name + " is only theirs");
      continue;
    }
    const JointFacts& x = found->second;
    const bool turns = x.type == "continuous" && y.type == "revolute";
    if (x.type != y.type && !turns) say("type of " + name + ": " + x.type + ", theirs " + y.type);
    same("anchor of " + name, x.anchor, y.anchor, std::max(1.0, y.anchor.norm()));
    for (std::size_t k = 0; k < std::min(x.axes.size(), y.axes.size()); ++k) {
      same("axis of " + name, x.axes[k].axis, y.axes[k].axis, 1);
      const JointAxis &p = x.axes[k].properties, &q = y.axes[k].properties;
      const auto number = [&](const std::string& what, const std::optional<double>& ours_has,
                              const std::optional<double>& theirs_has) {
        if (ours_has.value_or(0) != 0 || theirs_has.value_or(0) != 0)
          same(what + " of " + name, Vector3::Constant(ours_has.value_or(INFINITY)),
               Vector3::Constant(theirs_has.value_or(INFINITY)),
               std::max(1.0, std::abs(theirs_has.value_or(0))));
      };
      if (p.lower.has_value() || q.lower.has_value()) number("lower limit", p.lower, q.lower);
      if (p.upper.has_value() || q.upper.has_value()) number("upper limit", p.upper, q.upper);
      number("damping", p.damping.value_or(0), q.damping.value_or(0));
      number("friction", p.friction.value_or(0), q.friction.value_or(0));
    }
  }
  return text;
}

// verdict, tab, details
std::string Check(const std::string& file) {
  const fs::path path = Corpus() / file;
  const SdfFacts theirs = FactsOfFile(path.string(), [](const std::string&) { return ""; });
  if (!theirs.ok || theirs.links.empty()) return "not theirs\t" + theirs.errors;
  const FileResolver resolver(path.string(), {});
  std::ifstream in(path, std::ios::binary);
  std::ostringstream source;
  source << in.rdbuf();
  Diagnostics diagnostics;
  auto model = ReadModel(source.str(), nullptr, {path.string(), &resolver}, diagnostics);
  ConvertOptions options;
  options.target = TargetNamed("sdf");
  const auto converted = model ? Convert(std::move(*model), options, diagnostics) : std::nullopt;
  if (!converted) return "refused\t" + Rendered(diagnostics);
  const SdfFacts ours = FactsOfText(converted->text);
  if (!ours.ok) return "ours does not load\t" + ours.errors;
  const std::string difference = DifferencesOfBodies(ours, theirs);
  return difference.empty() ? "same\t" : "differs\t" + difference;
}

// `path: reason`
std::map<std::string, std::string> Listed() {
  std::ifstream in(fs::path(SourceDir()) / "tests" / "oracle" / "libsdformat_urdf.txt");
  std::map<std::string, std::string> listed;
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(": ");
    if (!line.empty() && line[0] != '#' && colon != std::string::npos)
      listed[line.substr(0, colon)] = line.substr(colon + 2);
  }
  return listed;
}

TEST(LibsdformatUrdf, OurConversionIsTheirsWhereTheyLoseNothing) {
  if (!HaveLibsdformat()) GTEST_SKIP() << "libsdformat 12 is not installed";
  if (!fs::exists(Corpus())) GTEST_SKIP() << "no corpus in " << Corpus();
  setenv("HOME", ::testing::TempDir().c_str(), 1);  // libsdformat keeps a log there
  const std::map<std::string, std::string> listed = Listed();
  // One file in three, and all that are listed: libsdformat takes half a second for one.
  // KINEMORPH_ALL_URDF=1 takes all.
  const bool all = std::getenv("KINEMORPH_ALL_URDF") != nullptr;
  std::vector<std::string> files;
  std::size_t i = 0;
  for (const std::string& file : UrdfFiles())
    if (i++ % 3 == 0 || all || listed.count(file)) files.push_back(file);
  for (const auto& [file, reason] : listed)
    EXPECT_TRUE(std::binary_search(files.begin(), files.end(), file)) << file << " is not there";

  std::vector<std::future<std::vector<std::string>>> shards;
  constexpr std::size_t kShards = 2;
  for (std::size_t shard = 0; shard < kShards; ++shard)
    shards.push_back(std::async(std::launch::async, [&files, shard] {
      std::vector<std::string> results;
      for (std::size_t k = shard; k < files.size(); k += kShards)
        results.push_back(InChild([&] { return Check(files[k]); }));
      return results;
    }));
  std::vector<std::vector<std::string>> results;
  for (auto& shard : shards) results.push_back(shard.get());
  std::size_t same = 0, differ = 0;
  for (std::size_t k = 0; k < files.size(); ++k) {
    const std::string& result = results[k % kShards][k / kShards];
    const std::string verdict = result.substr(0, result.find('\t'));
    if (verdict == "not theirs" || verdict == "aborts") continue;
    (verdict == "same" ? same : differ) += 1;
    const auto reason = listed.find(files[k]);
    if (reason == listed.end())
      EXPECT_EQ(verdict, "same") << files[k] << ": " << result;
    else
      EXPECT_NE(verdict, "same") << files[k] << " is listed (" << reason->second << ") but agrees";
  }
  std::cout << same << " of " << same + differ << " conversions agree\n";
  EXPECT_GT(same, 25u);
}

}  // namespace
}  // namespace kinemorph::test
