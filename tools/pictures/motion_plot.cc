#include "pictures/motion_plot.h"

#include <algorithm>
#include <functional>

#include "host/plain_text.h"
#include "host/program.h"
#include "kinemorph/graph/base/number.h"

namespace kinemorph::tools {
namespace {

// The data and the commands go to gnuplot as one text on its input; nothing is written to the disk.
// One panel for each unit: joints in radians and in metres, the closure error, energy, feet.

constexpr int kPlotSeconds = 60, kWidth = 900, kKeyWidth = 160, kPanel = 230;
constexpr std::size_t kKeyRows = 10;
constexpr std::size_t kMostRows = 4000, kMostMarks = 200;  // more say nothing more
constexpr double kLeastError = 1e-18;                      // a logarithm needs a number

// In single quotes gnuplot takes all but a quote as it stands; `noenhanced` does the same for its
// marks.
std::string Quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("''") : std::string(1, c);
  return out + "'";
}

// One picture below the other.
class Script {
 public:
  explicit Script(const std::vector<MotionSample>& samples) : samples_(samples) {}

  struct Line {
    std::string name;
    std::function<double(const MotionSample&)> value;
  };
  void Panel(const std::string& label, const std::vector<Line>& lines, bool logarithmic) {
    // gnuplot stops at an empty plot.
    if (lines.empty()) return;
    const std::size_t named = lines.size() + static_cast<std::size_t>(kinds_);
    // The legend stands beside the panels, in columns of kKeyRows names.
    columns_ = std::max(columns_, static_cast<int>((named + kKeyRows - 1) / kKeyRows));
    kinds_ = 0;
    const std::string data = "$panel" + std::to_string(++panels_);
    std::string block = data + " << END_OF_DATA\n";
    const std::size_t stride = std::max<std::size_t>(1, samples_.size() / kMostRows);
    for (std::size_t i = 0; i < samples_.size(); i += stride) {
      AppendNumber(block, samples_[i].t);
      for (const Line& line : lines) {
        block += ' ';
        AppendNumber(block, line.value(samples_[i]));
      }
      block += '\n';
    }
    data_ += block + "END_OF_DATA\n";
    plots_ += "set ylabel " + Quoted(label) + " noenhanced\n";
    plots_ += logarithmic ? "set logscale y\nset format y '10^{%L}'\n"
                          : "unset logscale y\nset format y '%g'\n";
    plots_ += "plot ";
    for (std::size_t i = 0; i < lines.size(); ++i) {
      plots_ += (i > 0 ? ", " : "") + data + " using 1:" + std::to_string(i + 2) +
                " with lines linewidth 1.5 title " + Quoted(lines[i].name) + " noenhanced";
    }
    plots_ += std::exchange(names_, {}) + '\n';
  }

  // Arrows are set before the first panel and stay for all; a plot of no number puts their kind
  // into the legend of the first one.
  // Lines across all panels; the first panel names their kinds.
  void Mark(const std::vector<MotionEvent>& events) {
    std::vector<std::string> kinds;
    for (std::size_t i = 0; i < std::min(events.size(), kMostMarks); ++i) {
      auto kind = std::find(kinds.begin(), kinds.end(), events[i].kind);
      const bool first = kind == kinds.end();
      if (first) kind = kinds.insert(kind, events[i].kind);
      const std::string style =
          "dashtype 3 linewidth 1.5 linecolor " + std::to_string(8 - (kind - kinds.begin()) % 8);
      if (first) names_ += ", NaN with lines " + style + " title " + Quoted(*kind) + " noenhanced";
      const std::string t = FormatNumber(events[i].time);
      plots_ += "set arrow from " + t + ", graph 0 to " + t + ", graph 1 nohead " + style + "\n";
    }
    kinds_ = static_cast<int>(kinds.size());
  }
  [[nodiscard]] std::string Text(const std::string& title) const {
    const int height = 40 + kPanel * panels_;
    return data_ + "set terminal svg size " + std::to_string(kWidth + kKeyWidth * (columns_ - 1)) +
           "," + std::to_string(height) + " font 'sans,11' background 'white'\n" +
           "set multiplot layout " + std::to_string(panels_) + ",1 title " + Quoted(title) +
           " noenhanced\nset grid\nset lmargin 11\nset rmargin " + std::to_string(22 * columns_) +
           "\nset bmargin 2.5\nset tmargin 1\n"
           "set key outside right top vertical Left reverse samplen 2 maxrows " +
           std::to_string(kKeyRows) +
           "\n"
           "set xlabel 't (s)' offset 0,0.7\n" +
           plots_ + "unset multiplot\n";
  }

 private:
  const std::vector<MotionSample>& samples_;
  int panels_ = 0, columns_ = 1, kinds_ = 0;
  std::string data_, plots_, names_;
};

}  // namespace

std::optional<std::string> PlotMotion(const std::vector<MotionSample>& samples,
                                      const std::vector<MotionEvent>& events,
                                      const std::vector<JointPlace>& joints,
                                      const MotionSystem& system, const std::string& title,
                                      std::string& why) {
  // By coordinate, with the offset of the file, as in the table of samples.
  const Mechanism& m = system.mechanism();
  std::vector<Script::Line> angles, lengths, energy, phi, feet;
  for (const JointPlace& place : joints) {
    const Body& body = m.bodies[static_cast<std::size_t>(place.body)];
    if (body.nv == 0) continue;
    for (int i = 0; i < body.nq; ++i) {
      const int at = body.q + i;
      const double offset = place.offset[static_cast<std::size_t>(i)];
      auto& lines = IsLength(m, place.body, i, false) ? lengths : angles;
      lines.push_back({ColumnName(place.name, i, body.nq),
                       [at, offset](const MotionSample& sample) { return sample.q[at] + offset; }});
    }
  }
  // Zero has no logarithm.
  phi.push_back({"|phi|", [](const MotionSample& s) { return std::max(s.phi, kLeastError); }});
  energy.push_back({"energy", [](const MotionSample& s) { return s.energy; }});
  const std::vector<std::string> names = FootNames(system.options().feet);
  for (std::size_t f = 0; f < names.size(); ++f)
    feet.push_back({names[f], [f, &system](const MotionSample& s) {
                      return system.options().ground.Above(s.foot[f]);
                    }});
  Script script(samples);
  script.Mark(events);
  script.Panel("joints (rad)", angles, false);
  script.Panel("joints (m)", lengths, false);
  script.Panel("closure error (m, rad)", phi, true);
  script.Panel("energy (J)", energy, false);
  script.Panel("foot height (m)", feet, false);
  const std::optional<ProgramResult> drawn =
      RunProgram({"gnuplot"}, script.Text(title), kPlotSeconds);
  // What gnuplot warns of comes before the picture, in one text.
  const std::size_t start = drawn ? drawn->output.find("<?xml") : std::string::npos;
  if (drawn && drawn->exit_code == 0 && start != std::string::npos)
    return drawn->output.substr(start) + "<!-- written by kinemorph -->\n";
  why = !drawn || drawn->exit_code == 127
            ? "which was not found; install gnuplot-nox"
            : "which failed: " + PlainText(drawn->output).substr(0, 300);
  return std::nullopt;
}

}  // namespace kinemorph::tools
