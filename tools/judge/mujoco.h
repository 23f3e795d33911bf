// A MuJoCo of whatever version, found when it is needed: a library, or the module of npm.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace tinyxml2 {
class XMLDocument;
}

namespace kinemorph::judge {

/// What is compiled: `text` in the place of the file that was asked about.
struct Description {
  std::string file;  ///< absolute
  const tinyxml2::XMLDocument& text;
  /// Asset files that may be read: under the absolute name that MuJoCo makes, where it really is.
  std::map<std::string, std::string> assets;
};

struct Compilation {
  bool good = false;
  std::string words;  ///< "3 bodies, 2 degrees of freedom, 1 equalities", or what is wrong
};

class Mujoco {
 public:
  Mujoco(std::string name, int version) : name_(std::move(name)), version_(version) {}
  virtual ~Mujoco() = default;
  Mujoco(const Mujoco&) = delete;
  Mujoco& operator=(const Mujoco&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }  ///< "MuJoCo 3.14.0 (npm)"
  /// 222, or 4000000 where parts have more digits.
  [[nodiscard]] int version() const { return version_; }
  /// Nothing where this MuJoCo gives no answer.
  [[nodiscard]] virtual std::optional<Compilation> Compile(const Description& description) = 0;

 private:
  std::string name_;
  int version_;
};

/// The first that can be loaded of Python's wheels: in the environment that is active, beside the
/// Pythons of PATH and in the user's own packages.
[[nodiscard]] std::unique_ptr<Mujoco> FindWheel();

/// The package @mujoco/mujoco that is installed for all programs of the `node` of PATH.
[[nodiscard]] std::unique_ptr<Mujoco> FindNpm();

/// The library that this program was built with.
[[nodiscard]] std::unique_ptr<Mujoco> FindInstalled();

}  // namespace kinemorph::judge
