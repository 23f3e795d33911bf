// kinemorph inspect: what the model is.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <nlohmann/json.hpp>
#include <span>
#include <sstream>

#include "command/grbda_lint.h"
#include "host/terminal.h"
#include "host/working.h"
#include "kinemorph/converters/inspection.h"
#include "kinemorph/converters/lint.h"
#include "kinemorph/converters/screen.h"
#include "kinemorph/formats/file_resolver.h"
#include "kinemorph/graph/base/printable.h"
#include "kinemorph/graph/model/model_dump.h"
#include "session/conversion.h"

namespace kinemorph::tools {
namespace {

// What inspect prints is computed by the library (InspectRobot) and has one form for programs,
// InspectionJson. Report shortens it for a screen. With --to the model of the target is inspected,
// read back from its own text.

void PrintJson(const Inspection& inspection, const std::optional<GrbdaVerdict>& verdict,
               const Diagnostics& diagnostics) {
  const std::string text = InspectionJson(inspection, diagnostics);
  if (!verdict) {
    std::cout << text << '\n';
    return;
  }
  // What only the command knows is put into the object of the library.
  auto json = nlohmann::ordered_json::parse(text);
  json["grbda"] = GrbdaJson(*verdict);
  std::cout << PrintableJson(json.dump(1)) << '\n';
}

// For people: of messages, beside the report.
constexpr std::size_t kMostMessageLines = 6;

// --json has all digits.
std::string Brief(double value) { return FormatNumber(NearDecimal(value, 4)); }

std::string Counted(std::size_t count, const char* word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

// What a screen has room for, beside so many lines of messages; with --verbose all.
class Report {
 public:
  Report(const Inspection& inspection, std::size_t messages, bool verbose)
      : in_(inspection), other_lines_(messages), verbose_(verbose) {}

  void Print() {
    PrintNumbers();
    PrintCoordinates();
    std::array lists = {Aggregates(), List{"closures"}, List{"loop joints"}, List{""}};
    for (const InspectedClosure& closure : in_.closures) {
      PrintClosure(closure);
      lists[1].items.push_back(TakeItem());
    }
    for (const InspectedLoop& loop : in_.loop_joints)
      lists[2].items.push_back("  " + Printable(loop.name) + ": " + loop.type + " from " +
                               Printable(loop.predecessor) + " to " + Printable(loop.successor) +
                               ", nearest common ancestor " + Printable(loop.nca) + "\n");
    for (const std::string& reason : in_.cut_reasons)
      lists[3].items.push_back("  " + Printable(reason) + "\n");
    std::cout << Fitted(lists);
  }

 private:
  // A robot with hundreds of links would fill the screen with names.
  static constexpr std::size_t kMost = 40;  // names of a list
  static constexpr std::size_t kMostItems = 12, kMostLines = 20;

  struct List {
    std::string title;
    std::vector<std::string> items = {};  // of one line or several
  };
  // Reasons of cuts, aggregates, closures: the loops themselves stay.
  static constexpr std::array<std::size_t, 3> kLeast = {3, 0, 1};

  // All of it, with as many items of each list as leave it short; where one of each is too much,
  // without those lists that say least.
  std::string Fitted(std::span<List> lists) {
    const bool names_cut = shortened_;
    std::size_t most = verbose_ ? std::string::npos : kMostItems;
    for (std::size_t left_out = 0;;) {
      shortened_ = names_cut || left_out > 0;
      std::string text = Folded(head_ + Text(lists, most), columns_, 6);
      if (shortened_) text += "lists are shortened: --verbose has all\n";
      const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
      if (verbose_ || lines + other_lines_ <= kMostLines || left_out == kLeast.size()) return text;
      if (most > 1)
        --most;
      else
        lists[kLeast[left_out++]].items.clear();
    }
  }
  std::string Text(std::span<const List> lists, std::size_t most) {
    std::string text;
    for (const List& list : lists) {
      const std::size_t all = list.items.size(), shown = std::min(all, most);
      if (shown < all) shortened_ = true;
      const std::string count =
          shown < all ? " (" + std::to_string(shown) + " of " + std::to_string(all) + ")" : "";
      if (all > 0 && !list.title.empty()) text += list.title + count + "\n";
      for (std::size_t i = 0; i < shown; ++i) text += list.items[i];
    }
    return text;
  }

  // Those of several links first where not all can be shown, as the others are like the links.
  List Aggregates() {
    List list{"aggregate links"}, single;
    const bool all = verbose_ || in_.aggregates.size() <= kMostItems;
    for (std::size_t a = 0; a < in_.aggregates.size(); ++a) {
      std::string item =
          "  [" + std::to_string(a) + "] {" + Listed(in_.aggregates[a], columns_ - kBeside) + "}";
      if (in_.parents[a]) item += " on [" + std::to_string(*in_.parents[a]) + ']';
      List& to = all || in_.aggregates[a].size() > 1 ? list : single;
      to.items.push_back(item + "\n");
    }
    list.items.insert(list.items.end(), single.items.begin(), single.items.end());
    return list;
  }
  std::string TakeItem() {
    std::string item = out_.str();
    out_.str("");
    return item;
  }

  // As many names as a line has room for, one at least.
  static constexpr std::size_t kBeside = 20;
  std::string Listed(const std::vector<std::string>& names) {
    return Listed(names, columns_ - kBeside);
  }
  std::string Listed(const std::vector<std::string>& names, std::size_t columns) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string name = (i == 0 ? "" : ", ") + Printable(names[i]);
      if (!verbose_ && i > 0 && (i == kMost || text.size() + name.size() > columns)) {
        shortened_ = true;
        return text + " and " + std::to_string(names.size() - i) + " more";
      }
      text += name;
    }
    return text;
  }

