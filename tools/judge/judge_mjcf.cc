// MuJoCo's opinion: does it take the file? What the installed MuJoCo is too old to know, and asset
// files that are not there, are taken out first and named in the verdict.
#include <tinyxml2.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "judge.h"
#include "kinemorph/formats/lfs_pointer.h"
#include "mujoco.h"

namespace kinemorph::judge {
namespace {

// MuJoCo judges the mechanism, not what is around it. Assets that are not there are taken out of
// the parsed file with all that names them; the rest is compiled as a copy beside the file. A
// MuJoCo older than the file gets its mechanics alone. The verdict says what was left out, so that
// nobody takes it for the whole.

namespace fs = std::filesystem;

// Removes `attribute` from every element called `element`; true when there was one.
void RemoveAttribute(tinyxml2::XMLElement* top, const char* element, const char* attribute,
                     std::set<std::string>& removed) {
  for (tinyxml2::XMLElement* e = top; e; e = e->NextSiblingElement()) {
    if (std::strcmp(e->Name(), element) == 0 && e->FindAttribute(attribute)) {
      e->DeleteAttribute(attribute);
      removed.insert(attribute);
    }
    RemoveAttribute(e->FirstChildElement(), element, attribute, removed);
  }
}

// MuJoCo 2 reads one number where newer ones read several, and none behind which a line ends.
void TrimNumbers(tinyxml2::XMLElement* top, std::set<std::string>& removed) {
  static const std::set<std::string> kOfOne = {"stiffness", "damping", "springlength"};
  constexpr const char* kSpace = " \t\r\n";
  for (tinyxml2::XMLElement* e = top; e; e = e->NextSiblingElement()) {
    for (const tinyxml2::XMLAttribute* a = e->FirstAttribute(); a; a = a->Next()) {
      std::string value = a->Value();
      value.erase(value.find_last_not_of(kSpace) + 1);
      value.erase(0, value.find_first_not_of(kSpace));
      if (const std::size_t end = value.find_first_of(kSpace);
          end != std::string::npos && kOfOne.count(a->Name()) != 0) {
        value.resize(end);
        removed.insert("all but the first number of " + std::string(a->Name()));
      }
      if (value != a->Value()) e->SetAttribute(a->Name(), value.c_str());
    }
    TrimNumbers(e->FirstChildElement(), removed);
  }
}

// The next element is taken before this one is gone.
// Removes elements below `parent`, at any depth, for which `out` holds.
void Remove(tinyxml2::XMLElement* parent,
            const std::function<bool(const tinyxml2::XMLElement&)>& out) {
  for (tinyxml2::XMLElement* e = parent->FirstChildElement(); e;) {
    tinyxml2::XMLElement* next = e->NextSiblingElement();
    if (out(*e))
      parent->DeleteChild(e);
    else
      Remove(e, out);
    e = next;
  }
}

bool Refers(const tinyxml2::XMLElement& e, const char* attribute,
            const std::set<std::string>& names) {
  const char* name = e.Attribute(attribute);
  return name && names.count(name) != 0;
}

// Where a file really is; empty where it is not there. A pipe is no mesh, and would be waited for; a
// pointer of Git LFS is one that nobody has fetched. A path or a link that leaves all folders is
// not looked at.
std::string RealPath(const fs::path& file, const std::vector<std::string>& fence) {
  // The same fence as the readers have: this program, too, opens what a stranger's file names.
  std::error_code unreadable;
  const fs::path real = fs::canonical(file, unreadable);
  const auto holds = [&](const fs::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), real.begin(), real.end()).first ==
           folder.end();
  };
  if (unreadable || (!fence.empty() && std::none_of(fence.begin(), fence.end(), holds))) return "";
  if (!fs::is_regular_file(real, unreadable)) return "";
  std::string start(64, '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(start.data(), static_cast<std::streamsize>(start.size()));
  return IsLfsPointer(start) ? "" : real.string();
}

struct Missing {
  std::size_t meshes = 0, others = 0;
};

// Takes out assets whose file is missing, with the geoms and materials that use them; `there` gets
// the other files.
Missing RemoveMissingAssets(tinyxml2::XMLElement* root, const fs::path& folder,
                            const std::vector<std::string>& fence,
                            std::map<std::string, std::string>& there) {
  Missing count;
  // MuJoCo looks for files below these folders; kinemorph writes one compiler section.
  const tinyxml2::XMLElement* compiler = root->FirstChildElement("compiler");
  const auto folder_of = [&](const char* attribute) {
    const char* below = compiler ? compiler->Attribute(attribute) : nullptr;
    return below ? folder / below : folder;
  };
  std::set<std::string> missing;
  Remove(root, [&](const tinyxml2::XMLElement& e) {
    const std::string kind = e.Name();
    if (kind != "mesh" && kind != "texture" && kind != "hfield" && kind != "skin") return false;
    bool gone = false;
    for (const char* attribute :
         {"file", "fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"}) {
      const char* file = e.Attribute(attribute);
      if (file == nullptr) continue;
      const fs::path path = folder_of(kind == "texture" ? "texturedir" : "meshdir") / file;
      const std::string real = RealPath(path, fence);
      gone = gone || real.empty();
      if (!real.empty()) there[path.string()] = real;
    }
    if (!gone) return false;
    const char* name = e.Attribute("name");
    // A mesh without a name is called as its file.
    missing.insert(name ? name
                        : fs::path(e.Attribute("file") ? e.Attribute("file") : "").stem().string());
    ++(kind == "mesh" ? count.meshes : count.others);
    return true;
  });
  if (missing.empty()) return count;

  // Whoever names what is gone goes too: geoms, then the pairs of contacts that name these geoms; a
  // material only loses its texture.
  std::set<std::string> geoms;  // that are taken out
  Remove(root, [&](const tinyxml2::XMLElement& e) {
    if (std::strcmp(e.Name(), "material") == 0) return false;
    const bool gone =
        Refers(e, "mesh", missing) || Refers(e, "hfield", missing) || Refers(e, "texture", missing);
    if (gone && std::strcmp(e.Name(), "geom") == 0 && e.Attribute("name"))
      geoms.insert(e.Attribute("name"));
    return gone;
  });
  Remove(root, [&](const tinyxml2::XMLElement& e) {
    return std::strcmp(e.Name(), "pair") == 0 &&
           (Refers(e, "geom1", geoms) || Refers(e, "geom2", geoms));
  });
  for (tinyxml2::XMLElement* asset = root->FirstChildElement("asset"); asset;
       asset = asset->NextSiblingElement("asset")) {
    for (tinyxml2::XMLElement* e = asset->FirstChildElement("material"); e;
         e = e->NextSiblingElement("material"))
      if (Refers(*e, "texture", missing)) e->DeleteAttribute("texture");
  }
  return count;
}

// Leaves what every MuJoCo knows: bodies, their inertia, joints and plain shapes, equalities and
// fixed tendons.
void KeepMechanics(tinyxml2::XMLElement* root) {
  // Words that all versions know, as kinemorph writes them: radians, quaternions, no defaults. What
  // stands for a joint in a tendon is called joint, too.
  static const std::map<std::string, std::set<std::string>> kKnown = {
      {"compiler",
       {"angle", "autolimits", "inertiafromgeom", "balanceinertia", "boundmass", "boundinertia"}},
      {"option", {"gravity"}},
      {"worldbody", {}},
      {"body", {"name", "pos", "quat"}},
      {"inertial", {"pos", "quat", "mass", "diaginertia", "fullinertia"}},
      {"joint",
       {"name", "type", "pos", "axis", "ref", "limited", "range", "stiffness", "springref",
        "damping", "frictionloss", "armature", "joint1", "joint2", "polycoef", "joint", "coef"}},
      {"geom", {"name", "type", "size", "pos", "quat", "mass", "contype", "conaffinity"}},
      {"equality", {}},
      {"connect", {"name", "body1", "body2", "anchor"}},
      {"weld", {"name", "body1", "body2", "relpose", "anchor"}},
      {"tendon", {"name", "tendon1", "tendon2", "polycoef"}},
      {"fixed", {"name"}}};
  Remove(root, [](const tinyxml2::XMLElement& e) {
    return kKnown.count(e.Name()) == 0 || e.Attribute("site1") || e.Attribute("mesh") ||
           e.Attribute("hfield") ||
           (std::strcmp(e.Name(), "connect") == 0 && !e.Attribute("anchor"));
  });

  // An equality of other tendons went with them.
  std::set<std::string> fixed;
  for (auto* section = root->FirstChildElement("tendon"); section != nullptr;
       section = section->NextSiblingElement("tendon"))
    for (auto* e = section->FirstChildElement("fixed"); e != nullptr;
         e = e->NextSiblingElement("fixed"))
      if (const char* name = e->Attribute("name")) fixed.insert(name);
  Remove(root, [&](const tinyxml2::XMLElement& e) {
    for (const char* attribute : {"tendon1", "tendon2"})
      if (const char* name = e.Attribute(attribute); name != nullptr && !fixed.contains(name))
        return true;
    return false;
  });

  // With a stack: how deep bodies nest is the author's choice.
  std::vector<tinyxml2::XMLElement*> stack = {root};
  while (!stack.empty()) {
    tinyxml2::XMLElement* parent = stack.back();
    stack.pop_back();
    for (tinyxml2::XMLElement* e = parent->FirstChildElement(); e; e = e->NextSiblingElement()) {
      const std::set<std::string>& known = kKnown.at(e->Name());
      for (const tinyxml2::XMLAttribute* a = e->FirstAttribute(); a;) {
        const std::string name = a->Name();
        a = a->Next();
        if (known.count(name) == 0) e->DeleteAttribute(name.c_str());
      }
      stack.push_back(e);
    }
  }
}

// The version whose words are written (mj_version).
constexpr int kOfToday = 4000000;

// The schema of this MuJoCo has no such element or attribute.
bool IsUnknownWord(const std::string& why) {
  return why.find("unrecognized") != std::string::npos ||
         why.find("Schema violation") != std::string::npos ||
         why.find("invalid keyword") != std::string::npos;
}

// Nothing where this MuJoCo gives no answer.
std::optional<Verdict> VerdictOf(Mujoco& mujoco, const fs::path& file,
                                 const std::vector<std::string>& fence) {
  tinyxml2::XMLDocument document;
  if (document.LoadFile(file.c_str()) != tinyxml2::XML_SUCCESS || !document.RootElement())
    return Verdict{kRefused, mujoco.name() + ": the file is not XML"};
  std::set<std::string> removed;
  // Attributes that kinemorph writes and MuJoCo 2 does not know. Without them it can still judge
  // the whole.
  if (mujoco.version() < 300) {
    for (const char* attribute : {"actuatorfrcrange", "actuatorfrclimited", "actuatorgravcomp"})
      RemoveAttribute(document.RootElement(), "joint", attribute, removed);
    for (const char* attribute : {"gravcomp", "sleep"})
      RemoveAttribute(document.RootElement(), "body", attribute, removed);
    for (const char* attribute : {"assetdir", "alignfree", "saveinertial"})
      RemoveAttribute(document.RootElement(), "compiler", attribute, removed);
    TrimNumbers(document.RootElement(), removed);
    // The text of a note may stand between its tags.
    Remove(document.RootElement(), [&](const tinyxml2::XMLElement& e) {
      const bool is_new = std::strcmp(e.Name(), "text") == 0 && !e.Attribute("data");
      if (is_new) removed.insert("text");
      return is_new;
    });
  }
  if (mujoco.version() < kOfToday)
    RemoveAttribute(document.RootElement(), "headlight", "active", removed);  // "auto"
  Description description{file.string(), document, {}};
  const Missing missing =
      RemoveMissingAssets(document.RootElement(), file.parent_path(), fence, description.assets);
  const std::optional<Compilation> whole = mujoco.Compile(description);
  if (!whole) return std::nullopt;
  // A new MuJoCo that knows no such word is right: then the file is wrong.
  if (!whole->good && !(mujoco.version() < kOfToday && IsUnknownWord(whole->words)))
    return Verdict{kRefused, mujoco.name() + " refuses the file:\n    " + whole->words};
  std::string without;
  const auto leave_out = [&](const std::string& what) {
    without += (without.empty() ? " without " : ", ") + what;
  };
  if (missing.meshes > 0)
    leave_out("its " + std::to_string(missing.meshes) +
              (missing.meshes == 1 ? " missing mesh" : " missing meshes"));
  if (missing.others > 0)
    leave_out("its " + std::to_string(missing.others) + " other missing assets");
  for (const std::string& attribute : removed) leave_out(attribute);
  if (whole->good)
    return Verdict{kAccepted, mujoco.name() + " accepts the file" + without + ": " + whole->words};
  // Too old for the file: its mechanics can be judged.
  KeepMechanics(document.RootElement());
  description.assets.clear();
  const std::optional<Compilation> mechanics = mujoco.Compile(description);
  if (!mechanics) return std::nullopt;
  if (!mechanics->good)
    return Verdict{kRefused,
                   mujoco.name() + " refuses the mechanics of the file:\n    " + mechanics->words};
  return Verdict{kAccepted, mujoco.name() +
                                " accepts the mechanics only, as it is too old for the file (" +
                                whole->words.substr(0, whole->words.find('\n')) + ")" + without +
                                ": " + mechanics->words};
}

}  // namespace

Verdict JudgeMjcf(const std::string& file, const std::vector<std::string>& fence) {
  std::string silent;
  for (const auto find : {FindWheel, FindNpm, FindInstalled}) {
    const std::unique_ptr<Mujoco> mujoco = find();
    if (!mujoco) continue;
    if (const auto verdict = VerdictOf(*mujoco, fs::absolute(file), fence))
      return {verdict->code, silent + verdict->words};
    silent = mujoco->name() + " gives no answer; ";
  }
  return {kNotJudged, silent + "there is no " + (silent.empty() ? "" : "other ") +
                          "MuJoCo (python3 -m pip install mujoco)"};
}

}  // namespace kinemorph::judge
