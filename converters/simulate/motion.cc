// A robot in motion, from a request in words to a system that is integrated.
#include <algorithm>
#include <cmath>

#include "gateway/did_you_mean.h"
#include "gateway/not_obeyed.h"
#include "kinemorph/formats/capability_table.h"
#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/closures/branches.h"
#include "kinemorph/graph/connectivity/base.h"
#include "kinemorph/graph/motion/held_joints.h"
#include "kinemorph/graph/motion/start_velocity.h"
#include "kinemorph/simulate.h"
#include "simulate/controllers.h"
#include "simulate/motion_start.h"

namespace kinemorph {
namespace {

// Prepare turns the request into a mechanism, a posture with closed loops, a controller and
// velocities, in this order because each needs the one before (a held joint needs the posture in
// which it is held). Run integrates (kinemorph/graph/motion/simulation.h). All texts for people are
// made here: the integrator reports events and ends as data.
std::string Shown(double value) { return FormatNumber(NearDecimal(value, 4)); }

void Say(Diagnostics& diagnostics, const std::string& file, Severity severity, const char* code,
         Statement statement) {
  diagnostics.Add(MakeDiagnostic(severity, code, file, 0, "", std::move(statement)));
}

// "floating": roots that nothing holds get a free joint; "fixed": free roots are welded.
void ChooseBase(BaseChoice choice, Model& model) {
  for (const RobotBase& base : BasesOf(model, ChooseSpanningTree(model))) {
    if (choice == BaseChoice::kFloating)
      SetBase(model, base, Free{}, model.link(base.link).name + "_floating");
    else if (choice == BaseChoice::kFixed && base.joint != kNoJoint)
      BecomeBase(model.joint(base.joint), Fixed{});
  }
}

// By velocities: those of what is not held.
std::vector<GivenCoordinate> NotHeld(const std::vector<GivenCoordinate>& all,
                                     const std::vector<bool>& held) {
  std::vector<GivenCoordinate> some;
  for (const GivenCoordinate& given : all)
    if (!held[static_cast<std::size_t>(given.body)]) some.push_back(given);
  return some;
}

// For the summary: limits without a stiffness are watched and not enforced, because a hard stop
// would need an impact law that no description gives.
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

}  // namespace

double MotionRequest::Interval() const {
  return rows > 0 ? rows : step > 0 ? step : SimulationOptions().rows;
}

// Refused before the first step: a request from a page or a batch must end.
std::string MotionRequest::WhyEndless() const {
  const double longest = std::min(step > 0 ? step : SimulationOptions().max_step, Interval());
  const auto option = [](const char* name, double value) {
    return std::string(name) + " " + FormatNumber(NearDecimal(value, 4));
  };
  if (!(time > 0) || !std::isfinite(time))
    return option("--time", time) + " is not a length of time";
  if (!(step >= 0)) return option("--step", step) + " is not a length of time";
  if (time / longest <= static_cast<double>(kMostSimulationSteps)) return {};
  return option("--time", time) + " makes more than " + std::to_string(kMostSimulationSteps) +
         " steps of " + FormatNumber(NearDecimal(longest, 4)) + " s";
}

// Reads a request step by step; the first that fails is an error.
class MotionBuilder {
 public:
  MotionBuilder(const Robot& robot, const MotionRequest& request, Diagnostics& diagnostics,
                std::vector<std::string>* tables)
      : robot_(robot), request_(request), diagnostics_(diagnostics), tables_(tables) {
    motion_->request_ = request;
    motion_->file_ = robot.file == "-" ? "<stdin>" : robot.file;
  }

  // && in this order; each step says its own error.
  std::unique_ptr<Motion> Build() {
    const std::string endless = request_.WhyEndless();
    const bool built =
        (endless.empty() || Error("simulate-endless", {"", robot_.model.name, endless})) &&
        CompileModel() && ReadCoordinates(request_.set, "--set", false, set_) &&
        ReadCoordinates(request_.rate, "--rate", true, rate_) && ReadArmatures() && ReadHolds() &&
        ReadWorld() && Assemble() && ReadController() && Start();
    return built ? std::move(motion_) : nullptr;
  }

 private:
  bool Error(const char* code, Statement statement) {
    Say(diagnostics_, motion_->file_, Severity::kError, code, std::move(statement));
    return false;
  }
  [[nodiscard]] std::string ModelName() const { return About("", motion_->model_.name); }

