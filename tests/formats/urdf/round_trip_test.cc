// Read, write, read again: the same model, over the fixtures, the corpus and the URDF+ data; and
// the legacy twins.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "has_tree.h"
#include "kinemorph/graph/connectivity/constraint_dependency.h"
#include "kinemorph/graph/connectivity/lacg.h"
#include "kinemorph/graph/model/model_dump.h"
#include "native_xml.h"
#include "paths.h"
#include "urdf_text.h"

namespace kinemorph::test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> Words(std::string line) {
  for (char& c : line)
    if (c == '"' || c == '=' || c == '<' || c == '>' || c == '/') c = ' ';
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  // The dump leaves out the angles of an exact identity, but not those of one that is off by
  // rounding.
  const std::size_t n = words.size();
  if (n >= 4 && words[n - 4] == "rpy" && words[n - 3] == "0" && words[n - 2] == "0" &&
      words[n - 1] == "0")
    words.resize(n - 4);
  return words;
}

// The three angles after the word "rpy" are compared as a rotation: -pi and pi are one orientation.
bool SameLine(const std::string& line_a, const std::string& line_b) {
  if (line_a == line_b) return true;
  const std::vector<std::string> a = Words(line_a), b = Words(line_b);
  if (a.size() != b.size()) return false;
  const auto number = [](const std::string& word, double& value) {
    char* end = nullptr;
    value = std::strtod(word.c_str(), &end);
    return !word.empty() && *end == '\0';
  };
  for (std::size_t i = 0; i < a.size(); ++i) {
    double u = 0, v = 0;
    if (i > 0 && a[i - 1] == "rpy" && i + 2 < a.size()) {
      Vector3 x, y;
      for (int k = 0; k < 3; ++k)
        if (!number(a[i + static_cast<std::size_t>(k)], x[k]) ||
            !number(b[i + static_cast<std::size_t>(k)], y[k]))
          return false;
      if ((RotationFromRpy(x) - RotationFromRpy(y)).cwiseAbs().maxCoeff() > 1e-12) return false;
      i += 2;
    } else if (a[i] != b[i] && !(number(a[i], u) && number(b[i], v) &&
                                 std::abs(u - v) <= 1e-12 * (1 + std::abs(u)))) {
      return false;
    }
  }
  return true;
}

// Empty when both texts have the same words, numbers compared to 1e-12; else the first line that
// differs.
std::string Difference(const std::string& a, const std::string& b) {
  std::istringstream lines_a(a), lines_b(b);
  for (std::string line_a, line_b;;) {
    const bool more_a = static_cast<bool>(std::getline(lines_a, line_a)),
               more_b = static_cast<bool>(std::getline(lines_b, line_b));
    if (!more_a && !more_b) return "";
    if (more_a != more_b) return "one is longer: '" + (more_a ? line_a : line_b) + "'";
    if (!SameLine(line_a, line_b)) return "'" + line_a + "' / '" + line_b + "'";
  }
}

// What the text form normalises on purpose: URDF names every material, a link without mass that
// stands for a frame says so, and the type of a loop joint has one spelling.
void Normalise(Model& model) {
  model.format_version.clear();
  model.format.clear();  // loops in <gazebo> or by Drake come back as URDF+
  for (std::uint32_t i = 0; i < model.num_links(); ++i) {
    for (Visual& visual : model.link(LinkId{i}).visuals) {
      if (visual.material && !visual.material->diffuse && !visual.material->texture)
        visual.material.reset();
      if (visual.material) visual.material->name.clear();
    }
    std::optional<Inertial>& inertial = model.link(LinkId{i}).inertial;  // zeros are none
    if (inertial && inertial->mass == 0 && inertial->I_I.isZero(0) && inertial->native.empty())
      inertial.reset();
  }
  for (const JointId id : Joints(model)) {
    Joint& joint = model.joint(id);
    joint.native_type.clear();
    if (joint.role == JointRole::kLoop)
      for (JointAxis& axis : joint.axes) axis = JointAxis();  // zeros: others are refused
  }
  for (Coupling& coupling : model.couplings) coupling.native_type.clear();
  // Elements kept as text stand in another order: by owner.
  const auto by_content = [](const NativeData& a, const NativeData& b) {
    return a.content < b.content;
  };
  std::sort(model.native.begin(), model.native.end(), by_content);
}

