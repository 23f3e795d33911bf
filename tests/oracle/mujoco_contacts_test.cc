// Which bodies touch: MuJoCo's own list of pairs, against the set that verify compares.
#include <gtest/gtest.h>

#include "conversion.h"

#ifdef KINEMORPH_LIBMUJOCO
#include <iostream>
#include <memory>
#include <random>
#include <set>

#include "kinemorph/converters/verify.h"
#include "kinemorph/graph/checks/contacts.h"
#include "mujoco_judge.h"
#include "mujoco_text.h"

namespace kinemorph {
namespace {

using Loaded = std::unique_ptr<mjModel, void (*)(mjModel*)>;
using Pair = std::pair<int, int>;

bool Moves(const mjModel& m, int body) {
  for (int b = body; b != 0; b = m.body_parentid[b])
    if (m.body_dofnum[b] > 0) return true;
  return false;
}

bool Excluded(const mjModel& m, int a, int b) {
  constexpr int kFirst = mjVERSION_HEADER < 300 ? 1 : 0;  // older versions count bodies from one
  for (int e = 0; e < m.nexclude; ++e)
    if (m.exclude_signature[e] == ((a + kFirst) << 16) + b + kFirst) return true;
  return false;
}

// As its collision driver filters bodies. What cannot move is left out: nothing comes of it.
bool BodiesMeet(const mjModel& m, int a, int b) {
  const int x = m.body_weldid[a], y = m.body_weldid[b];
  if (x == y || (!Moves(m, a) && !Moves(m, b)) || Excluded(m, std::min(a, b), std::max(a, b)))
    return false;
  const int above_x = m.body_weldid[m.body_parentid[x]],
            above_y = m.body_weldid[m.body_parentid[y]];
  const bool filters = (m.opt.disableflags & mjDSBL_FILTERPARENT) == 0;
  return !filters || x == 0 || y == 0 || (x != above_y && y != above_x);
}

bool GeomsMeet(const mjModel& m, int g, int h) {
  return (m.geom_contype[g] & m.geom_conaffinity[h]) != 0 ||
         (m.geom_contype[h] & m.geom_conaffinity[g]) != 0;
}

std::set<Pair> GeomPairs(const mjModel& m) {
  std::set<Pair> pairs;
  for (int g = 0; g < m.ngeom; ++g)
    for (int h = 0; h < g; ++h)
      if (GeomsMeet(m, g, h) && BodiesMeet(m, m.geom_bodyid[g], m.geom_bodyid[h]))
        pairs.emplace(h, g);
  for (int p = 0; p < m.npair; ++p) {
    const int a = m.geom_bodyid[m.pair_geom1[p]], b = m.geom_bodyid[m.pair_geom2[p]];
    if (m.body_weldid[a] != m.body_weldid[b] && (Moves(m, a) || Moves(m, b)))
      pairs.insert(std::minmax(m.pair_geom1[p], m.pair_geom2[p]));
  }
  return pairs;
}

std::set<Pair> BodyPairs(const mjModel& m) {
  std::set<Pair> pairs;
  for (const auto& [g, h] : GeomPairs(m))
    pairs.insert(std::minmax(m.geom_bodyid[g], m.geom_bodyid[h]));
  return pairs;
}

// Off altogether: text of the format, not a set of pairs.
bool HasContacts(const mjModel& m) {
  return (m.opt.disableflags & (mjDSBL_CONTACT | mjDSBL_CONSTRAINT)) == 0;
}

std::string InOrder(const std::string& x, const std::string& y) {
  return std::min(x, y) + " " + std::max(x, y);
}

std::set<std::string> Named(const std::set<Pair>& pairs, const mjModel& m) {
  std::set<std::string> names;
  for (const auto& [a, b] : pairs) {
    const char *const x = mj_id2name(&m, mjOBJ_BODY, a), *const y = mj_id2name(&m, mjOBJ_BODY, b);
    if (x != nullptr && y != nullptr) names.insert(InOrder(x, y));
  }
  return names;
}

constexpr std::size_t kMostPairs = 20'000;  // of heaps of bodies, which take long

TEST(MujocoContacts, ItsListOfPairsIsOurs) {
  std::string why;
  const auto corpus = StubbedCorpus(why);
  if (!corpus) GTEST_SKIP() << why;
  int compared = 0;
  for (const std::string& file : CorpusMains()) {
    char error[1000] = "";
    const Loaded theirs(mj_loadXML((*corpus / file).c_str(), nullptr, error, sizeof error),
                        mj_deleteModel);
    Diagnostics said;
    const std::optional<Model> ours =
        theirs == nullptr ? std::nullopt : test::ReadFile((*corpus / file).string(), said);
    if (!ours || !HasContacts(*theirs)) continue;
    const std::set<Pair> pairs = BodyPairs(*theirs);
    if (pairs.size() > kMostPairs) continue;
    // MuJoCo lets what welds hold touch. Bodies without names are counted.
    const std::vector<LinkPair> found = Contacts(*ours, ours->contact_rule, false).Pairs();
    EXPECT_EQ(found.size(), pairs.size()) << file;
    std::set<std::string> names;
    for (const auto& [a, b] : found) names.insert(InOrder(ours->link(a).name, ours->link(b).name));
    for (const std::string& name : Named(pairs, *theirs))
      EXPECT_TRUE(names.contains(name)) << file << ": " << name;
    ++compared;
  }
  std::cout << "[ compared ] " << compared << " models\n";
  EXPECT_GT(compared, 30);
}

// One mask of each model, or one exclusion more: noticed in both orders where MuJoCo's pairs of
// shapes become others, and nowhere else.
TEST(MujocoContacts, AChangeIsNoticedWhereItsPairsChange) {
  std::string why;
  const auto corpus = StubbedCorpus(why);
  if (!corpus) GTEST_SKIP() << why;
  constexpr int kModels = 40;
  std::mt19937 random(1);
  int models = 0, changed = 0, same = 0;
  const auto written = [](const Model& model) {
    Diagnostics said;
    const Target target = test::TargetNamed("mjcf");
    return target.format->write(model, target.options, said).text;
  };
  for (const std::string& file : CorpusMains()) {
    if (models == kModels) break;
    Diagnostics said;
    const std::optional<Model> model = test::ReadFile((*corpus / file).string(), said);
    if (!model || model->num_links() > 60) continue;
    const test::MujocoModel before(written(*model));
    if (before.model() == nullptr || !HasContacts(*before.model())) continue;
    const std::set<Pair> pairs = GeomPairs(*before.model());
    if (pairs.empty()) continue;
    ++models;
    for (int i = 0; i < 4; ++i) {
      Model other = *model;
      const LinkId one{static_cast<std::uint32_t>(random() % model->num_links())},
          two{static_cast<std::uint32_t>(random() % model->num_links())};
      std::vector<Collision>& shapes = other.link(one).collisions;
      if (i % 2 == 0 && !shapes.empty())
        shapes[random() % shapes.size()].contact_mask =
            ContactMask{1U + static_cast<std::uint32_t>(random() % 3),
                        static_cast<std::uint32_t>(random() % 4)};
      else if (one != two)
        other.contact_exclusions.push_back({one, two, {}});
      const test::MujocoModel after(written(other));
      if (after.model() == nullptr) continue;
      const auto a = test::ReadText(written(*model), "a.xml", said),
                 b = test::ReadText(written(other), "b.xml", said);
      ASSERT_TRUE(a && b) << file << test::Rendered(said);
      const bool differ = GeomPairs(*after.model()) != pairs;
      (differ ? changed : same) += 1;
      VerifyOptions options;
      options.states = 1;
      for (const VerifyResult& result :
           {VerifyEquivalent(*a, *b, options), VerifyEquivalent(*b, *a, options)})
        EXPECT_EQ(result.verdict == Verdict::kDifferent, differ)
            << file << " " << i << ": " << result.line << test::Rendered(result.diagnostics);
    }
  }
  std::cout << "[ noticed  ] " << changed << " changes, and " << same << " that change nothing\n";
  EXPECT_GT(changed, 20);
  EXPECT_GT(same, 10);
}

}  // namespace
}  // namespace kinemorph
#else
TEST(MujocoContacts, NeedsMujoco) { GTEST_SKIP() << "libmujoco was not found when this was built"; }
#endif
