// Runs the kinemorph command as a user's shell would.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace kinemorph::test {

namespace fs = std::filesystem;

inline std::string FileText(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

inline void WriteFile(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

/// A folder that goes away again.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "kinemorph-test-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] fs::path operator/(const std::string& name) const { return path_ / name; }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

struct CommandResult {
  int exit_code = 0;
  std::string out, err;
};

/// `arguments` is shell text. Standard input is `input`; the working folder is `folder`.
inline CommandResult Shell(const std::string& command, const fs::path& folder,
                           const std::string& input = "") {
  TemporaryFolder io;
  WriteFile(io / "in", input);
  const std::string line = "cd '" + folder.string() + "' && ( " + command + " ) <'" +
                           (io / "in").string() + "' >'" + (io / "out").string() + "' 2>'" +
                           (io / "err").string() + "'";
  const int status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), FileText(io / "out"),
          FileText(io / "err")};
}

}  // namespace kinemorph::test