  // The base is chosen in the model, before the tree: a free base is a joint like any other.
  bool CompileModel() {
    TellNotObeyed(robot_.model, diagnostics_);
    Model& model = motion_->model_;
    model = robot_.model;
    if (request_.base) ChooseBase(*request_.base, model);
    const SpanningTree tree = ChooseSpanningTree(model, {}, diagnostics_);
    if (diagnostics_.has_errors()) return false;
    TellFalling(model, tree);
    whole_ = Compile(model, tree, BuildLoopAggregatedConnectivityGraph(model, tree));
    whole_.gravity = GravityMeantBy(model).value_or(whole_.gravity);
    for (const std::string& problem : whole_.problems)
      Say(diagnostics_, motion_->file_, Severity::kWarning, "simulate-left-out", problem);
    motion_->joints_ = JointPlaces(model, whole_);
    return true;
  }

  // A base that nothing holds, because its file says nothing: neither a joint nor a foot.
  void TellFalling(const Model& model, const SpanningTree& tree) {
    const double g =
        request_.gravity.value_or(GravityMeantBy(model).value_or(Vector3(0, 0, -1))).norm();
    if (request_.base || !request_.contact.empty() || g == 0) return;
    for (const RobotBase& base : BasesOf(model, tree))
      if (base.joint != kNoJoint && model.joint(base.joint).implicit &&
          std::holds_alternative<Free>(model.joint(base.joint).kind))
        Say(diagnostics_, motion_->file_, Severity::kNote, "base-free",
            {"link", model.link(base.link).name,
             " is the base, which nothing holds: it is free here, and falls (--base fixed holds "
             "it)"});
  }

  bool ReadCoordinates(const std::vector<std::string>& texts, const char* option, bool velocity,
                       std::vector<GivenCoordinate>& out) {
    for (const std::string& text : texts) {
      std::string why;
      const auto given = ParseCoordinate(text, motion_->joints_, whole_, velocity, why);
      if (!given)
        return Error("simulate-joint", {"", text, std::string(" of ") + option + ": " + why});
      out.push_back(*given);
    }
    return true;
  }

  bool ReadArmatures() {
    for (const std::string& text : request_.armature) {
      const std::string why = SetArmature(text, motion_->joints_, whole_);
      if (!why.empty()) return Error("armature-wrong", {"", text, " of --armature: " + why});
    }
    return true;
  }

  bool ReadHolds() {
    held_.assign(whole_.bodies.size(), false);
    for (const std::string& name : request_.hold) {
      const auto place = std::find_if(motion_->joints_.begin(), motion_->joints_.end(),
                                      [&](const JointPlace& joint) { return joint.name == name; });
      if (place == motion_->joints_.end()) {
        std::vector<std::string> names;
        for (const JointPlace& joint : motion_->joints_) names.push_back(joint.name);
        return Error(
            "simulate-joint",
            {"", name, " of --hold: the tree has no joint of this name" + DidYouMean(name, names)});
      }
      held_[static_cast<std::size_t>(place->body)] = true;
    }
    for (const GivenCoordinate& rate : rate_) {
      if (held_[static_cast<std::size_t>(rate.body)] && rate.value != 0)
        return Error("simulate-joint",
                     {"", rate.name, " has a --rate, but --hold keeps the joint still"});
    }
    return true;
  }

  bool ReadWorld() {
    if (request_.gravity) whole_.gravity = *request_.gravity;
    options_.method = request_.method;
    options_.eps = request_.eps;
    options_.ground.height = request_.ground;
    // The ground is level: normal against gravity, of which without gravity only the default is
    // left.
    if (whole_.gravity.norm() > 0) options_.ground.normal = -whole_.gravity.normalized();
    for (const std::string& text : request_.contact) {
      std::string why;
      const std::optional<Foot> foot = ParseFoot(text, motion_->model_, whole_, why);
      if (!foot) return Error("simulate-link", {"", text, " of --contact: " + why});
      options_.feet.push_back(*foot);
    }
    return true;
  }

