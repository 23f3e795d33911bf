#include "simulate/controllers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "kinemorph/formats/drive_law.h"
#include "kinemorph/graph/base/diagnostics.h"
#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/mechanics/dynamics.h"

namespace kinemorph {
namespace {

// A controller file is read once into laws, plain numbers that are evaluated at every stage of the
// integrator: no name is looked up and nothing can fail while the robot moves. Efforts are those of
// the joint (N m, N), positions those of the state q (the file's `ref` taken off while reading).
using Laws = nlohmann::json;

// "flight", "stance", "stance:LINK"; empty: always.
// A phase asks which feet stand. It changes at touch-down and lift-off only, which are events, so
// that no effort jumps within a step.
struct Phase {
  enum class Kind { kAlways, kFlight, kStance, kFoot } kind = Kind::kAlways;
  std::size_t foot = 0;
  [[nodiscard]] bool Holds(const std::vector<bool>& standing) const {
    const bool any = std::find(standing.begin(), standing.end(), true) != standing.end();
    switch (kind) {
      case Kind::kAlways:
        return true;
      case Kind::kFlight:
        return !any;
      case Kind::kStance:
        return any;
      case Kind::kFoot:
        return standing[foot];
    }
    return false;
  }
};

struct Setpoint {
  Phase phase;
  double value = 0;
};

// Straight lines between the rows; level before and after them.
// Linear interpolation has a derivative, which is the target rate of a PD law that follows the
// table; at a row it is that of what comes after.
struct Table {
  std::vector<double> t, value;
  struct Point {
    double value = 0, rate = 0;
  };
  [[nodiscard]] Point At(double time) const {
    const auto after = std::upper_bound(t.begin(), t.end(), time);
    if (after == t.begin()) return {value.front(), 0};
    if (after == t.end()) return {value.back(), 0};
    const std::size_t i = static_cast<std::size_t>(after - t.begin());
    const double rate = (value[i] - value[i - 1]) / (t[i] - t[i - 1]);
    return {value[i - 1] + rate * (time - t[i - 1]), rate};
  }
};

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// An actuator of the model.
// The affine law of MuJoCo's `general` actuator, which covers motor, position and velocity: force =
// gain(l, l') u + bias(l, l'), with the length l = gear (q + ref). The force is clamped as the
// actuator's (forcerange), then moved to the joint by the gear.
struct Drive {
  DriveLaw law;
  double gear = 1, offset = 0;                            // l = gear (q + offset)
  double lower = -kInfinity, upper = kInfinity,           // of its effort
      joint_lower = -kInfinity, joint_upper = kInfinity;  // of all actuators of the joint

  [[nodiscard]] double Effort(double control, double q, double v) const {
    const double u = std::clamp(control, law.control_lower.value_or(-kInfinity),
                                law.control_upper.value_or(kInfinity)),
                 l = gear * (q + offset), rate = gear * v;
    const double effort = (law.gain + law.gain_by_length * l + law.gain_by_rate * rate) * u +
                          law.bias + law.by_length * l + law.by_rate * rate;
    return gear * std::clamp(effort, lower, upper);
  }
};

struct Law {
  int q = 0, v = 0;  // in the state; q is -1 where it is no number
  Phase phase;
  double kp = 0, kd = 0, target_rate = 0, constant = 0;
  bool follows = false;           // the table is the target
  std::vector<Setpoint> targets;  // of a drive: its controls
  Table table;                    // of a drive: its control; with kp or kd: the target
  double limit = kInfinity;
  std::optional<Drive> drive;

