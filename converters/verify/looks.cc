// Colours, materials and friction of shapes that were matched.
#include <cmath>
#include <optional>
#include <string>

#include "kinemorph/graph/base/number.h"
#include "verify/shapes.h"

namespace kinemorph::verify {
namespace {

// The colour with its transparency as alpha; what formats with one colour show of a material that
// has only an ambient one, or of a transparent shape without a colour.
std::optional<Rgba> Shown(const Visual& visual) {
  std::optional<Rgba> color;
  if (visual.material)
    color = visual.material->diffuse ? visual.material->diffuse : visual.material->ambient;
  if (visual.transparency.value_or(0) == 0) return color;
  if (!color) color = Rgba(0.5, 0.5, 0.5, 1);
  color->w() *= 1 - *visual.transparency;
  return color;
}

std::string ColorText(const std::optional<Rgba>& c) {
  if (!c) return "none";
  return FormatNumber((*c)[0]) + " " + FormatNumber((*c)[1]) + " " + FormatNumber((*c)[2]) + " " +
         FormatNumber((*c)[3]);
}

std::string Against(const Part& a, const std::string& what, const std::string& x,
                    const std::string& y) {
  return Text(a.subject()) + ": " + what + x + " against " + y;
}

double Apart(const std::optional<Rgba>& x, const std::optional<Rgba>& y) {
  return x && y ? (*x - *y).cwiseAbs().maxCoeff() : kMissing;
}

const Material& MaterialOf(const Visual& visual) {
  static const Material kNone;
  return visual.material ? *visual.material : kNone;
}

}  // namespace

void LookComparison::Compare(const Part& a, const Part& b) {
  if (a.visual != nullptr) {
    CompareColors(a, b);
    CompareMaterials(a, b);
  } else {
    CompareSurfaces(a, b);
  }
  if (!Converted() && a.name() != b.name())
    parts_.Miss(a.link->name, Text(a.subject()) + " is called '" + b.name() + "'");
  if (a.whole && b.whole) native_.Compare(a.native(), b.native(), a.subject());
}

// Under the name that either side has for it.
bool LookComparison::TakeMaterial(Feature feature, const Part& a, const Part& b) {
  return excuses_.TakeEither(feature, kinemorph::MaterialOf(a.subject()),
                             kinemorph::MaterialOf(b.subject())) ||
         excuses_.TakeEither(feature, a.subject(), b.subject());
}

void LookComparison::CompareColors(const Part& a, const Part& b) {
  const std::optional<Rgba> x = Shown(*a.visual), y = Shown(*b.visual);
  if (!x && !y) return;
  double error = Apart(x, y);
  // What is transparent without a colour has to be written with one; how transparent counts.
  const Material& material = MaterialOf(*a.visual);
  const bool bare = !material.diffuse && !material.ambient;
  if (x && y && bare && !excuses_.same_format()) error = std::abs(x->w() - y->w());
  if (error <= colors_.check().tolerance) return colors_.Add(error, a.link->name);
  const std::string told = Against(a, "", ColorText(x), ColorText(y));
  // Where a colour must be written, a side without one says nothing against opaque grey.
  const auto grey = [](const Rgba& c) { return (c - Rgba(0.5, 0.5, 0.5, 1)).norm() < 0.01; };
  const bool assumed_grey = !excuses_.same_format() && !(x && y) && grey(x ? *x : *y);
  const bool excused =
      x ? (assumed_grey && options_.assumed) || TakeMaterial(Feature::kMaterialColor, a, b)
        : assumed_grey ||
              excuses_.TakeOfB(Feature::kMaterialColor, kinemorph::MaterialOf(b.subject()));
  if (excused) return colors_.Except(told);
  colors_.Add(error, a.link->name, told);
}

void LookComparison::CompareLight(const Part& a, const Part& b,
                                  std::optional<Rgba> Material::*color, const char* what) {
  const std::optional<Rgba>&x = MaterialOf(*a.visual).*color, &y = MaterialOf(*b.visual).*color;
  if (!x && !y) return;
  const double error = Apart(x, y);
  if (error <= colors_.check().tolerance) return;
  const std::string told = Against(a, std::string(what) + " ", ColorText(x), ColorText(y));
  const bool excused =
      x ? TakeMaterial(Feature::kMaterialLighting, a, b) ||
              TakeMaterial(Feature::kMaterialColor, a, b)
        : excuses_.TakeOfB(Feature::kMaterialLighting, kinemorph::MaterialOf(b.subject())) ||
              (options_.report != nullptr && !excuses_.same_format());
  if (excused) return colors_.Except(told);
  colors_.Add(error, a.link->name, told);
}

void LookComparison::CompareMaterials(const Part& a, const Part& b) {
  const Material &x = MaterialOf(*a.visual), &y = MaterialOf(*b.visual);
  const bool same_format = excuses_.same_format();
  if (same_format || a.visual->material) {
    // A colour that stands for the ambient one, and the other way round, is compared as what is
    // shown.
    if (same_format) CompareLight(a, b, &Material::diffuse, "diffuse colour");
    // Formats with one colour have that of both.
    const bool one_color = !x.ambient && y.ambient == y.diffuse;
    const bool says_more = x.diffuse && x.ambient != x.diffuse && !one_color;
    if (same_format || says_more) CompareLight(a, b, &Material::ambient, "ambient colour");
    CompareLight(a, b, &Material::specular, "specular colour");
    CompareLight(a, b, &Material::emissive, "emissive colour");
  }
  if (x.texture || y.texture) CompareTextures(a, b);
  if (!Converted()) {
    if (x.name != y.name)
      parts_.Miss(a.link->name, Against(a, "material ", "'" + x.name + "'", "'" + y.name + "'"));
    if (a.visual->transparency.value_or(0) != b.visual->transparency.value_or(0))
      colors_.Miss(a.link->name, Text(a.subject()) + ": another transparency");
  }
  native_.Compare(x.native, y.native, kinemorph::MaterialOf(a.subject()));
}

void LookComparison::CompareTextures(const Part& a, const Part& b) {
  const std::optional<std::string>&x = MaterialOf(*a.visual).texture,
        &y = MaterialOf(*b.visual).texture;
  const std::string told = Against(a, "texture ", x.value_or("none"), y.value_or("none"));
  if (x && y && SameFile(*x, *y, *this))
    textures_.Add(0, a.link->name);
  else if (x ? TakeMaterial(Feature::kMaterialTexture, a, b)
             : excuses_.TakeOfB(Feature::kMaterialTexture, kinemorph::MaterialOf(b.subject())))
    textures_.Except(told);
  else
    textures_.Miss(a.link->name, told);
}

void LookComparison::CompareSurfaces(const Part& a, const Part& b) {
  const Collision &x = *a.collision, &y = *b.collision;
  CompareSurface(a, b, x.mu, y.mu, "friction ");
  // A format with one coefficient for both directions says the second with the first.
  const bool one =
      !excuses_.same_format() && x.mu && y.mu && x.mu2.has_value() != y.mu2.has_value();
  if (one)
    CompareSurface(a, b, x.mu2 ? x.mu2 : x.mu, y.mu2 ? y.mu2 : y.mu, "second friction ");
  else
    CompareSurface(a, b, x.mu2, y.mu2, "second friction ");
  CompareSurface(a, b, x.torsional, y.torsional, "torsional friction ");
  CompareSurface(a, b, x.rolling, y.rolling, "rolling friction ");
}

void LookComparison::CompareSurface(const Part& a, const Part& b, const std::optional<double>& x,
                                    const std::optional<double>& y, const char* what) {
  if (!x && !y) return;
  const double error = x && y ? RelativeError(*x, *y, 0) : kMissing;
  if (error <= surfaces_.check().tolerance) return surfaces_.Add(error, a.link->name);
  const auto text = [](const std::optional<double>& value) {
    return value ? FormatNumber(*value) : std::string("none");
  };
  const std::string told = Against(a, what, text(x), text(y));
  const bool excused =
      x ? excuses_.TakeEither(Feature::kSurfaceFriction, a.subject(), b.subject())
        : AddedSurface(a, b) || excuses_.TakeOfB(Feature::kSurfaceFriction, b.subject());
  if (excused) return surfaces_.Except(told);
  surfaces_.Add(error, a.link->name, told);
}

// A format that says all coefficients as soon as it says one writes its own for the others.
bool LookComparison::AddedSurface(const Part& a, const Part& b) const {
  const Collision &x = *a.collision, &y = *b.collision;
  return !excuses_.same_format() && (x.mu || x.mu2 || x.torsional || x.rolling) && (y.mu || y.mu2);
}

}  // namespace kinemorph::verify