  // The posture with the loops closed, then with the joints held.
  bool Assemble() {
    // Loops are closed with the whole mechanism, since a joint that shall be held may have to move
    // first; then the joints that are held become rigid and leave v.
    const Coordinates coordinates = AnalyseCoordinates(whole_);
    const std::vector<JointPlace>& joints = motion_->joints_;
    if (!coordinates.assembles && set_.empty())
      return Error("simulate-open",
                   {ModelName(),
                    "no posture closes the loops (|phi| " + Shown(coordinates.residual_at_zero) +
                        " at zero): " + OpenLoop(whole_, joints, coordinates.assembled),
                    {{"residual", coordinates.residual_at_zero}}});
    const Posture posture = FindPosture(whole_, coordinates, set_, request_.interrupted);
    if (!posture.ok)
      return Error(set_.empty() ? "simulate-open" : "simulate-set",
                   {ModelName(), "the start cannot be assembled: " + posture.why});
    motion_->q_ = posture.q;
    TellClosing(coordinates, posture);

    // A parallelogram at its dead centre could go on as an antiparallelogram. Where one branch has
    // constant ratios, as its author surely meant, that one is taken, and a note says so; a change
    // point without such a branch is an error, with starts a little off it as options to copy.
    for (const std::vector<std::string>& names :
         KeepToLinearBranches(coordinates, posture.q, whole_))
      TellKept(names);
    motion_->mechanism_ = WithHeldJoints(whole_, held_, posture.q);
    if (SingularAggregates(motion_->mechanism_, motion_->q_).empty()) return true;
    const std::string branches = BranchesInWords(motion_->mechanism_, joints, motion_->q_);
    return Error(
        "simulate-singular",
        {ModelName(),
         " starts where its loops lose rank (a change point): the motion is "
         "not determined; start elsewhere with --set" +
             (branches.empty() ? "" : ", or a little along one of the branches: " + branches)});
  }

  void TellClosing(const Coordinates& coordinates, const Posture& posture) {
    if (posture.remainder > 0)
      Say(diagnostics_, motion_->file_, Severity::kNote, "simulate-remainder",
          {ModelName(),
           "no posture closes the loops exactly, " + Shown(posture.remainder) +
               " is left (rad, characteristic lengths), from the digits of the file; kinemorph "
               "treats the loops as closed",
           {{"residual", posture.remainder}}});
    // Below this the drawing was closed but for its digits.
    constexpr double kWorthSaying = 1e-3;
    if (coordinates.residual_at_zero > kWorthSaying && set_.empty())
      Say(diagnostics_, motion_->file_, Severity::kNote, "simulate-closed",
          {ModelName(),
           "the loops are open by " + Shown(coordinates.residual_at_zero) +
               " at zero; closing them moved joint " +
               MovedMost(whole_, motion_->joints_, whole_.ZeroPosition(), posture.q) + " most",
           {{"residual", coordinates.residual_at_zero}}});
  }

  void TellKept(const std::vector<std::string>& names) {
    constexpr std::size_t kMost = 6;
    std::string list;
    for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i)
      list += (list.empty() ? "'" : ", '") + names[i] + "'";
    Say(diagnostics_, motion_->file_, Severity::kNote, "simulate-branch",
        {ModelName(),
         " starts where branches of its loops meet (a change point): joints " + list +
             (names.size() > kMost ? " ..." : "") +
             " keep to the one with constant ratios (a parallelogram stays one); --set starts on "
             "another one"});
  }

  bool ReadController() {
    if (request_.controller.empty()) return true;
    std::string why;
    std::vector<std::string> tables;
    const auto controller = ReadControllers(
        {request_.controller_name, request_.controller, request_.controller_files}, motion_->model_,
        motion_->joints_, motion_->mechanism_, options_.feet, tables, why);
    if (tables_ != nullptr) *tables_ = std::move(tables);
    if (!controller) return Error("simulate-controller", {"", request_.controller_name, why});
    options_.controller = *controller;
    return true;
  }

  // The last checks before time runs: independent coordinates at the start, velocities that the
  // loops and --rate allow, and one evaluation of the accelerations. A singular mass matrix is an
  // error with its cause; what else fails there is told by the run itself, at t = 0.
  bool Start() {
    const std::size_t feet = options_.feet.size();
    motion_->system_ = std::make_unique<MotionSystem>(motion_->mechanism_, std::move(options_));
    MotionSystem& system = *motion_->system_;
    if (!system.Divide(motion_->q_, std::vector<bool>(feet, false)))
      return Error("simulate-singular", {ModelName(), system.Why()});
    const Posture velocity = FindVelocity(system, motion_->q_, NotHeld(rate_, held_));
    motion_->v_ = velocity.q;
    if (!velocity.ok) return Error("simulate-rate", {ModelName(), velocity.why});
    Eigen::VectorXd x = system.StateOf(motion_->q_, motion_->v_), rate;
    if (!system.Settle(x) || system.Rate(0, x, rate)) return true;  // or Simulate says why not
    const std::string weightless = Weightless(motion_->mechanism_, system.Rho(), motion_->q_);
    return weightless.empty() || Error("simulate-massless", {ModelName(), weightless});
  }