  // Outside of its phase a law gives nothing at all. Constant, table and target add up; of the
  // targets, the first whose phase holds is the one.
  [[nodiscard]] double Effort(double t, const Eigen::VectorXd& position,
                              const Eigen::VectorXd& velocity,
                              const std::vector<bool>& standing) const {
    if (!phase.Holds(standing)) return 0;
    double effort = constant;
    if (!table.t.empty()) {
      const Table::Point now = table.At(t);
      effort +=
          follows ? kp * (now.value - position[q]) + kd * (now.rate - velocity[v]) : now.value;
    }
    for (const Setpoint& target : targets) {
      if (!target.phase.Holds(standing)) continue;
      effort += drive ? target.value
                      : kp * (target.value - position[q]) + kd * (target_rate - velocity[v]);
      break;
    }
    // Of a drive, what was summed is its control; a limit clamps what any law gives.
    if (drive) effort = drive->Effort(effort, position[q], velocity[v]);
    return std::clamp(effort, -limit, limit);
  }
};

// The actuators of one joint together give no more than the joint's limits of effort.
// MuJoCo clamps the sum of the actuators of a joint (actuatorfrcrange), after each alone. The laws
// of one joint stand side by side for that, with those that are no drives in front.
void AddEfforts(const std::vector<Law>& laws, double t, const Eigen::VectorXd& q,
                const Eigen::VectorXd& v, const std::vector<bool>& standing, Eigen::VectorXd& tau) {
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const Law& law = laws[i];
    double effort = law.Effort(t, q, v, standing);
    if (law.drive) {
      for (; i + 1 < laws.size() && laws[i + 1].drive && laws[i + 1].v == law.v; ++i)
        effort += laws[i + 1].Effort(t, q, v, standing);
      effort = std::clamp(effort, law.drive->joint_lower, law.drive->joint_upper);
    }
    tau[law.v] += effort;
  }
}

// What fails first is said; what follows of it reads on with nothing.
// Of a file with several mistakes the first one is told, with the number of its controller. Reading
// goes on with empty values, which saves a check after every line; the laws are thrown away then.
class Reader {
 public:
  Reader(const ControllerFile& file, const Model& model, const std::vector<JointPlace>& joints,
         const Mechanism& mechanism, const std::vector<Foot>& feet)
      : file_(file), model_(model), joints_(joints), m_(mechanism), feet_(feet) {}

  std::vector<Law> Read() {
    std::vector<Law> laws;
    const Laws json = Laws::parse(file_.text, nullptr, false);
    if (json.is_discarded()) {
      why_ = "is not JSON";
    } else if (!json.is_object() || !json.contains("controllers") ||
               !json["controllers"].is_array()) {
      why_ = "has no list \"controllers\"";
    } else {
      // An unknown key is an error: "traget" that is ignored would be a robot without control.
      OnlyKeys(json, {"controllers"}, "the file");
      for (const Laws& entry : json["controllers"]) {
        number_ = laws.size() + 1;
        laws.push_back(One(entry));
      }
    }
    // Actuators of one joint side by side.
    std::stable_sort(laws.begin(), laws.end(), [](const Law& a, const Law& b) {
      return std::pair(a.drive.has_value(), a.v) < std::pair(b.drive.has_value(), b.v);
    });
    return laws;
  }
  [[nodiscard]] const std::string& why() const { return why_; }
  [[nodiscard]] std::vector<std::string>& tables() { return tables_; }

