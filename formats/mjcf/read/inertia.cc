// The inertial of a body: written, or from its geoms, then the compiler's bounds.
#include <algorithm>
#include <cmath>

#include "kinemorph/graph/base/linear_algebra.h"
#include "read/orientation.h"
#include "read/reader.h"

namespace kinemorph::mjcf {
namespace {

// MuJoCo's compiler, in its order: what is written or summed from geoms, then boundmass,
// boundinertia and balanceinertia body by body, and settotalmass over all. Moments are about the
// centre of mass, in the axes of X_LI (kg m^2).
std::size_t CountHeavy(const std::vector<GeomMass>& geoms) {
  return static_cast<std::size_t>(std::count_if(
      geoms.begin(), geoms.end(), [](const GeomMass& geom) { return geom.mass > kTiny; }));
}

// One geom keeps its own axes; several add up in those of the body.
std::optional<Inertial> Sum(const std::vector<GeomMass>& geoms) {
  std::vector<const GeomMass*> heavy;
  for (const GeomMass& geom : geoms)
    if (geom.mass > kTiny) heavy.push_back(&geom);
  if (heavy.empty()) return std::nullopt;
  Inertial inertial;
  if (heavy.size() == 1) {
    inertial.mass = heavy.front()->mass;
    inertial.X_LI = heavy.front()->X_BI;
    inertial.I_I = heavy.front()->I_I;
    return inertial;
  }
  SpatialInertia sum;
  bool first = true;
  for (const GeomMass* geom : heavy) {
    // Steiner's theorem is in the sum of spatial inertias.
    const SpatialInertia part{geom->mass, geom->X_BI.p,
                              geom->X_BI.R * geom->I_I * geom->X_BI.R.transpose()};
    sum = first ? part : sum + part;
    first = false;
  }
  inertial.mass = sum.mass;
  inertial.X_LI.p = sum.p_BoBcm;
  inertial.I_I = sum.I_BBcm;
  return inertial;
}

}  // namespace

std::optional<Inertial> Reader::ReadInertial(const xml::Element& element) const {
  const Attributes attributes(element);
  Inertial inertial;
  inertial.where = element.where();
  const auto mass = attributes.Number("mass");
  const auto pos = attributes.Vector("pos");
  if (!mass || !pos) {
    if (!element.Has("mass") || !element.Has("pos"))
      element.Error("inertial-incomplete",
                    "inertial of '" + element.path() + "' needs 'mass' and 'pos'");
    return std::nullopt;
  }
  inertial.mass = *mass;
  inertial.X_LI = ReadPose(attributes, compiler_);
  const auto full = attributes.Numbers("fullinertia", 6, 6);
  const auto diagonal = attributes.Vector("diaginertia");
  if (full) {
    // MuJoCo refuses these: fullinertia is in the axes of the body.
    const bool rotated = element.Has("quat") || element.Has("axisangle") || element.Has("xyaxes") ||
                         element.Has("zaxis") || element.Has("euler");
    if (rotated || diagonal) {
      element.Error("inertial-repeated",
                    {"inertial of", element.path(),
                     "fullinertia allows neither an orientation nor diaginertia beside it"});
    }
    const auto& f = *full;  // xx yy zz xy xz yz
    inertial.X_LI.R = Matrix3::Identity();
    inertial.I_I << f[0], f[3], f[4], f[3], f[1], f[5], f[4], f[5], f[2];
  } else if (diagonal) {
    inertial.I_I = diagonal->asDiagonal();
  }
  return inertial;
}

void Reader::ReadInertia(const Body& body, const xml::Element& element,
                         const std::vector<GeomMass>& geoms, const std::string& unknown) {
  std::optional<Inertial> inertial;
  if (element) {
    element.Consume();
    inertial = ReadInertial(element);
    if (!element.Has("fullinertia")) weighed_in_axes_.insert(body.link);
  }
  // With inertiafromgeom="true" the geoms win over an inertial that is written, but a body without
  // heavy geoms keeps it.
  if (compiler_.inertiafromgeom == InertiaFromGeom::kTrue ||
      (!element && compiler_.inertiafromgeom == InertiaFromGeom::kAuto)) {
    if (auto sum = Sum(geoms)) {
      const bool own_axes = CountHeavy(geoms) == 1 && IsDiagonal(sum->I_I);
      if (own_axes)
        weighed_in_axes_.insert(body.link);
      else
        weighed_in_axes_.erase(body.link);
      inertial = std::move(sum);
      inertial->where = body.element.where();
    }
    // A mesh without its file: what the other geoms weigh is not all, and no writer may take it for
    // the truth.
    if (!unknown.empty()) {
      unweighed_.push_back(body.link);
      if (!inertial) inertial.emplace().where = body.element.where();
      inertial->unknown = unknown;
    }
  }
  ApplyBounds(body, inertial);
  // Zeros say what an absent one means.
  if (inertial && inertial->mass == 0 && inertial->I_I.isZero(0) && inertial->unknown.empty())
    inertial.reset();
  model_.link(body.link).inertial = std::move(inertial);
}

// boundmass, boundinertia and balanceinertia, in this order, on the principal moments.
void Reader::ApplyBounds(const Body& body, std::optional<Inertial>& inertial) const {
  if (!inertial) {
    if (compiler_.boundmass <= 0 && compiler_.boundinertia <= 0) return;
    // MuJoCo puts the invented mass at the body's own position in its parent, whatever that means.
    inertial.emplace();
    inertial->X_LI = ReadPose(Attributes(body.element), compiler_);
    inertial->where = body.element.where();
  }
  if (inertial->mass < 0)
    body.element.Error("negative-mass", {"body", model_.link(body.link).name, "mass is negative"});
  if (inertial->mass < compiler_.boundmass) {
    body.element.Note("boundmass", {"body", model_.link(body.link).name,
                                    "the compiler's boundmass raises its mass"});
    inertial->mass = compiler_.boundmass;
  }
  if (compiler_.boundinertia <= 0 && !compiler_.balanceinertia) return;
  // In principal axes, as MuJoCo stores inertia: a bound on the diagonal of other axes would be
  // another one.
  Vector3 moment = inertial->I_I.diagonal();
  Matrix3 R = Matrix3::Identity();
  if (!IsDiagonal(inertial->I_I)) {
    const PrincipalAxes principal(inertial->I_I);
    moment = principal.moments;
    R = principal.axes;
    if (R.determinant() < 0) R.col(2) = -R.col(2);
  }
  Vector3 changed = moment.cwiseMax(compiler_.boundinertia);
  const double largest = changed.maxCoeff();
  // A rigid body's largest moment is at most the sum of the others. balanceinertia replaces a bad
  // triple by its mean, which keeps the trace.
  if (compiler_.balanceinertia && changed.sum() - largest < largest)
    changed.setConstant(changed.sum() / 3);
  if (changed == moment) return;
  body.element.Note("inertia-bounded",
                    {"body", model_.link(body.link).name,
                     "the compiler's boundinertia or balanceinertia changes its moments"});
  inertial->X_LI.R = inertial->X_LI.R * R;
  inertial->I_I = changed.asDiagonal();
}

// settotalmass scales every mass and inertia, last of all.
void Reader::ApplyTotalMass() {
  if (compiler_.settotalmass <= 0) return;
  // The scale hangs on the sum of all masses, so one that is unknown leaves them all unknown.
  if (!unweighed_.empty()) {
    sources_.root().Error("settotalmass",
                          "compiler: settotalmass needs every mass, but that of body '" +
                              model_.link(unweighed_.front()).name +
                              "' is not known (its meshes cannot be used)");
    return;
  }
  double total = 0;
  for (const LinkId id : Links(model_))
    if (model_.link(id).inertial) total += model_.link(id).inertial->mass;
  if (total <= 0) return;
  const double scale = compiler_.settotalmass / total;
  for (const LinkId id : Links(model_)) {
    if (!model_.link(id).inertial) continue;
    model_.link(id).inertial->mass *= scale;
    model_.link(id).inertial->I_I *= scale;
  }
}

}  // namespace kinemorph::mjcf