  const Robot& robot_;
  const MotionRequest& request_;
  Diagnostics& diagnostics_;
  std::vector<std::string>* tables_;
  std::unique_ptr<Motion> motion_{new Motion};
  Mechanism whole_;  // before joints are held
  std::vector<GivenCoordinate> set_, rate_;
  std::vector<bool> held_;
  MotionOptions options_;
};

std::unique_ptr<Motion> Motion::Prepare(const Robot& robot, const MotionRequest& request,
                                        Diagnostics& diagnostics,
                                        std::vector<std::string>* tables) {
  return MotionBuilder(robot, request, diagnostics, tables).Build();
}

SimulationResult Motion::Simulate(const Robot& robot, const MotionRequest& request,
                                  Diagnostics& diagnostics) {
  const std::unique_ptr<Motion> motion = Prepare(robot, request, diagnostics);
  // Without steps, its end says that there was no division into coordinates to begin with.
  SimulationResult none;
  none.end = SimulationEnd::kNoDivision;
  return motion == nullptr ? none : motion->Run([](const MotionSample&) {}, {}, diagnostics);
}

SimulationOptions Motion::Options() const {
  SimulationOptions options;
  options.time = request_.time, options.step = request_.step, options.rtol = request_.rtol;
  options.solver = request_.solver;
  options.rows = request_.Interval();
  options.friction = request_.friction;
  return options;
}

SimulationResult Motion::Run(const MotionObserver& observer,
                             const std::function<std::string()>& interrupted,
                             Diagnostics& diagnostics) {
  SimulationOptions options = Options();
  options.interrupted = interrupted;
  SimulationResult result = kinemorph::Simulate(*system_, q_, v_, options, observer);

  // A reason that came during the last step arrives after its end.
  const std::string late = interrupted ? interrupted() : "";
  if (result.end == SimulationEnd::kDone && !late.empty())
    result.end = SimulationEnd::kInterrupted, result.why = late;
  const std::string model = "'" + model_.name + "'";
  if (result.end == SimulationEnd::kBelowGround) {
    Say(diagnostics, file_, Severity::kError, "simulate-below-ground", {model, result.why});
  } else if (result.end == SimulationEnd::kChangePoint) {
    const std::string branches = BranchesInWords(mechanism_, joints_, result.last.q);
    Say(diagnostics, file_, Severity::kError, "simulate-undecided",
        {model,
         " stops at t = " + Shown(result.time) + ": " + result.why +
             (branches.empty() ? "" : "; branches that meet there: " + branches) +
             "; the table holds what came before",
         {{"time", result.time, "s"}}});
  } else if (result.end != SimulationEnd::kDone) {
    Say(diagnostics, file_, Severity::kError, "simulate-stopped",
        {model,
         " stops at t = " + Shown(result.time) + ": " + result.why +
             (result.IsCutShort() ? "; the table holds what came before" : ""),
         {{"time", result.time, "s"}}});
  } else {
    TellEvents(result, diagnostics);
    TellOpened(result, diagnostics);
    TellStiffness(result, diagnostics);
  }
  return result;
}

namespace {

const char* LimitOf(const MotionEvent& event) {
  return event.kind == "joint-limit"      ? "limit"
         : event.kind == "velocity-limit" ? "velocity limit"
         : event.kind == "effort-limit"   ? "effort limit"
                                          : nullptr;
}

}  // namespace

// Whatever the model asked for and the simulation did not do: a foot that would slip, limits that
// were passed. Each event is told with its time, of change points only the first.
void Motion::TellEvents(const SimulationResult& result, Diagnostics& diagnostics) const {
  TellChangePoints(result, diagnostics);
  for (const MotionEvent& event : result.events) {
    const std::string subject = About("", event.subject), when = " at t = " + Shown(event.time);
    if (event.kind == "friction-cone")
      Say(diagnostics, file_, Severity::kWarning, "simulate-friction",
          {subject,
           " needs a friction coefficient of up to " + Shown(event.needed_friction) +
               ", from t = " + Shown(event.time) + " on more than the ground has (" +
               Shown(request_.friction) + "); the simulation keeps the foot in place all the same",
           {{"needed_friction", event.needed_friction},
            {"friction", request_.friction},
            {"time", event.time, "s"}}});
    if (const char* limit = LimitOf(event))
      Say(diagnostics, file_, Severity::kNote, "simulate-limit",
          {"joint",
           event.subject,
           " passes its " + std::string(limit) + when + "; nothing stops it",
           {{"time", event.time, "s"}}});
    if (event.kind == "partition")
      Say(diagnostics, file_, Severity::kNote, "simulate-partition",
          {subject,
           "other coordinates are independent from t = " + Shown(event.time) +
               " on, because the former ones lost their hold on the rest",
           {{"time", event.time, "s"}}});
  }
}

