// Broken MBS files: every mistake is named with its line.
#include "mbs_test_support.h"

namespace kinemorph::test {
namespace {

using ::testing::HasSubstr;

std::string ErrorsOf(const std::string& text) { return TryRead(text).messages(); }
std::string OneBody(const std::string& joint, const std::string& rest = "") {
  return File(BodyXml("a", "base", "origin", joint, rest));
}

TEST(MbsReaderErrors, AJointTypeInSmallLettersOrUnknown) {
  for (const char* type : {"r3", "R4", "T0", "", "R", "R12"}) {
    EXPECT_THAT(
        ErrorsOf(OneBody(JointXml("ja", type))),
        HasSubstr("'ja': type is '" + std::string(type) + "', expected R1, R2, R3, T1, T2 or T3"))
        << type;
  }
}

TEST(MbsReaderErrors, ANatureSpeltWrong) {
  for (const char* nature : {"Independent", "locked", "forced driven", ""}) {
    EXPECT_THAT(ErrorsOf(OneBody(JointXml("ja", "R3", nature))),
                HasSubstr("'ja': nature is '" + std::string(nature) + "', expected independent"))
        << nature;
  }
}

// Numbers of ours with text among them may mean something else: nobody reads them, and that is said.
TEST(MbsReaderErrors, NumbersOfACouplingWithTextBesideThemAreNotUsed) {
  const auto read = [](const std::string& beside) {
    std::string text = OneBody(JointXml("ja", "R3"));
    text.insert(text.find("</mbsDescR7>"),
                "<user_models><user_model><name>gear</name>" + beside +
                    "<parameter><name>form_mimic</name><type>scalar</type><value>1.0</value>"
                    "</parameter></user_model></user_models>");
    return ErrorsOf(text);
  };
  const auto said = HasSubstr("user_model 'gear' is not used: the element holds more than");
  EXPECT_THAT(read("'"), said);
  EXPECT_THAT(read("<![CDATA[x]]>"), said);
  EXPECT_THAT(read("  "), ::testing::Not(said));
  EXPECT_THAT(read("<!-- the gear -->"), ::testing::Not(said));
}

TEST(MbsReaderErrors, MessagesHaveTheLine) {
  const std::string text =
      "<mbsDescR7>\n<base/>\n<bodytree>\n<body>\n<bodyname>a</bodyname>\n<parent><bodyname>base</"
      "bodyname><pointname>origin</pointname></"
      "parent>\n"
      "<joint>\n<jointname>j</jointname><type>r3</type><nature>independent</nature></joint>\n</"
      "body></bodytree></mbsDescR7>";
  EXPECT_THAT(ErrorsOf(text), HasSubstr("robot.mbs:7: error: 'j': type is 'r3'"));
}

TEST(MbsReaderErrors, ABodyWithoutAJoint) {
  EXPECT_THAT(ErrorsOf(OneBody("")), HasSubstr("'a' has no joint"));
}

TEST(MbsReaderErrors, UnknownParentsBodiesAndPoints) {
  const std::string a =
      BodyXml("arm", "base", "origin", JointXml("ja", "R3"), PointXml("tip", 1, 0, 0));
  EXPECT_THAT(ErrorsOf(File(a + BodyXml("b", "arn", "tip", JointXml("jb", "R3")))),
              HasSubstr("'b': there is no body 'arn' [unknown-body]\n    did you mean 'arm'?"));
  EXPECT_THAT(ErrorsOf(File(a + BodyXml("b", "arm", "top", JointXml("jb", "R3")))),
              HasSubstr("'b': 'arm' has no point 'top'"));
  EXPECT_THAT(
      ErrorsOf(File(a, "<cuts>" + CutXml("ball", "c", "arm", "tip", "leg", "origin") + "</cuts>")),
      HasSubstr("'c': there is no body 'leg'"));
  EXPECT_THAT(ErrorsOf(File(
                  a, "<cuts>" + CutXml("ball", "c", "arm", "tipp", "base", "origin") + "</cuts>")),
              HasSubstr("'c': 'arm' has no point 'tipp'"));
  EXPECT_THAT(
      ErrorsOf(File(a, "<cuts>" + CutXml("ball", "c", "arm", "tip", "base", "P") + "</cuts>")),
      HasSubstr("'base' has no point 'P'"));
  EXPECT_THAT(
      ErrorsOf(File(a, "<links>" + CutXml("link", "l", "arm", "tip", "base", "P") + "</links>")),
      HasSubstr("'base' has no point 'P'"));
}

TEST(MbsReaderErrors, AParentThatComesLaterIsTakenWithAWarning) {
  const ReadResult result = TryRead(File(BodyXml("b", "a", "origin", JointXml("jb", "R3")) +
                                         BodyXml("a", "base", "origin", JointXml("ja", "R3"))));
  EXPECT_THAT(result.messages(), HasSubstr("'b': its parent 'a' comes later in the file"));
  EXPECT_FALSE(result.diagnostics.has_errors());
  EXPECT_EQ(result.model->link(result.model->predecessor(*result.model->FindJoint("jb"))).name,
            "a");
}

TEST(MbsReaderErrors, ParentsInACircle) {
  EXPECT_THAT(ErrorsOf(File(BodyXml("a", "b", "origin", JointXml("ja", "R3")) +
                            BodyXml("b", "a", "origin", JointXml("jb", "R3")))),
              HasSubstr("'a': its chain of parents never reaches the base"));
}

TEST(MbsReaderErrors, NamesTheEditorWouldRefuseTwice) {
  const std::string a = BodyXml("a", "base", "origin", JointXml("j", "R3"));
  EXPECT_THAT(ErrorsOf(File(a + BodyXml("a", "base", "origin", JointXml("k", "R3")))),
              HasSubstr("'a': there are two bodies of this name"));
  EXPECT_THAT(ErrorsOf(File(a + BodyXml("b", "base", "origin", JointXml("j", "R3")))),
              HasSubstr("'j': there are two joints of this name"));
  EXPECT_THAT(
      ErrorsOf(OneBody(JointXml("j", "R3"), PointXml("p", 1, 0, 0) + PointXml("p", 2, 0, 0))),
      HasSubstr("'p': there are two points"));
  EXPECT_THAT(ErrorsOf(File(a, "<cuts>" + CutXml("ball", "c", "a", "origin", "base", "origin") +
                                   CutXml("rod", "c", "a", "origin", "base", "origin",
                                          "<length>1.0</length>") +
                                   "</cuts>")),
              HasSubstr("'c': there are two cuts of this name"));
  const std::string sensor = "<sensor name=\"S\"/>";
  EXPECT_THAT(ErrorsOf(OneBody(JointXml("j", "R3"),
                               PointXml("p", 1, 0, 0, sensor) + PointXml("q", 2, 0, 0, sensor))),
              HasSubstr("'S': there are two sensors"));
  EXPECT_THAT(ErrorsOf(File(BodyXml("base", "base", "origin", JointXml("j", "R3")))),
              HasSubstr("'base': MBS uses this name for the inertial frame"));
}

TEST(MbsReaderErrors, ARodNeedsALength) {
  const std::string a = BodyXml("a", "base", "origin", JointXml("j", "R3"), PointXml("p", 1, 0, 0));
  for (const char* length : {"", "<length>0.0</length>", "<length>-1.0</length>"}) {
    EXPECT_THAT(ErrorsOf(File(a, "<cuts>" + CutXml("rod", "c", "a", "p", "base", "origin", length) +
                                     "</cuts>")),
                HasSubstr("the length of a rod must be positive"));
  }
}

TEST(MbsReaderErrors, NumbersThatLoadersReadDifferently) {
  EXPECT_THAT(ErrorsOf(OneBody(JointXml("j", "R3"), "<mass>1/2</mass>")),
              HasSubstr("which is not a number"));
  EXPECT_THAT(ErrorsOf(OneBody(JointXml("j", "R3"), "<mass>1,5</mass>")),
              HasSubstr("which is not a number"));
}

TEST(MbsReaderErrors, TheNameMustComeFirst) {
  const std::string joint =
      "<joint><type>R3</type><jointname>j</jointname><nature>independent</nature></joint>";
  EXPECT_THAT(ErrorsOf(OneBody(joint)), HasSubstr("'j': <jointname> is not the first child"));
  EXPECT_THAT(ErrorsOf(OneBody("<joint><type>R3</type><nature>independent</nature></joint>")),
              HasSubstr("has no <jointname>"));
}

TEST(MbsReaderErrors, OriginInCapitalsIsUnderstoodWithAWarning) {
  const ReadResult result = TryRead(File(BodyXml("a", "base", "Origin", JointXml("j", "R3"))));
  EXPECT_THAT(result.messages(), HasSubstr("is read as 'origin'"));
  EXPECT_FALSE(result.diagnostics.has_errors());
}

TEST(MbsReaderErrors, WhatIsNoMbsFile) {
  EXPECT_FALSE(TryRead("<robot name=\"r\"/>").model);
  EXPECT_THAT(ErrorsOf("<robot name=\"r\"/>"),
              HasSubstr("'robot' is not the root element of an MBS file"));
  EXPECT_FALSE(TryRead("").model);
  EXPECT_THAT(ErrorsOf("<mbsDescR7/>"), HasSubstr("has no <base>"));
}

TEST(MbsReaderErrors, AnIgnoredCutRowIsNamed) {
  EXPECT_THAT(
      ErrorsOf(File(
          BodyXml("a", "base", "origin", JointXml("j", "R3")),
          "<cuts>" + CutXml("ball", "c", "a", "origin", "base", "origin", "<ignore><y/></ignore>") +
              "</cuts>")),
      HasSubstr("'c': Robotran drops a row of this cut"));
}

TEST(MbsReaderErrors, AUserConstraintOnAnUnknownJoint) {
  EXPECT_THAT(ErrorsOf(File(BodyXml("a", "base", "origin", JointXml("j", "R3")),
                            "<user_constraints><user_constraint><name>u</"
                            "name><joints><jointname>x</jointname></joints></user_constraint></"
                            "user_constraints>")),
              HasSubstr("'u': there is no joint 'x'"));
}

TEST(MbsReaderErrors, AThousandBodiesInARowAreRead) {
  std::string bodies = BodyXml("b0", "base", "origin", JointXml("j0", "R3"));
  for (int i = 1; i < 5000; ++i)
    bodies += BodyXml("b" + std::to_string(i), "b" + std::to_string(i - 1), "origin",
                      JointXml("j" + std::to_string(i), "R3"));
  const Model model = Read(File(bodies));
  EXPECT_EQ(model.num_links(), 5001u);
  EXPECT_FALSE(Write(model).empty());
}

}  // namespace
}  // namespace kinemorph::test
