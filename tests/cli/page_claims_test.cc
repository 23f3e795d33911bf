// What README.md, PROOF.md and FAQ.md claim in one sentence each: the sentence stands in its page,
// and a few lines of shell show that it is true. Claims that need more are in claims_test.cc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "command.h"
#include "paths.h"

namespace kinemorph::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

// In a folder with robot.urdf (a parallelogram, URDF+), robot.sdf (the same), linkage.sdf (a general
// four-bar) and the program in $K, `shell` prints what matches the regular expression `seen`.
struct Claim {
  const char* page;
  const char* sentence;
  const char* shell;
  const char* seen;
};

constexpr const char* kReadme = "README.md";
constexpr const char* kProof = "tools/docs/PROOF.md";
constexpr const char* kFaq = "tools/docs/FAQ.md";

const Claim kClaims[] = {
    {kReadme, "and keeps their kinematic loops",
     "for t in urdf urdf+ sdf mjcf mbs usda; do $K convert linkage.sdf o --to $t -q; case $t in "
     "mjcf) f=mjcf;; urdf+) f=urdf;; *) f=$t;; esac; "
     "$K inspect o --from $f | grep -c '1 loop joint'; done | tr -d '\\n'",
     "^111111"},
    {kReadme, "reports what a target format cannot hold, with file and line",
     "$K check robot.urdf --to mjcf", "robot.urdf:[0-9]+: warning: .*\\[loss-velocity-limit\\]"},
    {kReadme, "The endings of the two names say which formats you mean",
     "$K convert robot.urdf robot.xml 2>&1", "read  robot.urdf: urdf\\+.*\nwrote robot.xml: mjcf"},
    {kReadme, "`kinemorph explain CODE` says what happened and what you can type",
     "$K explain loss-velocity-limit", "what happened:.*\n.*what to type:"},
    {kReadme, "`verify` names the first difference of each kind, with both values",
     "sed 's/iyy=\"0.0095\"/iyy=\"0.0096\"/; s/damping=\"0.05\"/damping=\"0.06\"/' robot.urdf > "
     "other.urdf; "
     "$K verify robot.urdf other.urdf 2>&1",
     "link inertias differ: .* against .*damping differs: damping 0.05 .* against 0.06"},
    {kReadme, "`kinemorph diff` names all of them",
     "sed 's/velocity=\"[0-9.]*\"/velocity=\"9\"/' robot.urdf > other.urdf; $K diff robot.urdf "
     "other.urdf | grep -c 'velocity limits differ'; "
     "grep -c 'velocity=' robot.urdf",
     "^3\n3\n$"},
    {kReadme, "what SDFormat would lose, without writing a file",
     "mkdir d; cd d; cp ../robot.urdf .; $K check robot.urdf --to sdf >&2; ls", "^robot.urdf\n$"},
    {kReadme, "as C, MATLAB, an FMU or a ROS 2 node",
     "for l in c matlab ros2; do $K export robot.urdf --language $l -o e_$l >&2 && ls e_$l | wc "
     "-l; done",
     "^[1-9].*\n[1-9].*\n[1-9].*\n$"},
    {kReadme, "in parallel, with limits and a journal, and goes on where it stopped",
     "mkdir s; cp robot.urdf robot.sdf linkage.sdf s; $K batch s -o d --to mjcf --on-clash suffix "
     "--report r.jsonl -j 2 --timeout 60 --memory 2000 2>&1 | tail -1; "
     "$K batch s -o d --to mjcf --on-clash suffix --report r.jsonl --resume 2>&1 | tail -1",
     "converted 3, skipped 0, failed 0 of 3.*\n.*converted 0, skipped 3, failed 0 of 3"},
    {kReadme, "the loop joint is dashed", "$K graph robot.urdf --what cg -o - | grep dashed",
     "loop1"},
    {kReadme, "whose functions throw nothing",
     "printf 'closed_loop: [[a, a]]\\nclosed_loop: [&x [*x]]\\n' > robot.yaml; $K inspect "
     "robot.urdf 2>&1; echo ended with $?",
     "error: .*\n(.*\n)*ended with 1"},

    {kProof, "print one line of verdict",
     "$K convert robot.urdf o.sdf --verify 2>&1 | grep -c equivalent; $K verify robot.urdf o.sdf | "
     "grep -c equivalent",
     "^1\n1\n"},
    {kProof,
     "or only one that does not move the robot and that a conversion back restores, such as which "
     "joints are declared independent",
     "$K verify robot.urdf robot.sdf; echo ended with $?",
     "differs independent coordinates.*\n(.*\n)*equivalent\nended with 0"},
    {kProof, "or declarations, such as `independent`, that do not change how the robot moves",
     "sed 's/ independent=\"false\"//' robot.urdf > other.urdf; $K verify robot.urdf other.urdf; "
     "echo ended with $?",
     "equivalent except: declared independent coordinates of 2 joints\nended with 1"},
    {kProof, "`--massless 5` gave a link 5 kg",
     "sed 's#</robot>#<link name=\"m\"/><joint name=\"jm\" type=\"continuous\"><parent "
     "link=\"link1\"/><child link=\"m\"/></joint></robot>#' robot.urdf > m.urdf; "
     "$K convert m.urdf m.xml --massless 5 --verify --strict=motion --drop velocity-limit 2>&1",
     "as asked: massless link of 1 link \\(5 kg\\)"},
    {kProof, "names, masses, inertias, frames, limits, damping, friction, shapes, colours",
     "for e in s/joint1/jointA/g s/value=.1.2./value=\\\"1.3\\\"/ "
     "s/iyy=.0.0095./iyy=\\\"0.0096\\\"/ 's/0.15 -0.003 0.01/0.15 -0.003 0.02/' "
     "s/upper=.1.5./upper=\\\"1.4\\\"/ s/velocity=.6./velocity=\\\"7\\\"/ "
     "s/damping=.0.05./damping=\\\"0.06\\\"/ s/friction=.0.02./friction=\\\"0.03\\\"/ "
     "'s/size=.0.3 0.02 0.02./size=\"0.3 0.02 0.03\"/' 's/rgba=.0.8 0.6/rgba=\"0.7 0.6/'; do sed "
     "\"$e\" robot.urdf > other.urdf; cmp -s robot.urdf other.urdf && echo same file; "
     "$K verify robot.urdf other.urdf 2>/dev/null | grep -q '^NOT equivalent' && printf x; done",
     "^xxxxxxxxxx$"},
    {kProof,
     "`kinemorph diff` lists each difference, up to a thousand of a kind, with both values where "
     "they are words or numbers",
     "cp many_1.urdf a.urdf; sed \"s/mass value='1'/mass value='2'/g\" a.urdf > b.urdf; $K diff "
     "a.urdf "
     "b.urdf | grep -c 'masses differ: 1 against 2 kg'",
     "^41\n"},
    {kProof, "`kinemorph diff` lists each difference, up to a thousand of a kind",
     "python3 -c \"print(open('many_1.urdf').read().replace('</robot>', ''.join('<link "
     "name=\\\"k%d\\\">' % i + "
     "'<inertial><mass value=\\\"1\\\"/><inertia ixx=\\\"1\\\" iyy=\\\"1\\\" izz=\\\"1\\\" "
     "ixy=\\\"0\\\" ixz=\\\"0\\\" iyz=\\\"0\\\"/></inertial></link>"
     "<joint name=\\\"i%d\\\" type=\\\"continuous\\\"><parent link=\\\"l0\\\"/><child "
     "link=\\\"k%d\\\"/></joint>' % (i, i) for i in range(1100)) + '</robot>'))\" > a.urdf; "
     "sed 's/mass value=./&2/g' a.urdf > b.urdf; $K diff a.urdf b.urdf > d; grep -c 'masses "
     "differ' d; grep -c 'more' d",
     "^1000\n[1-9]"},
    {kProof, "if a target cannot hold `mu2`, then `mu` is still compared",
     "$K convert mu.sdf mu.xml --loss-report mu.json -q; $K verify mu.sdf mu.xml --report mu.json "
     "| tail -1; "
     "sed 's/friction=\"[0-9.]*/friction=\"0.9/' mu.xml > other.xml; $K verify mu.sdf other.xml "
     "--report mu.json 2>/dev/null | tail -1",
     "^equivalent except: .*\nNOT equivalent: surface friction"},
    {kProof, "a mesh that USD only names keeps its place and its scale",
     "$K convert mesh.urdf mesh.usda --loss-report mesh.json -q; sed 's/(2, 2, 2)/(2, 2, 3)/' "
     "mesh.usda > other.usda; cmp -s mesh.usda other.usda && echo same file; "
     "$K verify mesh.urdf other.usda --report mesh.json 2>&1; echo ended with $?",
     "size 2 2 2.* against size 2 2 3(.*\n)*ended with 1"},
    {kProof, "another value or another plugin is a difference",
     "for e in s/1/2/ s/libp/libq/; do sed \"/<plugin/$e\" plugin.sdf > other.sdf; $K verify "
     "plugin.sdf other.sdf 2>/dev/null | tail -1; done",
     "^NOT equivalent: .*\nNOT equivalent: "},
    {kProof,
     "Names of shapes are compared, except a name that kinemorph made up for a shape without one",
     "$K convert shapes.xml shapes.sdf -q; sed \"s/'a_collision'/'other'/; "
     "s/\\\"a_collision\\\"/\\\"other\\\"/\" shapes.sdf > made.sdf; cmp -s shapes.sdf made.sdf && "
     "echo same file; "
     "$K verify shapes.xml made.sdf 2>/dev/null | tail -1; sed 's/named/renamed/' shapes.sdf > "
     "own.sdf; $K verify shapes.xml own.sdf 2>/dev/null | tail -1",
     "^equivalent.*\nNOT equivalent: names of shapes"},
    {kProof,
     "MuJoCo also looks for contacts between two bodies that a weld joins, and other formats do "
     "not",
     "$K convert weld.xml weld.sdf -q; sed 's#</mujoco>#<contact><exclude body1=\"a\" "
     "body2=\"b\"/></contact></mujoco>#' weld.xml > other.xml; "
     "$K verify weld.xml other.xml 2>/dev/null | tail -1; $K verify other.xml weld.sdf 2>/dev/null "
     "| tail -1",
     "^NOT equivalent: contacts.*\nequivalent"},
    {kProof, "draws ten random states", "$K verify --help", "--states N (.*\n)?.*10"},
    {kProof, "Therefore other cuts, split joints and moved link frames make no difference",
     "for j in crank_joint coupler_joint rocker_joint; do $K convert linkage.sdf o.urdf --cut $j "
     "--verify 2>&1 | grep -c ': note: equivalent'; done; "
     "$K convert linkage.sdf g.urdf --profile grbda --loss-report g.json --verify 2>&1 | grep -c "
     "': note: equivalent'; grep -c '\"frames\": \\[$' g.json",
     "^1\n1\n1\n1\n1\n"},
    {kProof,
     "The tolerance is 1e-9 of the size of the robot for poses, and larger for what is computed "
     "from them, up to 1e-6 for accelerations",
     "$K verify robot.urdf robot.sdf --verbose",
     "link poses +[^ ]+ +tolerance +1e-09(.*\n)*.*accelerations +[^ ]+ +tolerance +1e-06"},
    {kProof, "counts the comparisons of step 2 and step 1 together",
     "a=$($K verify robot.urdf robot.sdf --verbose | grep -cE '^(same|differs) '); $K convert "
     "robot.urdf o.sdf --verify 2>&1 | grep -o \"proved in $a checks\"",
     "proved in [0-9]+ checks"},
    {kProof, "`kinemorph explain verify-except` explains an exception", "$K explain verify-except",
     "what happened"},
    {kProof, "It compares triangles only where a USD stage has them",
     "mkdir p q; for d in p q; do cp stl.urdf $d/r.urdf; done; cp arm.stl p/arm.stl; sed 's/1 0 "
     "0$/3 0 0/' arm.stl > q/arm.stl; cmp -s p/arm.stl q/arm.stl && echo same file; "
     "$K verify p/r.urdf q/r.urdf 2>/dev/null | tail -1; for d in p q; do $K convert $d/r.urdf "
     "$d/r.usda -q; done; $K verify p/r.usda q/r.usda 2>/dev/null | tail -1",
     "^equivalent\nNOT equivalent: visuals"},
    {kProof, "A MuJoCo tendon, or a plugin of MuJoCo, is kept within MJCF and is a loss elsewhere",
     "$K convert tendon.xml o.xml -q; grep -c '<spatial' o.xml; $K check tendon.xml --to sdf",
     "^1\n(.*\n)*.*<tendon/spatial>.*\\[loss-native-data\\]"},
    {kProof, "A `<plugin>` of Gazebo is kept in SDFormat and URDF",
     "$K convert plugin.sdf o.urdf -q; grep -c libp.so o.urdf; $K convert plugin.sdf o.sdf -q; "
     "grep -c libp.so o.sdf; $K convert plugin.sdf o.xml -q; grep -c libp.so o.xml",
     "^1\n1\n0\n"},
    {kProof, "No reference library is asked about Robotran MBS and USD",
     "for t in mbs usda; do $K convert robot.sdf o.$t --verify 2>&1 | grep -c verify-not-judged; "
     "done",
     "^1\n1\n"},
    {kProof, "every item of the source is in the target or in the report, else nothing is written",
     "$K explain internal-unaccounted", "nothing was written"},

    {kFaq,
     "The type can also be `continuous`, `prismatic`, `planar`, `fixed`, `ball`, `universal` (with "
     "`<axis2>`) or `cylindrical`",
     "for t in revolute continuous prismatic planar fixed ball universal cylindrical screw; do "
     "sed \"s/loop1\\\" type=\\\"revolute/loop1\\\" type=\\\"$t/; s#</loop>#<axis2 xyz='1 0 "
     "0'/></loop>#\" robot.urdf > t.urdf; "
     "$K inspect t.urdf >/dev/null 2>&1; printf $?; done",
     "^000000001$"},
    {kFaq, "`--mimic fit` writes the nearest line instead.",
     "$K convert linkage.sdf o.urdf --to urdf --mimic fit 2>&1 | grep -o 'by [0-9.]* rad at most' "
     "| head -1; grep -c '<mimic ' o.urdf",
     "by [0-9.]+ rad at most\n2\n"},
    {kFaq, "SDFormat, MJCF, URDF+, MBS and USD all hold loops",
     "for t in sdf mjcf urdf+ mbs usda; do $K check linkage.sdf --to $t | grep -c loss-loop; done",
     "^0\n0\n0\n0\n0\n"},
    {kFaq, "MJCF, for example, has no velocity limit for a joint", "$K check robot.urdf --to mjcf",
     "velocity limit .*not written"},
    {kFaq, "`--verbose` prints all, `--loss-report losses.md` writes all into a file",
     "$K convert robot.urdf o.xml 2>&1 | grep -c loss-velocity-limit; $K convert robot.urdf o.xml "
     "--verbose 2>&1 | grep -c loss-velocity-limit",
     "^1\n3\n"},
    {kFaq, "\"NOT equivalent\" names other differences",
     "sed 's/mass value=\"0.8\"/mass value=\"7\"/' robot.urdf > other.urdf; $K verify robot.urdf "
     "other.urdf 2>/dev/null | tail -1",
     "^NOT equivalent: link masses"},
    {kFaq,
     "Only if the target demands it, as `--profile grbda` does. The frame then moves by a constant "
     "transform, and the loss report lists it.",
     "$K convert linkage.sdf g.urdf --profile grbda --loss-report g.md -q; grep -A6 '^## Link "
     "frames' g.md; $K convert linkage.sdf o.xml --loss-report o.md -q; grep -c '^## Link frames' "
     "o.md",
     "## Link frames\n(.*\n)*\\| .*crank.*\n(.*\n)*0\n"},
    {kFaq,
     "Names change only where the target does not allow them; the report lists these as well.",
     "sed 's/\"link1\"/\"link 1\"/g' robot.urdf > n.urdf; $K convert n.urdf o.mbs --loss-report "
     "o.md -q; grep -A6 '^## Names' o.md; $K convert n.urdf o.xml --loss-report x.md -q; grep -c "
     "'^## Names' x.md",
     "## Names\n(.*\n)*.* link 1 \\| link_1 \\|(.*\n)*0\n"},
    {kFaq,
     "For MuJoCo kinemorph therefore assembles the robot first: the joints get a new zero, and the "
     "report says by how much the loop was open.",
     "$K convert open.urdf o.xml --loss-report o.md -q; grep -c ' ref=' o.xml; grep 'open by' o.md",
     "^[1-9]\n.*open by 0.0"},
    {kFaq,
     "If no configuration closes a loop, kinemorph writes the loop between sites for MuJoCo, with "
     "a warning.",
     "$K convert far.urdf o.xml 2>&1 | grep -c mjcf-open-loop; grep -c 'site1=' o.xml",
     "^1\n[1-9]"},
    {kFaq,
     "unless the source has a drive there. It also makes motors of the transmissions of URDF and "
     "the drives of MBS, with their gear.",
     "$K convert drive.urdf o.xml --actuators motor -q; grep '<motor ' o.xml; $K convert "
     "drive.urdf o.mbs -q; $K convert o.mbs p.xml --actuators motor -q; grep '<motor ' p.xml",
     "joint2.* gear=\"50\"(.*\n)*.*joint2.* gear=\"50\""},
    {kFaq, "In this keyframe the loops are closed, and a floating robot stands on the floor.",
     "$K convert open.urdf o.xml --scene -q; grep -o '<key name=\"home\".*' o_scene.xml; printf "
     "\"<mujoco><worldbody><body name='b' pos='0 0 3'><freejoint/>"
     "<geom type='box' size='.1 .1 .05' mass='1'/></body></worldbody></mujoco>\" > box.xml; $K "
     "convert box.xml b.xml --scene -q; grep -o 'qpos=.*' b_scene.xml",
     "qpos=\"-0.01[0-9]* -0.02[0-9]* -0.01[0-9 .-]*\".*\nqpos=\"0 0 0.05[01]"},
    {kFaq,
     "Without an option, kinemorph writes the other meshes that it can read as OBJ into a folder "
     "`OUT_meshes` beside the file.",
     "mkdir o; $K convert stl.urdf o/r.xml -q; ls o/r_meshes", "^arm.obj"},
    {kFaq,
     "`--copy-assets meshes` copies the meshes to the folder `meshes`, and the file names the "
     "copies.",
     "mkdir o; $K convert stl.urdf o/r.sdf --copy-assets meshes -q; ls meshes; grep -o '<uri>.*' "
     "o/r.sdf",
     "^arm.stl\n<uri>../meshes/arm.stl</uri>"},
    {kFaq, "Add `--convert-meshes`, which turns STL files that are text into OBJ",
     "$K convert stl.urdf r.xml --copy-assets meshes --convert-meshes -q; ls meshes", "^arm.obj"},
    {kFaq, "`--copy-assets meshes --mesh-uri package://NAME/meshes` writes such names",
     "$K convert stl.urdf r.sdf --copy-assets meshes --mesh-uri package://pk/meshes -q; cat r.sdf",
     "package://pk/meshes/arm.stl"},
    {kFaq,
     "kinemorph looks for the package above the file (a `package.xml`), then where `--package "
     "NAME=DIR` and `--package-path DIR` say",
     "mkdir -p w/pk; cp arm.stl w/pk; sed 's#arm.stl#package://pk/arm.stl#' stl.urdf > p.urdf; "
     "find() { $K check p.urdf --to sdf \"$@\" | grep -c resource-not-found; }; "
     "find; find --package pk=w/pk; find --package-path w; ROS_PACKAGE_PATH=$PWD/w find; printf "
     "'<package><name>pk</name></package>' > w/pk/package.xml; mkdir w/pk/urdf; mv p.urdf "
     "w/pk/urdf; "
     "cd w/pk/urdf; find",
     "^1\n0\n0\n0\n0\n"},
    {kFaq,
     "in the folders of ROS_PACKAGE_PATH, AMENT_PREFIX_PATH, GZ_SIM_RESOURCE_PATH, "
     "GAZEBO_MODEL_PATH, SDF_PATH and PRJPATH",
     "mkdir -p w/pk w/share; cp arm.stl w/pk; cp -r w/pk w/share/pk; sed "
     "'s#arm.stl#package://pk/arm.stl#' stl.urdf > p.urdf; for v in ROS_PACKAGE_PATH "
     "AMENT_PREFIX_PATH GZ_SIM_RESOURCE_PATH GAZEBO_MODEL_PATH SDF_PATH PRJPATH; do "
     "env $v=$PWD/w $K check p.urdf --to sdf | grep -c resource-not-found; done",
     "^0\n0\n0\n0\n0\n0\n"},
    {kFaq, "is the name of a file beside the robot, or in a folder of `--package-path`.",
     "sed 's#arm.stl#package:///arm.stl#' stl.urdf > p.urdf; $K check p.urdf --to sdf | grep -c "
     "resource-not-found; mkdir w; mv arm.stl w; $K check p.urdf --to sdf --package-path w | grep "
     "-c resource-not-found",
     "^0\n0\n"},
    {kFaq, "A file that kinemorph writes in another folder names it from there.",
     "mkdir o; $K convert stl.urdf o/r.sdf -q; cat o/r.sdf", "<uri>../arm.stl</uri>"},
    {kFaq, "compares seven programs and names the options",
     "grep -m1 '^| .*PyBullet' $DOCS/URDF_READERS.md | tr '|' '\\n' | grep -c '[A-Za-z]'", "^8\n"},
    {kFaq, "The report says what would keep the loop, and `explain` what you can type.",
     "$K check linkage.sdf --to urdf --loops none --verbose; $K explain loss-loop-revolute",
     "--to urdf\\+(.*\n)*.*--drop loop-revolute"},
    {kFaq, "finds masses, lengths and angles that no robot has, and names the line.",
     "sed 's/value=\"0.8\"/value=\"80000\"/; s/upper=\"1.5\"/upper=\"90\"/' robot.urdf > l.urdf; "
     "$K lint l.urdf 2>&1",
     "l.urdf:[0-9]+: .*\\[lint-(.*\n)*.*\\[lint-"},
    {kFaq, "a file that declares entities is refused",
     "printf '<!DOCTYPE robot [<!ENTITY n \"base\">]>\\n<robot name=\"r\"><link "
     "name=\"&n;\"/></robot>' > e.urdf; $K inspect e.urdf 2>&1; echo ended with $?",
     "\\[xml-entity\\](.*\n)*ended with 1"},
    {kFaq, "kinemorph opens files in the folder of the robot and in the folder above it",
     "mkdir -p a/b; sed 's#arm.stl#../arm.stl#' stl.urdf > a/one.urdf; sed "
     "'s#arm.stl#../../arm.stl#' stl.urdf > a/b/two.urdf; $K check a/one.urdf --to sdf | grep -c "
     "'outside'; $K check a/b/two.urdf --to sdf | grep -c 'outside'",
     "^0\n1\n"},
    {kFaq, "what makes them soft is a loss, in MJCF too", "$K convert flex.xml o.xml 2>&1",
     "<flexcomp>.*not written \\[loss-native-data\\]"},
    {kFaq, "kinemorph converts friction and the pairs of links that touch",
     "$K convert mu.sdf o.xml -q; grep -o 'friction=\"0.5' o.xml", "friction=\"0.5"},
};

