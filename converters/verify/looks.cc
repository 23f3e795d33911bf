// Colours, materials and friction of shapes that were matched.
#include <cmath>
#include <optional>
#include <string>

#include "kinemorph/graph/model/field_text.h"
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

template <class Value>
std::string Against(const Part& a, std::string_view what, const Value& x, const Value& y) {
  return Text(a.subject()) + ": " + std::string(what) + (what.empty() ? "" : " ") + ValueText(x) +
         " against " + ValueText(y);
}

double Apart(const std::optional<Rgba>& x, const std::optional<Rgba>& y) {
  return x && y ? (*x - *y).cwiseAbs().maxCoeff() : kMissing;
}

// "pad" of "pad_3": where names of shapes are unique in a model, writers number them.
std::string_view WithoutNumber(std::string_view name) {
  const std::size_t end = name.find_last_not_of("0123456789");
  const bool numbered = end != std::string_view::npos && end + 1 < name.size() && name[end] == '_';
  return numbered ? name.substr(0, end) : name;
}

// Formats that demand names get "visual" or "arm_visual" of a link "arm" for the nameless.
bool SaysNothing(const Part& part) {
  const std::string name = PlainName(part.name());
  std::string_view of = WithoutNumber(name);
  const std::string_view kind = part.visual != nullptr ? "visual" : "collision";
  if (!of.ends_with(kind)) return name.empty();
  of.remove_suffix(kind.size());
  return of.empty() || PlainName(part.link->name + "_").ends_with(of);
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
    CompareFields(a, b, *a.visual, *b.visual);
  } else {
    CompareFields(a, b, *a.collision, *b.collision);
    collisions_.push_back({a.id, b.id, a.collision, b.collision});
  }
  CompareNames(a, b);
  // Content of a capsule hangs on the first of its parts.
  if (a.whole && b.whole) native_.Compare(a.native(), b.native(), a.subject());
}

// A conversion gives names to the nameless, and tells which ones it changed.
void LookComparison::CompareNames(const Part& a, const Part& b) {
  if (!a.whole || !b.whole || a.name() == b.name()) return;
  if (Converted()) {
    const SubjectKind kind = a.visual != nullptr ? SubjectKind::kVisual : SubjectKind::kCollision;
    const std::string x = PlainName(match_.renames.Of(kind, a.subject().where, a.name())),
                      y = PlainName(b.name());
    if (a.name().empty() || y.empty() || (SaysNothing(a) && SaysNothing(b)) || x == y ||
        x == WithoutNumber(y) || y == WithoutNumber(x))
      return;
  }
  parts_.Miss(a.link->name, Text(a.subject()) + " is called '" + b.name() + "'");
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
  // Where a colour must be written, a side without one says nothing against opaque grey.
  const auto grey = [](const Rgba& c) { return (c - Rgba(0.5, 0.5, 0.5, 1)).norm() < 0.01; };
  const bool assumed_grey = !excuses_.same_format() && !(x && y) && grey(x ? *x : *y);
  const bool excused =
      x ? (assumed_grey && options_.assumed) || TakeMaterial(Feature::kMaterialColor, a, b)
        : assumed_grey ||
              excuses_.TakeOfB(Feature::kMaterialColor, kinemorph::MaterialOf(b.subject())) ||
              HasColoursInFile(a, b);
  colors_.Differ(excused || (!y && HasColoursInFile(b, a)), a.link->name, Against(a, "", x, y),
                 error);
}

// `file` has no colour but those in the file of its mesh, which the other has as its own.
bool LookComparison::HasColoursInFile(const Part& file, const Part& other) {
  const auto* const mesh = std::get_if<Mesh>(&file.shape);
  const auto* const held = std::get_if<Mesh>(&other.shape);
  return mesh != nullptr && held != nullptr &&
         (HoldsPartOf(*held, *mesh) || excuses_.Take(Feature::kShapeMesh, file.subject()));
}

void LookComparison::CompareLight(const Part& a, const Part& b,
                                  const Field<Material, std::optional<Rgba>>& color) {
  const std::optional<Rgba>&x = MaterialOf(*a.visual).*color.member,
        &y = MaterialOf(*b.visual).*color.member;
  const double error = x || y ? Apart(x, y) : 0;
  if (error <= colors_.check().tolerance) return;
  const bool excused =
      x ? TakeMaterial(Feature::kMaterialLighting, a, b) ||
              TakeMaterial(Feature::kMaterialColor, a, b)
        : excuses_.TakeOfB(Feature::kMaterialLighting, kinemorph::MaterialOf(b.subject())) ||
              (options_.report != nullptr && !excuses_.same_format());
  colors_.Differ(excused, a.link->name, Against(a, color.words, x, y), error);
}

