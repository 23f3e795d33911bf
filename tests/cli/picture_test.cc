// Pictures as Graphviz draws them: their shape, what they leave out, readers in the dark.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <regex>

#include "command.h"
#include "paths.h"

namespace kinemorph::test {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kPlatform =
    SourceDir() + "/fixtures/mechanisms/stewart_platform/stewart_platform.urdf";

class Picture : public testing::Test {
 protected:
  CommandResult Draw(const std::string& arguments) {
    return Shell(std::string(KINEMORPH_COMMAND) + " graph " + arguments, folder_.path());
  }
  // Width over height of the SVG, or the other way round.
  double RatioOf(const std::string& file) {
    std::smatch size;
    const std::string svg = FileText(folder_ / file);
    if (!std::regex_search(svg, size, std::regex("width=\"([0-9.]+)pt\" height=\"([0-9.]+)pt\"")))
      return 0;
    const double width = std::stod(size[1]), height = std::stod(size[2]);
    return std::max(width / height, height / width);
  }
  TemporaryFolder folder_;
};

// A robot of `legs` chains of `length` links, each link with a sensor on a fixed joint.
std::string Walker(int legs, int length, bool sensors) {
  std::string text = "<robot name=\"walker\">\n<link name=\"trunk\"/>\n";
  const auto add = [&](const std::string& link, const std::string& above, const char* type) {
    text += "<link name=\"" + link + "\"/><joint name=\"" + link + "_joint\" type=\"" + type +
            "\"><parent link=\"" + above + "\"/><child link=\"" + link +
            "\"/><axis xyz=\"0 0 1\"/></joint>\n";
  };
  for (int leg = 0; leg < legs; ++leg) {
    std::string above = "trunk";
    for (int k = 0; k < length; ++k) {
      const std::string link = "leg_" + std::to_string(leg) + "_link_" + std::to_string(k);
      add(link, above, "continuous");
      if (sensors) add(link + "_sensor", link, "fixed");
      above = link;
    }
  }
  return text + "</robot>\n";
}

TEST_F(Picture, OfALargeRobotIsNoRibbon) {
  if (std::system("command -v dot >/dev/null") != 0) GTEST_SKIP() << "Graphviz is not installed";
  struct Case {
    int legs, length;
    bool sensors;
  };
  for (const Case& c : {Case{6, 15, false}, Case{6, 8, true}, Case{20, 1, false},
                        Case{90, 1, false}, Case{30, 3, false}, Case{2, 20, true}}) {
    WriteFile(folder_ / "walker.urdf", Walker(c.legs, c.length, c.sensors));
    for (const char* what : {"cg", "lacg"}) {
      const CommandResult result = Draw("walker.urdf -o w.svg --what " + std::string(what));
      ASSERT_EQ(result.exit_code, 0) << result.err;
      EXPECT_GT(RatioOf("w.svg"), 0);
      EXPECT_LT(RatioOf("w.svg"), 3.6) << c.legs << " legs of " << c.length << ", " << what;
    }
  }
}

TEST_F(Picture, IsDarkForReadersInTheDark) {
  if (std::system("command -v dot >/dev/null") != 0) GTEST_SKIP() << "Graphviz is not installed";
  ASSERT_EQ(Draw(kPlatform + " --what lacg -o p.svg").exit_code, 0);
  EXPECT_THAT(FileText(folder_ / "p.svg"), HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THAT(FileText(folder_ / "p.svg"), HasSubstr("mobility 6"));
  EXPECT_THAT(FileText(folder_ / "p.svg"), HasSubstr("universal joint &#39;universal_1&#39;"));
}

TEST_F(Picture, OfLinksAndJointsNeedsNoAnalysis) {
  EXPECT_THAT(Draw(kPlatform + " --what cg").out, Not(HasSubstr("mobility")));
  EXPECT_THAT(Draw(kPlatform + " --what cdd").out, Not(HasSubstr("mobility")));
  EXPECT_THAT(Draw(kPlatform + " --what lacg").out, HasSubstr("mobility 6"));
}

TEST_F(Picture, ShowsWhatIsNearALink) {
  const CommandResult near = Draw(kPlatform + " --what cg --focus platform --depth 1");
  EXPECT_THAT(near.out, HasSubstr("drawn: 7 links"));
  EXPECT_THAT(near.out, HasSubstr("upper_6"));
  EXPECT_THAT(near.out, Not(HasSubstr("label=\"lower_6\"")));
  EXPECT_THAT(Draw(kPlatform + " --what cg --focus platform").out, HasSubstr("drawn: 13 links"));
  EXPECT_THAT(Draw(kPlatform + " --what cg --depth 0").out, HasSubstr("drawn: 1 link"));
  const CommandResult typo = Draw(kPlatform + " --what cg --focus plattform");
  EXPECT_EQ(typo.exit_code, 2);
  EXPECT_THAT(typo.err, HasSubstr("did you mean 'platform'?"));
}

TEST_F(Picture, MakesOneBoxOfFixedLinksAndChains) {
  WriteFile(folder_ / "walker.urdf", Walker(2, 3, true));
  const std::string fixed = Draw("walker.urdf --what lacg --collapse fixed").out;
  EXPECT_THAT(fixed, HasSubstr("\"leg_0_link_2\\n+ 1 fixed\""));
  EXPECT_THAT(fixed, Not(HasSubstr("label=\"leg_0_link_2_sensor\"")));
  const std::string chains = Draw("walker.urdf --what cg --collapse chains").out;
  EXPECT_THAT(chains, HasSubstr("6 links, RR\""));
  EXPECT_EQ(Draw("walker.urdf --what cg --collapse all").exit_code, 2);
  const std::string repeats = Draw("walker.urdf --what cg --collapse repeats").out;
  EXPECT_THAT(repeats, HasSubstr("\"leg_1_link_0\\n6 links, RR\""));
  EXPECT_THAT(repeats, Not(HasSubstr("label=\"leg_1_link_1")));
}

// tests/web/graph.mjs uses it in a browser.
TEST_F(Picture, IsAPageByItself) {
  if (std::system("command -v dot >/dev/null") != 0) GTEST_SKIP() << "Graphviz is not installed";
  std::string robot = Walker(1, 2, false);
  robot.replace(robot.find("walker"), 6, "&lt;/script>@SVG@");
  WriteFile(folder_ / "odd.urdf", robot);
  ASSERT_EQ(Draw("odd.urdf --what cg -o odd.html").exit_code, 0);
  const std::string page = FileText(folder_ / "odd.html");
  EXPECT_THAT(page, HasSubstr("<title>&lt;/script&gt;@SVG@</title>"));
  EXPECT_THAT(page, HasSubstr(">leg_0_link_1</text>"));
  EXPECT_EQ(page.find("<script>"), page.rfind("<script>"));
  EXPECT_EQ(page.find("</script>"), page.rfind("</script>"));
}

}  // namespace
}  // namespace kinemorph::test
