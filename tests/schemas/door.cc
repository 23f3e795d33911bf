// What the door in texts (tools/web/core) answers, natively, for the test of its schemas: of each file of the command line
//   SCHEMA line end, JSON, zero byte.
#include <cstdint>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>

namespace kinemorph::web {
extern "C" {
int OpenFolder(const char*, std::size_t, const char*, std::size_t, const char*, std::size_t);
int Scene(int);
int Graph(int, const char*, std::size_t);
int InspectOpened(int, const char*, std::size_t);
int Posture(int);
int Set(int, const char*, std::size_t);
int ConvertOpened(int, const char*, std::size_t);
int Verify(int, int, const char*, std::size_t);
int LintOpened(int, const char*, std::size_t);
int Simulate(int, const char*, std::size_t);
int Formats();
const char* AnswerText();
std::size_t AnswerSize();
}
}  // namespace kinemorph::web

namespace {

namespace web = kinemorph::web;

void Say(const char* schema) {
  std::cout << schema << '\n' << std::string_view(web::AnswerText(), web::AnswerSize()) << '\0';
}
void SayIf(int good, const char* schema) {
  if (good != 0) Say(schema);
}

std::string Number(std::size_t value) {
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xFF);
  return bytes;
}

int Open(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::string name = path.substr(path.rfind('/') + 1);
  const std::string folder = Number(name.size()) + Number(text.size()) + name + text;
  return web::OpenFolder(folder.data(), folder.size(), name.data(), name.size(), "{}", 2);
}

void Ask(const std::string& path) {
  const auto with = [](auto function, int robot, std::string_view options) {
    return function(robot, options.data(), options.size());
  };
  const int robot = Open(path);
  SayIf(robot, "messages");
  if (robot == 0 || web::Scene(robot) == 0) return;
  Say("scene");
  for (const std::string_view kind : {"cg", "cdd", "lacg"})
    SayIf(web::Graph(robot, kind.data(), kind.size()), "graph");
  SayIf(with(web::InspectOpened, robot, R"({"closures": true})"), "inspection");
  SayIf(web::Posture(robot), "posture");
  SayIf(with(web::Set, robot, "{}"), "posture");
  for (const std::string_view to : {"urdf", "urdf+", "sdf", "mjcf", "mbs", "usda"}) {
    const std::string options =
        R"({"to": ")" + std::string(to) + R"(", "verify": true, "strict": "motion"})";
    SayIf(with(web::ConvertOpened, robot, options), "conversion");
  }
  SayIf(web::Verify(robot, robot, R"({"states": 2})", 13), "verdict");
  SayIf(with(web::LintOpened, robot, R"({"fix": ["certain"]})"), "lint_result");
  SayIf(with(web::LintOpened, robot, "{}"), "lint_result");
  SayIf(with(web::Simulate, robot, R"({"time": 0.02, "step": 0.01})"), "simulation_result");
}

}  // namespace

int main(int count, char** words) {
  if (web::Formats() != 0) Say("formats");
  for (int i = 1; i < count; ++i) Ask(words[i]);
  return 0;
}
