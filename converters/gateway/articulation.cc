#include "kinemorph/gateway/articulation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "gateway/did_you_mean.h"
#include "gateway/pose_numbers.h"
#include "kinemorph/graph/mechanics/closure.h"
#include "kinemorph/graph/mechanics/kinematics.h"

namespace kinemorph {
namespace {

std::size_t U(int i) { return static_cast<std::size_t>(i); }

// By velocity: whether the loops leave it free.
std::vector<bool> IndependentOf(const Mechanism& m, const Coordinates& coordinates) {
  std::vector<bool> independent(U(m.nv), true);
  for (std::size_t a = 0; a < m.aggregates.size(); ++a)
    for (const int column : coordinates.aggregates[a].dependent)
      independent[U(m.aggregates[a].velocity[U(column)])] = false;
  return independent;
}

}  // namespace

Articulation::Articulation(const Model& model)
    : m_(Compile(model)), analysis_(AnalyseCoordinates(m_)), joints_(JointPlaces(model, m_)) {
  const std::vector<bool> independent = IndependentOf(m_, analysis_);
  for (const JointPlace& joint : joints_) {
    const Body& body = m_.bodies[U(joint.body)];
    const bool scalar = body.nq == body.nv;
    for (int i = 0; i < body.nq; ++i) {
      CoordinateInfo& info = info_.emplace_back();
      const double offset = joint.offset[U(i)];
      info.name = ColumnName(joint.name, i, body.nq), info.joint = joint.name;
      info.length = IsLength(m_, joint.body, i, false);
      info.quaternion = !scalar && (body.nq == 4 || i < 4);
      const std::size_t v = U(body.v + std::min(i, body.nv - 1));
      info.independent = independent[v];
      info.lower = scalar ? m_.lower[v] + offset : -std::numeric_limits<double>::infinity();
      info.upper = scalar ? m_.upper[v] + offset : std::numeric_limits<double>::infinity();
      places_.push_back({joint.body, i, offset});
    }
  }
  assembled_ = q_ = analysis_.assembled;
}

std::vector<double> Articulation::values() const {
  std::vector<double> values;
  for (const Place& place : places_)
    values.push_back(q_[m_.bodies[U(place.body)].q + place.index] + place.offset);
  return values;
}

std::optional<std::size_t> Articulation::Find(const std::string& name, std::string& why) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < info_.size(); ++i) {
    if (info_[i].name == name) return i;
    names.push_back(info_[i].name);
  }
  why = "there is no coordinate '" + name + "'" + DidYouMean(name, names);
  return std::nullopt;
}

GivenCoordinate Articulation::Here(std::size_t coordinate) const {
  const Place& place = places_[coordinate];
  return {place.body, place.index, q_[m_.bodies[U(place.body)].q + place.index],
          info_[coordinate].name, place.offset};
}

bool Articulation::Set(const std::string& name, double value, std::string& why) {
  const std::optional<std::size_t> at = Find(name, why);
  if (!at) return false;
  if (!std::isfinite(value)) {
    why = "the value of '" + name + "' is no finite number";
    return false;
  }
  GivenCoordinate target = Here(*at);
  target.value = value - target.offset;
  return Move({target}, why);
}

bool Articulation::Set(const std::vector<std::string>& values, std::string& why) {
  std::vector<GivenCoordinate> targets;
  for (const std::string& text : values) {
    const auto given = ParseCoordinate(text, joints_, m_, false, why);
    if (!given) return false;
    targets.push_back(*given);
  }
  return Move(targets, why);
}

bool Articulation::Hold(const std::string& name, bool held, std::string& why) {
  const std::optional<std::size_t> at = Find(name, why);
  if (!at) return false;
  if (held)
    held_.insert(*at);
  else
    held_.erase(*at);
  return true;
}

// What is set comes first, then what is held; then, where an independent coordinate was set, the
// other independent ones of its cluster, as far as the loops let them stay.
bool Articulation::Move(const std::vector<GivenCoordinate>& targets, std::string& why) {
  std::vector<GivenCoordinate> given = targets;
  const auto has = [&](std::size_t i) {
    return std::any_of(given.begin(), given.end(), [&](const GivenCoordinate& g) {
      return g.body == places_[i].body && g.index == places_[i].index;
    });
  };
  for (const std::size_t i : held_)
    if (!has(i)) given.push_back(Here(i));
  const std::vector<GivenCoordinate> demanded = given;
  const auto in_cluster = [&](std::size_t i) {
    return std::any_of(targets.begin(), targets.end(), [&](const GivenCoordinate& g) {
      return m_.bodies[U(g.body)].aggregate == m_.bodies[U(places_[i].body)].aggregate;
    });
  };
  const bool free = std::all_of(targets.begin(), targets.end(), [&](const GivenCoordinate& g) {
    for (std::size_t i = 0; i < places_.size(); ++i)
      if (places_[i].body == g.body && places_[i].index == g.index) return info_[i].independent;
    return false;
  });
  for (std::size_t i = 0; i < info_.size(); ++i)
    if (free && info_[i].independent && !info_[i].quaternion && in_cluster(i) && !has(i))
      given.push_back(Here(i));
  analysis_.assembled = q_;
  Posture posture = FindPosture(m_, analysis_, given);
  if (!posture.ok && given.size() > demanded.size()) posture = FindPosture(m_, analysis_, demanded);
  analysis_.assembled = assembled_;
  why = posture.why;
  if (posture.ok) q_ = posture.q;
  return posture.ok;
}

void Articulation::Reset() { q_ = assembled_; }

double Articulation::residual() const { return ClosureSolver(m_).Residual(q_); }

std::vector<std::string> Articulation::beyond_limits() const {
  const std::vector<double> at = values();
  constexpr double kRounding = 1e-9;
  std::vector<std::string> beyond;
  for (std::size_t i = 0; i < at.size(); ++i)
    if (at[i] < info_[i].lower - kRounding || at[i] > info_[i].upper + kRounding)
      beyond.push_back(info_[i].name);
  return beyond;
}

std::vector<RigidTransform> Articulation::link_poses() const {
  const std::vector<RigidTransform> X_WB = Poses(m_, q_);
  std::vector<RigidTransform> poses;
  for (const int body : m_.body_of) poses.push_back(X_WB[U(body)]);
  return poses;
}

std::string Articulation::Json() const {
  nlohmann::ordered_json json = {{"values", values()}, {"residual", residual()}};
  json["beyond_limits"] = beyond_limits();
  json["poses"] = nlohmann::ordered_json::array();
  for (const RigidTransform& X : link_poses()) json["poses"].push_back(PoseNumbers(X));
  return json.dump();
}

}  // namespace kinemorph