  void PrintNumbers() {
    const Coordinates& c = in_.coordinates;
    out_ << Printable(in_.name) << " (" << in_.format << "), root " << Printable(in_.root) << '\n'
         << "  " << Counted(in_.links, "link") << ", " << Counted(in_.joints, "tree joint") << ", "
         << Counted(in_.loops, "loop joint") << ", " << Counted(in_.couplings, "coupling") << '\n'
         << "  mass " << Brief(in_.total_mass) << " kg, centre of mass " << Brief(in_.p_WCcm.x())
         << ' ' << Brief(in_.p_WCcm.y()) << ' ' << Brief(in_.p_WCcm.z()) << " m at q = 0\n"
         << "  mobility " << c.mobility << " = " << c.spanning_dof
         << " degrees of freedom of the spanning tree - rank " << c.rank << " of "
         << c.constraint_rows << " constraint rows\n";
  }

  void PrintCoordinates() {
    // A declared set must have as many members as the mechanism can move, and determine all others.
    const Coordinates& c = in_.coordinates;
    // URDF+ takes a joint for independent unless the file says otherwise: a file that says nothing
    // has no fault.
    const bool silent = !c.declared || (!c.independent_ok && !in_.says_independence);
    if (!silent) {
      out_ << "  independent coordinates: " << c.independent_declared << " declared, "
           << (c.independent_ok ? "which determine the rest"
                                : "which is WRONG: " + std::to_string(c.mobility) +
                                      " are needed; at fault: " + Listed(c.at_fault))
           << '\n';
    } else if (c.rank > 0) {
      out_ << "  independent coordinates: none declared\n";
    }
    if (c.rank > 0) {
      out_ << (c.declared && c.independent_ok ? "  independent: " : "  independent would be: ")
           << Listed(in_.independent) << "; dependent: " << Listed(in_.dependent) << '\n';
    }
    // Loops that close nowhere are most often wrong lengths; loops that are open at zero only are a
    // matter of taste.
    if (!c.assembles)
      out_ << "  the loops CANNOT be closed: no assembled configuration was found\n";
    if (c.open_at_zero)
      out_ << "  open at q = 0 by " << Brief(c.residual_at_zero)
           << " (1 is the size of the robot, or 1 rad)\n";
    if (c.beyond_limits > 0)
      out_ << "  the loops close OUTSIDE of the joints' limits only, as far as was found: by "
           << Brief(c.beyond_limits) << " rad or m\n";
    if (c.singular_at_zero) out_ << "  singular at q = 0: the constraints lose rank there\n";
    if (!in_.stuck.empty())
      out_ << "  cannot move all the same (a dead centre in every posture): " << Listed(in_.stuck)
           << '\n';
    if (!c.redundant.empty()) out_ << "  redundant rows: " << Listed(c.redundant) << '\n';
    if (!c.idle.empty())
      out_ << "  idle (can move while everything else is still): " << Listed(c.idle) << '\n';
    if (!c.idle_joints.empty())
      out_ << "  idle joints (no loop or coupling feels them): " << Listed(c.idle_joints) << '\n';
    head_ = TakeItem();
  }

