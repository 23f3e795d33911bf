#include "pictures/motion_strip.h"

#include <algorithm>
#include <cmath>

#include "kinemorph/converters/conversion.h"
#include "kinemorph/converters/convert.h"
#include "kinemorph/converters/state_carrier.h"
#include "kinemorph/graph/base/number.h"
#include "pictures/stick_figure.h"

namespace kinemorph::tools {
namespace {

// Two pictures of a motion in numbers that others read: DrawStrip shows a dozen postures beside
// each other, KeyframesOf gives the samples to MuJoCo.

constexpr int kPoses = 12;
constexpr double kWide = 900, kMargin = 30;  // of the picture

std::size_t U(int i) { return static_cast<std::size_t>(i); }

std::string Fixed2(double value) { return FormatNumber(std::round(value * 100) / 100 + 0.0); }

// Poses at equal times.
std::vector<const MotionSample*> Chosen(const std::vector<MotionSample>& samples) {
  std::vector<const MotionSample*> chosen;
  std::size_t at = 0;
  for (int i = 0; i < kPoses; ++i) {
    const double t = samples.back().t * i / (kPoses - 1);
    while (at + 1 < samples.size() && samples[at + 1].t <= t * (1 + 1e-12)) ++at;
    if (chosen.empty() || chosen.back() != &samples[at]) chosen.push_back(&samples[at]);
  }
  return chosen;
}

// From blue to red.
std::string Colour(double share) {
  const auto mix = [&](int a, int b) { return std::to_string(a + std::lround(share * (b - a))); };
  return "rgb(" + mix(150, 200) + "," + mix(180, 40) + "," + mix(220, 40) + ")";
}

// MuJoCo's numbers of a state: positions, then velocities.
struct Numbers {
  std::vector<double> q, v;
};

// Adds those of one joint, where the body stands and moves. A free joint has position and quaternion
// (w first) in the world; the velocity of the origin in axes of the world, the angular velocity in
// axes of the body. A ball turns in axes of the body.
void AddJoint(const Model& model, const Body& body, const StateCarrier::State& state,
              const RigidTransform& X_WB, const Vector6& V, Numbers& out) {
  const auto add = [](std::vector<double>& list, const auto& values) {
    list.insert(list.end(), values.begin(), values.end());
  };
  const Joint& joint = model.joint(body.joint);
  const Vector3 omega = V.head<3>(), linear = X_WB.R * V.tail<3>();
  if (std::holds_alternative<kinemorph::Free>(body.kind)) {
    add(out.q, X_WB.p), add(out.q, QuaternionFromRotation(X_WB.R));
    add(out.v, linear), add(out.v, omega);
  } else if (std::holds_alternative<kinemorph::Ball>(body.kind)) {
    const Vector3 axis_M = state.q.segment<3>(body.q + 1), omega_M = state.v.segment<3>(body.v);
    out.q.push_back(state.q[body.q]);
    add(out.q, Vector3(joint.X_SM.R * axis_M)), add(out.v, Vector3(joint.X_SM.R * omega_M));
  } else {
    out.q.push_back(state.q[body.q] + joint.axes.front().position_offset);
    out.v.push_back(state.v[body.v]);
  }
}

// The MJCF that the model becomes, read back: names, order and cuts of joints may differ from those
// of the source.
std::optional<StateCarrier> CarrierToMujoco(const Model& source, std::string& why) {
  ConvertOptions options;
  std::string version;
  options.target.format = kinemorph::FormatNamed("mjcf", version, why);
  Diagnostics ignored;
  const std::optional<Converted> mjcf = Convert(source, options, ignored);
  ReadOptions read;
  read.file_name = "keyframes";
  const std::optional<Model> model =
      mjcf ? ReadModel(mjcf->text, options.target.format, read, ignored) : std::nullopt;
  why = "the model cannot be written as MJCF";
  if (!model) return std::nullopt;
  return StateCarrier(source, *model, mjcf->lowered.report);
}

// By joint of the tree, in document order, which is that of qpos.
std::vector<int> BodiesInOrder(const Mechanism& m) {
  std::vector<int> order;
  for (std::size_t b = 1; b < m.bodies.size(); ++b)
    if (m.bodies[b].nq > 0) order.push_back(static_cast<int>(b));
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return Index(m.bodies[U(a)].joint) < Index(m.bodies[U(b)].joint);
  });
  return order;
}

Numbers NumbersOf(const StateCarrier& carrier, const std::vector<int>& order,
                  const StateCarrier::State& state) {
  const Mechanism& m = carrier.mechanism();
  JointCache joints(m);
  UpdateJoints(m, state.q.data(), state.v.data(), joints);
  std::vector<RigidTransform> X_WB;
  ComputePoses(m, joints, X_WB);
  const std::vector<Vector6> V = Velocities(m, joints, state.v);
  Numbers numbers;
  for (const int b : order)
    AddJoint(carrier.model(), m.bodies[U(b)], state, X_WB[U(b)], V[U(b)], numbers);
  return numbers;
}

