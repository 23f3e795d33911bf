#include "pictures/motion_animation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/base/printable.h"
#include "pictures/stick_figure.h"

namespace kinemorph::tools {
namespace {

// SVG that a browser moves by itself (SMIL): each body is one path, whose shape goes through the
// frames. Lengths are in pixels of the picture, up is down: Y turns the axis over. ChooseView says
// from where it is seen.

constexpr double kAcross = 720, kBorder = 24, kBarHeight = 46, kHighest = 640;  // of the picture
constexpr double kLeastSeconds = 2;                                             // that it plays
constexpr std::size_t kMostFrames = 400, kMostTicks = 200;
constexpr std::array<std::string_view, 8> kLinkColours = {
    "#2b6cb0", "#c05621", "#2f855a", "#b83280", "#6b46c1", "#b7791f", "#2c7a7b", "#9b2c2c"};

std::string Rounded(double value) { return FormatNumber(std::round(value * 10) / 10 + 0.0); }

// Samples of an adaptive step are not equal in time, and a browser plays frames at equal times.
// Bounded, since each frame is in the text of each body.
// Samples at equal times, the last one included.
std::vector<const MotionSample*> FramesOf(const std::vector<MotionSample>& samples) {
  const std::size_t count = std::clamp<std::size_t>(samples.size(), 2, kMostFrames);
  std::vector<const MotionSample*> frames;
  std::size_t at = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double t = samples.back().t * static_cast<double>(i) / static_cast<double>(count - 1);
    // Up to rounding, so that the last frame is the last sample.
    while (at + 1 < samples.size() && samples[at + 1].t <= t * (1 + 1e-12)) ++at;
    frames.push_back(&samples[at]);
  }
  return frames;
}

class Animation {
 public:
  Animation(const std::vector<MotionSample>& samples, const MotionSystem& system)
      : system_(system), time_(samples.back().t), seconds_(std::max(time_, kLeastSeconds)) {
    for (const MotionSample* frame : FramesOf(samples))
      poses_.push_back(SticksAt(system, frame->q));
    view_ = ChooseView(poses_, true);
    Measure();
  }

  std::string Draw(const std::vector<MotionEvent>& events) const {
    std::string svg =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/"
        "2000/svg\" width=\"" +
        Rounded(kAcross) + "\" height=\"" + Rounded(height_) + "\" viewBox=\"0 0 " +
        Rounded(kAcross) + " " + Rounded(height_) +
        "\" font-family=\"sans-serif\" font-size=\"12\">\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
    svg += GroundLine() + Links() + Bar(events);
    return svg + "<!-- written by kinemorph -->\n</svg>\n";
  }

 private:
  // One scale for both directions; the smaller room decides, and the picture is as high as it
  // needs.
  void Measure() {
    double low = 1e300, high = -1e300, left = 1e300, right = -1e300;
    for (const auto& pose : poses_) {
      for (const Stick& stick : pose) {
        for (const Vector3& p : {stick.from, stick.to}) {
          left = std::min(left, view_.right.dot(p)), right = std::max(right, view_.right.dot(p));
          low = std::min(low, view_.up.dot(p)), high = std::max(high, view_.up.dot(p));
        }
      }
    }
    if (OnGround()) low = std::min(low, system_.options().ground.height);
    const double wide = std::max(right - left, 1e-9), tall = std::max(high - low, 1e-9);
    scale_ = std::min((kAcross - 2 * kBorder) / wide, kHighest / tall);
    left_ = left - (kAcross / scale_ - wide) / 2, high_ = high;
    height_ = tall * scale_ + 2 * kBorder + kBarHeight;
  }
  [[nodiscard]] bool OnGround() const {
    return !system_.options().feet.empty() && view_.up == Vector3::UnitZ();
  }
  [[nodiscard]] std::string Y(double up) const { return Rounded(kBorder + (high_ - up) * scale_); }
  [[nodiscard]] std::string At(const Vector3& p) const {
    return Rounded((view_.right.dot(p) - left_) * scale_) + " " + Y(view_.up.dot(p));
  }
  [[nodiscard]] std::string Clock() const {
    return "dur=\"" + FormatNumber(NearDecimal(seconds_, 4)) + "s\" repeatCount=\"indefinite\"/>";
  }

