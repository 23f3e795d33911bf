// The parts of an OBJ file by colour.
#include "kinemorph/formats/coloured_mesh.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kinemorph::test {
namespace {

using testing::HasSubstr;
using testing::Optional;

constexpr std::string_view kLibrary =
    "newmtl red\nKd 1 0 0\nnewmtl glass\nKd 0 0 2\nd 0.5\n"
    "newmtl wood\nKd 1 1 1\nmap_Kd wood.png\nnewmtl crimson\nKd 1 0 0\n";
constexpr std::string_view kCorners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 5 5 5\n";

std::vector<ColouredPart> Parts(std::string_view faces) {
  return PartsByColour(std::string(kCorners) + std::string(faces), kLibrary);
}

TEST(ColouredMesh, HasAPartForEachColour) {
  const auto parts = Parts(
      "usemtl red\nf 1 2 3\nf 1 2 4\nusemtl glass\nf 2/1/1 3/1/1 4/1/1 5/1/1\nusemtl crimson\nf 1 "
      "3 4\n");
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_THAT(parts[0].colour, Optional(Rgba(1, 0, 0, 1)));
  EXPECT_EQ(parts[0].obj, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\n");
  EXPECT_THAT(parts[1].colour, Optional(Rgba(0, 0, 1, 0.5)));
  EXPECT_EQ(parts[1].obj, "v 1 0 0\nv 0 1 0\nv 0 0 1\nv 5 5 5\nf 1 2 3\nf 1 3 4\n");
}

TEST(ColouredMesh, HasNoColourWhereNobodyKnows) {
  for (const char* word : {"usemtl wood\n", "usemtl stranger\n", "usemtl\n", ""}) {
    const auto parts = Parts(std::string(word) + "f 1 2 3\nf 2 3 4\n");
    ASSERT_EQ(parts.size(), 1U) << word;
    EXPECT_EQ(parts[0].colour, std::nullopt) << word;
  }
}

// MuJoCo loads no mesh of less than four vertices.
TEST(ColouredMesh, HasFourVerticesAtLeast) {
  const auto parts = Parts("usemtl red\nf 1 2 3\nusemtl glass\nf 1 2 3\nf 1 2 4\n");
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].obj, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 0\nf 1 2 3\n");
}

TEST(ColouredMesh, TakesNoColourThatIsNone) {
  const auto parts =
      PartsByColour(std::string(kCorners) + "usemtl a\nf 1 2 3\n", "newmtl a\nKd nan 0 0\n");
  EXPECT_EQ(parts.at(0).colour, std::nullopt);
}

TEST(ColouredMesh, LeavesAMeshWholeThatIsTooColourfulOrBad) {
  std::string library, faces;
  for (int i = 0; i < 40; ++i) {
    library += "newmtl m" + std::to_string(i) + "\nKd 0 0 " + std::to_string(0.01 * i) + "\n";
    faces += "usemtl m" + std::to_string(i) + "\nf 1 2 3 4\n";
  }
  const auto many = PartsByColour(std::string(kCorners) + faces, library);
  ASSERT_EQ(many.size(), 1U);
  EXPECT_EQ(many[0].colour, std::nullopt);
  for (const char* bad : {"f 1 2 9\n", "f 1 2\n", "f a b c\n", "v 1\nf 1 2 3\n"}) {
    const auto parts = Parts(bad);
    ASSERT_EQ(parts.size(), 1U) << bad;
    EXPECT_THAT(parts[0].obj, HasSubstr(bad));
  }
}

}  // namespace
}  // namespace kinemorph::test