  void PrintClosure(const InspectedClosure& closure) {
    const std::string what = "}: " + std::string(Name(closure.description.nature)) + ", " +
                             Printable(closure.description.detail) + "; mobility " +
                             std::to_string(closure.mobility);
    const std::size_t beside = std::min(columns_, what.size() + kBeside);
    out_ << "  {" << Listed(closure.links, columns_ - beside) << what << '\n';
    PrintDeadCentres(closure);
    if (!closure.comparison) return;
    // Where a closed form exists it is compared with Newton's method at random closed states:
    // positions, and the two matrices by which independent velocities and accelerations give all
    // others.
    const ClosureComparison& c = *closure.comparison;
    out_ << "    against Newton at " << c.states << " closed states: q " << Brief(c.position)
         << ", K G " << Brief(c.velocity) << ", K g - k " << Brief(c.acceleration);
    if (c.contradiction > 1e-10)
      out_ << ", on redundant rows " << Brief(c.contradiction) << " (digits of the frames)";
    if (c.lost > 0) out_ << "; " << c.lost << " states were not reached by both";
    if (c.singular > 0) out_ << "; " << c.singular << " states were singular";
    out_ << '\n';
  }

  void PrintDeadCentres(const InspectedClosure& closure) {
    const auto name = [&](int velocity) {
      return in_.coordinate_names[static_cast<std::size_t>(velocity)];
    };
    const DeadCentreSearch& search = closure.dead_centres;
    // Where the chosen coordinates no longer determine the rest: a crank in line with its rod.
    for (const DeadCentre& dead : search.found) {
      std::vector<std::string> posture, standing;
      for (std::size_t i = 0; i < dead.y.size(); ++i)
        posture.push_back(name(closure.independent[i]) + " = " + Brief(dead.y[i]));
      for (const int v : dead.stands) standing.push_back(name(v));
      out_ << "    dead centre at " << Listed(posture);
      if (dead.stands.empty())
        out_ << ": the loops cannot be closed beyond\n";
      else if (dead.y.size() == 1)
        out_ << ": " << Listed(standing) << (standing.size() == 1 ? " is" : " are") << " still\n";
      else
        out_ << ": " << Listed(standing) << " do not determine the motion\n";
    }
    // None found says little: the search follows straight ways from the start to the limits.
    if (!search.why_not.empty())
      out_ << "    dead centres were not looked for: " << Printable(search.why_not) << '\n';
    else if (search.ways > 2 && search.found.empty())
      out_ << "    no dead centre on " << search.ways
           << " straight ways to the limits (between them none was looked for)\n";
  }

