// kinemorph simulate: the model in motion.
#include <algorithm>
#include <cmath>
#include <iostream>

#include "controllers.h"
#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/base/printable.h"
#include "kinemorph/graph/motion/held_joints.h"
#include "motion_output.h"
#include "motion_plot.h"
#include "motion_strip.h"
#include "not_obeyed.h"
#include "outputs.h"
#include "progress.h"
#include "session.h"

namespace kinemorph::tools {
namespace {

struct Request {
  Input input;
  std::string out = "-", controller, gravity, summary, plot, strip, keyframes;
  MotionMethod method = MotionMethod::kEmbedding;
  std::optional<BaseChoice> base;
  std::vector<std::string> set, rate, hold, armature, contact;
  double time = 0, step = 0, rtol = 1e-8, eps = 0.05, friction = -1, rows = 0, ground = 0;
  std::size_t max_rows = 1'000'000;
};

// What the run is made of, once the request is understood.
struct Stage {
  Model model;
  Mechanism whole, mechanism;  // before and after joints are held
  std::vector<JointPlace> joints;
  Coordinates coordinates;
  std::vector<GivenCoordinate> set, rate;
  std::vector<bool> held;
  MotionOptions motion;
  Eigen::VectorXd q;
};

class Teller {
 public:
  Teller(const Input& input, Diagnostics& diagnostics) : input_(input), diagnostics_(diagnostics) {}
  bool Error(const char* code, const std::string& message) {
    Say(Severity::kError, code, message);
    return false;
  }
  void Say(Severity severity, const char* code, const std::string& message) {
    diagnostics_.Add(
        {severity, code, input_.path == "-" ? "<stdin>" : input_.path, 0, "", message, {}});
  }

