// What people read of a conversion: one line per code, by weight, nothing that you asked for.
#include "kinemorph/converters/screen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "convert_text.h"

namespace kinemorph {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string Arm(const std::string& limit, int joints) {
  std::string text = "<robot name='arm'><link name='l0'/>\n";
  for (int i = 1; i <= joints; ++i) {
    const std::string n = std::to_string(i), before = std::to_string(i - 1);
    text += "<link name='l" + n + "'/><joint name='j" + n + "' type='revolute'><parent link='l" +
            before + "'/><child link='l" + n + "'/>" + limit + "</joint>\n";
  }
  return text + "</robot>";
}

ConversionResult Converted(const std::string& text, const std::string& to) {
  ConversionRequest request;
  request.in = "arm.urdf";
  request.to = to;
  return test::ConvertText(text, request);
}

const std::string kLimit = "<limit lower='-1' upper='1' effort='3' velocity='2.0943951023931953'/>";

TEST(ForPeople, RoundsWhatHasAFractionAndNothingElse) {
  EXPECT_EQ(ForPeople("limit 2.0943951023931953 rad, 120000 rows"), "limit 2.094 rad, 120000 rows");
  EXPECT_EQ(ForPeople("-1.23456789e-05 m"), "-0.00001235 m");
  EXPECT_EQ(ForPeople("link 'v1.23456789' of 3.10.12345"), "link 'v1.23456789' of 3.10.12345");
  EXPECT_EQ(ForPeople("joint_1.23456"), "joint_1.23456");
  EXPECT_EQ(ForPeople("the robot's 0.123456"), "the robot's 0.1235");
  EXPECT_EQ(ForPeople("since SDFormat 1.10, 0.50 m"), "since SDFormat 1.10, 0.50 m");
}

TEST(Screen, OneLinePerCodeByWeight) {
  const ConversionResult result = Converted(Arm(kLimit, 7), "mjcf");
  ASSERT_EQ(result.end, ConversionEnd::kDone);
  const std::string text = ConversionScreen(result, "arm.urdf", "arm.xml", {});
  EXPECT_THAT(text, HasSubstr("read  arm.urdf: urdf, 8 links, 7 joints\n"));
  EXPECT_THAT(text, HasSubstr("wrote arm.xml: mjcf, "));
  EXPECT_THAT(text, HasSubstr("changes the motion:\n"));
  EXPECT_THAT(text, HasSubstr("  arm.urdf:2: warning: joint 'j1' (and 6 more): velocity limit "
                              "2.094"));
  EXPECT_THAT(text, HasSubstr("[loss-velocity-limit]\n"));
  EXPECT_THAT(text, Not(HasSubstr("'j2'")));
  EXPECT_THAT(text, HasSubstr("losses"));
}

// On a terminal, where lines are few, each row says what its loss changes.
TEST(Screen, OnATerminalARowSaysWhatItChanges) {
  const ConversionResult result = Converted(Arm(kLimit, 7), "mjcf");
  ScreenOptions options;
  options.columns = 120;
  std::string text = ConversionScreen(result, "arm.urdf", "arm.xml", options);
  EXPECT_THAT(text, AllOf(Not(HasSubstr("changes the")), Not(HasSubstr("warning")),
                          HasSubstr("\narm.urdf:2: motion: model 'arm': "),
                          testing::ContainsRegex("\n(arm.urdf:2: )?interface: joint 'j1'")));
  options.colour = true;
  text = ConversionScreen(result, "arm.urdf", "arm.xml", options);
  EXPECT_THAT(text, HasSubstr("\033[33mmotion:\033[0m"));
}

// In one line a count is a number, the robot has no name, and a long name leaves room for a verb.
TEST(Screen, OneLineSaysWhatHappened) {
  ConversionResult result = Converted(Arm(kLimit, 7), "mjcf");
  const std::string name(60, 'x');
  for (int i = 0; i < 20; ++i)
    result.diagnostics.Add(MakeDiagnostic(Severity::kWarning, "code-" + std::to_string(i),
                                          "arm.urdf", 1, "", {"joint", name, "is not so"}));
  result.diagnostics.Add(MakeDiagnostic(Severity::kWarning, "resource-not-found", "arm.urdf", 1, "",
                                        {"model", name, "5 files are not found: not in a folder"}));
  ScreenOptions options;
  options.columns = 80;
  EXPECT_THAT(ConversionScreen(result, "arm.urdf", "arm.xml", options),
              AllOf(HasSubstr("\ninterface: joint 'j1' (+6): velocity limit"),
                    HasSubstr("\nwarning: 5 files are not found: not"),
                    testing::ContainsRegex("\nwarning: joint 'x+[.][.][.]': is not so \\[")));
}

// Where the totals have no room for what to do next, they count what is not shown.
TEST(Screen, TheTotalsStayInOneLine) {
  ConversionResult result = Converted(Arm(kLimit, 7), "mjcf");
  for (int i = 0; i < 20; ++i)
    result.diagnostics.Add(
        {Severity::kNote, "code-" + std::to_string(i), "arm.urdf", 1, "", "so it is", {}});
  for (const auto& [columns, end] :
       {std::pair(120, "meaning: kinemorph explain CODE\n"), std::pair(70, "(--verbose)\n"),
        std::pair(60, ". All: --verbose\n")}) {
    ScreenOptions options;
    options.columns = static_cast<std::size_t>(columns);
    const std::string text = ConversionScreen(result, "arm.urdf", "arm.xml", options);
    EXPECT_THAT(text, AllOf(testing::EndsWith(end), HasSubstr("\n8 losses")));
  }
}

TEST(Screen, WhatWasAskedForIsNotToldAgain) {
  const ConversionResult result = Converted(Arm(kLimit, 7), "mjcf");
  ScreenOptions options;
  options.silent = {Feature::kVelocityLimit};
  const std::string text = ConversionScreen(result, "arm.urdf", "arm.xml", options);
  EXPECT_THAT(text, AllOf(Not(HasSubstr("loss-velocity-limit")), HasSubstr("7 as asked")));
}

TEST(Screen, VerboseTellsAll) {
  const ConversionResult result = Converted(Arm(kLimit, 7), "mjcf");
  ScreenOptions options;
  options.verbose = true;
  const std::string text = ConversionScreen(result, "arm.urdf", "arm.xml", options);
  for (const Diagnostic& message : LossMessages(result.report))
    EXPECT_THAT(text, HasSubstr(message.element)) << message.message;
}

TEST(Screen, NoLineIsWiderThanTheTerminal) {
  const std::string name(300, 'x');
  const ConversionResult result =
      Converted("<robot name='" + name + "'><link name='" + name +
                    "'/><link name='b'/><joint name='j' " + "type='revolute'><parent link='" +
                    name + "'/><child link='b'/>" + kLimit + "</joint><lnk/></robot>",
                "mjcf");
  for (const std::size_t columns : {0u, 60u, 80u, 100u, 200u}) {
    ScreenOptions options;
    options.columns = columns;
    for (const bool verbose : {false, true}) {
      options.verbose = verbose;
      std::istringstream lines(ConversionScreen(result, "arm.urdf", "arm.xml", options));
      for (std::string line; std::getline(lines, line);)
        EXPECT_LE(line.size(), columns == 0 ? 200 : columns) << line;
    }
  }
}

// Whether the sentence goes on behind its subject or behind a colon.
TEST(Screen, AFileIsNotNamedTwice) {
  for (const std::string words : {" is not copied: why", "is not copied: why"}) {
    Diagnostics diagnostics;
    diagnostics.Add(
        MakeDiagnostic(Severity::kNote, "cut-chosen", "a.bin", 0, "", {"", "a.bin", words}));
    EXPECT_EQ(MessagesScreen(diagnostics.items(), {}),
              "a.bin: note: is not copied: why [cut-chosen]\n");
  }
}

// A row in a file is one line of 200 characters: its middle is cut, its remedy is not.
TEST(Screen, WithoutATerminalRowsAreOneLineThatKeepsTheRemedy) {
  Diagnostics diagnostics;
  std::string words = "joint 'j':";
  for (int i = 0; i < 100; ++i) words += " and so on";
  words += " (--cut JOINT)";
  diagnostics.Add({Severity::kNote,
                   "cut-chosen",
                   "a/very/long/name/of/a/folder/of/folders/with/other/robots/arm.urdf",
                   7,
                   "",
                   words,
                   {}});
  const std::string text = MessagesScreen(diagnostics.items(), {});
  EXPECT_EQ(text.find('\n'), text.size() - 1) << text;
  EXPECT_LE(text.size(), 201u);
  EXPECT_GT(text.size(), 180u);
  EXPECT_THAT(text, testing::StartsWith(".../name/of/a/folder/of/folders/with/other/robots/"
                                        "arm.urdf:7: note: joint 'j': and"));
  EXPECT_THAT(text, testing::EndsWith("... (--cut JOINT) [cut-chosen]\n"));
}

// The path gives way to the words of a message; one file is named alike in all of them.
TEST(Screen, ALongPathGivesWayToWords) {
  std::string path;
  for (int i = 0; i < 20; ++i) path += "/folder" + std::to_string(i);
  path += "/arm.urdf";
  const std::string words = "joint 'j': passes its limit of 3 rad, which the file gives for it";
  for (const Severity severity : {Severity::kNote, Severity::kError}) {
    Diagnostics diagnostics;
    diagnostics.Add({severity, "axis-zero", path, 7, "", words, {}});
    const std::string text = MessagesScreen(diagnostics.items(), {});
    EXPECT_EQ(text.find('\n'), text.size() - 1) << text;
    EXPECT_LE(text.size(), 201u);
    EXPECT_THAT(text, testing::StartsWith(".../folder"));
    EXPECT_EQ(text.find(":7: "), 57u) << text;  // whatever the words are
    EXPECT_THAT(text, HasSubstr("/folder19/arm.urdf:7: "));
    EXPECT_THAT(text, HasSubstr(words + " [axis-zero]"));
    ScreenOptions terminal;
    terminal.columns = 80;
    EXPECT_THAT(MessagesScreen(diagnostics.items(), terminal), testing::StartsWith("arm.urdf:7: "));
    terminal.verbose = true;  // all of it
    EXPECT_THAT(MessagesScreen(diagnostics.items(), terminal), testing::StartsWith("/folder0/"));
  }
  const ConversionResult result = Converted(Arm(kLimit, 1), "mjcf");
  EXPECT_THAT(ConversionScreen(result, path, path, {}),
              AllOf(HasSubstr("read  .../folder"), HasSubstr("/arm.urdf: urdf, 2 links"),
                    HasSubstr("wrote .../folder")));
}

TEST(Screen, AShortPathKeepsItsLastFolders) {
  EXPECT_EQ(ShortPath("a/bc/d.urdf", 11), "a/bc/d.urdf");
  EXPECT_EQ(ShortPath("aaaa/bc/d.urdf", 13), ".../bc/d.urdf");
  EXPECT_EQ(ShortPath("aaaa/bc/d.urdf", 12), "d.urdf");
  EXPECT_EQ(ShortPath("a\\bc\\d.urdf", 1), "d.urdf");
  EXPECT_EQ(ShortPath("long.urdf", 1), "long.urdf");
}

// A robot that is shown leaves few lines to messages.
TEST(Screen, MessagesHaveTheLinesThatTheyAreGiven) {
  Diagnostics diagnostics;
  for (int i = 0; i < 9; ++i)
    diagnostics.Add({Severity::kNote, "code-" + std::to_string(i), "a", 1, "", "so it is", {}});
  ScreenOptions options;
  options.most_lines = 4;
  EXPECT_EQ(MessagesScreen(diagnostics.items(), options),
            "a:1: note: so it is [code-0]\na:1: note: so it is [code-1]\n"
            "a:1: note: so it is [code-2]\nand 6 more, which --verbose lists: [code-3] [code-4] "
            "[code-5] [code-6] [code-7] [code-8]\n");
}

TEST(Screen, ARemedyInTheMiddleStaysWithItsClause) {
  Diagnostics diagnostics;
  std::string words = "package 'p': 8 files are not found";
  for (int i = 0; i < 40; ++i) words += " and so on";
  words += ": name another folder with --package p=DIR; their names are kept as written";
  diagnostics.Add({Severity::kWarning, "resource-not-found", "arm.urdf", 7, "", words, {}});
  const std::string text = MessagesScreen(diagnostics.items(), {});
  EXPECT_LE(text.size(), 201u);
  EXPECT_THAT(text, testing::StartsWith("arm.urdf:7: warning: package 'p': 8 files are not found"));
  EXPECT_THAT(text, testing::EndsWith(
                        "...: name another folder with --package p=DIR [resource-not-found]\n"));
}

// One joint that is told three times is no three joints.
TEST(Screen, RepeatedSubjectsAreCounted) {
  Diagnostics diagnostics;
  for (int i = 0; i < 3; ++i)
    diagnostics.Add(MakeDiagnostic(Severity::kNote, "simulate-limit", "arm.urdf", 7, "",
                                   {"joint", "j", "passes its limit"}));
  EXPECT_THAT(MessagesScreen(diagnostics.items(), {}), HasSubstr("joint 'j' (and 2 more): passes"));
}

TEST(Screen, ARemedyIsNeitherCutNorSplit) {
  Diagnostics diagnostics;
  std::string words = "link 'base':";
  for (int i = 0; i < 100; ++i) words += " and so on";
  diagnostics.Add({Severity::kNote,
                   "base-fixed",
                   "arm.urdf",
                   7,
                   "",
                   words + " (--base floating makes it free, or `kinemorph inspect a b c`)",
                   {}});
  diagnostics.Add({Severity::kNote, "axis-zero", "arm.urdf", 7, "", words, {}});
  for (std::size_t columns = 40; columns < 120; ++columns) {
    ScreenOptions options;
    options.columns = columns;
    const std::string text = MessagesScreen(diagnostics.items(), options);
    EXPECT_THAT(text, HasSubstr("--base floating"));
    EXPECT_THAT(text, HasSubstr("`kinemorph inspect a b c`"));
    // What holds no remedy is a few lines at most.
    EXPECT_THAT(text.substr(text.find("[base-fixed]")),
                testing::ContainsRegex("[.][.][.][ \n]+\\[axis-zero"));
  }
}

TEST(Screen, FoldingBreaksAtSpacesAndIndents) {
  EXPECT_EQ(Folded("one two three", 0, 4), "one two three\n");
  EXPECT_EQ(Folded("one two three", 9, 4), "one two\n    three\n");
  EXPECT_EQ(Folded("  a bb --to urdf, c", 15, 3), "  a bb\n   --to urdf, c\n");
  EXPECT_EQ(Folded("title:   one two", 13, 9), "title:   one\n         two\n");
  EXPECT_EQ(Folded("abcdefghij", 6, 2), "abcd\n  efgh\n  ij\n");
  EXPECT_EQ(Folded("a\n\nb", 10, 2), "a\n\nb\n");
}

TEST(Screen, AfterAnErrorNobodyReadsThatNothingIsLost) {
  ConversionResult result = Converted(Arm(kLimit, 0), "urdf");
  EXPECT_THAT(ConversionScreen(result, "arm.urdf", "arm.sdf", {}), HasSubstr("nothing is lost"));
  result.diagnostics.Add({Severity::kError, "file-unwritable", "arm.sdf", 0, "", "no room", {}});
  EXPECT_THAT(ConversionScreen(result, "arm.urdf", "", {}), Not(HasSubstr("nothing is lost")));
}

TEST(Screen, AProofFitsTheScreen) {
  ConversionRequest request;
  request.in = "a/folder/that/is/named/at/length/for/the/sake/of/the/test/arm.urdf";
  request.out = request.in + ".xml";
  request.to = "mbs";
  request.verify = true;
  const ConversionResult result = test::ConvertText(
      Arm("<limit lower='-1' upper='1' effort='3' velocity='2'/><dynamics damping='1' "
          "friction='2'/><safety_controller k_velocity='1' soft_lower_limit='-0.5'/>"
          "<calibration rising='0.1'/>",
          3),
      request);
  ASSERT_TRUE(result.proof);
  ScreenOptions options;
  options.columns = 160;
  std::istringstream lines(ConversionScreen(result, request.in, request.out, options));
  bool told = false;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 160u) << line;
    told = told || line.find("equivalent except: ") != std::string::npos;
  }
  EXPECT_TRUE(told);
}

