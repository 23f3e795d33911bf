// Every text of the model that a writer puts into a file, with names made to break out of it, by the
// parsers of others: the file keeps its structure, and the name stays a name.
#include <gtest/gtest.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "command.h"
#include "conversion.h"
#include "kinemorph/graph/model/elements.h"
#include "xml_reader.h"
#include "xml_writer.h"

namespace kinemorph::test {
namespace {

// The text of one format, in which {} is the name of an element and [] that of a file.
struct Source {
  const char *file, *text;
};
constexpr Source kSources[] = {
    {"in.urdf",
     R"(<robot name="{robot}"><link name="{link}"><inertial><mass value="1"/><inertia ixx="1" iyy="1"
 izz="1" ixy="0" ixz="0" iyz="0"/></inertial><visual name="{visual}"><geometry><mesh filename="[mesh]"/></geometry>
 <material name="{material}"><color rgba="1 0 0 1"/><texture filename="[texture]"/></material></visual>
 <collision name="{collision}"><geometry><box size="1 1 1"/></geometry></collision></link>
 <link name="tip"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
 </link><link name="end"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>
 </inertial></link><joint name="{joint}" type="revolute"><parent link="{link}"/><child link="tip"/><axis xyz="0 0 1"/>
 <limit lower="-1" upper="1" effort="1" velocity="1"/></joint><joint name="k" type="revolute"><origin xyz="1 0 0"/>
 <parent link="tip"/><child link="end"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/>
 <mimic joint="{joint}" multiplier="2"/></joint><loop name="{loop}" type="fixed"><predecessor link="{link}"><origin
 xyz="1 0 0"/></predecessor><successor link="end"><origin xyz="0 0 0"/></successor></loop>
 <transmission name="{drive}"><type>transmission_interface/SimpleTransmission</type><joint name="{joint}"/>
 <actuator name="m"/></transmission></robot>)"},
    {"in.sdf",
     R"(<sdf version="1.11"><model name="{robot}"><link name="{link}"><inertial><mass>1</mass></inertial>
 <visual name="{visual}"><geometry><mesh><uri>[mesh]</uri><submesh><name>{submesh}</name></submesh></mesh></geometry>
 </visual><sensor name="{sensor}" type="imu"/></link><link name="tip"><inertial><mass>1</mass></inertial></link>
 <frame name="{frame}" attached_to="{link}"/><joint name="{joint}" type="revolute"><parent>{link}</parent>
 <child>tip</child><axis><xyz>0 0 1</xyz></axis></joint><plugin name="{plugin}" filename="[file]"><text>{text}</text>
 </plugin></model></sdf>)"},
    {"in.xml",
     R"(<mujoco model="{robot}"><asset><material name="{material}" texture="{texture}"/><texture
 name="{texture}" type="2d" file="[texture].png"/><mesh name="{mesh}" file="[mesh].stl"/></asset><worldbody><body name="{link}">
 <joint name="{joint}"/><geom name="{geom}" type="box" size="1 1 1" material="{material}"/><site name="{site}"/>
 <body name="b"><joint name="j"/><geom size="1"/></body></body></worldbody><equality><connect name="{loop}"
 body1="{link}" body2="b" anchor="0 0 0"/></equality><actuator><motor name="{drive}" joint="{joint}"/></actuator>
 </mujoco>)"}};

// What is a mark, an end, or a word of one of the formats. None is reserved by a format: what those
// become is the business of the pass `names`.
const std::vector<std::string> kHostile = {"a@@@b",
                                           "@@@",
                                           "@",
                                           "a@",
                                           "a@@",
                                           "@a",
                                           "a\\@@@b",
                                           "a@b\\c",
                                           "a\"b",
                                           "a'b",
                                           "\"\"\"",
                                           "'''",
                                           "\"/><evil a=\"",
                                           "</link><evil/>",
                                           "<evil/>",
                                           "a<b>c&d;",
                                           "&amp;lt;",
                                           "&#0;",
                                           "]]>",
                                           "-->",
                                           "<!-- a",
                                           "a -- b",
                                           "<![CDATA[",
                                           "<?evil?>",
                                           "a\nb",
                                           "a\tb",
                                           "a\rb",
                                           "a\\nb",
                                           "a\\",
                                           "\\\\",
                                           "x@@@\n)\n{\n}\ndef Xform \"evil\" (\n)\n{\n}\ndef "
                                           "Xform \"rest\" (\n prepend references = @@@y",
                                           "x @)\n{ evil",
                                           "{a}",
                                           "[a]",
                                           "(a)",
                                           "a: b",
                                           "a:",
                                           "- a",
                                           "? a",
                                           "# a",
                                           "a #b",
                                           "null",
                                           "~",
                                           "true",
                                           "yes",
                                           "1e3",
                                           "0x10",
                                           "012",
                                           "1:30",
                                           "2001-01-01",
                                           "*a",
                                           "&a",
                                           "!a",
                                           "%a",
                                           "|",
                                           ">",
                                           "=",
                                           "<<",
                                           "---",
                                           "...",
                                           "${a}",
                                           "$(find a)",
                                           "$(eval 1)",
                                           "`id`",
                                           "$(id)",
                                           ";id;",
                                           "%s%n",
                                           "a/b",
                                           "../a",
                                           "a\\b",
                                           "C:\\a",
                                           "a,b",
                                           "a;b",
                                           "*/evil();/*",
                                           "//evil",
                                           "\\u0041",
                                           "\\x41",
                                           "{{a}}",
                                           "\xC3\xBC",
                                           "\xC2\x85",
                                           "\xC2\xA0",
                                           "\xE2\x80\xA8",
                                           "\xE2\x80\xAE",
                                           "\xEF\xBB\xBF",
                                           "\xF0\x9F\xA4\x96",
                                           "__proto__",
                                           "constructor",
                                           "=1+1",
                                           "a b",
                                           "  a",
                                           "a  ",
                                           std::string(5000, 'a')};

struct Writer {
  const char *name, *target, *mesh_end;
  std::vector<std::string> side_cars = {};
};
const std::vector<Writer>& Writers() {
  static const std::vector<Writer> kWriters = {{"urdf", "urdf", ".stl"},
                                               {"urdf_none", "urdf none", ".stl"},
                                               {"urdf_detachable", "urdf detachable", ".stl"},
                                               {"urdf_plus", "urdf+", ".stl"},
                                               {"urdf_paper", "urdf+ paper", ".stl"},
                                               {"urdf_drake", "urdf drake", ".obj"},
                                               {"hyrodyn", "urdf", ".stl", {"hyrodyn"}},
                                               {"gepetto", "urdf", ".stl", {"gepetto", "srdf"}},
                                               {"ros2_control", "urdf", ".stl", {"ros2_control"}},
                                               {"sdf", "sdf", ".dae"},
                                               {"sdf_1_11", "sdf@1.11", ".dae"},
                                               {"sdf_drake", "sdf drake", ".obj"},
                                               {"mjcf", "mjcf", ".stl"},
                                               {"mjcf_portable", "mjcf portable", ".stl"},
                                               {"mbs", "mbs", ".wrl"},
                                               {"usda", "usda", ".usd"},
                                               {"usda_physx", "usda physx", ".usda", {"isaaclab"}}};
  return kWriters;
}

void ReplaceAll(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

// The names in a source: "{link}", "[mesh]".
std::vector<std::string> Places(std::string_view text) {
  std::vector<std::string> places;
  for (std::size_t at = 0; (at = text.find_first_of("{[", at)) != std::string_view::npos; ++at) {
    const std::string place(text.substr(at, text.find_first_of("}]", at) + 1 - at));
    if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
  }
  return places;
}

// With a hostile name at every place of elements, or at every place of files; plain ones elsewhere.
std::string Filled(const Source& source, bool files, const std::string& name,
                   const std::string& mesh_end) {
  std::string text = source.text;
  for (const std::string& place : Places(source.text)) {
    const bool file = place[0] == '[';
    const bool ends = text.find(place + ".") != std::string::npos;  // it has an end already
    const std::string end = !file || ends          ? ""
                            : place == "[mesh]"    ? mesh_end
                            : place == "[texture]" ? ".png"
                                                   : "";
    const std::string plain = place.substr(1, place.size() - 2) + "_0";
    ReplaceAll(text, place, xml::Escaped((file == files ? name : plain) + end));
  }
  return text;
}

class HostileTexts : public ::testing::Test {
 protected:
  // Writes a text and its side-cars into the folder of their group; false where the target refuses.
  bool Put(const Writer& writer, const Source& source, bool files, const std::string& name,
           const std::string& file) {
    Diagnostics reading, converting;
    const std::optional<Model> model =
        ReadText(Filled(source, files, name, writer.mesh_end), source.file, reading);
    if (!model || reading.has_errors()) return false;
    ConvertOptions options;
    options.target = TargetNamed(writer.target);
    options.target.options.side_cars = writer.side_cars;
    options.target.options.hardware_plugin = "p/P";
    options.target.options.stem = "robot";
    const std::optional<Converted> converted = Convert(*model, options, converting);
    EXPECT_EQ(Rendered(converting).find("[internal-"), std::string::npos)
        << writer.name << " '" << name << "': " << Rendered(converting);
    if (!converted) return false;
    const std::string group = std::string(writer.name) + "/" + std::string(source.file).substr(3) +
                              (files ? "_files/" : "_names/");
    const std::string path = group + file + Extension(options.target.format->name);
    WriteFile(folder_ / path, converted->text);
    if (!files && std::string_view(writer.target).starts_with("urdf"))  // as they stand
      WriteFile(folder_ / (path + ".values"), nlohmann::json(name).dump() + "\n");
    for (const SideFile& side : converted->side_files) {
      const std::string end = fs::path(side.name).extension().string();
      if (end == ".c" || end == ".h") continue;  // of identifiers
      WriteFile(
          folder_ / (group + side.name.substr(0, side.name.size() - end.size()) + "/" + file + end),
          side.text);
    }
    return true;
  }

  TemporaryFolder folder_;
};

TEST_F(HostileTexts, KeepTheStructureOfEveryFile) {
  std::size_t written = 0;
  for (const Writer& writer : Writers())
    for (const Source& source : kSources)
      for (const bool files : {false, true}) {
        if (!Put(writer, source, files, "plain", "plain")) continue;
        for (std::size_t i = 0; i < kHostile.size(); ++i) {
          // Before its end such a name is a folder: a mesh without a name is left out with a loss.
          if (files && (kHostile[i].ends_with('\\') || kHostile[i].ends_with(':'))) continue;
          written += Put(writer, source, files, kHostile[i], "n" + std::to_string(i)) ? 1 : 0;
        }
      }
  EXPECT_GT(written, 5000U);
  const CommandResult judged =
      Shell("python3 " + SourceDir() + "/tests/oracle/texts/check.py " + folder_.path().string(),
            folder_.path());
  if (judged.exit_code == 127) GTEST_SKIP() << "python3 is not installed";
  ASSERT_EQ(judged.exit_code, 0) << judged.err;
  const std::size_t last = judged.out.rfind("judged ");
  EXPECT_EQ(judged.out.substr(0, last), "");
  std::cout << judged.out.substr(last);
}

}  // namespace
}  // namespace kinemorph::test