class PageClaims : public testing::TestWithParam<Claim> {};

TEST_P(PageClaims, AreTrue) {
  const Claim& claim = GetParam();
  std::istringstream words(FileText(fs::path(SourceDir()) / claim.page));
  std::string text;
  for (std::string word; words >> word;) text += (text.empty() ? "" : " ") + word;
  EXPECT_THAT(text, HasSubstr(claim.sentence));

  const TemporaryFolder folder;
  const fs::path mechanisms = fs::path(SourceDir()) / "fixtures/mechanisms";
  const std::string robot = FileText(mechanisms / "four_bar/four_bar.urdf");
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string other = robot;
    const std::size_t at = other.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return other.replace(at, from.size(), to);
  };
  const std::string inertial =
      "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"
      "</inertial>";
  const std::string mass = "<inertial><mass>1</mass></inertial>";
  WriteFile(folder / "robot.urdf", robot);
  fs::copy_file(mechanisms / "four_bar/four_bar.sdf", folder / "robot.sdf");
  fs::copy_file(mechanisms / "four_bar_general/four_bar_general.sdf", folder / "linkage.sdf");
  WriteFile(folder / "open.urdf", changed("xyz=\"0.12 0 0.16\"", "xyz=\"0.12 0 0.15\""));
  WriteFile(folder / "far.urdf", changed("xyz=\"0.12 0 0.16\"", "xyz=\"9 0 0.16\""));
  WriteFile(folder / "drive.urdf",
            changed("</robot>",
                    "<transmission name='t'><type>transmission_interface/SimpleTransmission</type>"
                    "<joint name='joint2'><hardwareInterface>hardware_interface/"
                    "EffortJointInterface</hardwareInterface></joint><actuator name='m'>"
                    "<mechanicalReduction>50</mechanicalReduction></actuator></transmission>"
                    "</robot>"));
  std::string many = "<robot name='m'><link name='l0'>" + inertial + "</link>";
  for (int i = 1; i <= 40; ++i) {
    const std::string n = std::to_string(i);
    many += "<link name='l" + n + "'>" + inertial + "</link><joint name='j" + n +
            "' type='continuous'><parent link='l" + std::to_string(i - 1) + "'/><child link='l" +
            n + "'/></joint>";
  }
  WriteFile(folder / "many_1.urdf", many + "</robot>");
  WriteFile(folder / "mu.sdf",
            "<sdf version='1.9'><model name='m'><link name='a'>" + mass +
                "<collision name='c'><geometry><sphere><radius>1</radius></sphere></geometry>"
                "<surface><friction><ode><mu>0.5</mu><mu2>0.7</mu2></ode></friction></surface>"
                "</collision></link></model></sdf>");
  WriteFile(folder / "plugin.sdf", "<sdf version='1.9'><model name='m'><link name='a'>" + mass +
                                       "</link>\n<plugin name='p' filename='libp.so'><x>1</x>"
                                       "</plugin>\n</model></sdf>");
  const auto with_mesh = [&](const std::string& mesh) {
    return "<robot name='r'><link name='b'>" + inertial + "<visual><origin xyz='0 0 1'/>" +
           "<geometry><mesh " + mesh + "/></geometry></visual></link></robot>";
  };
  WriteFile(folder / "mesh.urdf", with_mesh("filename='gone.dae' scale='2 2 2'"));
  WriteFile(folder / "stl.urdf", with_mesh("filename='arm.stl'"));
  std::string stl = "solid a\n";
  for (const char* const corners :
       {"0 0 0|0 1 0|1 0 0", "0 0 0|1 0 0|0 0 1", "0 0 0|0 0 1|0 1 0", "0 0 1|1 0 0|0 1 0"}) {
    stl += "facet normal 0 0 1\nouter loop\n";
    std::istringstream list(corners);
    for (std::string corner; std::getline(list, corner, '|');) stl += "vertex " + corner + "\n";
    stl += "endloop\nendfacet\n";
  }
  WriteFile(folder / "arm.stl", stl + "endsolid a\n");
  const auto mjcf = [&](const std::string& bodies, const std::string& rest = "") {
    return "<mujoco><worldbody>" + bodies + "</worldbody>" + rest + "</mujoco>";
  };
  const std::string ball = "<geom type='sphere' size='.1' mass='1'/>";
  WriteFile(folder / "shapes.xml",
            mjcf("<body name='a'><freejoint/>" + ball +
                 "<geom name='named' type='box' size='.1 .1 .1' mass='1'/></body>"));
  WriteFile(folder / "weld.xml", mjcf("<body name='a'><freejoint/>" + ball +
                                          "</body><body name='b' pos='0 0 .1'>"
                                          "<freejoint/>" +
                                          ball + "</body>",
                                      "<equality><weld body1='a' body2='b'/></equality>"));
  WriteFile(folder / "tendon.xml",
            mjcf("<site name='s'/><body name='a'><freejoint/>" + ball + "<site name='t'/></body>",
                 "<tendon><spatial name='cord'><site site='s'/><site site='t'/></spatial>"
                 "</tendon>"));
  WriteFile(folder / "flex.xml",
            mjcf("<flexcomp name='f' type='grid' count='3 3 1' spacing='.05 .05 .05' dim='2' "
                 "mass='1'/>"));

  const CommandResult result =
      Shell("K='" KINEMORPH_COMMAND "'; DOCS='" + (fs::path(SourceDir()) / "tools/docs").string() +
                "'; " + claim.shell,
            folder.path());
  EXPECT_THAT(result.out, ContainsRegex(claim.seen)) << claim.shell << "\n" << result.err;
}

INSTANTIATE_TEST_SUITE_P(Pages, PageClaims, testing::ValuesIn(kClaims));

}  // namespace
}  // namespace kinemorph::test