TEST(Screen, AnErrorShowsItsLineWithACaret) {
  const std::string source = "<joint name='knee'><parent link='thigh'/>";
  Diagnostics diagnostics;
  diagnostics.Add({Severity::kError,
                   "joint-parent-undefined",
                   "leg.urdf",
                   4,
                   "",
                   "joint 'knee': parent link 'thigh' is not defined",
                   {"did you mean 'thgh'?"}});
  ScreenOptions options;
  EXPECT_EQ(MessagesScreen(diagnostics.items(), options),
            "leg.urdf:4: error: joint 'knee': parent link 'thigh' is not defined "
            "[joint-parent-undefined]\n    help: did you mean 'thgh'?\n");
  options.source_line = [&](const std::string&, unsigned) { return source; };
  EXPECT_THAT(MessagesScreen(diagnostics.items(), options),
              HasSubstr("    " + source + "\n" + std::string(37, ' ') + "^~~~~\n"));
}

// Letters beyond ASCII have several bytes, and one column.
TEST(Screen, ColumnsAreCharacters) {
  Diagnostics diagnostics;
  std::string words = "joint 'j':", source = "<!-- ";
  for (int i = 0; i < 20; ++i) words += " größe", source += "ä";
  diagnostics.Add({Severity::kNote, "axis-zero", "r.urdf", 1, "", words, {}});
  diagnostics.Add({Severity::kError, "type-unknown", "r.urdf", 2, "", "type 'wörld' is none", {}});
  ScreenOptions options;
  options.columns = 67;  // 3 lines hold the 130 characters of the note, but not its 170 bytes
  options.source_line = [&](const std::string&, unsigned) { return source + " 'wörld'"; };
  const std::string text = MessagesScreen(diagnostics.items(), options);
  EXPECT_THAT(text, Not(HasSubstr("...")));
  EXPECT_THAT(text,
              HasSubstr("\n    " + source + " 'wörld'\n    " + std::string(27, ' ') + "^~~~~\n"));
}

