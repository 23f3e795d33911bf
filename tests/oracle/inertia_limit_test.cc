// Rods, plates and what is close to them, turned at random: libsdformat and MuJoCo, which find
// principal moments in closed form, take what we write of each, and read the source's tensor.
#include <gtest/gtest.h>

#include <cmath>

#include "command.h"
#include "conversion.h"
#include "mujoco_judge.h"
#include "random_mechanism.h"
#include "sdformat_judge.h"

namespace kinemorph::test {
namespace {

constexpr int kLinks = 400, kModels = 2;

// Principal moments of a body with these shares of mass along its axes.
Vector3 Moments(const Vector3& d) { return {d.y() + d.z(), d.x() + d.z(), d.x() + d.y()}; }

// One that is close to what no body has.
Vector3 RandomMoments(Random& random) {
  const double slack[] = {0, 0, 0, 1e-16, 1e-14, 1e-12, 1e-10, 1e-8, 1e-7, 2e-6};
  Vector3 d(1, random.Uniform(0.01, 1), slack[random.Below(10)]);
  if (random.Below(2) == 0) d.y() = slack[random.Below(10)];  // a rod
  return std::pow(10, random.Uniform(-10, 3)) * Moments(d);
}

Model RandomBodies(Random& random) {
  Model model;
  model.name = "bodies", model.format = "urdf";
  for (int i = 0; i < kLinks; ++i) {
    Link link;
    link.name = "l" + std::to_string(i);
    link.inertial.emplace();
    link.inertial->mass = random.Uniform(0.1, 2);
    link.inertial->X_LI = RandomTransform(random, 0.1);
    const Matrix3 R = RandomRotation(random);
    const Matrix3 I = R * RandomMoments(random).asDiagonal() * R.transpose();
    link.inertial->I_I = (I + I.transpose()) / 2;
    Joint joint;
    joint.name = "j" + std::to_string(i);
    joint.kind = Free{};
    joint.role = JointRole::kTree;
    model.AddJoint(kWorld, model.AddLink(std::move(link)), std::move(joint));
  }
  return model;
}

std::string Written(const Model& model, const std::string& target) {
  ConvertOptions options;
  options.target = TargetNamed(target);
  Diagnostics diagnostics;
  const auto converted = Convert(model, options, diagnostics);
  EXPECT_TRUE(converted) << Rendered(diagnostics);
  return converted ? converted->text : "";
}

TEST(InertiaAtTheLimit, IsTakenByLibsdformat) {
  if (!HaveLibsdformat()) GTEST_SKIP() << "libsdformat is not installed";
  Random random(5);
  for (int n = 0; n < kModels; ++n) {
    const Model model = RandomBodies(random);
    const SdfFacts read = FactsOfText(Written(model, "sdf"));
    ASSERT_TRUE(read.ok) << read.errors;
    ASSERT_EQ(read.links.size(), static_cast<std::size_t>(kLinks));
    for (const LinkId id : Links(model)) {
      const Link& link = model.link(id);
      const Matrix3 wanted = link.inertial->InLink().I_BBcm;
      const auto found = read.links.find(link.name);
      ASSERT_NE(found, read.links.end()) << link.name;
      EXPECT_LT((found->second.inertia.I_BBcm - wanted).norm(), 1e-9 * wanted.norm()) << link.name;
    }
  }
}

TEST(InertiaAtTheLimit, IsTakenByMujoco) {
  Random random(6);
  const TemporaryFolder folder;
  for (int n = 0; n < kModels; ++n) {
    WriteFile(folder / "bodies.xml", Written(RandomBodies(random), "mjcf"));
    const auto compiled = CompileWithLibrary(folder / "bodies.xml");
    if (!compiled) GTEST_SKIP() << "MuJoCo is not installed";
    EXPECT_EQ(compiled->error, "");
  }
}

}  // namespace
}  // namespace kinemorph::test