 private:
  void Fail(const std::string& what) {
    if (why_.empty()) why_ = "controller " + std::to_string(number_) + ": " + what;
  }
  void OnlyKeys(const Laws& json, const std::vector<std::string>& known, const char* of) {
    for (const auto& [key, value] : json.items()) {
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      const std::string nearest = NearestName(key, known);
      Fail("\"" + key + "\" is not a key of " + of +
           (nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?"));
    }
  }
  std::string Text(const Laws& json, const char* key) {
    if (json.contains(key) && json[key].is_string()) return json[key].get<std::string>();
    Fail("needs \"" + std::string(key) + "\", a text");
    return {};
  }
  double Number(const Laws& json, const char* key, double otherwise) {
    if (!json.contains(key)) return otherwise;
    if (json[key].is_number()) return json[key].get<double>();
    Fail("\"" + std::string(key) + "\" must be a number");
    return otherwise;
  }
  // A bare number is in rad or m; a text may carry another unit.
  double Quantity(const Laws& json, bool linear) {
    if (json.is_number()) return json.get<double>();
    std::string why = "a target must be a number, or a text with a unit";
    const std::optional<double> value =
        json.is_string() ? ParseQuantity(json.get<std::string>(), linear, why) : std::nullopt;
    if (!value) Fail(why);
    return value.value_or(0);
  }

  Phase PhaseNamed(const std::string& name) {
    if (feet_.empty()) {
      Fail("speaks of the phase '" + name + "', but there is no --contact");
      return {};
    }
    if (name == "flight") return {Phase::Kind::kFlight, 0};
    if (name == "stance") return {Phase::Kind::kStance, 0};
    for (std::size_t f = 0; f < feet_.size(); ++f)
      if (name == "stance:" + feet_[f].link) return {Phase::Kind::kFoot, f};
    Fail("'" + name + "' is not a phase: flight, stance, or stance:LINK of a --contact");
    return {};
  }

  Law One(const Laws& json) {
    if (!json.is_object()) {
      Fail("is not an object");
      return {};
    }
    const std::string type = Text(json, "type");
    const Actuator* const actuator = type == "actuator" ? NamedActuator(json) : nullptr;
    if (type == "actuator" && actuator == nullptr) return {};

    // An actuator has its joint in the model; any other law names one.
    const std::string joint =
        actuator == nullptr ? Text(json, "joint") : model_.joint(actuator->joint).name;
    std::string why;
    const std::optional<GivenCoordinate> place = FindCoordinate(joint, joints_, m_, true, why);
    if (!place) {
      Fail(why);
      return {};
    }

    // A ball or free joint has velocities that can be driven, yet its position is no number, so
    // that only constants and tables of efforts can act there.
    const Body& body = m_.bodies[static_cast<std::size_t>(place->body)];
    Law law;
    law.v = body.v + place->index, law.q = body.nq == body.nv ? body.q + place->index : -1;
    if (json.contains("phase")) law.phase = PhaseNamed(Text(json, "phase"));
    law.limit = Number(json, "limit", law.limit);
    if (!(law.limit >= 0)) Fail("\"limit\" must not be negative");
    if (type == "pd") {
      OnlyKeys(json,
               {"type", "joint", "phase", "limit", "kp", "kd", "target", "target_rate", "file"},
               "type pd");
      ReadPd(json, *place, law);
    } else if (type == "constant") {
      OnlyKeys(json, {"type", "joint", "phase", "limit", "effort"}, "type constant");
      if (!json.contains("effort")) Fail("needs \"effort\", a number");
      law.constant = Number(json, "effort", 0);
    } else if (type == "table") {
      OnlyKeys(json, {"type", "joint", "phase", "limit", "file"}, "type table");
      law.table = ReadTable(Text(json, "file"), "tau.", joint);
    } else if (type == "actuator") {
      OnlyKeys(json, {"type", "actuator", "phase", "limit", "control", "file"}, "type actuator");
      ReadDrive(json, *actuator, *place, law);
    } else {
      Fail("type '" + type + "' is none of pd, constant, table, actuator");
    }
    return law;
  }

  const Actuator* NamedActuator(const Laws& json) {
    const std::string name = Text(json, "actuator");
    std::vector<std::string> known;
    for (const Actuator& actuator : model_.actuators) {
      if (actuator.joint == kNoJoint) continue;
      if (actuator.name == name) return &actuator;
      known.push_back(actuator.name);
    }
    const std::string nearest = NearestName(name, known);
    Fail("'" + name + "' is not an actuator of a joint" +
         (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
    return nullptr;
  }

  void ReadDrive(const Laws& json, const Actuator& actuator, const GivenCoordinate& place,
                 Law& law) {
    if (law.q < 0) return Fail("joint '" + place.name + "' has no scalar position to control");
    std::string why;

    // DriveLawOf tells also why a law is none of ours (activations, muscles).
    const std::optional<DriveLaw> found = DriveLawOf(model_, actuator, why);
    if (!found) return Fail("actuator '" + actuator.name + "' " + why);
    Drive& drive = law.drive.emplace();
    drive.law = *found, drive.gear = actuator.gear;
    drive.offset = FindCoordinate(place.name, joints_, m_, false, why)->offset;
    drive.lower = actuator.effort_lower.value_or(drive.lower);
    drive.upper = actuator.effort_upper.value_or(drive.upper);

    // Limits of the joint itself, for AddEfforts; an effort limit alone is symmetric.
    const Joint& joint = model_.joint(actuator.joint);
    if (static_cast<std::size_t>(place.index) < joint.axes.size()) {
      const JointAxis& axis = joint.axes[static_cast<std::size_t>(place.index)];
      drive.joint_upper = axis.effort.value_or(kInfinity);
      drive.joint_lower = axis.effort_lower.value_or(-drive.joint_upper);
    }
    // MuJoCo's dampratio: critical damping at 1, of the mass that the actuator feels in the
    // reference posture with the loops open: by_rate = -2 r sqrt(kp M), M in the actuator's own
    // coordinate, hence over gear^2.
    if (drive.law.damping_ratio) {
      const double M = MassMatrix(m_, m_.ZeroPosition())(law.v, law.v);
      drive.law.by_rate =
          -2 * *drive.law.damping_ratio * std::sqrt(drive.law.gain * M / (drive.gear * drive.gear));
    }
    if (json.contains("file")) law.table = ReadTable(Text(json, "file"), "tau.", actuator.name);
    if (json.contains("control")) return ReadControls(json["control"], law);
    if (!json.contains("file")) Fail("needs \"control\", a number or one per phase, or \"file\"");
  }

  void ReadControls(const Laws& control, Law& law) {
    const auto number = [&](const Laws& value) {
      if (!value.is_number()) Fail("\"control\" must be a number, or one per phase");
      return value.is_number() ? value.get<double>() : 0;
    };
    if (!control.is_object()) {
      law.targets.push_back({{}, number(control)});
      return;
    }
    for (const auto& [phase, value] : control.items())
      law.targets.push_back({PhaseNamed(phase), number(value)});
    ParticularFirst(law.targets);
  }

  // "stance:LINK" is more particular than "stance", and must be asked before.
  static void ParticularFirst(std::vector<Setpoint>& targets) {
    std::stable_sort(targets.begin(), targets.end(), [](const Setpoint& a, const Setpoint& b) {
      return a.phase.kind == Phase::Kind::kFoot && b.phase.kind != Phase::Kind::kFoot;
    });
  }

  void ReadPd(const Laws& json, const GivenCoordinate& velocity, Law& law) {
    if (law.q < 0) return Fail("joint '" + velocity.name + "' has no scalar position to control");
    std::string why;
    // Velocities and positions of a joint have the same name; only positions have an offset.
    const GivenCoordinate place = *FindCoordinate(velocity.name, joints_, m_, false, why);
    law.kp = Number(json, "kp", 0), law.kd = Number(json, "kd", 0);
    law.target_rate = Number(json, "target_rate", 0);

    // A table of positions has its own rates.
    if (json.contains("file")) {
      if (json.contains("target") || json.contains("target_rate"))
        return Fail("has a \"file\" of targets and a \"target\"; leave one out");
      law.follows = true, law.table = ReadTable(Text(json, "file"), "q.", place.name);
      for (double& value : law.table.value) value -= place.offset;
      return;
    }
    if (!json.contains("target")) return Fail("needs \"target\" or \"file\"");
    const bool linear = IsLength(m_, place.body, place.index, false);
    const Laws& target = json["target"];
    if (!target.is_object()) {
      law.targets.push_back({{}, Quantity(target, linear) - place.offset});
      return;
    }
    for (const auto& [phase, value] : target.items())
      law.targets.push_back({PhaseNamed(phase), Quantity(value, linear) - place.offset});
    ParticularFirst(law.targets);
  }

  // Columns "t", and "tau.JOINT" (of targets "q.JOINT") or "JOINT".
  Table ReadTable(const std::string& name, const std::string& prefix, const std::string& joint) {
    std::string why = "no files were given";
    const std::optional<Resource> found =
        file_.files == nullptr ? std::nullopt : file_.files->Open(name, file_.name, why);
    if (!found) {
      Fail("table '" + name + "' cannot be read: " + why);
      return {};
    }
    tables_.push_back(found->path);
    std::istringstream lines(found->content);
    std::string line;
    std::getline(lines, line);
    const std::vector<std::string> header = Split(line);
    const auto column = [&](const std::string& wanted) {
      return std::find(header.begin(), header.end(), wanted) - header.begin();
    };

    // Tables of a former run can be given again as they are: the columns have a prefix there.
    const std::ptrdiff_t width = static_cast<std::ptrdiff_t>(header.size());
    const std::ptrdiff_t time = column("t");
    const std::ptrdiff_t wanted =
        column(prefix + joint) < width ? column(prefix + joint) : column(joint);
    if (time == width || wanted == width) {
      Fail("table '" + name + "' needs the columns t and " + prefix + joint);
      return {};
    }
    Table table;
    for (int row = 2; why_.empty() && std::getline(lines, line); ++row) {
      if (line.empty() || line == "\r") continue;
      const std::vector<std::string> cells = Split(line);
      const auto number = [&](std::ptrdiff_t at) {
        double value = 0;
        const bool there = at < static_cast<std::ptrdiff_t>(cells.size());
        const std::string cell = there ? cells[static_cast<std::size_t>(at)] : "";
        const auto [end, error] = ParseDouble(cell.data(), cell.data() + cell.size(), value);
        if (error != std::errc() || end != cell.data() + cell.size() || !std::isfinite(value))
          Fail("table '" + name + "', line " + std::to_string(row) + ": '" + cell +
               "' is not a number");
        return value;
      };
      const double t = number(time), value = number(wanted);
      if (!table.t.empty() && t < table.t.back())
        Fail("table '" + name + "', line " + std::to_string(row) + ": time runs back");
      if (!table.t.empty() && t == table.t.back()) {
        table.value.back() = value;  // before and after an event: what comes after
        continue;
      }
      table.t.push_back(t), table.value.push_back(value);
    }
    if (table.t.empty()) Fail("table '" + name + "' has no rows");
    return table;
  }
  static std::vector<std::string> Split(const std::string& line) {
    std::vector<std::string> cells;
    std::string cell;
    for (const char c : line) {
      if (c == ',') {
        cells.push_back(cell), cell.clear();
      } else if (c != ' ' && c != '\t' && c != '\r') {
        cell += c;
      }
    }
    cells.push_back(cell);
    return cells;
  }

  const ControllerFile& file_;
  const Model& model_;
  const std::vector<JointPlace>& joints_;
  const Mechanism& m_;
  const std::vector<Foot>& feet_;
  std::vector<std::string> tables_;
  std::string why_;
  std::size_t number_ = 0;
};

}  // namespace

std::optional<Controller> ReadControllers(const ControllerFile& file, const Model& model,
                                          const std::vector<JointPlace>& joints,
                                          const Mechanism& mechanism, const std::vector<Foot>& feet,
                                          std::vector<std::string>& tables, std::string& why) {
  Reader reader(file, model, joints, mechanism, feet);
  const std::vector<Law> laws = reader.Read();
  tables = std::move(reader.tables());
  why = reader.why();
  if (!why.empty()) return std::nullopt;
  return [laws](double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                const std::vector<bool>& standing,
                Eigen::VectorXd& tau) { AddEfforts(laws, t, q, v, standing, tau); };
}

}  // namespace kinemorph
