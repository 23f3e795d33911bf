#include "read/stage.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "compose/layers.h"
#include "read/values.h"

namespace kinemorph::usd {
namespace {

constexpr double kStageUnit = 0.01;  // metres, where a stage does not say
constexpr double kShear = 1e-6;      // cosine: more is no rounding of single precision
constexpr double kEndless = 1e37;    // the largest float is written where none is meant
constexpr double kNoScale = 1e-12;   // what a rotation of doubles is off by

std::string Cut(std::string_view text) {
  return std::string(text.substr(0, std::min({text.find('\n'), text.size(), std::size_t{40}})));
}

}  // namespace

Affine operator*(const Affine& a, const Affine& b) { return {a.A * b.A, a.A * b.p + a.p}; }

// A = R S by columns, which is exact for scales before rotations, as xformOps have them as a rule.
// Columns that are not perpendicular mean a shear (a scale above a rotation): the nearest rotation
// is taken, and S is what remains. A mirror goes into all three scales, as in OpenUSD.
Placed Split(const Affine& a) {
  Placed out;
  out.X.p = a.p;
  Vector3 scale = a.A.colwise().norm();
  out.flat = !a.A.allFinite() || !a.p.allFinite() || scale.minCoeff() < 1e-30;
  if (out.flat) return out;
  // Rounding must not turn a plain rotation into one with a scale of 1 - 1e-16.
  for (int i = 0; i < 3; ++i)
    if (std::abs(scale[i] - 1) < kNoScale) scale[i] = 1;
  if (a.A.determinant() < 0) scale = -scale;
  Matrix3 R = a.A * scale.cwiseInverse().asDiagonal();
  const Matrix3 off = R.transpose() * R - Matrix3::Identity();
  out.sheared = off.cwiseAbs().maxCoeff() > kShear;
  out.X.R = Orthonormalized(R);
  out.S = out.sheared ? Matrix3(out.X.R.transpose() * a.A) : Matrix3(scale.asDiagonal());
  return out;
}

Stage::Stage(const Layer& layer, const Reporter& report)
    : layer_(layer),
      report_(report),
      metres_(layer.metres.value_or(kStageUnit)),
      kilograms_(layer.kilograms.value_or(1)),
      stands_(layer.prims.size()),
      physical_(layer.prims.size()),
      holds_physics_(layer.prims.size()),
      body_(layer.prims.size(), kNoPrim),
      world_(layer.prims.size()) {
  // USD's fallbacks are centimetres, kilograms and y up: (x, y, z) of such a file is (x, -z, y) of
  // the model.
  if (layer.up_axis.empty() || layer.up_axis == "Y")  // y to z
    root_.A << 1, 0, 0, 0, 0, -1, 0, 1, 0;
  else if (layer.up_axis != "Z")
    report.Say(Severity::kError, "bad-keyword", 1,
               "'upAxis' is '" + Cut(layer.up_axis) + "', expected \"Y\" or \"Z\"");
  if (!layer.metres)
    report.Say(Severity::kWarning, "usd-units", 1,
               "'metersPerUnit' is not written: lengths count in centimetres, as USD says");
  // All world transforms contain the root, so lengths come out in metres and z up.
  root_.A *= metres_;
  FindPrims();
  CheckArcs();
}

void Stage::FindPrims() {
  // Downwards: what a prim has from its parents; ids grow from parents to children.
  for (PrimId i = 0; i < num_prims(); ++i) {
    const Prim& p = prim(i);
    const bool root = p.parent == kNoPrim;
    stands_[i] = p.specifier == "def" && p.active.value_or(true) && (root || stands_[p.parent]);
    if (!stands_[i]) continue;
    // One schema of PhysX anywhere makes it a stage for PhysX, for the order of two turns is not
    // said elsewhere.
    for (const std::string& api : p.apis) physx_ = physx_ || api.starts_with("Physx");
    bool resets = false;
    const Affine local = Local(i, resets);
    world_[i] = (root || resets ? root_ : world_[p.parent]) * local;
    // A body that is switched off is part of what it stands in.
    const bool body =
        p.Has("PhysicsRigidBodyAPI") && Boolean(i, "physics:rigidBodyEnabled").value_or(true);
    body_[i] = body ? i : root ? kNoPrim : body_[p.parent];
    physical_[i] = body || IsJoint(i) || p.Has("PhysicsArticulationRootAPI");
  }
  // Upwards: whether there is physics below. A reference that brings bodies cannot be left out, one
  // that brings a mesh can.
  for (PrimId i = num_prims(); i-- > 0;) {
    holds_physics_[i] = holds_physics_[i] || prim(i).Has("PhysicsRigidBodyAPI") || IsJoint(i);
    if (prim(i).parent == kNoPrim) continue;
    if (physical_[i]) physical_[prim(i).parent] = true;
    if (holds_physics_[i]) holds_physics_[prim(i).parent] = true;
  }
}

// Geometry that could not be brought in is passed over where it is read; a robot that could not is
// an error. Where no body is here, the robot is what a layer brings to the root, or right below it.
void Stage::CheckArcs() const {
  const bool empty =
      std::find(holds_physics_.begin(), holds_physics_.end(), true) == holds_physics_.end();
  for (PrimId i = 0; i < num_prims(); ++i) {
    if (!stands_[i]) continue;
    const PrimId parent = prim(i).parent;
    const bool top = parent == kNoPrim || prim(parent).parent == kNoPrim;
    for (const Arc& arc : prim(i).arcs) {
      const bool mesh = !arc.file.empty() && !IsLayerName(arc.file);
      if (!physical_[i] && !(empty && top && !mesh)) continue;
      Diagnostic& error =
          report_.Say(Severity::kError, "usd-arcs", arc.line,
                      {Named(i), "'" + std::string(arc.kind) + "' names '" +
                                     (arc.file.empty() ? arc.prim : arc.file) + "', " + arc.why});
      error.notes.push_back(arc.kind == "specializes" || arc.kind == "relocates"
                                ? "one text of the whole stage: " + FlattenCommand(report_.file)
                                : "the robot may be in it");
    }
  }
}

bool Stage::IsJoint(PrimId id) const {
  const std::string_view type = prim(id).type;
  return type.starts_with("Phys") && type.ends_with("Joint");
}

std::string Stage::Named(PrimId id) const { return About("prim", layer_.PathOf(id)); }

std::uint32_t Stage::LineOf(PrimId id, std::string_view name) const {
  const Property* const p = prim(id).Find(name);
  return p != nullptr ? p->line : prim(id).line;
}

const Property* Stage::Written(PrimId id, std::string_view name) const {
  const Property* const p = prim(id).Find(name);
  if (p == nullptr) return nullptr;
  // A value that moves with time has no place in a model.
  if (!p->value && p->samples)
    report_.Say(Severity::kWarning, "usd-time-samples", p->line,
                {Named(id), "'" + std::string(name) +
                                "' has values over time only; kinemorph ignores the attribute"});
  return p->value && *p->value != "None" ? p : nullptr;
}

void Stage::Bad(const Property& property, PrimId id, const char* code,
                const std::string& wanted) const {
  report_.Say(Severity::kError, code, property.line,
              {Named(id), "'" + std::string(property.name) + "' is '" + Cut(*property.value) +
                              "', expected " + wanted});
}

std::optional<double> Stage::Number(PrimId id, std::string_view name) const {
  const Property* const p = Written(id, name);
  if (p == nullptr) return std::nullopt;
  const std::optional<double> number = NumberIn(*p->value);
  if (!number || std::isnan(*number)) {
    Bad(*p, id, "bad-number", "a number");
    return std::nullopt;
  }
  // Endless numbers stand for "no limit": exporters write the largest float, too.
  return std::abs(*number) < kEndless ? number : std::nullopt;
}

std::optional<std::vector<double>> Stage::Numbers(PrimId id, std::string_view name,
                                                  std::size_t count) const {
  const Property* const p = Written(id, name);
  if (p == nullptr) return std::nullopt;
  std::optional<std::vector<double>> numbers = NumbersIn(*p->value, count);
  const auto bad = [](double x) { return std::isnan(x); };
  if (!numbers || numbers->size() != count || std::any_of(numbers->begin(), numbers->end(), bad)) {
    Bad(*p, id, "bad-vector", std::to_string(count) + " numbers");
    return std::nullopt;
  }
  const auto infinite = [](double x) { return std::abs(x) >= kEndless; };
  if (std::any_of(numbers->begin(), numbers->end(), infinite)) return std::nullopt;
  return numbers;
}

std::optional<Vector3> Stage::Vector(PrimId id, std::string_view name) const {
  const auto n = Numbers(id, name, 3);
  return n ? std::optional<Vector3>({(*n)[0], (*n)[1], (*n)[2]}) : std::nullopt;
}

// (w, x, y, z); all zeros say that there is none.
// So is the schema's fallback of principalAxes.
std::optional<Matrix3> Stage::Rotation(PrimId id, std::string_view name) const {
  const auto q = Numbers(id, name, 4);
  if (!q) return std::nullopt;
  const double norm = std::hypot(std::hypot((*q)[0], (*q)[1]), std::hypot((*q)[2], (*q)[3]));
  if (norm < 1e-30) return std::nullopt;
  return RotationFromQuaternion((*q)[0], (*q)[1], (*q)[2], (*q)[3]);
}

std::optional<bool> Stage::Boolean(PrimId id, std::string_view name) const {
  const Property* const p = Written(id, name);
  if (p == nullptr) return std::nullopt;
  const std::optional<bool> truth = BooleanIn(*p->value);
  if (!truth) Bad(*p, id, "bad-boolean", "true or false");
  return truth;
}

std::optional<std::string> Stage::Word(PrimId id, std::string_view name) const {
  const Property* const p = Written(id, name);
  if (p == nullptr) return std::nullopt;
  std::optional<std::string> word = StringIn(*p->value);
  if (!word) Bad(*p, id, "bad-keyword", "a word in quotes");
  return word;
}

std::vector<std::string> Stage::Targets(PrimId id, std::string_view name) const {
  const Property* const p = Written(id, name);
  return p != nullptr ? PathsIn(*p->value) : std::vector<std::string>();
}

// The operations of xformOpOrder, the first of which is the outermost. Without that list none acts.
// The stack of a prim's own transforms, in the order of the list, which may repeat or invert an
// operation.
Affine Stage::Local(PrimId id, bool& resets) const {
  Affine local;
  const Property* const order = Written(id, "xformOpOrder");
  if (order == nullptr) return local;
  for (const std::string& word : StringsIn(*order->value)) {
    // What is above the prim is cut off: it stands where the list says, in the world.
    if (word == "!resetXformStack!") {
      resets = true, local = Affine();
      continue;
    }
    std::string_view op = word;
    const bool inverts = op.starts_with("!invert!");
    if (inverts) op.remove_prefix(8);
    Affine step = Operation(id, op);
    if (inverts) {
      const Matrix3 inverse = step.A.inverse();
      if (!inverse.allFinite())
        report_.Say(Severity::kError, "usd-transform", order->line,
                    {Named(id), "'" + word + "' has no inverse"});
      step = {inverse, -(inverse * step.p)};
    }
    local = local * step;
  }
  return local;
}

Affine Stage::Operation(PrimId id, std::string_view op) const {
  Affine out;
  // "xformOp:rotateXYZ:pivot" is of the kind rotateXYZ; what stands behind the second colon only
  // tells operations of a kind apart.
  const std::string_view kind =
      op.substr(0, op.find(':', 8)).substr(std::min<std::size_t>(op.size(), 8));
  const auto turn = [&](char axis, double degrees) {
    return RotationFromAxisAngle(Vector3::Unit(axis - 'X'), degrees * std::numbers::pi / 180);
  };
  const auto axis_of = [&](std::string_view family) {
    const bool single = op.starts_with("xformOp:") && kind.size() == family.size() + 1 &&
                        kind.starts_with(family) && kind.back() >= 'X' && kind.back() <= 'Z';
    return single ? kind.back() : '\0';
  };
  const auto unit = [&](char axis) { return Vector3(Vector3::Unit(axis - 'X')); };
  if (!op.starts_with("xformOp:")) {
    report_.Say(Severity::kError, "bad-keyword", LineOf(id, "xformOpOrder"),
                {Named(id), "'" + Cut(op) + "' in xformOpOrder is not an operation of USD"});
  } else if (prim(id).Find(op) == nullptr) {
    report_.Say(Severity::kWarning, "usd-transform", LineOf(id, "xformOpOrder"),
                {Named(id), "'" + Cut(op) + "' is in xformOpOrder and not written"});
  } else if (kind == "translate") {
    out.p = Vector(id, op).value_or(Vector3::Zero());
  } else if (const char slide = axis_of("translate")) {
    out.p = unit(slide) * Number(id, op).value_or(0);
  } else if (kind == "scale") {
    out.A = Vector(id, op).value_or(Vector3::Ones()).asDiagonal();
  } else if (const char stretched = axis_of("scale")) {
    out.A(stretched - 'X', stretched - 'X') = Number(id, op).value_or(1);
  } else if (kind == "orient") {
    out.A = Rotation(id, op).value_or(Matrix3::Identity());
  } else if (const char turned = axis_of("rotate")) {
    out.A = turn(turned, Number(id, op).value_or(0));
  } else if (kind.size() == 9 && kind.starts_with("rotate")) {  // the first letter turns first
    const Vector3 angles = Vector(id, op).value_or(Vector3::Zero());
    for (const char axis : kind.substr(6))
      if (axis >= 'X' && axis <= 'Z') out.A = turn(axis, angles[axis - 'X']) * out.A;
  } else if (kind == "transform") {  // points are rows there
    // USD has vectors as rows, v' = v M: the transposed matrix is the usual one.
    if (const auto m = Numbers(id, op, 16)) {
      for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) out.A(k, i) = (*m)[static_cast<std::size_t>(4 * i + k)];
        out.p[i] = (*m)[static_cast<std::size_t>(12 + i)];
      }
    }
  } else {
    report_.Say(Severity::kError, "bad-keyword", LineOf(id, op),
                {Named(id), "'" + Cut(op) + "' is not an operation of USD"});
  }
  return out;
}

}  // namespace kinemorph::usd