struct Tally {
  std::size_t equal = 0, needs_pass = 0, without_tree = 0;
};

void RoundTrip(const fs::path& path, Tally& tally) {
  const std::string text = Slurp(path);
  ReadResult first = ReadText(text);
  if (!first.model || first.errors) return;
  if (!HasTree(*first.model)) {
    ++tally.without_tree;
    return;
  }
  Diagnostics diagnostics;
  WriteOptions options;
  options.profile = "paper";  // holds the extensions as well
  const std::string written = FindFormat("urdf+")->write(*first.model, options, diagnostics).text;
  if (written.empty()) {
    // Only what a pass must lower first may be refused.
    for (const Diagnostic& item : diagnostics.items())
      EXPECT_THAT(item.code, testing::AnyOf(testing::EndsWith("-not-lowered"),
                                            "native-data-foreign", "gazebo-parts-differ"))
          << path << "\n"
          << Render(item);
    ++tally.needs_pass;
    return;
  }
  ReadResult second = ReadText(written);
  ASSERT_TRUE(second.model) << path;
  ASSERT_FALSE(second.errors) << path << "\n" << second.messages.back();
  Diagnostics again;
  EXPECT_EQ(Difference(FindFormat("urdf+")->write(*second.model, options, again).text, written), "")
      << path;
  // A joint on the world vertex comes back as a joint on a link "world": one link more.
  if (first.model->num_links() != second.model->num_links()) return;
  Normalise(*first.model);
  Normalise(*second.model);
  EXPECT_EQ(Difference(DumpModel(*first.model), DumpModel(*second.model)), "") << path;
  ++tally.equal;
}

TEST(RoundTrip, Fixtures) {
  Tally tally;
  for (const fs::path& path : UrdfFiles(fs::path(kinemorph::test::SourceDir()) / "fixtures")) {
    if (path.string().find("/invalid/") == std::string::npos) RoundTrip(path, tally);
  }
  EXPECT_GT(tally.equal, 50u);
}

TEST(RoundTrip, Corpus) {
  const std::vector<fs::path> files =
      UrdfFiles(fs::path(kinemorph::test::SharedDir()) / "data/corpus/urdf");
  if (files.empty()) GTEST_SKIP() << "no shared corpus beside the project";
  Tally tally;
  for (const fs::path& path : files) RoundTrip(path, tally);
  EXPECT_GT(tally.equal, 200u);
  EXPECT_LT(tally.without_tree, 10u);
}

TEST(UrdfPlusData, EveryFileReadsAndComesBack) {
  const fs::path root = fs::path(kinemorph::test::SharedDir()) / "data/urdf_plus";
  const std::vector<fs::path> files = UrdfFiles(root);
  if (files.empty()) GTEST_SKIP() << "no shared URDF+ data beside the project";
  // The paper's listings with words instead of numbers, and the edge cases that must fail.
  const std::set<std::string> must_fail = {
      "_own_edge_cases/ancestor_coupling.urdf",
      "_own_edge_cases/axis_noxyz.urdf",
      "_own_edge_cases/coup_badlink.urdf",
      "_own_edge_cases/coup_nosucc.urdf",
      "_own_edge_cases/coup_ratio_bad.urdf",
      "_own_edge_cases/coup_ratio_novalue.urdf",
      "_own_edge_cases/coup_self.urdf",
      "_own_edge_cases/dup_name.urdf",
      "_own_edge_cases/joint_cycle.urdf",
      "_own_edge_cases/joint_universal.urdf",
      "_own_edge_cases/loop_notype.urdf",
      "_own_edge_cases/malformed_paper.urdf",
      "_own_edge_cases/two_root.urdf",
      "_paper_transcriptions/parallel_belt_as_printed.urdf",
      "_paper_transcriptions/template_coupling_as_printed.urdf",
      "_paper_transcriptions/template_joint_as_printed.urdf",
      "_paper_transcriptions/template_loop_as_printed_MALFORMED.urdf"};
  Tally tally;
  for (const fs::path& path : files) {
    const std::string name = fs::relative(path, root).generic_string();
    const ReadResult read = ReadText(Slurp(path));
    EXPECT_EQ(read.model && !read.errors, must_fail.count(name) == 0)
        << name << "\n"
        << (read.messages.empty() ? "" : read.messages.back());
    RoundTrip(path, tally);
  }
  EXPECT_GT(tally.equal, 100u);
}

