#include "gateway/controllers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "kinemorph/graph/base/diagnostics.h"
#include "kinemorph/graph/base/number.h"

namespace kinemorph {
namespace {

using Laws = nlohmann::json;

// "flight", "stance", "stance:LINK"; empty: always.
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

struct Table {
  std::vector<double> t, effort;
  [[nodiscard]] double At(double time) const {
    const auto after = std::upper_bound(t.begin(), t.end(), time);
    if (after == t.begin()) return effort.front();
    if (after == t.end()) return effort.back();
    const std::size_t i = static_cast<std::size_t>(after - t.begin());
    const double share = (time - t[i - 1]) / (t[i] - t[i - 1]);
    return effort[i - 1] + share * (effort[i] - effort[i - 1]);
  }
};

struct Law {
  int q = 0, v = 0;  // in the state; q is -1 where it is no number
  Phase phase;
  double kp = 0, kd = 0, target_rate = 0, constant = 0;
  std::vector<Setpoint> targets;
  Table table;
  double limit = std::numeric_limits<double>::infinity();

  [[nodiscard]] double Effort(double t, const Eigen::VectorXd& position,
                              const Eigen::VectorXd& velocity,
                              const std::vector<bool>& standing) const {
    if (!phase.Holds(standing)) return 0;
    double effort = constant;
    if (!table.t.empty()) effort += table.At(t);
    for (const Setpoint& target : targets) {
      if (!target.phase.Holds(standing)) continue;
      effort += kp * (target.value - position[q]) + kd * (target_rate - velocity[v]);
      break;
    }
    return std::clamp(effort, -limit, limit);
  }
};

// What fails first is said; what follows of it reads on with nothing.
class Reader {
 public:
  Reader(const ControllerFile& file, const std::vector<JointPlace>& joints,
         const Mechanism& mechanism, const std::vector<Foot>& feet)
      : file_(file), joints_(joints), m_(mechanism), feet_(feet) {}

  std::vector<Law> Read() {
    std::vector<Law> laws;
    const Laws json = Laws::parse(file_.text, nullptr, false);
    if (json.is_discarded()) {
      why_ = "is not JSON";
    } else if (!json.is_object() || !json.contains("controllers") ||
               !json["controllers"].is_array()) {
      why_ = "has no list \"controllers\"";
    } else {
      OnlyKeys(json, {"controllers"}, "the file");
      for (const Laws& entry : json["controllers"]) {
        number_ = laws.size() + 1;
        laws.push_back(One(entry));
      }
    }
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
      Fail("\"" + key + "\" is no key of " + of +
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
    Fail("'" + name + "' is no phase: flight, stance, or stance:LINK of a --contact");
    return {};
  }

  Law One(const Laws& json) {
    if (!json.is_object()) {
      Fail("is no object");
      return {};
    }
    const std::string type = Text(json, "type"), joint = Text(json, "joint");
    std::string why;
    const std::optional<GivenCoordinate> place = FindCoordinate(joint, joints_, m_, true, why);
    if (!place) {
      Fail(why);
      return {};
    }
    const Body& body = m_.bodies[static_cast<std::size_t>(place->body)];
    Law law;
    law.v = body.v + place->index, law.q = body.nq == body.nv ? body.q + place->index : -1;
    if (json.contains("phase")) law.phase = PhaseNamed(Text(json, "phase"));
    law.limit = Number(json, "limit", law.limit);
    if (!(law.limit >= 0)) Fail("\"limit\" must not be negative");
    if (type == "pd") {
      OnlyKeys(json, {"type", "joint", "phase", "limit", "kp", "kd", "target", "target_rate"},
               "type pd");
      ReadPd(json, *place, law);
    } else if (type == "constant") {
      OnlyKeys(json, {"type", "joint", "phase", "limit", "effort"}, "type constant");
      if (!json.contains("effort")) Fail("needs \"effort\", a number");
      law.constant = Number(json, "effort", 0);
    } else if (type == "table") {
      OnlyKeys(json, {"type", "joint", "phase", "limit", "file"}, "type table");
      law.table = ReadTable(Text(json, "file"), joint);
    } else {
      Fail("type '" + type + "' is none of pd, constant, table");
    }
    return law;
  }

  void ReadPd(const Laws& json, const GivenCoordinate& velocity, Law& law) {
    if (law.q < 0) return Fail("joint '" + velocity.name + "' has no scalar position to control");
    std::string why;
    const GivenCoordinate place = *FindCoordinate(velocity.name, joints_, m_, false, why);
    law.kp = Number(json, "kp", 0), law.kd = Number(json, "kd", 0);
    law.target_rate = Number(json, "target_rate", 0);
    if (!json.contains("target")) return Fail("needs \"target\"");
    const bool linear = IsLength(m_, place.body, place.index, false);
    const Laws& target = json["target"];
    if (!target.is_object()) {
      law.targets.push_back({{}, Quantity(target, linear) - place.offset});
      return;
    }
    for (const auto& [phase, value] : target.items())
      law.targets.push_back({PhaseNamed(phase), Quantity(value, linear) - place.offset});
    // The more particular one first.
    std::stable_sort(
        law.targets.begin(), law.targets.end(), [](const Setpoint& a, const Setpoint& b) {
          return a.phase.kind == Phase::Kind::kFoot && b.phase.kind != Phase::Kind::kFoot;
        });
  }

  // Columns "t", and "tau.JOINT" or "JOINT".
  Table ReadTable(const std::string& name, const std::string& joint) {
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
    const std::ptrdiff_t width = static_cast<std::ptrdiff_t>(header.size());
    const std::ptrdiff_t time = column("t");
    const std::ptrdiff_t effort =
        column("tau." + joint) < width ? column("tau." + joint) : column(joint);
    if (time == width || effort == width) {
      Fail("table '" + name + "' needs the columns t and tau." + joint);
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
               "' is no number");
        return value;
      };
      const double t = number(time), value = number(effort);
      if (!table.t.empty() && t < table.t.back())
        Fail("table '" + name + "', line " + std::to_string(row) + ": time runs back");
      if (!table.t.empty() && t == table.t.back()) {
        table.effort.back() = value;  // before and after an event: what comes after
        continue;
      }
      table.t.push_back(t), table.effort.push_back(value);
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
  const std::vector<JointPlace>& joints_;
  const Mechanism& m_;
  const std::vector<Foot>& feet_;
  std::vector<std::string> tables_;
  std::string why_;
  std::size_t number_ = 0;
};

}  // namespace

std::optional<Controller> ReadControllers(const ControllerFile& file,
                                          const std::vector<JointPlace>& joints,
                                          const Mechanism& mechanism, const std::vector<Foot>& feet,
                                          std::vector<std::string>& tables, std::string& why) {
  Reader reader(file, joints, mechanism, feet);
  const std::vector<Law> laws = reader.Read();
  tables = std::move(reader.tables());
  why = reader.why();
  if (!why.empty()) return std::nullopt;
  return [laws](double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                const std::vector<bool>& standing, Eigen::VectorXd& tau) {
    for (const Law& law : laws) tau[law.v] += law.Effort(t, q, v, standing);
  };
}

}  // namespace kinemorph
