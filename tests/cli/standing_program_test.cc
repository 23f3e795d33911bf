// Programs that stay and answer, and the judge as one of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <utility>

#include "command.h"
#include "host/program.h"

namespace kinemorph::test {
namespace {

using testing::HasSubstr;
using tools::StandingProgram;

// Answers each question with its own process number and the question's first word.
std::string Echo(const std::string& then) {
  return "import os, sys\n"
         "while True:\n"
         "    question = b''\n"
         "    while not question.endswith(b'\\0\\0'):\n"
         "        question += sys.stdin.buffer.read1(1) or sys.exit()\n"
         "    said = '%d %s' % (os.getpid(), question.split(b'\\0')[0].decode())\n"
         "    print(7, len(said), end='\\n' + said, flush=True)\n"
         "    " +
         then + "\n";
}

std::string Asked(StandingProgram& program, const std::string& word) {
  const auto answer = program.Ask({word, "x"}, 20);
  return answer && answer->exit_code == 7 ? answer->output : "silence";
}

TEST(StandingProgram, OneProcessAnswersAllQuestions) {
  StandingProgram program({"python3", "-c", Echo("pass")});
  const std::string first = Asked(program, "a");
  EXPECT_THAT(first, HasSubstr(" a"));
  EXPECT_EQ(Asked(program, "b"), first.substr(0, first.find(' ')) + " b");
}

TEST(StandingProgram, OneThatEndedIsStartedAgain) {
  StandingProgram program({"python3", "-c", Echo("sys.exit()")});
  const std::string first = Asked(program, "a"), second = Asked(program, "a");
  EXPECT_THAT(second, HasSubstr(" a"));
  EXPECT_NE(first, second);
}

TEST(StandingProgram, OneThatNeverAnswersIsGivenUp) {
  std::signal(SIGPIPE, SIG_IGN);  // as the command does: it may end before it is asked
  EXPECT_FALSE(StandingProgram({"/bin/true"}).Ask({"a", "b"}, 20));
  EXPECT_FALSE(StandingProgram({"/no/such/program"}).Ask({"a", "b"}, 20));
  const auto slow = StandingProgram({"/bin/sleep", "1000"}).Ask({"a", "b"}, 0.2);
  ASSERT_TRUE(slow);
  EXPECT_TRUE(slow->timed_out);
}

// Two processes that read one pipe would take each other's answers.
TEST(StandingProgram, AForkStartsItsOwn) {
  StandingProgram program({"python3", "-c", Echo("pass")});
  const std::string ours = Asked(program, "a");
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string theirs = Asked(program, "a");
    ::_exit(theirs.ends_with(" a") && theirs != ours ? 0 : 1);
  }
  int status = 1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(Asked(program, "a"), ours) << "the parent's goes on";
}

// The judge forks for each question: what ends one does not end the next.
TEST(StandingProgram, TheJudgeAnswersEachFileForItself) {
  const std::filesystem::path judge =
      std::filesystem::path(KINEMORPH_COMMAND).parent_path() / "kinemorph-judge";
  if (!std::filesystem::exists(judge)) GTEST_SKIP() << "no judge is installed";
  const TemporaryFolder folder;
  const auto file = [&](const std::string& name, const std::string& text) {
    WriteFile(folder / name, text);
    return (folder / name).string();
  };
  const std::string good =
      file("good.sdf", "<sdf version='1.9'><model name='m'><link name='l'/></model></sdf>");
  const std::string bad = file("bad.sdf", "<sdf version='1.9'><model name='m'/></sdf>");
  const std::string large = file("large.xml",
                                 "<mujoco><size nuser_body='400000000'/><worldbody><body><joint/>"
                                 "<geom size='1'/></body></worldbody></mujoco>");
  StandingProgram standing({judge.string(), "--standing"});
  for (int round = 0; round < 2; ++round) {
    for (const auto& [format, path] :
         {std::pair("sdf", good), {"sdf", bad}, {"mjcf", large}, {"urdf", good}, {"sdf", good}}) {
      const auto alone = tools::RunProgram({judge.string(), format, path}, "", 60);
      const auto answer = standing.Ask({format, path}, 60);
      ASSERT_TRUE(alone && answer) << format << ' ' << path;
      EXPECT_EQ(answer->exit_code, alone->exit_code) << format << ' ' << path;
      EXPECT_EQ(answer->output, alone->output) << format << ' ' << path;
    }
  }
}

}  // namespace
}  // namespace kinemorph::test