// "{a,b}<p": the aggregate links as sets, by name.
std::set<std::string> Aggregates(const Model& model) {
  const SpanningTree tree = ChooseSpanningTree(model);
  std::set<std::string> out;
  for (const AggregateLink& aggregate :
       BuildLoopAggregatedConnectivityGraph(model, tree).aggregates) {
    std::set<std::string> names;
    for (const LinkId id : aggregate.links) names.insert(model.link(id).name);
    std::string text = "{";
    for (const std::string& name : names) text += name + ",";
    out.insert(text + "}");
  }
  return out;
}

TEST(UrdfPlusData, LegacyTwinsAreTheSameMechanism) {
  const fs::path root = fs::path(kinemorph::test::SharedDir()) / "data/urdf_plus";
  if (!fs::exists(root)) GTEST_SKIP() << "no shared URDF+ data beside the project";
  for (const char* name : {"four_bar", "six_bar", "mini_cheetah_leg", "mini_cheetah_fr_leg",
                           "mini_cheetah_fl_leg", "revolute_rotor_chain"}) {
    const ReadResult legacy = ReadText(
        Slurp(root / "mit-biomimetics_URDF-Parser/examples" / (std::string(name) + ".urdf")));
    const ReadResult modern = ReadText(
        Slurp(root / "ROAM-Lab-ND_generalized_rbda/robot-models" / (std::string(name) + ".urdf")));
    ASSERT_TRUE(legacy.model && modern.model) << name;
    EXPECT_FALSE(legacy.errors) << name;
    EXPECT_EQ(Aggregates(*legacy.model), Aggregates(*modern.model)) << name;
    EXPECT_EQ(legacy.model->couplings.size(), modern.model->couplings.size()) << name;
    for (std::size_t i = 0;
         i < std::min(legacy.model->couplings.size(), modern.model->couplings.size()); ++i) {
      EXPECT_EQ(legacy.model->couplings[i].terms.size(), modern.model->couplings[i].terms.size())
          << name;
    }
  }
}

// A serial chain and a star: time near-linear, no recursion.
TEST(LargeFiles, ChainOf50000LinksAndStarOf100000) {
  std::string chain = "<robot name=\"chain\">", star = "<robot name=\"star\"><link name=\"hub\"/>";
  for (int i = 0; i < 50000; ++i) {
    const std::string n = std::to_string(i);
    chain += "<link name=\"l" + n + "\"/>";
    if (i > 0)
      chain += "<joint name=\"j" + n + "\" type=\"fixed\"><parent link=\"l" +
               std::to_string(i - 1) + "\"/><child link=\"l" + n + "\"/></joint>";
  }
  for (int i = 0; i < 100000; ++i) {
    const std::string n = std::to_string(i);
    star += "<link name=\"l" + n + "\"/><joint name=\"j" + n +
            "\" type=\"continuous\"><parent link=\"hub\"/><child link=\"l" + n + "\"/></joint>";
  }
  for (const std::string& text : {chain + "</robot>", star + "</robot>"}) {
    const ReadResult read = ReadText(text);
    ASSERT_TRUE(read.model);
    EXPECT_TRUE(read.messages.empty());
    Diagnostics diagnostics;
    EXPECT_FALSE(FindFormat("urdf")->write(*read.model, {}, diagnostics).text.empty());
  }
}

}  // namespace
}  // namespace kinemorph::test
