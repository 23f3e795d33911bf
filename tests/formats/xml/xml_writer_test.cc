// Writing XML: layout, escaping, numbers.
#include "xml_writer.h"

#include <gtest/gtest.h>

namespace kinemorph::xml {
namespace {

TEST(Writer, IndentsAndClosesAsWrittenByHand) {
  Writer w;
  w.Open("robot").Attribute("name", "a<b>&\"c\"");
  w.Comment("made -- by -");
  w.Open("link").Attribute("mass", 0.1).Attribute("xyz", Vector3(1, -0.0, 1e-7)).Close();
  w.Leaf("pose", "0 0 1").Leaf("mass", 2.5);
  w.Native({.name = "gazebo", .children = {{.name = "x"}}});
  w.Open("empty").Close();
  w.Close();
  EXPECT_EQ(std::move(w).text(),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<robot name=\"a&lt;b&gt;&amp;&quot;c&quot;\">\n"
            "  <!-- made - - by - -->\n"
            "  <link mass=\"0.1\" xyz=\"1 0 1e-07\"/>\n"
            "  <pose>0 0 1</pose>\n"
            "  <mass>2.5</mass>\n"
            "  <gazebo>\n      <x/>\n  </gazebo>\n"
            "  <empty/>\n"
            "</robot>\n");
}

// A prefix that nothing declares makes strict readers refuse the file.
TEST(Writer, TheRootDeclaresPrefixes) {
  Writer w;
  w.Comment("of <two:kinds>");
  w.Open("robot").Attribute("name", "a").Open("drake:joint").Close();
  w.Native({.name = "gazebo",
            .attributes = {{"xml:lang", "en"}, {":odd", "1"}},
            .children = {{.name = "sensor:ray", .attributes = {{"geom:x", "1"}}}}});
  w.Close();
  EXPECT_EQ(std::move(w).text(),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<!-- of <two:kinds> -->\n"
            "<robot name=\"a\" xmlns:drake=\"http://drake.mit.edu\" xmlns:geom=\"urn:geom\""
            " xmlns:sensor=\"urn:sensor\">\n"
            "  <drake:joint/>\n"
            "  <gazebo xml:lang=\"en\" :odd=\"1\">\n"
            "      <sensor:ray geom:x=\"1\"/>\n"
            "  </gazebo>\n"
            "</robot>\n");
  EXPECT_EQ(TextOf({.name = "sensor:ray"}), "<sensor:ray/>");
}

}  // namespace
}  // namespace kinemorph::xml