// All of them in one note: a parallelogram that turns passes two in every turn.
void Motion::TellChangePoints(const SimulationResult& result, Diagnostics& diagnostics) const {
  const MotionEvent* first = nullptr;
  double projection = 0;
  std::size_t number = 0, usual = 0;
  for (const MotionEvent& event : result.events) {
    if (event.kind != "change-point") continue;
    usual += event.leap == 0 ? 1 : 0;
    if (number++ == 0) first = &event;
    projection = std::max(projection, event.projection);
  }
  if (first == nullptr) return;
  // A leap of 0: the integrator went through the change point in usual steps, on the branch only by
  // luck. Otherwise one long step led over it, along the branch, and met the loops behind it within
  // `projection`.
  if (usual > 0)
    Say(diagnostics, file_, Severity::kWarning, "simulate-passed",
        {"", first->subject,
         "the loops lose rank on the way (a change point), and " + std::to_string(usual) +
             " times the steps were too long to keep to the branch for sure: a shorter --step or a "
             "smaller --rtol"});
  Say(diagnostics, file_, Severity::kNote, "simulate-change-point",
      {"",
       first->subject,
       "the loops lose rank at t = " + Shown(first->time) + " (a change point" +
           (number > 1 ? ", the first of " + std::to_string(number) : std::string()) +
           "); the motion goes on along its branch, which is met behind it within " +
           Shown(projection),
       {{"time", first->time, "s"}, {"projection", projection}}});
}

// Rows that are redundant at the start are not looked at again: bars in one line between two pins
// seem to move, and do not.
void Motion::TellOpened(const SimulationResult& result, Diagnostics& diagnostics) const {
  constexpr double kWorthSaying = 1e-3;  // m, rad; the SPF opens loops by its nature
  if (request_.method == MotionMethod::kSpf || result.phi < kWorthSaying) return;
  Say(diagnostics, file_, Severity::kWarning, "simulate-opened",
      {About("", model_.name),
       "the motion opens a loop: " + OpenLoop(mechanism_, joints_, result.last.q),
       {{"closure_error", result.phi}}});
}

// eps that is too small for the steps, or makes them.
void Motion::TellStiffness(const SimulationResult& result, Diagnostics& diagnostics) const {
  if (request_.method != MotionMethod::kSpf) return;

  // Closure errors fade as exp(-t / eps). With steps longer than half of eps no method follows
  // that, and what is left open depends on the step instead.
  const double step = request_.step, eps = request_.eps;
  const std::string model = "'" + model_.name + "'", told = "--eps " + Shown(eps);
  if (step > kUsualStepOverEps * eps)
    Say(diagnostics, file_, Severity::kNote, "simulate-eps",
        {model,
         told + " is too small for --step " + Shown(step) + ": it is " + Shown(eps / step) +
             " steps, less than 2, and the closure error came to " + Shown(result.phi),
         {{"closure_error", result.phi}, {"eps", eps}, {"step", step, "s"}}});
  // With chosen steps the same shows as effort: most steps are as long as eps allows and not as
  // long as the motion would.
  const long accepted = result.steps - result.refused;
  if (step == 0 && 2 * result.stiff_steps > accepted)
    Say(diagnostics, file_, Severity::kNote, "simulate-eps",
        {model, told + " is what keeps the steps short, not the motion: " +
                    std::to_string(result.stiff_steps) + " of " + std::to_string(accepted) +
                    " steps are longer than half of it (" +
                    Shown(result.time / static_cast<double>(accepted) / eps) +
                    " eps on average); a larger one needs fewer"});
}

MotionTable Motion::Table() const {
  return MotionTable(joints_, mechanism_, system_->options().feet, system_->options().ground);
}

std::string Motion::Summary(const SimulationResult& result) const {
  return SummaryOf(
      result, {model_.name, model_.format, *system_, joints_, Options(), NotSimulated(mechanism_)});
}

}  // namespace kinemorph
