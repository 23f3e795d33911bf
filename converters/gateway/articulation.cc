#include "kinemorph/gateway/articulation.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "gateway/did_you_mean.h"
#include "gateway/pose_numbers.h"

namespace kinemorph {

Articulation::Articulation(const Model& model)
    : Articulation(std::make_shared<const Mechanics>(model)) {}

// Places are in the order of coordinates(), which Mechanics made from the same joints: index i of
// one is index i of the other.
Articulation::Articulation(std::shared_ptr<const Mechanics> mechanics)
    : mechanics_(std::move(mechanics)), from_(analysis()), q_(from_.assembled) {
  for (const JointPlace& joint : mechanics_->joints())
    for (std::size_t i = 0; i < joint.offset.size(); ++i)
      places_.push_back({joint.body, static_cast<int>(i), joint.offset[i]});
}

std::vector<double> Articulation::values() const {
  std::vector<double> values;
  for (const Place& place : places_)
    values.push_back(q_[mechanism().bodies[static_cast<std::size_t>(place.body)].q + place.index] +
                     place.offset);
  return values;
}

std::optional<std::size_t> Articulation::Find(const std::string& name, std::string& why) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < coordinates().size(); ++i) {
    if (coordinates()[i].name == name) return i;
    names.push_back(coordinates()[i].name);
  }
  why = "there is no coordinate '" + name + "'" + DidYouMean(name, names);
  return std::nullopt;
}

GivenCoordinate Articulation::Here(std::size_t coordinate) const {
  const Place& place = places_[coordinate];
  const Body& body = mechanism().bodies[static_cast<std::size_t>(place.body)];
  return {place.body, place.index, q_[body.q + place.index], coordinates()[coordinate].name,
          place.offset};
}

bool Articulation::Set(const std::string& name, double value, std::string& why) {
  const std::optional<std::size_t> at = Find(name, why);
  return at && Set(std::vector{std::pair{*at, value}}, why);
}

bool Articulation::Set(const std::vector<std::pair<std::size_t, double>>& values,
                       std::string& why) {
  std::vector<GivenCoordinate> targets;
  for (const auto& [coordinate, value] : values) {
    targets.push_back(Here(coordinate));
    targets.back().value = value - targets.back().offset;
    if (std::isfinite(value)) continue;
    why = "the value of '" + targets.back().name + "' is not a finite number";
    return false;
  }
  return Move(targets, why);
}

bool Articulation::Set(const std::vector<std::string>& values, std::string& why) {
  std::vector<GivenCoordinate> targets;
  for (const std::string& text : values) {
    const auto given = ParseCoordinate(text, mechanics_->joints(), mechanism(), false, why);
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
  // FindPosture holds the first coordinates that determine the rest, so that order is priority:
  // what the user drags, what the user pinned, and last what would rather stay.
  std::vector<GivenCoordinate> given = targets;
  const auto has = [&](std::size_t i) {
    return std::any_of(given.begin(), given.end(), [&](const GivenCoordinate& g) {
      return g.body == places_[i].body && g.index == places_[i].index;
    });
  };
  for (const std::size_t i : held_)
    if (!has(i)) given.push_back(Here(i));
  const std::vector<GivenCoordinate> demanded = given;

  // Only the cluster of what was set: other aggregates have no equation with it and stay by
  // themselves.
  const auto aggregate_of = [&](int body) {
    return mechanism().bodies[static_cast<std::size_t>(body)].aggregate;
  };
  const auto in_cluster = [&](std::size_t i) {
    return std::any_of(targets.begin(), targets.end(), [&](const GivenCoordinate& g) {
      return aggregate_of(g.body) == aggregate_of(places_[i].body);
    });
  };

  // The other independent coordinates are held only if all that was set is independent. A dependent
  // one needs some independent one to give way, and nobody knows which the user means.
  const bool free = std::all_of(targets.begin(), targets.end(), [&](const GivenCoordinate& g) {
    for (std::size_t i = 0; i < places_.size(); ++i)
      if (places_[i].body == g.body && places_[i].index == g.index)
        return coordinates()[i].independent;
    return false;
  });
  for (std::size_t i = 0; i < coordinates().size(); ++i)
    if (free && coordinates()[i].independent && !coordinates()[i].quaternion && in_cluster(i) &&
        !has(i))
      given.push_back(Here(i));
  // The way starts at the posture of now, not at the assembled one of the model, so that the branch
  // stays. If the loops cannot have everything, the wish to stay is given up first.
  // Only where nothing has moved yet, the branch is the drawing's.
  from_.assembled = q_;
  const StartBranch branch =
      q_ == analysis().assembled ? StartBranch::kOfLimits : StartBranch::kKept;
  Posture posture = FindPosture(mechanism(), from_, given, interrupted_, branch);
  if (!posture.ok && given.size() > demanded.size())
    posture = FindPosture(mechanism(), from_, demanded, interrupted_, branch);
  why = posture.why;
  if (posture.ok) q_ = posture.q;
  return posture.ok;
}

void Articulation::StandAt(const Eigen::VectorXd& q) { q_ = mechanics_->FromFile(q); }

void Articulation::Reset() { q_ = analysis().assembled; }

double Articulation::residual() const { return mechanics_->Residual(mechanics_->ToFile(q_)); }

std::vector<std::string> Articulation::beyond_limits() const {
  const std::vector<double> at = values();
  // A coordinate that was set to its limit comes back from the closure with the last digits off.
  constexpr double kRounding = 1e-9;
  std::vector<std::string> beyond;
  for (std::size_t i = 0; i < at.size(); ++i)
    if (at[i] < coordinates()[i].lower - kRounding || at[i] > coordinates()[i].upper + kRounding)
      beyond.push_back(coordinates()[i].name);
  return beyond;
}

std::vector<RigidTransform> Articulation::link_poses() const {
  return mechanics_->LinkPoses(mechanics_->ToFile(q_));
}

std::string Articulation::Json() const {
  nlohmann::ordered_json json = {{"values", values()}, {"residual", residual()}};
  json["beyond_limits"] = beyond_limits();
  json["poses"] = nlohmann::ordered_json::array();
  for (const RigidTransform& X : link_poses()) json["poses"].push_back(PoseNumbers(X));
  return json.dump();
}

}  // namespace kinemorph