void LookComparison::CompareMaterials(const Part& a, const Part& b) {
  const Material &x = MaterialOf(*a.visual), &y = MaterialOf(*b.visual);
  const bool same_format = excuses_.same_format();
  if (same_format || a.visual->material) {
    // A colour that stands for the ambient one, and the other way round, is compared as what is
    // shown; formats with one colour have that of both.
    const bool one_color = !x.ambient && y.ambient == y.diffuse;
    const bool says_more = x.diffuse && x.ambient != x.diffuse && !one_color;
    ForEachField<Material>([&]<class Value>(const Field<Material, Value>& field) {
      if constexpr (std::same_as<Value, std::optional<Rgba>>) {
        const bool shown = field.member == &Material::diffuse ||
                           (field.member == &Material::ambient && !says_more);
        if (same_format || !shown) CompareLight(a, b, field);
      }
    });
  }
  if (x.texture || y.texture) CompareTextures(a, b);
  if (!Converted()) {
    if (x.name != y.name)
      parts_.Miss(a.link->name, Against(a, "material", "'" + x.name + "'", "'" + y.name + "'"));
    if (a.visual->transparency.value_or(0) != b.visual->transparency.value_or(0))
      colors_.Miss(a.link->name, Text(a.subject()) + ": another transparency");
  }
  native_.Compare(x.native, y.native, kinemorph::MaterialOf(a.subject()));
}

void LookComparison::CompareTextures(const Part& a, const Part& b) {
  const std::optional<std::string>&x = MaterialOf(*a.visual).texture,
        &y = MaterialOf(*b.visual).texture;
  if (x && y && SameFile(*x, *y, *this)) return textures_.Add(0, a.link->name);
  const bool excused =
      x ? TakeMaterial(Feature::kMaterialTexture, a, b)
        : excuses_.TakeOfB(Feature::kMaterialTexture, kinemorph::MaterialOf(b.subject()));
  textures_.Differ(excused, a.link->name, Against(a, "texture", x, y));
}

// What is said of a visual or a collision that may be absent: numbers, flags and texts.
template <class Owner>
void LookComparison::CompareFields(const Part& a, const Part& b, const Owner& x, const Owner& y) {
  ForEachField<Owner>([&]<class Value>(const Field<Owner, Value>& field) {
    if constexpr (requires(const Value& value) { value.has_value(), ValueText(value); })
      if (!field.words.empty() && field.feature != Feature::kTransparency)  // part of the colour
        CompareField(a, b, x.*field.member, y.*field.member, field);
  });
}

template <class Owner, class Value>
void LookComparison::CompareField(const Part& a, const Part& b, Value x, Value y,
                                  const Field<Owner, Value>& field) {
  if (!x && !y) return;
  double error = x == y ? 0 : kMissing;
  if constexpr (std::same_as<Field<Owner, Value>, NumberField<Collision>>) {
    // Beside the second coefficient the first one is 1 where it is not said.
    if (field.member == &Collision::mu && a.collision->mu2 && b.collision->mu2)
      x = x.value_or(1), y = y.value_or(1);
    // A format with one coefficient for both directions says the second with the first.
    const std::optional<double>&mu_a = a.collision->mu, &mu_b = b.collision->mu;
    if (field.member == &Collision::mu2 && !excuses_.same_format() && mu_a && mu_b)
      x = x ? x : mu_a, y = y ? y : mu_b;
  }
  if constexpr (std::same_as<Value, std::optional<double>>)
    if (x && y) error = RelativeError(*x, *y, 0);
  const bool surface = field.feature == Feature::kSurfaceFriction;
  Worst& check = surface ? surfaces_ : others_;
  if (error <= check.check().tolerance) return check.Add(error, a.link->name);
  const bool excused =
      excuses_.TakeEither(field.feature, a.subject(), b.subject(), field.key) ||
      (!x && ((surface && AddedSurface(a, b)) || excuses_.TakeOfB(field.feature, b.subject())));
  check.Differ(excused, a.link->name, Against(a, field.words, x, y), error);
}

// A format that says all coefficients as soon as it says one writes its own for the others.
bool LookComparison::AddedSurface(const Part& a, const Part& b) const {
  const Collision &x = *a.collision, &y = *b.collision;
  return !excuses_.same_format() && (x.mu || x.mu2 || x.torsional || x.rolling) && (y.mu || y.mu2);
}

}  // namespace kinemorph::verify
