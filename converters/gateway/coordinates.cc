#include "kinemorph/gateway/coordinates.h"

#include <cmath>
#include <numbers>

#include "gateway/did_you_mean.h"
#include "kinemorph/graph/base/number.h"

namespace kinemorph {
namespace {

// Command lines, controller files and pages all name coordinates through these functions, so that
// 'wrist.1=30deg' means the same everywhere. People count as the file does: MuJoCo's `ref` (the
// offset) is in what they type and see, and not in q. A failure is a sentence in `why`, because
// only the caller knows which option or file to name in front of it.

struct Unit {
  const char* name;
  double factor;
  bool linear;
};
constexpr Unit kUnits[] = {{"rad", 1, false},
                           {"deg", std::numbers::pi / 180, false},
                           {"m", 1, true},
                           {"cm", 0.01, true},
                           {"mm", 0.001, true}};

// The last argument of the offset is of positions only: a rate has no zero that could be moved.
GivenCoordinate Found(const JointPlace& place, int index, bool velocity) {
  const std::size_t at = static_cast<std::size_t>(index);
  const double offset = velocity || at >= place.offset.size() ? 0 : place.offset[at];
  const int count = static_cast<int>(place.offset.size());
  return {place.body, index, 0, ColumnName(place.name, index, count), offset};
}

}  // namespace

std::vector<JointPlace> JointPlaces(const Model& model, const Mechanism& mechanism) {
  std::vector<JointPlace> places;
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
    const Body& body = mechanism.bodies[b];
    if (body.joint == kNoJoint || body.nq == 0) continue;
    const Joint& joint = model.joint(body.joint);
    JointPlace& place = places.emplace_back();
    place.name = joint.name, place.body = static_cast<int>(b);
    place.offset.assign(static_cast<std::size_t>(body.nq), 0);

    // A quaternion (nq != nv) has no offset by coordinate; `ref` is of hinges and slides.
    for (std::size_t i = 0; i < place.offset.size() && i < joint.axes.size(); ++i)
      if (NumPositions(body.kind) == NumVelocities(body.kind))
        place.offset[i] = joint.axes[i].position_offset;
  }
  return places;
}

std::string ColumnName(const std::string& joint, int index, int count) {
  return count == 1 ? joint : joint + "." + std::to_string(index);
}

std::optional<double> ParseQuantity(const std::string& text, bool linear, std::string& why) {
  double value = 0;
  const char *first = text.data(), *last = first + text.size();
  const auto [end, error] = ParseDouble(first, last, value);
  if (error != std::errc() || !std::isfinite(value)) {
    why = "'" + text + "' is not a number";
    return std::nullopt;
  }

  // A rate is typed with the unit of its coordinate per second; that it is a rate is known already.
  std::string unit(end, last);
  if (unit.size() > 2 && unit.compare(unit.size() - 2, 2, "/s") == 0) unit.resize(unit.size() - 2);
  if (unit.empty()) return value;
  for (const Unit& known : kUnits) {
    if (unit != known.name) continue;
    if (known.linear == linear) return value * known.factor;
    why = "'" + text + "' is " + (linear ? "an angle, and a length" : "a length, and an angle") +
          " is wanted";
    return std::nullopt;
  }
  why = "'" + text + "' has a unit that is not known; rad, deg, m, cm and mm are";
  return std::nullopt;
}

bool IsLength(const Mechanism& mechanism, int index_of_body, int index, bool velocity) {
  // In a free joint's q the quaternion stands first (four numbers, not lengths), then the position;
  // in its v the angular velocity first. Of other joints the column of S tells: what does not turn
  // slides. A held joint has no velocity and hence no column, so that its kind must tell.
  const Body& body = mechanism.bodies[static_cast<std::size_t>(index_of_body)];
  if (!velocity && body.nq == 7) return index >= 4;
  if (!velocity && body.nq == 4) return false;
  if (index >= body.nv) return std::holds_alternative<Prismatic>(body.kind);  // a held joint
  return body.S.col(index).head<3>().isZero(0);
}