  const Inspection& in_;
  const std::size_t other_lines_;
  const std::size_t terminal_ = TerminalColumns(STDOUT_FILENO);
  const std::size_t columns_ = terminal_ > 0 ? terminal_ : kFileColumns;
  std::ostringstream out_;
  std::string head_;    // what stands before the lists
  const bool verbose_;  // all names, on as many lines as they need
  bool shortened_ = false;
};

// What IN becomes in the target: written in memory and read back, so that it is the file that is
// looked at. Of a target that nothing reads, what was written.
std::optional<Robot> AsTarget(Robot source, const ConversionOptions& request,
                              Diagnostics& diagnostics) {
  const ConvertOptions options = OptionsFor(request, source.model);
  std::optional<Converted> converted = Convert(source.model, options, diagnostics);
  if (!converted) return std::nullopt;
  if (options.target.format->read == nullptr) {
    source.model = std::move(converted->lowered.model);
    return source;
  }
  ReadOptions read;
  read.file_name = request.input.path;
  read.resolver = source.resolver.get();
  // The model in memory would show what passes made, not what a reader gets.
  Diagnostics reading;
  std::optional<Model> model = ReadModel(converted->text, options.target.format, read, reading);
  if (model && !AddWrittenSideCars(*model, converted->side_files, reading)) model.reset();
  if (!model) {
    diagnostics.Append(reading);
    return std::nullopt;
  }
  source.model = std::move(*model);
  return source;
}

// The choices of `options` are the conversion's where there is one.
std::optional<Inspection> Look(ConversionOptions request, InspectOptions options, Robot& looked_at,
                               Diagnostics& diagnostics) {
  const Working working((options.compare_closures ? "comparing closures of '" : "inspecting '") +
                            request.input.path + "'",
                        ShowsWork(request.input));
  std::optional<Robot> robot = LoadRobot(request.input, diagnostics);
  // Cuts and choices of the user belong to the conversion; the target is then inspected as it says
  // itself.
  if (robot && !request.to.empty()) {
    request.options.cut = std::exchange(options.cut, {});
    request.options.independent = std::exchange(options.independent, {});
    robot = AsTarget(std::move(*robot), request, diagnostics);
  }
  if (!robot) return std::nullopt;
  std::optional<Inspection> inspection = InspectRobot(*robot, options, diagnostics);
  looked_at = std::move(*robot);
  return inspection;
}

}  // namespace

void AddInspect(CLI::App& app, Command& run) {
  CLI::App* command = app.add_subcommand(
      "inspect", "Print the links, joints, loops and degrees of freedom of a robot.");
  auto request = std::make_shared<ConversionOptions>();
  auto json = std::make_shared<bool>(false);
  AddInputOptions(*command, request->input);
  StartGroup(*command, kOutputGroup);
  command->add_flag("--json", *json, "print one JSON object");
  StartGroup(*command, kMechanismGroup);
  command
      ->add_option(
          "--to", request->to,
          "print the model as a conversion to this format would leave it: which joints are "
          "cut, which coordinates are independent")
      ->type_name("FORMAT");
  auto options = std::make_shared<InspectOptions>();
  AddOptions(*command, *options);
  auto lint = std::make_shared<bool>(false);
  StartGroup(*command, kMessageGroup);
  command->add_flag("--lint", *lint, "also list probable mistakes, as `kinemorph lint` does");
  auto consumer = std::make_shared<std::string>();
  StartGroup(*command, kOutputGroup);
  command
      ->add_option("--for", *consumer,
                   "also print whether this library loads the robot, cluster by cluster")
      ->type_name("WORD")
      ->check(OneOf({"grbda"}));
  command->callback([request, json, options, lint, consumer, &run] {
    run = [request, json, options, lint, consumer] {
      Diagnostics diagnostics;
      Robot robot;
      const std::optional<Inspection> inspection = Look(*request, *options, robot, diagnostics);
      if (inspection && *lint) diagnostics = Lint(robot.model, diagnostics, robot.resolver.get());
      // Lines of an expanded xacro file mean nothing to its author.
      if (request->input.expansion) diagnostics = request->input.expansion->Translated(diagnostics);
      // What was asked for with --lint is not shortened.
      const std::size_t messages =
          PrintDiagnostics(diagnostics, request->input, *lint ? 0 : kMostMessageLines);
      if (!inspection) return kBadInput;
      std::optional<GrbdaVerdict> verdict;
      if (!consumer->empty()) verdict = LintForGrbda(robot.model);
      if (*json) {
        PrintJson(*inspection, verdict, diagnostics);
      } else {
        Report(*inspection, *lint ? 0 : messages, request->input.verbose).Print();
        if (verdict) std::cout << GrbdaText(*verdict);
      }
      std::cout << std::flush;
      return diagnostics.has_errors() ? kBadInput : kDone;
    };
  });
}

}  // namespace kinemorph::tools
