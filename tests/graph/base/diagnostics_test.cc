// Messages: how they are rendered, kept within bounds, and how names are suggested.
#include "kinemorph/graph/base/diagnostics.h"

#include <gtest/gtest.h>

namespace kinemorph {
namespace {

TEST(Diagnostics, Rendered) {
  EXPECT_EQ(Render({Severity::kError,
                    "joint-child-undefined",
                    "model.urdf",
                    42,
                    "",
                    "joint 'knee': child link 'shank' is not defined",
                    {"did you mean 'shank_l'?"}}),
            "model.urdf:42: error: joint 'knee': child link 'shank' is not defined "
            "[joint-child-undefined]\n    did you mean 'shank_l'?");
  EXPECT_EQ(Render({Severity::kWarning, "a-code", "model.urdf", 0, "", "model 'm': odd", {}}),
            "model.urdf: warning: model 'm': odd [a-code]");
  EXPECT_EQ(Render({Severity::kNote, "a-code", "", 7, "", "said", {}}), "note: said [a-code]");
}

// What it is about and what was probably meant are values, and nobody looks for them in the words.
TEST(Diagnostics, TheSubjectAndTheSuggestionAreApart) {
  Diagnostic named = MakeDiagnostic(Severity::kError, "joint-child-undefined", "r.urdf", 7, "",
                                    {"joint", "it's: odd", "child link 'shenk' is not defined"});
  EXPECT_EQ(named.subject, "joint 'it's: odd'");
  EXPECT_EQ(named.message, "joint 'it's: odd': child link 'shenk' is not defined");
  named.suggestion = "shank";
  named.notes.push_back("links are named in <link>");
  EXPECT_EQ(Render(named),
            "r.urdf:7: error: joint 'it's: odd': child link 'shenk' is not defined "
            "[joint-child-undefined]\n    did you mean 'shank'?\n    links are named in <link>");
  EXPECT_EQ(MakeDiagnostic(Severity::kNote, "c", "", 0, "", {"", "r.urdf", "has two"}).message,
            "'r.urdf': has two");
  EXPECT_EQ(MakeDiagnostic(Severity::kNote, "c", "", 0, "", "nothing moves").message,
            "nothing moves");
  EXPECT_EQ(MakeDiagnostic(Severity::kNote, "c", "", 0, "", "nothing moves").subject, "");
}

TEST(Diagnostics, TheNumbersAreApart) {
  const Diagnostic heavy = MakeDiagnostic(
      Severity::kNote, "c", "", 0, "", {"link", "a", " weighs 2e+04 kg", {{"mass", 20001, "kg"}}});
  EXPECT_EQ(heavy.message, "link 'a' weighs 2e+04 kg") << "the sentence goes on from its subject";
  EXPECT_EQ(heavy.subject, "link 'a'");
  ASSERT_EQ(heavy.quantities.size(), 1u);
  EXPECT_EQ(heavy.quantities[0].name, "mass");
  EXPECT_EQ(heavy.quantities[0].value, 20001);
  EXPECT_EQ(heavy.quantities[0].unit, "kg");
}

TEST(Diagnostics, NamesCannotSteerTheTerminalOrForgeALine) {
  Diagnostic d{Severity::kError,
               "c",
               "a\x1b]0;x\x07.urdf",
               3,
               "",
               "'\x1b[31mred\x7f\t\xC2\x9B' caf\xC3\xA9\nrobot.urdf:1: note",
               {"n\x1b"}};
  EXPECT_EQ(Render(d),
            "a\\x1b]0;x\\x07.urdf:3: error: '\\x1b[31mred\\x7f\\x09\\x9b' caf\xC3\xA9\n    "
            "robot.urdf:1: note [c]\n    n\\x1b");
}

TEST(Diagnostics, EndlessMessagesAreCutBetweenCharacters) {
  Diagnostics diagnostics;
  std::string message = "x";
  for (int i = 0; i < 10000; ++i) message += "\xC3\xA9";
  const std::string& kept =
      diagnostics.Add({Severity::kError, "c", "", 0, "", message, {}}).message;
  EXPECT_EQ(kept, message.substr(0, 4095) + "...");
}

TEST(Diagnostics, CountsErrors) {
  Diagnostics diagnostics;
  diagnostics.Add({Severity::kWarning, "w", "", 0, "", "w", {}});
  EXPECT_FALSE(diagnostics.has_errors());
  diagnostics.Add({Severity::kError, "e", "", 0, "", "e", {}});
  EXPECT_EQ(diagnostics.num_errors(), 1u);
}

TEST(Diagnostics, AFloodIsCountedNotKept) {
  Diagnostics diagnostics;
  for (std::size_t i = 0; i < 5 * Diagnostics::kMaxPerCode; ++i)
    diagnostics.Add({Severity::kError, "flood", "f", 1, "", "m", {}});
  diagnostics.Add({Severity::kError, "other", "f", 2, "", "m", {}});
  EXPECT_EQ(diagnostics.items().size(), Diagnostics::kMaxPerCode + 2);
  EXPECT_EQ(diagnostics.items()[Diagnostics::kMaxPerCode].code, "more-of-the-same");
  EXPECT_EQ(diagnostics.items().back().code, "other");
  EXPECT_EQ(diagnostics.num_errors(), 5 * Diagnostics::kMaxPerCode + 1);
}

TEST(Diagnostics, AppendKeepsTheCountOfDroppedErrors) {
  Diagnostics flood, all;
  for (std::size_t i = 0; i < Diagnostics::kMaxPerCode + 10; ++i)
    flood.Add({Severity::kError, "flood", "f", 1, "", "m", {}});
  all.Append(flood);
  EXPECT_EQ(all.num_errors(), flood.num_errors());
  EXPECT_EQ(all.items().size(), flood.items().size());
}

TEST(NearestName, SuggestsCloseNamesOnly) {
  const std::vector<std::string> names{"shank_l", "shank_r", "thigh", "x"};
  EXPECT_EQ(NearestName("shank", names), "shank_l");
  EXPECT_EQ(NearestName("tigh", names), "thigh");
  EXPECT_EQ(NearestName("y", names), "x");
  EXPECT_EQ(NearestName("goem", {"joint", "geom", "site"}), "geom");
  EXPECT_EQ(NearestName("eogm", {"joint", "geom", "site"}), "");
  EXPECT_EQ(NearestName("forearm", names), "");
  EXPECT_EQ(NearestName("anything", {}), "");
}

}  // namespace
}  // namespace kinemorph