  [[nodiscard]] std::string GroundLine() const {
    if (!OnGround()) return "";
    const std::string y = Y(system_.options().ground.height);
    return "<line x1=\"0\" x2=\"" + Rounded(kAcross) + "\" y1=\"" + y + "\" y2=\"" + y +
           "\" stroke=\"#888\"/>\n";
  }

  [[nodiscard]] std::string ColourOf(const Body& link, int body) const {
    if (link.nv == 0 && link.parent == 0) return "#a0aec0";  // it stands
    return std::string(kLinkColours[static_cast<std::size_t>(body) % kLinkColours.size()]);
  }

  // The number of sticks is the same in all frames, as values of one animation must be.
  // By body: its sticks that are longer than a point at some time.
  [[nodiscard]] std::map<int, std::vector<std::size_t>> SticksByBody() const {
    std::map<int, std::vector<std::size_t>> of;
    for (std::size_t i = 0; i < poses_[0].size(); ++i) {
      const Stick& stick = poses_[0][i];  // its length stays
      if (stick.body == 0 || (stick.to - stick.from).norm() > kShortestStick)
        of[stick.body].push_back(i);
    }
    return of;
  }

  [[nodiscard]] std::string Links() const {
    std::string svg;
    for (const auto& [body, own] : SticksByBody()) {
      const auto path = [&, &sticks = own](const std::vector<Stick>& pose) {
        std::string d;
        for (const std::size_t i : sticks) d += "M" + At(pose[i].from) + "L" + At(pose[i].to);
        return d;
      };
      const Body& link = system_.mechanism().bodies[static_cast<std::size_t>(body)];
      svg += "<path fill=\"none\" stroke=\"" + ColourOf(link, body) +
             "\" stroke-width=\"4\" stroke-linecap=\"round\" stroke-linejoin=\"round\" d=\"" +
             path(poses_[0]) + "\"><title>" + XmlText(link.name) +
             "</title>\n<animate attributeName=\"d\" values=\"";
      for (std::size_t i = 0; i < poses_.size(); ++i) svg += (i > 0 ? ";" : "") + path(poses_[i]);
      svg += "\" " + Clock() + "</path>\n";
    }
    return svg;
  }

  // Time, with a mark for each event; the width of the second bar is animated in the same time as
  // the bodies.
  [[nodiscard]] std::string Bar(const std::vector<MotionEvent>& events) const {
    const double y = height_ - kBarHeight + 12, wide = kAcross - 2 * kBorder;
    const auto rect = [&](double x, double width, const char* fill, const std::string& inside) {
      return "<rect x=\"" + Rounded(x) + "\" y=\"" + Rounded(y) + "\" height=\"6\" width=\"" +
             Rounded(width) + "\" fill=\"" + fill + "\" rx=\"1\">" + inside + "</rect>\n";
    };
    std::string svg = rect(kBorder, wide, "#e2e8f0", "");
    svg += rect(kBorder, 0, "#4a5568",
                "<animate attributeName=\"width\" values=\"0;" + Rounded(wide) + "\" " + Clock());
    for (std::size_t i = 0; i < std::min(events.size(), kMostTicks); ++i)
      svg += rect(kBorder + wide * events[i].time / time_ - 1, 2, "#c53030",
                  "<title>" + XmlText(events[i].kind + " " + events[i].subject) +
                      ", t = " + FormatNumber(NearDecimal(events[i].time, 4)) + " s</title>");
    const auto text = [&](double x, const char* anchor, const std::string& words) {
      return "<text x=\"" + Rounded(x) + "\" y=\"" + Rounded(y + 24) + "\" fill=\"#4a5568\"" +
             " text-anchor=\"" + anchor + "\">" + words + "</text>\n";
    };
    svg += text(kBorder, "start", "0 s");
    // Shorter motions are played slower, and say so.
    if (seconds_ > time_)
      svg += text(kAcross / 2, "middle",
                  FormatNumber(NearDecimal(seconds_ / time_, 2)) + " times slower");
    return svg + text(kAcross - kBorder, "end", FormatNumber(NearDecimal(time_, 4)) + " s");
  }

  const MotionSystem& system_;
  const double time_, seconds_;
  std::vector<std::vector<Stick>> poses_;
  View view_;
  double scale_ = 1, left_ = 0, high_ = 0, height_ = 0;
};

}  // namespace

std::string AnimateMotion(const std::vector<MotionSample>& samples,
                          const std::vector<MotionEvent>& events, const MotionSystem& system) {
  return Animation(samples, system).Draw(events);
}

}  // namespace kinemorph::tools