std::optional<GivenCoordinate> FindCoordinate(const std::string& name,
                                              const std::vector<JointPlace>& joints,
                                              const Mechanism& mechanism, bool velocity,
                                              std::string& why) {
  // A joint of several coordinates is not guessed at: without an index, the error shows how one is
  // named. With index 0 a joint of one coordinate is accepted too.
  std::vector<std::string> names;
  for (const JointPlace& place : joints) {
    const Body& body = mechanism.bodies[static_cast<std::size_t>(place.body)];
    const int count = velocity ? body.nv : body.nq;
    names.push_back(place.name);
    if (name == place.name) {
      if (count == 1) return Found(place, 0, velocity);
      why = "joint '" + name + "' has " + std::to_string(count) + " coordinates; name one, as '" +
            ColumnName(name, 0, 2) + "'";
      return std::nullopt;
    }
    for (int i = 0; i < count; ++i)
      if (name == ColumnName(place.name, i, 2)) return Found(place, i, velocity);
  }
  why = "there is no joint '" + name + "' in the tree" + DidYouMean(name, names);
  return std::nullopt;
}

std::optional<GivenCoordinate> ParseCoordinate(const std::string& text,
                                               const std::vector<JointPlace>& joints,
                                               const Mechanism& mechanism, bool velocity,
                                               std::string& why) {
  // From the right, since names of joints may hold '='.
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0) {
    why = "'" + text + "' is not of the form JOINT=VALUE";
    return std::nullopt;
  }
  std::optional<GivenCoordinate> found =
      FindCoordinate(text.substr(0, equals), joints, mechanism, velocity, why);
  if (!found) return std::nullopt;
  const bool linear = IsLength(mechanism, found->body, found->index, velocity);
  const std::optional<double> value = ParseQuantity(text.substr(equals + 1), linear, why);
  if (!value) return std::nullopt;
  found->value = *value - found->offset;
  return found;
}

std::string SetArmature(const std::string& option, const std::vector<JointPlace>& joints,
                        Mechanism& mechanism) {
  const std::size_t equals = option.rfind('=');
  if (equals == std::string::npos) return "is not of the form JOINT=VALUE";
  std::string why;
  const auto place = FindCoordinate(option.substr(0, equals), joints, mechanism, true, why);
  if (!place) return why;
  double value = 0;
  const char* const last = option.data() + option.size();
  // A rotor inertia takes no unit: kg m^2 and kg are the only ones.
  const auto [end, error] = ParseDouble(option.data() + equals + 1, last, value);
  if (error != std::errc() || end != last || !(value >= 0) || !std::isfinite(value))
    return "an armature is a number of kg m^2 (or kg), not below zero";
  const Body& body = mechanism.bodies[static_cast<std::size_t>(place->body)];
  mechanism.armature[static_cast<std::size_t>(body.v + place->index)] = value;
  return {};
}

std::optional<Vector3> ParseVector(const std::string& text) {
  Vector3 out;
  const char *at = text.data(), *const last = at + text.size();
  for (Eigen::Index i = 0; i < 3; ++i) {
    if (i > 0 && (at == last || *at++ != ',')) return std::nullopt;
    const auto [end, error] = ParseDouble(at, last, out[i]);
    if (error != std::errc() || !std::isfinite(out[i])) return std::nullopt;
    at = end;
  }
  return at == last ? std::optional<Vector3>(out) : std::nullopt;
}

std::optional<Foot> ParseFoot(const std::string& text, const Model& model,
                              const Mechanism& mechanism, std::string& why) {
  // From the right again: scoped names of SDFormat hold "::".
  const std::size_t colon = text.rfind(':');
  const std::optional<Vector3> point =
      colon == std::string::npos ? std::nullopt : ParseVector(text.substr(colon + 1));
  if (!point) {
    why = "'" + text + "' is not of the form LINK:X,Y,Z";
    return std::nullopt;
  }
  const std::string name = text.substr(0, colon);
  std::vector<std::string> names;
  for (const LinkId link : Links(model)) {
    // Links that fixed joints hold together are one body of the mechanism; a foot on the body of
    // the world cannot lift or land.
    names.push_back(model.link(link).name);
    if (names.back() != name) continue;
    const int body = mechanism.body_of[Index(link)];
    if (body > 0) return Foot{body, *point, name};
    why = "link '" + name + "' is the world";
    return std::nullopt;
  }
  why = "there is no link '" + name + "'" + DidYouMean(name, names);
  return std::nullopt;
}

}  // namespace kinemorph
