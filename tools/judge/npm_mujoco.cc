// MuJoCo as npm has it: a WebAssembly module, asked by one process of node for each text.
#include <sys/resource.h>
#include <tinyxml2.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <vector>

#include "host/program.h"
#include "judge.h"
#include "mujoco.h"

namespace kinemorph::judge {
namespace {

namespace fs = std::filesystem;

// Node starts in 0.3 s. Two texts, and the installed library after them, have 60 s.
constexpr double kSeconds = 25;

// Its argument is the module. Its input is a file name, the text of that file, and for each asset
// its name and where it is, with a zero byte between all. These files are all that the module
// sees. A zero byte, which nothing else prints, stands in front of the answer.
constexpr const char* kScript = R"js(
import fs from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
const [file, text, ...assets] =
    fs.readFileSync(0, 'latin1').split('\0').map((part) => Buffer.from(part, 'latin1'));
const load = (await import(pathToFileURL(process.argv[1]).href)).default;
const mujoco = await load({ print() {}, printErr() {} });
function put(name, bytes) {
  mujoco.FS.mkdirTree(dirname(name));
  mujoco.FS.writeFile(name, bytes);
}
put(`${file}`, text);
for (let i = 0; i < assets.length; i += 2) put(`${assets[i]}`, fs.readFileSync(assets[i + 1]));
function answer(kind, words) { fs.writeSync(1, `\0${kind}\n${words}`); }
try {
  const model = mujoco.MjModel.from_xml_path(`${file}`);
  answer('good', `${model.nbody - 1} bodies, ${model.nv} degrees of freedom, ${model.neq} equalities`);
} catch (error) {
  const words = /^MuJoCo Error: (?:Loading error: )?(.*)$/s.exec(error.message)?.[1].trimEnd();
  // It has only the assets; what else a file includes says nothing about it.
  if (words && !words.includes('Error opening file')) answer('bad', words);
  if (['std::bad_alloc', 'std::length_error'].includes(error.name)) answer('large', '');
}
)js";

// WebAssembly takes 8 GB of addresses and writes to few of them. So node's own memory is bounded by
// what it writes to, while one lives.
class BoundOfData {
 public:
  BoundOfData() {
    ::getrlimit(RLIMIT_AS, &addresses_);
    ::getrlimit(RLIMIT_DATA, &data_);
    const rlimit all = {addresses_.rlim_max, addresses_.rlim_max};
    const rlimit few = {std::min(addresses_.rlim_cur, data_.rlim_cur), data_.rlim_max};
    ::setrlimit(RLIMIT_AS, &all);
    ::setrlimit(RLIMIT_DATA, &few);
  }
  ~BoundOfData() {
    ::setrlimit(RLIMIT_AS, &addresses_);
    ::setrlimit(RLIMIT_DATA, &data_);
  }
  BoundOfData(const BoundOfData&) = delete;
  BoundOfData& operator=(const BoundOfData&) = delete;

  /// --memory of the command bounds the addresses, whatever they are for.
  [[nodiscard]] bool addresses_are_few() const { return addresses_.rlim_max != RLIM_INFINITY; }

 private:
  rlimit addresses_{}, data_{};
};

class Npm : public Mujoco {
 public:
  Npm(std::string node, std::string module, const std::string& name, int version)
      : Mujoco(name, version), node_(std::move(node)), module_(std::move(module)) {}

  [[nodiscard]] std::optional<Compilation> Compile(const Description& description) override;

 private:
  std::string node_, module_;
};

std::optional<Compilation> Npm::Compile(const Description& description) {
  tinyxml2::XMLPrinter text;
  description.text.Accept(&text);
  std::string input = description.file + '\0' + text.CStr();
  for (const auto& [name, real] : description.assets) input += '\0' + name + '\0' + real;
  const BoundOfData bound;
  std::vector<std::string> command = {node_, "--no-warnings"};
  // Without the addresses that catch a module which leaves its memory. Node 18 has no such option.
  if (bound.addresses_are_few()) command.emplace_back("--disable-wasm-trap-handler");
  for (const char* word : {"--input-type=module", "--eval", kScript, "--"})
    command.emplace_back(word);
  command.push_back(module_);
  // One that ends early leaves its input.
  const auto before = ::signal(SIGPIPE, SIG_IGN);
  const auto result = tools::RunProgram(command, input, kSeconds);
  ::signal(SIGPIPE, before);
  if (!result || result->exit_code != 0) return std::nullopt;
  const std::string& said = result->output;
  const std::size_t start = said.find('\0'), line = said.find('\n', start);
  if (start == std::string::npos || line == std::string::npos) return std::nullopt;
  const std::string kind = said.substr(start + 1, line - start - 1);
  if (kind == "large") EndTooLarge();
  if (kind != "good" && kind != "bad") return std::nullopt;
  return Compilation{kind == "good", said.substr(line + 1)};
}

// The folders of a variable such as PATH. One that is not whole would be a folder of whoever wrote
// the robot, in which the command runs.
std::vector<fs::path> Folders(const char* variable) {
  const char* const value = std::getenv(variable);
  std::istringstream parts(value == nullptr ? "" : value);
  std::vector<fs::path> folders;
  for (std::string part; std::getline(parts, part, ':');)
    if (fs::path(part).is_absolute()) folders.emplace_back(part);
  return folders;
}

// The `node` that a shell would run; empty where there is none.
fs::path Node() {
  for (const fs::path& folder : Folders("PATH")) {
    std::error_code none;
    if (fs::path node = folder / "node";
        fs::is_regular_file(node, none) && ::access(node.c_str(), X_OK) == 0)
      return node;
  }
  return {};
}

}  // namespace

std::unique_ptr<Mujoco> FindNpm() {
  const fs::path node = Node();
  if (node.empty()) return nullptr;
  std::vector<fs::path> folders = Folders("NODE_PATH");
  std::error_code none;
  for (const fs::path& program : {node, fs::canonical(node, none)})
    if (program.is_absolute())
      folders.push_back(program.parent_path().parent_path() / "lib/node_modules");
  for (const char* folder : {"/usr/local/lib/node_modules", "/usr/lib/node_modules"})
    folders.emplace_back(folder);
  static const std::regex kVersion(
      R"re("version"\s*:\s*"((\d{1,2})\.(\d{1,3})\.(\d{1,3})[^"]*)")re");
  for (const fs::path& folder : folders) {
    const fs::path package = folder / "@mujoco/mujoco";
    std::ifstream stream(package / "package.json");
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    std::smatch parts;
    if (!std::regex_search(text, parts, kVersion)) continue;
    const int version =
        std::stoi(parts[2]) * 1000000 + std::stoi(parts[3]) * 1000 + std::stoi(parts[4]);
    // It may name programs that node would run first, by relative paths too.
    ::unsetenv("NODE_OPTIONS");
    return std::make_unique<Npm>(node.string(), (package / "mujoco.js").string(),
                                 "MuJoCo " + parts[1].str() + " (npm)", version);
  }
  return nullptr;
}

}  // namespace kinemorph::judge
