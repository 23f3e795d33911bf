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

}  // namespace
}  // namespace kinemorph::xml