 private:
  const Input& input_;
  Diagnostics& diagnostics_;
};

std::string Shown(double value) { return FormatNumber(NearDecimal(value, 4)); }

// Between rows (s).
double Interval(const Request& r) {
  return r.rows > 0 ? r.rows : r.step > 0 ? r.step : SimulationOptions().rows;
}

void CheckRequest(const Request& r) {
  if (r.step > 0 && r.time / r.step > static_cast<double>(kMostSimulationSteps))
    throw UsageError("--step " + Shown(r.step) + " makes more than " +
                     std::to_string(kMostSimulationSteps) + " steps of --time " + Shown(r.time));
  if (r.time / Interval(r) > static_cast<double>(r.max_rows))
    throw UsageError("--time " + Shown(r.time) + " makes " + Shown(r.time / Interval(r)) +
                     " rows, and --max-rows allows " + std::to_string(r.max_rows) +
                     "; --rows DT makes fewer");
  if (r.contact.empty() && r.friction >= 0)
    throw UsageError("--friction needs a foot: --contact LINK:X,Y,Z");
  RefuseInputs({r.out, r.summary, r.plot, r.strip, r.keyframes}, {r.input.path, r.controller});
  RefuseInputs({r.out, r.summary, r.plot, r.strip, r.keyframes}, r.input.with);
  RefuseForeign(r.summary, "\"energy_drift\": ");
  for (const std::string& out : {r.plot, r.strip, r.keyframes}) RefuseForeign(out, kWrittenMark);
  if (r.method == MotionMethod::kSpf && r.step > kLargestStepOverEps * r.eps)
    throw UsageError("--step " + Shown(r.step) + " is too long for --eps " + Shown(r.eps) +
                     ": the closure error grows above step/eps = " + Shown(kLargestStepOverEps) +
                     "; use --eps " + Shown(2 * r.step) + " or more");
}

// --base floating: roots that nothing holds get a free joint; --base fixed: free roots are welded.
void SetBase(BaseChoice base, Model& model) {
  const SpanningTree tree = ChooseSpanningTree(model);
  for (const LinkId link : Links(model)) {
    if (link == kWorld || tree.parent[Index(link)] != kWorld) continue;
    const JointId id = tree.parent_joint[Index(link)];
    const bool has_joint = id != kNoJoint;
    if (base == BaseChoice::kFixed && has_joint &&
        std::holds_alternative<Free>(model.joint(id).kind)) {
      model.joint(id).kind = Fixed{}, model.joint(id).axes.clear();
    } else if (base == BaseChoice::kFloating && !has_joint) {
      Joint joint;
      joint.name = model.link(link).name + "_floating";
      joint.kind = Free{};
      joint.axes.resize(1);
      model.AddJoint(kWorld, link, joint);
    } else if (base == BaseChoice::kFloating && has_joint &&
               std::holds_alternative<Fixed>(model.joint(id).kind)) {
      model.joint(id).kind = Free{};
      model.joint(id).axes.resize(1);
    }
  }
}

bool ReadCoordinates(const std::vector<std::string>& texts, const char* option, bool velocity,
                     const Stage& stage, std::vector<GivenCoordinate>& out, Teller& tell) {
  for (const std::string& text : texts) {
    std::string why;
    const auto given = ParseCoordinate(text, stage.joints, stage.whole, velocity, why);
    if (!given) return tell.Error("simulate-joint", "'" + text + "' of " + option + ": " + why);
    out.push_back(*given);
  }
  return true;
}

bool ReadArmatures(const Request& r, Stage& stage, Teller& tell) {
  for (const std::string& text : r.armature) {
    const std::string why = SetArmature(text, stage.joints, stage.whole);
    if (!why.empty()) return tell.Error("armature-wrong", "'" + text + "' of --armature: " + why);
  }
  return true;
}

bool ReadHolds(const Request& r, Stage& stage, Teller& tell) {
  stage.held.assign(stage.whole.bodies.size(), false);
  for (const std::string& name : r.hold) {
    const auto place = std::find_if(stage.joints.begin(), stage.joints.end(),
                                    [&](const JointPlace& joint) { return joint.name == name; });
    if (place == stage.joints.end()) {
      std::vector<std::string> names;
      for (const JointPlace& joint : stage.joints) names.push_back(joint.name);
      const std::string nearest = NearestName(name, names);
      return tell.Error("simulate-joint",
                        "'" + name + "' of --hold: there is no such joint in the tree" +
                            (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
    }
    stage.held[static_cast<std::size_t>(place->body)] = true;
  }
  for (const GivenCoordinate& rate : stage.rate) {
    if (stage.held[static_cast<std::size_t>(rate.body)] && rate.value != 0)
      return tell.Error("simulate-joint",
                        "'" + rate.name + "' has a --rate, and --hold says that it stands still");
  }
  return true;
}

bool ReadWorld(const Request& r, Stage& stage, Teller& tell) {
  if (!r.gravity.empty()) {
    const std::optional<Vector3> gravity = ParseVector(r.gravity);
    if (!gravity) throw UsageError("--gravity '" + r.gravity + "' is not of the form X,Y,Z");
    stage.whole.gravity = *gravity;
  }
  MotionOptions& motion = stage.motion;
  motion.method = r.method;
  motion.eps = r.eps;
  motion.ground.height = r.ground;
  if (stage.whole.gravity.norm() > 0) motion.ground.normal = -stage.whole.gravity.normalized();
  for (const std::string& text : r.contact) {
    std::string why;
    const std::optional<Foot> foot = ParseFoot(text, stage.model, stage.whole, why);
    if (!foot) return tell.Error("simulate-link", "'" + text + "' of --contact: " + why);
    motion.feet.push_back(*foot);
  }
  return true;
}

// The posture with the loops closed, then with the joints held.
bool Assemble(const Request& r, Stage& stage, Teller& tell) {
  stage.coordinates = AnalyseCoordinates(stage.whole);
  const std::string model = "'" + stage.model.name + "'";
  if (!stage.coordinates.assembles)
    return tell.Error("simulate-open", model + ": no posture closes the loops (|phi| " +
                                           Shown(stage.coordinates.residual_at_zero) +
                                           " at zero); nothing can be simulated");
  const Posture posture = FindPosture(stage.whole, stage.coordinates, stage.set);
  if (!posture.ok)
    return tell.Error(stage.set.empty() ? "simulate-open" : "simulate-set",
                      model + ": the start cannot be assembled: " + posture.why);
  stage.q = posture.q;
  stage.mechanism = WithHeldJoints(stage.whole, stage.held, stage.q);
  if (!HasGenericRank(stage.mechanism, stage.q))
    return tell.Error("simulate-singular",
                      model +
                          " starts where its loops lose rank (a change point): the motion is "
                          "not determined; start elsewhere with --set");
  if (!r.controller.empty()) {
    std::string why;
    std::vector<std::string> tables;
    const auto controller = ReadControllers(r.controller, stage.joints, stage.mechanism,
                                            stage.motion.feet, tables, why);
    if (!controller) return tell.Error("simulate-controller", "'" + r.controller + "': " + why);
    RefuseInputs({r.out, r.summary, r.plot, r.strip, r.keyframes}, tables);
    stage.motion.controller = *controller;
  }
  return true;
}

std::vector<std::string> NotSimulated(const Mechanism& m) {
  std::vector<std::string> list;
  for (int v = 0; v < m.nv; ++v) {
    const std::size_t at = static_cast<std::size_t>(v);
    const bool limited = std::isfinite(m.lower[at]) || std::isfinite(m.upper[at]);
    if (limited && m.limit_stiffness[at] == 0)
      list.push_back("limits of joint '" + m.names[at] + "' (passing one is an event)");
  }
  for (const std::string& problem : m.problems) list.push_back(problem);
  return list;
}

// By velocities: those of what is not held.
std::vector<GivenCoordinate> NotHeld(const std::vector<GivenCoordinate>& all,
                                     const std::vector<bool>& held) {
  std::vector<GivenCoordinate> some;
  for (const GivenCoordinate& given : all)
    if (!held[static_cast<std::size_t>(given.body)]) some.push_back(given);
  return some;
}

void TellEvents(const SimulationResult& result, const Request& r, Teller& tell) {
  for (const MotionEvent& event : result.events) {
    const std::string subject = "'" + event.subject + "'", when = " at t = " + Shown(event.time);
    if (event.kind == "friction-cone")
      tell.Say(Severity::kWarning, "simulate-friction",
               subject + " needs a friction coefficient of " + Shown(event.needed_friction) + when +
                   ", and the ground has " + Shown(r.friction) +
                   "; it is taken to stick all the same");
    if (event.kind == "joint-limit")
      tell.Say(Severity::kNote, "simulate-limit",
               "joint " + subject + " passes its limit" + when + "; nothing stops it");
    if (event.kind == "partition")
      tell.Say(Severity::kNote, "simulate-partition",
               subject + ": other coordinates are independent from t = " + Shown(event.time) +
                   " on, because the former ones lost their hold on the rest");
  }
}

// eps that is too small for the steps, or makes them.
void TellStiffness(const SimulationResult& result, const Request& r, const std::string& model,
                   Teller& tell) {
  if (r.method != MotionMethod::kSpf) return;
  const std::string eps = model + ": --eps " + Shown(r.eps);
  if (r.step > kUsualStepOverEps * r.eps)
    tell.Say(Severity::kNote, "simulate-eps",
             eps + " is too small for --step " + Shown(r.step) + ": it is " +
                 Shown(r.eps / r.step) + " steps, less than 2, and the closure error came to " +
                 Shown(result.phi));
  const long accepted = result.steps - result.refused;
  if (r.step == 0 && 2 * result.stiff_steps > accepted)
    tell.Say(Severity::kNote, "simulate-eps",
             eps + " is what keeps the steps short, not the motion: " +
                 std::to_string(result.stiff_steps) + " of " + std::to_string(accepted) +
                 " steps are longer than half of it (" +
                 Shown(result.time / static_cast<double>(accepted) / r.eps) +
                 " eps on average); a larger one needs fewer");
}

bool Written(const std::string& why) {
  if (!why.empty()) std::cerr << "kinemorph: " << Printable(why) << '\n';
  return why.empty();
}

// Where each file goes; written only when all of them are there.
bool WriteAllOf(const std::vector<std::pair<std::string, std::string>>& files) {
  return std::all_of(files.begin(), files.end(),
                     [](const auto& file) { return Written(WriteWhole(file.first, file.second)); });
}

// Samples as they come: written to the table, and kept for the pictures that need them.
class Rows {
 public:
  Rows(const Request& request, MotionTable table)
      : request_(request), table_(std::move(table)), file_(request.out) {}

  void Add(const MotionSample& sample) {
    if (!why_.empty()) return;
    if (!table_.Add(sample)) {
      why_ = "a number of the motion is not finite";
    } else if (++count_ > request_.max_rows + 1) {  // the start is no step
      why_ = "more than " + std::to_string(request_.max_rows) + " rows (--max-rows)";
    } else if (!request_.keyframes.empty() && count_ > kMostKeyframes) {
      why_ = "more than " + std::to_string(kMostKeyframes) + " rows for --keyframes";
    }
    if (table_.size() > kPiece) file_.Write(table_.Take());
    if (file_.failed()) why_ = file_.Finish();
    Keep(sample);
  }
  /// The last one, which thinning may have left out.
  void End(const MotionSample& last) {
    if (!samples_.empty() && samples_.back().t < last.t) samples_.push_back(last);
  }
  /// Why no more can be added; empty while they can.
  [[nodiscard]] const std::string& why() const { return why_; }
  [[nodiscard]] const std::vector<MotionSample>& samples() const { return samples_; }
  [[nodiscard]] std::string Finish() {
    file_.Write(table_.Take());
    return file_.Finish();
  }

 private:
  static constexpr std::size_t kPiece = 1 << 16, kMostKeyframes = 100'000, kMostDrawn = 16'384;

  // Of many, a picture shows every second one, or fourth ...
  void Keep(const MotionSample& sample) {
    if (request_.plot.empty() && request_.strip.empty() && request_.keyframes.empty()) return;
    if (count_ % stride_ != 0) return;
    samples_.push_back(sample);
    if (!request_.keyframes.empty() || samples_.size() < kMostDrawn) return;
    for (std::size_t i = 0; 2 * i < samples_.size(); ++i) samples_[i] = samples_[2 * i];
    samples_.resize(samples_.size() / 2);
    stride_ *= 2;
  }

  const Request& request_;
  MotionTable table_;
  WholeFile file_;
  std::size_t count_ = 0, stride_ = 1;
  std::string why_;
  std::vector<MotionSample> samples_;
};

bool Move(const Request& r, Stage& stage, Teller& tell) {
  MotionSystem system(stage.mechanism, stage.motion);
  const std::string model = "'" + stage.model.name + "'";
  if (!system.Divide(stage.q, std::vector<bool>(stage.motion.feet.size(), false)))
    return tell.Error("simulate-singular", model + ": " + system.Why());
  const Posture velocity = FindVelocity(system, stage.q, NotHeld(stage.rate, stage.held));
  if (!velocity.ok) return tell.Error("simulate-rate", model + ": " + velocity.why);
  SimulationOptions options;
  options.time = r.time, options.step = r.step, options.rtol = r.rtol;
  options.rows = Interval(r);
  options.friction = r.friction;
  Rows rows(r, MotionTable(stage.joints, stage.mechanism, stage.motion.feet, stage.motion.ground));
  SimulationResult result;
  {
    TimeProgress progress(r.time);
    options.interrupted = [&] {
      progress.Tick();
      return rows.why();
    };
    result = Simulate(system, stage.q, velocity.q, options, [&](const MotionSample& sample) {
      progress.At(sample.t);
      rows.Add(sample);
    });
  }
  if (result.end == SimulationEnd::kDone && !rows.why().empty())
    result.end = SimulationEnd::kInterrupted, result.why = rows.why();
  rows.End(result.last);
  const std::vector<MotionSample>& samples = rows.samples();
  if (result.end == SimulationEnd::kBelowGround)
    return tell.Error("simulate-below-ground", model + ": " + result.why);
  if (result.end != SimulationEnd::kDone)
    return tell.Error("simulate-stopped", model + " stops at t = " + Shown(result.time) + ": " +
                                              result.why +
                                              (r.out == "-" ? "" : "; nothing was written"));
  TellEvents(result, r, tell);
  TellStiffness(result, r, model, tell);
  std::vector<std::pair<std::string, std::string>> files;
  if (!r.summary.empty())
    files.emplace_back(
        r.summary, SummaryOf(result, {stage.model.name, stage.model.format, system, stage.joints,
                                      options, NotSimulated(stage.mechanism)}));
  if (!r.plot.empty()) {
    std::string why;
    const std::optional<std::string> picture =
        PlotMotion(samples, stage.joints, system, stage.model.name, why);
    if (!picture) return tell.Error("simulate-plot", "'" + r.plot + "' needs gnuplot, " + why);
    files.emplace_back(r.plot, *picture);
  }
  if (!r.strip.empty()) files.emplace_back(r.strip, DrawStrip(samples, system));
  if (!r.keyframes.empty()) {
    std::string why;
    const std::optional<std::string> keys =
        KeyframesOf(samples, stage.model, stage.joints, system, why);
    if (!keys) return tell.Error("simulate-keyframes", "'" + r.keyframes + "': " + why);
    files.emplace_back(r.keyframes, *keys);
  }
  return WriteAllOf(files) && Written(rows.Finish());
}

bool Perform(const Request& r, Diagnostics& diagnostics) {
  Teller tell(r.input, diagnostics);
  std::vector<std::string> read = {r.controller};
  std::optional<Model> model = LoadModel(r.input, diagnostics, &read);
  RefuseInputs({r.out, r.summary, r.plot, r.strip, r.keyframes}, read);
  if (!model) return false;
  TellNotObeyed(*model, diagnostics);
  Stage stage;
  stage.model = std::move(*model);
  if (r.base) SetBase(*r.base, stage.model);
  const SpanningTree tree = ChooseSpanningTree(stage.model, {}, diagnostics);
  if (diagnostics.has_errors()) return false;
  stage.whole = Compile(stage.model, tree, BuildLoopAggregatedConnectivityGraph(stage.model, tree));
  for (const std::string& problem : stage.whole.problems)
    tell.Say(Severity::kWarning, "simulate-left-out", problem);
  stage.joints = JointPlaces(stage.model, stage.whole);
  return ReadCoordinates(r.set, "--set", false, stage, stage.set, tell) &&
         ReadCoordinates(r.rate, "--rate", true, stage, stage.rate, tell) &&
         ReadArmatures(r, stage, tell) && ReadHolds(r, stage, tell) && ReadWorld(r, stage, tell) &&
         Assemble(r, stage, tell) && Move(r, stage, tell);
}

void AddStateOptions(CLI::App& command, Request& r) {
  const auto list = [&](const char* name, std::vector<std::string>& values, const char* what,
                        const char* type) {
    command.add_option(name, values, what)->type_name(type)->allow_extra_args(false);
  };
  list("--set", r.set,
       "a coordinate at the start (rad, m; 60deg, 3cm), repeatable; the loops are closed around it "
       "from the assembled posture on, step by step",
       "JOINT=VALUE");
  list("--rate", r.rate, "its velocity at the start (rad/s, m/s; 30deg/s), repeatable",
       "JOINT=VALUE");
  list("--hold", r.hold, "a joint that stands still, repeatable", "JOINT");
  list("--armature", r.armature, "inertia of the rotor of a joint (kg m^2, kg), repeatable",
       "JOINT=VALUE");
  list("--contact", r.contact, "a point foot, in the link's frame (m), repeatable", "LINK:X,Y,Z");
  command
      .add_option("--friction", r.friction,
                  "friction coefficient of the ground; what feet need beyond it is said")
      ->type_name("MU")
      ->check(NonNegativeNumber());
  command.add_option("--ground", r.ground, "height of the ground against gravity (m)")
      ->check(FiniteNumber());
  command.add_option("--gravity", r.gravity, "m/s^2, in place of the model's")->type_name("X,Y,Z");
  AddChoice<BaseChoice>(command, "--base", r.base,
                        {{"fixed", BaseChoice::kFixed},
                         {"floating", BaseChoice::kFloating},
                         {"auto", BaseChoice::kAuto}},
                        "is the base fixed to the world, floating, or as the model says");
  command
      .add_option("--controller", r.controller,
                  "forces of the joints: pd, constant, table (docs/SIMULATE.md)")
      ->type_name("FILE.json");
}

}  // namespace

void AddSimulate(CLI::App& app, Command& run) {
  CLI::App* command = app.add_subcommand(
      "simulate", "move the model: loops stay closed, feet come down and lift off");
  auto r = std::make_shared<Request>();
  AddInputOptions(*command, r->input);
  command->add_option("-o,--output", r->out, "table of samples; standard output when absent")
      ->type_name("OUT.csv");
  command->add_option("--time", r->time, "how long (s)")
      ->required()
      ->type_name("T")
      ->check(PositiveNumber());
  auto* step =
      command->add_option("--step", r->step, "fixed steps of the classical Runge-Kutta rule (s)")
          ->type_name("H")
          ->check(PositiveNumber());
  command
      ->add_option("--rtol", r->rtol, "tolerance of Dormand-Prince 5(4), which is used otherwise")
      ->type_name("R")
      ->check(PositiveNumber())
      ->excludes(step)
      ->capture_default_str();
  AddChoice<MotionMethod>(
      *command, "--method", r->method,
      {{"embedding", MotionMethod::kEmbedding}, {"spf", MotionMethod::kSpf}},
      "how loops stay closed: at every evaluation, or by the singularly perturbed formulation");
  command->add_option("--eps", r->eps, "of spf: closure errors fade as exp(-t/eps) (s)")
      ->type_name("E")
      ->check(PositiveNumber())
      ->capture_default_str();
  AddStateOptions(*command, *r);
  command->add_option("--rows", r->rows, "time between samples (s); 0.01, or --step")
      ->type_name("DT")
      ->check(PositiveNumber());
  command
      ->add_option("--max-rows", r->max_rows,
                   "an error where the table would have more rows than this")
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000'000))
      ->capture_default_str();
  command->add_option("--summary", r->summary, "events, errors, what feet needed")
      ->type_name("FILE.json");
  command->add_option("--plot", r->plot, "picture of the motion, where gnuplot is installed")
      ->type_name("FILE.svg");
  command->add_option("--strip", r->strip, "stick figures over time")->type_name("FILE.svg");
  command
      ->add_option("--keyframes", r->keyframes,
                   "samples as keyframes of MuJoCo, for the MJCF that IN becomes")
      ->type_name("FILE.xml");
  command->callback([r, &run] {
    run = [r] {
      CheckRequest(*r);
      Diagnostics diagnostics;
      const bool done = Perform(*r, diagnostics);
      PrintDiagnostics(diagnostics, r->input);
      return done ? kDone : kBadInput;
    };
  });
}

}  // namespace kinemorph::tools
