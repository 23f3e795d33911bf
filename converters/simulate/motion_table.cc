#include "kinemorph/simulate/motion_table.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/base/printable.h"

namespace kinemorph {
namespace {

// The table is what programs read (RFC 4180, shortest digits that read back the same numbers), the
// summary what people and tests read. Both count coordinates as the file does, with MuJoCo's ref.

bool InStance(const MotionSample& sample) {
  return std::find(sample.standing.begin(), sample.standing.end(), true) != sample.standing.end();
}

// Of a table of comma-separated values, by RFC 4180.
std::string Cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

nlohmann::ordered_json Vector(const Vector3& v) { return {v.x(), v.y(), v.z()}; }

}  // namespace

// A second foot of the same link is "link#2".
std::vector<std::string> FootNames(const std::vector<Foot>& feet) {
  std::vector<std::string> names;
  for (std::size_t f = 0; f < feet.size(); ++f) {
    int same = 1;
    for (std::size_t before = 0; before < f; ++before) same += feet[before].link == feet[f].link;
    names.push_back(feet[f].link + (same > 1 ? "#" + std::to_string(same) : ""));
  }
  return names;
}

MotionTable::MotionTable(const std::vector<JointPlace>& joints, const Mechanism& mechanism,
                         const std::vector<Foot>& feet, const Ground& ground)
    : ground_(ground) {
  std::string q, v, tau;
  for (const JointPlace& place : joints) {
    const Body& body = mechanism.bodies[static_cast<std::size_t>(place.body)];
    // A held joint stays in the table, at rest, so that tables of runs with and without --hold have
    // the same columns.
    const bool held = body.nv == 0;
    const int velocities = NumVelocities(body.kind);
    for (int i = 0; i < body.nq; ++i) {
      q_.push_back({body.q + i, place.offset[static_cast<std::size_t>(i)]});
      q += "," + Cell("q." + ColumnName(place.name, i, body.nq));
    }
    for (int i = 0; i < velocities; ++i) {
      v_.push_back({body.v + i, held});
      v += "," + Cell("v." + ColumnName(place.name, i, velocities));
      tau += "," + Cell("tau." + ColumnName(place.name, i, velocities));
    }
  }
  text_ = "t" + q + v + tau + ",phi,energy,phase";
  for (const std::string& foot : FootNames(feet)) {
    text_ += "," + Cell("height." + foot);
    for (const char* axis : {".x", ".y", ".z"}) text_ += "," + Cell("force." + foot + axis);
  }
  text_ += '\n';
}

bool MotionTable::Add(const MotionSample& sample) {
  std::string row;
  bool finite = true;
  const auto add = [&](double value) {
    if (!row.empty()) row += ',';
    AppendNumber(row, value);
    finite = finite && std::isfinite(value);
  };
  add(sample.t);
  for (const Coordinate& c : q_) add(sample.q[c.index] + c.offset);
  for (const Column& c : v_) add(c.held ? 0 : sample.v[c.index]);
  for (const Column& c : v_) add(c.held ? 0 : sample.tau[c.index]);
  add(sample.phi), add(sample.energy);
  row += InStance(sample) ? ",stance" : ",flight";
  for (std::size_t f = 0; f < sample.foot.size(); ++f) {
    add(ground_.Above(sample.foot[f]));
    for (const double force : sample.force[f]) add(force);
  }
  // A row that holds inf or nan is no sample: the caller ends the table there.
  if (finite) text_ += row + '\n';
  return finite;
}

std::string SummaryOf(const SimulationResult& result, const SummaryContext& context) {
  const SimulationOptions& options = context.options;
  const bool spf = context.system.options().method == MotionMethod::kSpf;
  nlohmann::ordered_json json = {{"name", context.name},
                                 {"format", context.format},
                                 {"method", spf ? "spf" : "embedding"},
                                 {"time", result.time}};
  if (spf) json["eps"] = context.system.options().eps;
  if (options.step > 0)
    json["step"] = options.step;
  else
    json["rtol"] = options.rtol;
  json["steps"] = result.steps, json["refused"] = result.refused;
  if (spf && options.step == 0) json["stiff_steps"] = result.stiff_steps;
  json["evaluations"] = result.evaluations;
  json["phi"] = result.phi, json["foot_drift"] = result.foot_drift;
  json["energy_start"] = result.energy_start, json["energy_end"] = result.energy_end;
  json["work"] = result.work, json["impact_loss"] = result.impact_loss;
  json["energy_drift"] = result.energy_drift;
  // Two causes, as an impact asks for more than standing does: a ground that is rough enough for
  // both.
  json["friction_needed"] = std::max(result.friction_stance, result.friction_impact);
  json["friction_needed_stance"] = result.friction_stance;
  json["friction_needed_impact"] = result.friction_impact;
  const Mechanism& m = context.system.mechanism();
  json["independent"] = nlohmann::ordered_json::array();
  for (const int y : context.system.independent())
    json["independent"].push_back(m.names[static_cast<std::size_t>(y)]);
  json["not_simulated"] = context.not_simulated;
  json["events"] = nlohmann::ordered_json::array();
  for (const MotionEvent& event : result.events) {
    nlohmann::ordered_json entry = {{"time", event.time}, {"kind", event.kind}};
    // Which key names the subject depends on the kind of event: a link, a joint, or the coordinate
    // that was lost.
    const bool of_link =
        event.kind == "touch-down" || event.kind == "lift-off" || event.kind == "friction-cone";
    const bool passed = event.kind == "change-point";
    entry[of_link                          ? "link"
          : event.kind.ends_with("-limit") ? "joint"
          : passed                         ? "loosest"
                                           : "independent"] = event.subject;
    if (passed) {
      entry["smallest"] = event.smallest, entry["leap"] = event.leap;
      entry["projection"] = event.projection;
    }
    if (event.kind == "touch-down") {
      entry["impulse"] = Vector(event.impulse);
      entry["energy_before"] = event.energy_before, entry["energy_after"] = event.energy_after;
    }
    if (event.kind == "touch-down" || event.kind == "friction-cone")
      entry["friction_needed"] = event.needed_friction;
    json["events"].push_back(entry);
  }
  nlohmann::ordered_json last = {{"t", result.last.t}};
  for (const JointPlace& place : context.joints) {
    const Body& body = m.bodies[static_cast<std::size_t>(place.body)];
    for (int i = 0; i < body.nq; ++i)
      last["q." + ColumnName(place.name, i, body.nq)] =
          result.last.q[body.q + i] + place.offset[static_cast<std::size_t>(i)];
    for (int i = 0; i < body.nv; ++i)
      last["v." + ColumnName(place.name, i, body.nv)] = result.last.v[body.v + i];
  }
  json["last"] = last;
  return PrintableJson(json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace)) + "\n";
}

}  // namespace kinemorph
