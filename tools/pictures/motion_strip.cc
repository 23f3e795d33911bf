#include "pictures/motion_strip.h"

#include <algorithm>
#include <cmath>

#include "kinemorph/converters/conversion.h"
#include "kinemorph/converters/convert.h"
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

// MuJoCo's free joint: position and quaternion (w first) in the world; velocity of the origin in
// axes of the world, angular velocity in axes of the body. V is in axes of the body, angular first.
// MuJoCo's numbers of one joint: positions, then velocities.
struct Numbers {
  std::vector<double> q, v;
};

Numbers OfJoint(const Mechanism& m, const JointPlace& place, const MotionSample& s,
                const std::vector<RigidTransform>& X_WB, const std::vector<Vector6>& V) {
  const Body& body = m.bodies[U(place.body)];
  Numbers out;
  if (std::holds_alternative<kinemorph::Free>(body.kind)) {
    const RigidTransform& X = X_WB[U(place.body)];
    const Vector3 linear = X.R * V[U(place.body)].tail<3>();
    const Eigen::Vector4d Q = QuaternionFromRotation(X.R);
    out.q = {X.p.x(), X.p.y(), X.p.z(), Q[0], Q[1], Q[2], Q[3]};
    out.v = {linear.x(), linear.y(), linear.z()};
    for (Eigen::Index i = 0; i < 3; ++i) out.v.push_back(V[U(place.body)][i]);
    return out;
  }
  // Of other joints what the file counts from; a joint that is held has the velocity zero.
  for (int i = 0; i < body.nq; ++i) out.q.push_back(s.q[body.q + i] + place.offset[U(i)]);
  for (int i = 0; i < NumVelocities(body.kind); ++i)
    out.v.push_back(i < body.nv ? s.v[body.v + i] : 0);
  return out;
}

// The joints of the MJCF that the model becomes, in its order.
std::optional<std::vector<JointPlace>> MujocoOrder(const Model& source,
                                                   const std::vector<JointPlace>& joints,
                                                   const Mechanism& m, std::string& why) {
  // Names and the order of joints may differ from those of the source, so the MJCF is made and read
  // back.
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
  const SpanningTree tree = ChooseSpanningTree(*model);
  std::vector<JointPlace> order;
  for (const JointId id : Joints(*model)) {
    const Joint& joint = model->joint(id);
    if (tree.IsLoop(id) || NumVelocities(joint.kind) == 0) continue;
    // A free joint is the same where its body is; it often has no name in one of the files.
    const auto same = std::find_if(joints.begin(), joints.end(), [&](const JointPlace& place) {
      const Body& body = m.bodies[U(place.body)];
      const bool both_free = std::holds_alternative<kinemorph::Free>(body.kind) &&
                             std::holds_alternative<kinemorph::Free>(joint.kind);
      const std::string& link = model->link(model->successor(id)).name;
      return both_free ? body.name == link
                       : place.name == joint.name && body.kind.index() == joint.kind.index();
    });
    why = "joint '" + joint.name + "' of the MJCF is not one of the model that was simulated";
    if (same == joints.end()) return std::nullopt;
    order.push_back(*same);
  }
  return order;
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
                                       const Model& source, const std::vector<JointPlace>& joints,
                                       const MotionSystem& system, std::string& why) {
  const Mechanism& m = system.mechanism();
  const auto order = MujocoOrder(source, joints, m, why);
  if (!order) return std::nullopt;
  std::string text = "<mujoco>\n  <keyframe>\n";
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const MotionSample& s = samples[i];
    // Poses and velocities of bodies, of which only those of free joints are asked.
    JointCache cache(m);
    UpdateJoints(m, s.q.data(), s.v.data(), cache);
    std::vector<RigidTransform> X_WB;
    ComputePoses(m, cache, X_WB);
    const std::vector<Vector6> V = Velocities(m, cache, s.v);
    std::string q, v;
    const auto add = [](std::string& list, const std::vector<double>& values) {
      for (const double value : values) {
        if (!list.empty()) list += ' ';
        AppendNumber(list, value);
      }
    };
    for (const JointPlace& place : *order) {
      const Numbers numbers = OfJoint(m, place, s, X_WB, V);
      add(q, numbers.q), add(v, numbers.v);
    }
    text += "    <key name=\"row" + std::to_string(i) + "\" time=\"" + FormatNumber(s.t) +
            "\" qpos=\"" + q + "\" qvel=\"" + v + "\"/>\n";
  }
  return text + "  </keyframe>\n  <!-- written by kinemorph -->\n</mujoco>\n";
}

}  // namespace kinemorph::tools