// Names in place of "and 2 more", where they are few.
TEST(Screen, FewOthersAreNamed) {
  const ConversionResult result = Converted(Arm(kLimit, 3), "mjcf");
  EXPECT_THAT(ConversionScreen(result, "arm.urdf", "arm.xml", {}),
              HasSubstr("joint 'j1' (and 'j2', 'j3'): velocity limit"));
}

// Of many kinds of messages a conversion has few lines, and what has no room is named by its code.
TEST(Screen, AConversionHasTwentyLinesAtMost) {
  ConversionResult result = Converted(Arm(kLimit, 3), "mjcf");
  for (int i = 0; i < 30; ++i)
    result.diagnostics.Add({Severity::kNote,
                            "code-" + std::to_string(i),
                            "arm.urdf",
                            1,
                            "",
                            "joint 'j1': " + std::string(90, 'w'),
                            {}});
  for (const std::size_t columns : {0u, 80u, 100u}) {
    ScreenOptions options;
    options.columns = columns;
    const std::string text = ConversionScreen(result, "arm.urdf", "arm.xml", options);
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 20) << text;
    EXPECT_THAT(text, AllOf(testing::ContainsRegex(
                                "and [0-9]+ more, which --verbose|Not shown: [0-9]+ .--verbose"),
                            HasSubstr("3 links have no inertia"), HasSubstr("velocity limit")));
  }
}

TEST(Screen, AChangedNameIsNamed) {
  ConversionResult result = Converted(Arm(kLimit, 0), "urdf");
  result.report.names.push_back({SubjectKind::kLink, "l0", "l0_2"});
  EXPECT_THAT(ConversionScreen(result, "arm.urdf", "arm.sdf", {}),
              HasSubstr("nothing is lost; 1 name changed ('l0' to 'l0_2')"));
}

TEST(Screen, ManyErrorsAreCounted) {
  Diagnostics diagnostics;
  for (int i = 0; i < 50; ++i)
    diagnostics.Add({Severity::kError, "zero-axis", "a.xml", 1, "", "joint 'j': no axis", {}});
  const std::string text = MessagesScreen(diagnostics.items(), {});
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 11);
  EXPECT_THAT(text, HasSubstr("and 40 more errors [zero-axis]"));
}

}  // namespace
}  // namespace kinemorph
