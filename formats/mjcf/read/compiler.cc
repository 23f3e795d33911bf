#include "read/compiler.h"

#include <algorithm>
#include <cmath>

namespace kinemorph::mjcf {
namespace {

void ReadEulerSequence(const xml::Element& compiler, CompilerSettings& settings) {
  const auto text = compiler.Attribute("eulerseq");
  if (!text) return;
  if (text->size() != 3 || text->find_first_not_of("xyzXYZ") != std::string_view::npos) {
    compiler.Error("bad-eulerseq", "compiler: eulerseq '" + std::string(*text) +
                                       "' is not three letters out of x, y, z, X, Y, Z");
    return;
  }
  std::copy(text->begin(), text->end(), settings.eulerseq.begin());
}

// These say how masses come about, so they must be known before the first geom.
void ReadInertiaSettings(const xml::Element& compiler, CompilerSettings& settings) {
  if (const auto text = compiler.Attribute("inertiafromgeom")) {
    if (*text == "true")
      settings.inertiafromgeom = InertiaFromGeom::kTrue;
    else if (*text == "false")
      settings.inertiafromgeom = InertiaFromGeom::kFalse;
    else if (*text == "auto")
      settings.inertiafromgeom = InertiaFromGeom::kAuto;
    else
      compiler.Error("bad-keyword", "compiler: inertiafromgeom '" + std::string(*text) +
                                        "' is none of false, true, auto");
  }
  if (const auto range = compiler.Numbers("inertiagrouprange", 2)) {
    settings.inertiagroup_min = std::trunc((*range)[0]);
    settings.inertiagroup_max = std::trunc((*range)[1]);
  }
  settings.balanceinertia = compiler.Boolean("balanceinertia").value_or(settings.balanceinertia);
  settings.boundmass = compiler.Number("boundmass", settings.boundmass);
  settings.boundinertia = compiler.Number("boundinertia", settings.boundinertia);
  settings.settotalmass = compiler.Number("settotalmass", settings.settotalmass);
}

// They change how MuJoCo stores the model, not how it moves. Applied, they would take names from
// the file that controllers use.
void NoteStorageSettings(const xml::Element& compiler) {
  if (compiler.Boolean("fusestatic").value_or(false)) {
    compiler.Note("compiler-fusestatic",
                  "compiler: fusestatic is not applied; static bodies keep their names and masses");
  }
  if (compiler.Boolean("discardvisual").value_or(false)) {
    compiler.Note("compiler-discardvisual",
                  "compiler: discardvisual is not applied; visual geoms are kept");
  }
  if (compiler.Boolean("alignfree").value_or(false)) {
    compiler.Note("compiler-alignfree",
                  "compiler: alignfree is not applied; the frames of free bodies stay as drawn");
  }
  if (!compiler.Boolean("convexhull").value_or(true)) {
    compiler.Note(
        "compiler-convexhull",
        "compiler: convexhull is gone since MuJoCo 3.2.5; meshes always collide as their hulls");
  }
}

}  // namespace

CompilerSettings ReadCompiler(const SourceTree& sources) {
  CompilerSettings settings;
  // Each section overlays the ones before it; an attribute that is not written keeps its value.
  for (const xml::Element compiler : sources.Children(sources.root())) {
    if (compiler.name() != "compiler") continue;
    compiler.Consume();
    if (const auto angle = compiler.Attribute("angle")) {
      if (*angle != "degree" && *angle != "radian") {
        compiler.Error("bad-keyword", "compiler: angle '" + std::string(*angle) +
                                          "' is neither degree nor radian");
      }
      settings.degree = *angle != "radian";
    }
    if (const auto coordinate = compiler.Attribute("coordinate");
        coordinate && *coordinate == "global") {
      compiler.Error("coordinate-global",
                     "compiler: coordinate 'global' is gone since MuJoCo 2.3.4; load and save the "
                     "file with 2.3.3 or older to make it local");
    }
    ReadEulerSequence(compiler, settings);
    settings.autolimits = compiler.Boolean("autolimits").value_or(settings.autolimits);
    // assetdir sets all three; meshdir and texturedir of the same section win over it.
    if (const auto dir = compiler.Attribute("assetdir"))
      settings.assetdir = settings.meshdir = settings.texturedir = std::string(*dir);
    if (const auto dir = compiler.Attribute("meshdir")) settings.meshdir = std::string(*dir);
    if (const auto dir = compiler.Attribute("texturedir")) settings.texturedir = std::string(*dir);
    settings.strippath = compiler.Boolean("strippath").value_or(settings.strippath);
    settings.alignfree = compiler.Boolean("alignfree").value_or(settings.alignfree);
    settings.fitaabb = compiler.Boolean("fitaabb").value_or(settings.fitaabb);
    settings.exactmeshinertia =
        compiler.Boolean("exactmeshinertia").value_or(settings.exactmeshinertia);
    ReadInertiaSettings(compiler, settings);
    NoteStorageSettings(compiler);
  }
  return settings;
}

}  // namespace kinemorph::mjcf
