// MuJoCo's opinion: does it compile? What the installed MuJoCo is too old to know, and asset files that are not there, are taken out
// first and named in the verdict.
#include <mujoco/mujoco.h>
#include <tinyxml2.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>

#include "judge.h"

namespace kinemorph::judge {
namespace {

namespace fs = std::filesystem;

// Removes `attribute` from every element called `element`; true when there was one.
void RemoveAttribute(tinyxml2::XMLElement* top, const char* element, const char* attribute, std::set<std::string>& removed) {
  for (tinyxml2::XMLElement* e = top; e; e = e->NextSiblingElement()) {
    if (std::strcmp(e->Name(), element) == 0 && e->FindAttribute(attribute)) {
      e->DeleteAttribute(attribute);
      removed.insert(attribute);
    }
    RemoveAttribute(e->FirstChildElement(), element, attribute, removed);
  }
}

// Removes geoms that use one of `meshes`, at any depth.
void RemoveMeshGeoms(tinyxml2::XMLElement* parent, const std::set<std::string>& meshes) {
  for (tinyxml2::XMLElement* e = parent->FirstChildElement(); e;) {
    tinyxml2::XMLElement* next = e->NextSiblingElement();
    const char* mesh = std::strcmp(e->Name(), "geom") == 0 ? e->Attribute("mesh") : nullptr;
    if (mesh && meshes.count(mesh))
      parent->DeleteChild(e);
    else
      RemoveMeshGeoms(e, meshes);
    e = next;
  }
}

// Takes out meshes whose file is missing, with the geoms that use them.
void RemoveMissingMeshes(tinyxml2::XMLElement* root, const fs::path& folder, std::set<std::string>& removed) {
  fs::path mesh_folder = folder;
  if (const tinyxml2::XMLElement* compiler = root->FirstChildElement("compiler")) {
    if (const char* meshdir = compiler->Attribute("meshdir")) mesh_folder /= meshdir;
  }
  std::set<std::string> missing;
  for (tinyxml2::XMLElement* asset = root->FirstChildElement("asset"); asset; asset = asset->NextSiblingElement("asset")) {
    for (tinyxml2::XMLElement* e = asset->FirstChildElement("mesh"); e;) {
      tinyxml2::XMLElement* next = e->NextSiblingElement("mesh");
      const char* file = e->Attribute("file");
      const char* name = e->Attribute("name");
      if (file && !fs::exists(mesh_folder / file)) {
        missing.insert(name ? name : fs::path(file).stem().string());
        asset->DeleteChild(e);
      }
      e = next;
    }
  }
  if (missing.empty()) return;
  removed.insert("meshes whose files are missing");
  if (tinyxml2::XMLElement* world = root->FirstChildElement("worldbody")) RemoveMeshGeoms(world, missing);
}

}  // namespace

Verdict JudgeMjcf(const std::string& file) {
  const std::string library = std::string("MuJoCo ") + mj_versionString();
  tinyxml2::XMLDocument document;
  if (document.LoadFile(file.c_str()) != tinyxml2::XML_SUCCESS || !document.RootElement())
    return {kRefused, library + ": the file is no XML"};
  std::set<std::string> removed;
  if (mj_version() < 300) {
    for (const char* attribute : {"actuatorfrcrange", "actuatorfrclimited", "actuatorgravcomp"})
      RemoveAttribute(document.RootElement(), "joint", attribute, removed);
    for (const char* attribute : {"gravcomp", "sleep"}) RemoveAttribute(document.RootElement(), "body", attribute, removed);
    for (const char* attribute : {"assetdir", "alignfree", "saveinertial"})
      RemoveAttribute(document.RootElement(), "compiler", attribute, removed);
  }
  const fs::path folder = fs::absolute(file).parent_path();
  RemoveMissingMeshes(document.RootElement(), folder, removed);
  // The copy stands beside the file, because assets are found relative to it.
  std::string copy = (folder / ".kinemorph-judge-XXXXXX").string();
  const int handle = ::mkstemp(copy.data());
  if (handle < 0) return {kNotJudged, library + ": no copy of the file can be made beside it"};
  std::FILE* stream = ::fdopen(handle, "w");
  document.SaveFile(stream);
  std::fclose(stream);
  char error[1024] = "";
  mjModel* model = mj_loadXML(copy.c_str(), nullptr, error, sizeof error);
  ::unlink(copy.c_str());
  std::string words = library;
  if (!model) return {kRefused, words + " refuses the file:\n    " + error};
  words += " compiles the file: " + std::to_string(model->nbody - 1) + " bodies, " + std::to_string(model->nv) + " degrees of freedom, " +
           std::to_string(model->neq) + " equalities";
  mj_deleteModel(model);
  std::string list;
  for (const std::string& each : removed) list += (list.empty() ? "" : ", ") + each;
  if (!list.empty()) words += " (left out: " + list + ")";
  return {kAccepted, words};
}

}  // namespace kinemorph::judge