// ` qpos="0 0.1"`; nothing where nothing moves.
std::string Attribute(const char* name, const std::vector<double>& values) {
  std::string list;
  for (const double value : values) {
    if (!list.empty()) list += ' ';
    AppendNumber(list, value);
  }
  return list.empty() ? "" : std::string(" ") + name + "=\"" + list + '"';
}

}  // namespace

std::string DrawStrip(const std::vector<MotionSample>& samples, const MotionSystem& system) {
  const std::vector<const MotionSample*> chosen = Chosen(samples);
  std::vector<std::vector<Stick>> poses;
  for (const MotionSample* sample : chosen) poses.push_back(SticksAt(system, sample->q));
  const View view = ChooseView(poses, false);

  // Where the robot stays in place its postures would cover each other: then each has a place of
  // its own, in reading order. A robot that travels shows its way.
  // By pose: extent to the right, and up.
  double low = 1e300, high = -1e300, widest = 0, left = 1e300, rightmost = -1e300;
  std::vector<double> start;
  for (const auto& pose : poses) {
    double from = 1e300, to = -1e300;
    for (const Stick& s : pose) {
      for (const Vector3& p : {s.from, s.to}) {
        from = std::min(from, view.right.dot(p)), to = std::max(to, view.right.dot(p));
        low = std::min(low, view.up.dot(p)), high = std::max(high, view.up.dot(p));
      }
    }
    start.push_back(from);
    widest = std::max(widest, to - from);
    left = std::min(left, from), rightmost = std::max(rightmost, to);
  }
  // Feet touch the ground only where up is up.
  const bool ground = !system.options().feet.empty() && view.up == Vector3::UnitZ();
  if (ground) low = std::min(low, system.options().ground.height);
  const double pitch = 1.15 * std::max(widest, 1e-9);
  const bool aside = rightmost - left < 2 * widest;  // it stays in place
  const double span = aside ? pitch * static_cast<double>(poses.size()) : rightmost - left;
  const double scale = (kWide - 2 * kMargin) / std::max(span, 1e-9);
  const double height = std::max(high - low, 1e-9) * scale + 2 * kMargin + 20;
  const auto y = [&](double up) { return Fixed2(kMargin + (high - up) * scale); };
  std::string svg =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
      "width=\"" +
      Fixed2(kWide) + "\" height=\"" + Fixed2(height) +
      "\" font-family=\"sans-serif\" font-size=\"10\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
  if (ground)
    svg += "<line x1=\"0\" x2=\"" + Fixed2(kWide) + "\" y1=\"" + y(system.options().ground.height) +
           "\" y2=\"" + y(system.options().ground.height) + "\" stroke=\"#888\"/>\n";
  double last_label = -1e300;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const double shift = aside ? pitch * static_cast<double>(i) - start[i] : -left;
    const auto x = [&](double right) { return Fixed2(kMargin + (right + shift) * scale); };
    const double share =
        poses.size() > 1 ? static_cast<double>(i) / static_cast<double>(poses.size() - 1) : 1;
    svg += "<g stroke=\"" + Colour(share) +
           "\" stroke-width=\"2\" stroke-linecap=\"round\" fill=\"none\">\n";
    for (const Stick& s : poses[i]) {
      if ((s.to - s.from).norm() <= kShortestStick && poses[i].size() > 1) continue;
      svg += "<line x1=\"" + x(view.right.dot(s.from)) + "\" y1=\"" + y(view.up.dot(s.from)) +
             "\" x2=\"" + x(view.right.dot(s.to)) + "\" y2=\"" + y(view.up.dot(s.to)) + "\"/>\n";
    }
    svg += "</g>\n";
    // A label each 55 pixels at most, or they would run into each other.
    const double at = kMargin + (start[i] + shift) * scale;
    if (at - last_label < 55) continue;
    last_label = at;
    svg += "<text x=\"" + Fixed2(at) + "\" y=\"" + Fixed2(height - 8) +
           "\" fill=\"#444\">t = " + FormatNumber(NearDecimal(chosen[i]->t, 3)) + " s</text>\n";
  }
  return svg + "<!-- written by kinemorph -->\n</svg>\n";
}

std::optional<std::string> KeyframesOf(const std::vector<MotionSample>& samples,
                                       const Model& source, const MotionSystem& system,
                                       std::string& why) {
  std::optional<StateCarrier> carrier = CarrierToMujoco(source, why);
  if (!carrier) return std::nullopt;
  const std::vector<int> order = BodiesInOrder(carrier->mechanism());
  std::string text = "<mujoco>\n  <keyframe>\n";
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const MotionSample& s = samples[i];
    const auto state = carrier->Carry(system.mechanism(), s.q, s.v, why);
    if (!state) {
      why = "at t = " + FormatNumber(NearDecimal(s.t, 4)) + " s, in the MJCF, " + why;
      return std::nullopt;
    }
    const Numbers numbers = NumbersOf(*carrier, order, *state);
    text += "    <key name=\"row" + std::to_string(i) + "\" time=\"" + FormatNumber(s.t) + '"' +
            Attribute("qpos", numbers.q) + Attribute("qvel", numbers.v) + "/>\n";
  }
  return text + "  </keyframe>\n  <!-- written by kinemorph -->\n</mujoco>\n";
}

}  // namespace kinemorph::tools
