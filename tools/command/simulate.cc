// kinemorph simulate: the model in motion.
#include "kinemorph/simulate.h"

#include <algorithm>
#include <iostream>

#include "host/progress.h"
#include "host/working.h"
#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/base/printable.h"
#include "pictures/motion_animation.h"
#include "pictures/motion_plot.h"
#include "pictures/motion_strip.h"
#include "session/outputs.h"
#include "session/session.h"

namespace kinemorph::tools {
namespace {

// The library moves the robot (Motion); here its samples become files. Rows go to the table while
// the motion runs, so that hours of it need no memory, and appear under their name when the command
// ends.

struct Request {
  Input input;
  std::string out = "-", summary, plot, strip, animation, keyframes;
  MotionRequest motion;  ///< its controller is the name of a file

  [[nodiscard]] std::vector<std::string> Outputs() const {
    return {out, summary, plot, strip, animation, keyframes};
  }
};

std::string Shown(double value) { return FormatNumber(NearDecimal(value, 4)); }

// Before the robot is read: endless motions, more rows than allowed, and outputs that would meet
// each other or an input.
void CheckRequest(const Request& r) {
  if (const std::string why = r.motion.WhyEndless(); !why.empty()) throw UsageError(why);
  if (r.motion.time / r.motion.Interval() > static_cast<double>(r.motion.max_rows))
    throw UsageError("--time " + Shown(r.motion.time) + " makes " +
                     Shown(r.motion.time / r.motion.Interval()) + " rows, and --max-rows allows " +
                     std::to_string(r.motion.max_rows) + "; --rows DT makes fewer");
  if (r.motion.contact.empty() && r.motion.friction >= 0)
    throw UsageError("--friction needs a foot: --contact LINK:X,Y,Z");
  RefuseInputs(r.Outputs(), {r.input.path, r.motion.controller});
  RefuseInputs(r.Outputs(), r.input.with);
  RefuseClashes(r.Outputs());
  RefuseForeign(r.summary, "\"energy_drift\": ");
  for (const std::string& out : {r.plot, r.strip, r.animation, r.keyframes})
    RefuseForeign(out, kWrittenMark);
  RequireEnding("--output", r.out, {".csv", ".txt"});
  RequireEnding("--summary", r.summary, {".json"});
  RequireEnding("--plot", r.plot, {".svg"});
  RequireEnding("--strip", r.strip, {".svg"});
  RequireEnding("--animate", r.animation, {".svg"});
  RequireEnding("--keyframes", r.keyframes, {".xml"});
  // SPF (singularly perturbed formulation) lets the closure error w decay by eps w' = -w; a step
  // that is long against eps makes it grow instead.
  if (r.motion.method == MotionMethod::kSpf && r.motion.step > kLargestStepOverEps * r.motion.eps)
    throw UsageError("--step " + Shown(r.motion.step) + " is too long for --eps " +
                     Shown(r.motion.eps) +
                     ": the closure error grows above step/eps = " + Shown(kLargestStepOverEps) +
                     "; use --eps " + Shown(2 * r.motion.step) + " or more");
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
    // Readers of tables do not agree on how to write infinity.
    if (!table_.Add(sample)) {
      why_ = "a number of the motion is not finite";
    } else if (++count_ > request_.motion.max_rows + 1) {  // the start is no step
      why_ = "more than " + std::to_string(request_.motion.max_rows) + " rows (--max-rows)";
    } else if (!request_.keyframes.empty() && count_ > kMostKeyframes) {
      why_ = "more than " + std::to_string(kMostKeyframes) + " rows for --keyframes";
    }
    // Pieces of 64 kB: a call of the system for each row would take longer than the row.
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
    if (request_.plot.empty() && request_.strip.empty() && request_.animation.empty() &&
        request_.keyframes.empty())
      return;
    if (count_ % stride_ != 0) return;
    samples_.push_back(sample);
    // Keyframes are asked for row by row, so none may be left out.
    if (!request_.keyframes.empty() || samples_.size() < kMostDrawn) return;
    // The memory of a picture is bounded: of twice as many samples it keeps every second one.
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

bool Error(const Request& r, const char* code, const std::string& message,
           Diagnostics& diagnostics) {
  diagnostics.Add({Severity::kError, code, NameOf(r.input), 0, "", message, {}});
  return false;
}

// The pictures and texts beside the table.
std::optional<std::vector<std::pair<std::string, std::string>>> FilesBeside(
    const Request& r, const Motion& motion, const SimulationResult& result,
    const std::vector<MotionSample>& samples, Diagnostics& diagnostics) {
  std::vector<std::pair<std::string, std::string>> files;
  std::string why;
  if (!r.summary.empty()) files.emplace_back(r.summary, motion.Summary(result));
  if (!r.plot.empty()) {
    const std::optional<std::string> picture = PlotMotion(
        samples, result.events, motion.joints(), motion.system(), motion.model().name, why);
    if (!picture) {
      Error(r, "simulate-plot", "'" + r.plot + "' needs gnuplot, " + why, diagnostics);
      return std::nullopt;
    }
    files.emplace_back(r.plot, *picture);
  }
  if (!r.strip.empty()) files.emplace_back(r.strip, DrawStrip(samples, motion.system()));
  if (!r.animation.empty())
    files.emplace_back(r.animation, AnimateMotion(samples, result.events, motion.system()));
  if (!r.keyframes.empty()) {
    const std::optional<std::string> keys =
        KeyframesOf(samples, motion.model(), motion.system(), why);
    if (!keys) {
      Error(r, "simulate-keyframes", "'" + r.keyframes + "': " + why, diagnostics);
      return std::nullopt;
    }
    files.emplace_back(r.keyframes, *keys);
  }
  return files;
}

// A motion that was cut short still gives its rows: they may be what explains it. The exit code is
// that of a failure.
bool Move(const Request& r, Motion& motion, Diagnostics& diagnostics) {
  Rows rows(r, motion.Table());
  SimulationResult result;
  {
    TimeProgress progress(r.motion.time);
    result = motion.Run(
        [&](const MotionSample& sample) {
          progress.At(sample.t);
          rows.Add(sample);
        },
        [&] {
          progress.Tick();
          return rows.why();
        },
        diagnostics);
  }
  const bool done = result.end == SimulationEnd::kDone;
  if (!done && !result.IsCutShort()) return false;
  // Thinning of the pictures and of rows must not lose the end.
  rows.End(result.last);
  const auto files = FilesBeside(r, motion, result, rows.samples(), diagnostics);
  return files && WriteAllOf(*files) && Written(rows.Finish()) && done;
}

// What stands in the file of --controller, in place of its name.
bool ReadController(const Request& r, const FileResolver& tables, MotionRequest& motion,
                    Diagnostics& diagnostics) {
  const std::string name = std::exchange(motion.controller, {});
  if (name.empty()) return true;
  std::string why;
  const std::optional<std::string> text = ReadWhole(name, why);
  if (!text)
    return Error(r, "simulate-controller", "'" + name + "': cannot be read: " + why, diagnostics);
  motion.controller = *text, motion.controller_name = name;
  motion.controller_files = &tables;
  return true;
}

bool Perform(const Request& r, Diagnostics& diagnostics) {
  const std::vector<std::string> outputs = r.Outputs();
  std::vector<std::string> read = {r.motion.controller};
  const std::optional<Robot> robot = LoadRobot(r.input, diagnostics, &read);
  RefuseInputs(outputs, read);
  if (!robot) return false;
  FileAccess anywhere;
  anywhere.outside = true;  // the user's own file names them
  const FileResolver tables(r.motion.controller, std::move(anywhere));
  MotionRequest request = r.motion;
  if (!ReadController(r, tables, request, diagnostics)) return false;
  std::vector<std::string> tables_read;
  std::unique_ptr<Motion> motion;
  {
    const Working working("closing the loops of '" + r.input.path + "'", ShowsWork(r.input));
    motion = Motion::Prepare(*robot, request, diagnostics, &tables_read);
  }
  // Files that the controller names are known only now.
  RefuseInputs(outputs, tables_read);
  return motion != nullptr && Move(r, *motion, diagnostics);
}

}  // namespace

void AddSimulate(CLI::App& app, Command& run) {
  CLI::App* command = app.add_subcommand(
      "simulate", "Simulate the motion of a robot with closed loops and point feet.");
  auto r = std::make_shared<Request>();
  AddInputOptions(*command, r->input);
  StartGroup(*command, kOutputGroup);
  command
      ->add_option("-o,--output", r->out,
                   "the table of samples to write; without this option, standard output")
      ->type_name("OUT.csv");
  AddOptions(*command, r->motion);
  command->get_option("--time")->required()->default_str("");
  // These choose or adapt steps; a fixed step contradicts them.
  for (const char* of_chosen_steps : {"--rtol", "--solver"})
    command->get_option(of_chosen_steps)->excludes(command->get_option("--step"));
  StartGroup(*command, kOutputGroup);
  command
      ->add_option("--summary", r->summary,
                   "write events, errors and the friction that feet needed")
      ->type_name("FILE.json");
  command->add_option("--plot", r->plot, "plot the motion, with gnuplot")->type_name("FILE.svg");
  command->add_option("--strip", r->strip, "draw stick figures over time")->type_name("FILE.svg");
  command->add_option("--animate", r->animation, "draw stick figures that move in a browser")
      ->type_name("FILE.svg");
  command
      ->add_option("--keyframes", r->keyframes,
                   "write the samples as MuJoCo keyframes, for the MJCF made from IN")
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
