// kinemorph graph: the connectivity graph, its constraint dependency digraph, or the
// loop-aggregated one, as Graphviz text or SVG.
#include <iostream>

#include "host/program.h"
#include "kinemorph/formats/xml_tags.h"
#include "kinemorph/graph/base/printable.h"
#include "kinemorph/views.h"
#include "pictures/graph_page.h"
#include "session/outputs.h"
#include "session/session.h"

namespace kinemorph::tools {
namespace {

// Graphviz draws; this file chooses what. A page is the drawing with a frame around it
// (pictures/graph_page.cc).

// What Graphviz calls the picture that a file name asks for; "dot" is its own text.
std::string PictureKind(const std::string& out) {
  if (out == "-") return "dot";
  const std::string name = out.substr(out.find_last_of('/') + 1);
  const std::size_t dot = name.find_last_of('.');
  const std::string suffix = dot == std::string::npos ? "" : name.substr(dot + 1);
  if (suffix == "dot" || suffix == "gv") return "dot";
  for (const char* kind : {"svg", "png", "pdf", "html"})
    if (suffix == kind) return suffix;
  throw UsageError("'" + out + "' ends in none of .dot, .gv, .svg, .html, .png, .pdf");
}

constexpr int kNear = 2;  // joints around a focus
constexpr double kDotSeconds = 60;

LinkId LinkCalled(const std::string& name, const Model& model) {
  if (const auto id = model.FindLink(name)) return *id;
  std::vector<std::string> known;
  for (const LinkId id : Links(model)) known.push_back(model.link(id).name);
  const std::string nearest = NearestName(name, known);
  throw UsageError("--focus: '" + name + "' is not a link" +
                   (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
}

}  // namespace

void AddGraph(CLI::App& app, Command& run) {
  CLI::App* command =
      app.add_subcommand("graph", "Draw the links, joints and loops of a robot as a graph.");
  struct Options {
    Input input;
    GraphKind what = GraphKind::kConnectivity;
    std::string out = "-", focus;
    Collapse collapse = Collapse::kNothing;
    int depth = -1;
  };
  auto options = std::make_shared<Options>();
  AddInputOptions(*command, options->input);
  StartGroup(*command, kOutputGroup);
  AddChoice<GraphKind>(*command, "--what", options->what,
                       {{"cg", GraphKind::kConnectivity},
                        {"cdd", GraphKind::kConstraintDependency},
                        {"lacg", GraphKind::kLoopAggregated}},
                       "the graph to draw. cg: the connectivity graph, links and joints. cdd: the "
                       "constraint dependency digraph. lacg: the loop-aggregated connectivity "
                       "graph, in which a frame makes one node of all links of a loop");
  command
      ->add_option("-o,--output", options->out,
                   "the file to write: FILE.dot, or with Graphviz installed FILE.svg, .png, .pdf "
                   "or .html, a page to move, zoom and search; without this option, Graphviz text "
                   "on standard output")
      ->type_name("FILE");
  AddChoice<Collapse>(*command, "--collapse", options->collapse,
                      {{"nothing", Collapse::kNothing},
                       {"fixed", Collapse::kFixed},
                       {"chains", Collapse::kChains},
                       {"repeats", Collapse::kRepeats}},
                      "draw several links as one box. fixed: links on fixed joints. chains: also "
                      "links in a row without loop or branch. repeats: each branch that is like "
                      "another branch of the same link (legs, fingers)");
  command
      ->add_option("--focus", options->focus,
                   "draw only links near this one (2 joints away, or --depth), and count the rest")
      ->type_name("LINK");
  command
      ->add_option("--depth", options->depth,
                   "draw only links at most this many joints away from the root, or from --focus")
      ->check(CLI::Range(0, 1000000))
      ->type_name("N");
  command->callback([options, &run] {
    run = [options] {
      // The name decides the picture, so a wrong one is told before the robot is read.
      const std::string kind = PictureKind(options->out);
      Diagnostics diagnostics;
      std::vector<std::string> read;
      const std::optional<Robot> robot = LoadRobot(options->input, diagnostics, &read);
      RefuseInputs({options->out}, read);
      if (!robot) {
        PrintDiagnostics(diagnostics, options->input);
        return kBadInput;
      }
      // Its notes name the cuts that the drawing shows.
      static_cast<void>(ChooseSpanningTree(robot->model, {}, diagnostics));
      PrintDiagnostics(diagnostics, options->input);
      if (diagnostics.has_errors()) return kBadInput;
      // Around a focus kNear joints are drawn, unless --depth says another number.
      PictureOptions picture;
      picture.collapse = options->collapse;
      if (!options->focus.empty()) picture.focus = LinkCalled(options->focus, robot->model);
      if (options->depth >= 0 || !options->focus.empty())
        picture.depth = options->depth >= 0 ? options->depth : kNear;
      std::string dot = DrawGraph(robot->model, options->what, picture);
      if (kind != "dot") {
        const std::optional<ProgramResult> drawn =
            RunProgram({"dot", "-T" + (kind == "html" ? "svg" : kind)}, dot, kDotSeconds);
        if (!drawn || drawn->exit_code != 0) {
          std::cerr << "kinemorph: '" << options->out << "' needs Graphviz's dot command, which "
                    << (!drawn             ? "was not found"
                        : drawn->timed_out ? "did not end within 60 s"
                                           : "failed")
                    << "; write FILE.dot instead, or install graphviz\n";
          return kBadInput;
        }
        dot = drawn->output;
        // A drawing of black on nothing cannot be seen on a dark page.
        const bool is_svg = kind == "svg" || kind == "html";
        const auto root = is_svg ? NextTag(dot) : std::nullopt;
        if (root) dot.insert(root->end, DarkModeStyle());
        if (kind == "html") dot = GraphPage(robot->model.name, dot);
      }
      const std::string why = WriteWhole(options->out, dot);
      if (why.empty()) return kDone;
      std::cerr << "kinemorph: " << Printable(why) << '\n';
      return kBadInput;
    };
  });
}

}  // namespace kinemorph::tools
