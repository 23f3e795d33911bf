// What belongs to one body: mass properties, shapes, points with their frames and sensors.
#include <algorithm>
#include <cmath>

#include "rotation_chain.h"
#include "shapes.h"
#include "user_data.h"
#include "write/file_builder.h"

namespace kinemorph::mbs {
namespace {

bool SameInertial(const std::optional<Inertial>& a, const std::optional<Inertial>& b) {
  if (!a || !b) return !a && !b;
  return a->mass == b->mass && a->X_LI == b->X_LI && a->I_I == b->I_I;
}

// Tensor in link axes, without noise: products below 1e-15 kg m^2 become exact zeros (authors' CAD
// tools leave 1e-20 where a symbolic zero is meant) unless the moments are that small too, and
// where the inertial frame is turned so does the rounding of the products.
FileInertia ToInertia(const Inertial& inertial) {
  const bool turned = inertial.X_LI.R != Matrix3::Identity();
  Matrix3 I = turned ? inertial.InLink().I_BBcm : inertial.I_I;
  // The generator takes an exact zero for a symbolic one: noise in products of inertia would stay
  // in every equation.
  const double largest = I.cwiseAbs().maxCoeff();
  const double noise = std::max(std::min(kNoise, 1e-9 * largest), turned ? 1e-15 * largest : 0);
  const auto product = [&](int i, int j) { return std::abs(I(i, j)) <= noise ? 0.0 : I(i, j); };
  return {I(0, 0), product(0, 1), product(0, 2), I(1, 1), product(1, 2), I(2, 2)};
}

}  // namespace

void FileBuilder::StartBody(Body& body) {
  const Link& link = model_.link(body.link);
  body.source = source_.BodyOfLink(link.name);
  const FileBody* before = body.source == kNone ? nullptr : &source_.body(body.source);
  const Link* link_before = before ? &source_.link(body.source) : nullptr;
  body.out.name = link.name;
  if (before) body.points = KeptPoints(before->points, body.link, body.source);
  // The numbers as they were spelt, if the link still means the same.
  if (before && SameInertial(link.inertial, link_before->inertial)) {
    body.out.mass = before->mass;
    body.out.com = before->com;
    body.out.inertia = before->inertia;
  } else if (link.inertial) {
    body.out.mass = link.inertial->mass;
    body.out.com = Snapped(link.inertial->X_LI.p);
    body.out.inertia = ToInertia(*link.inertial);
  }
  body.out.graphics = Graphics(link, before ? &before->graphics : nullptr, link_before);
}

// Shape by shape: one that is still what its element was read as keeps what the model has no place
// for (its shininess).
FileGraphics FileBuilder::Graphics(const Link& link, const FileGraphics* before,
                                   const Link* link_before) {
  FileGraphics out;
  if (before) {
    out = *before;
    out.shapes.clear();
  }
  for (std::size_t i = 0; i < link.visuals.size(); ++i) {
    const Visual& visual = link.visuals[i];
    std::optional<FileShape> shape =
        ToShape(visual, link.name + "_visual_" + std::to_string(i + 1));
    if (link_before && i < link_before->visuals.size() &&
        SameVisual(visual, link_before->visuals[i], shape)) {
      out.shapes.push_back(before->shapes[i]);
    } else if (shape) {
      out.shapes.push_back(*std::move(shape));
    } else {
      Refuse(visual.where,
             {"visual '" + visual.name + "' of link", link.name, "MBS does not have this shape"});
    }
  }
  out.has_shapes = out.has_shapes && (!out.shapes.empty() || link.visuals.empty());
  return out;
}

bool FileBuilder::SameVisual(const Visual& a, const Visual& b,
                             const std::optional<FileShape>& shape_a) {
  const std::optional<FileShape> shape_b = ToShape(b, "");
  if (shape_a && shape_b) return a.name == b.name && shape_a->SameAs(*shape_b);
  const NativeShape* native_a = std::get_if<NativeShape>(&a.shape);
  const NativeShape* native_b = std::get_if<NativeShape>(&b.shape);
  return native_a && native_b && native_a->data.content == native_b->data.content &&
         a.name == b.name && NearlyEqual(a.X_LG, b.X_LG);
}

// The source's points, without the sensors and frames that are gone.
// A point with a sensor or a force that is gone stays as a point if a cut, link or child uses it.
BodyPoints FileBuilder::KeptPoints(const std::vector<FilePoint>& points, LinkId link,
                                   std::size_t source_body) {
  const std::string owner = link == kWorld ? "base" : model_.link(link).name;
  BodyPoints kept;
  for (FilePoint point : points) {
    if (const Frame* frame = source_.FrameOf(source_body, point.name);
        frame && !TakeFrame(*frame, link)) {
      point.extforce = {};
      if (point.sensor.empty() && !source_.IsReferenced(owner, point.name)) continue;
    }
    if (!point.sensor.empty() && !TakeSensor(point.sensor_name, link, point.p)) point.sensor = {};
    kept.Keep(std::move(point));
  }
  return kept;
}

void FileBuilder::IndexFramesAndSensors() {
  frame_written_.assign(model_.frames.size(), false);
  for (std::size_t i = 0; i < model_.frames.size(); ++i) frames_.emplace(model_.frames[i].name, i);
  sensor_written_.assign(model_.sensors.size(), false);
  for (std::size_t i = 0; i < model_.sensors.size(); ++i)
    sensors_.emplace(model_.sensors[i].name, i);
}

// Whether the model still has the frame a point of the source was read as; it needs no point of its
// own then.
bool FileBuilder::TakeFrame(const Frame& before, LinkId link) {
  const auto found = frames_.find(before.name);
  if (found == frames_.end()) return false;
  const Frame& now = model_.frames[found->second];
  // Moved or turned elsewhere: the point of the file is somebody else's now.
  if (now.link != link || now.X_LF.p != before.X_LF.p) return false;
  frame_written_[found->second] = true;
  if (now.X_LF.R != Matrix3::Identity())
    frame_rotations_.push_back(FrameModel(now.name, now.X_LF.R));
  return true;
}

bool FileBuilder::TakeSensor(const std::string& name, LinkId link, const Vector3& p) {
  const auto found = sensors_.find(name);
  if (found == sensors_.end()) return false;
  const Sensor& sensor = model_.sensors[found->second];
  if (sensor.link != link || sensor.X_LS.p != p || sensor.native.format != "mbs") return false;
  sensor_written_[found->second] = true;
  return true;
}

void FileBuilder::AddFrames() {
  for (std::size_t i = 0; i < model_.frames.size(); ++i) {
    if (frame_written_[i]) continue;
    const Frame& frame = model_.frames[i];
    FilePoint point;
    point.name = frame.name;
    point.p = Snapped(frame.X_LF.p);
    for (const NativeData& native : frame.native)
      if (native.format == "mbs" && native.element == "extforce") point.extforce = native.content;
    const std::string& name = PointsOf(BodyOf(frame.link)).AddUnique(std::move(point));
    if (frame.X_LF.R != Matrix3::Identity())
      frame_rotations_.push_back(FrameModel(name, frame.X_LF.R));
  }
}

void FileBuilder::AddSensors() {
  for (std::size_t i = 0; i < model_.sensors.size(); ++i) {
    if (sensor_written_[i]) continue;
    const Sensor& sensor = model_.sensors[i];
    if (sensor.native.format != "mbs" || sensor.link == kNoLink) {
      Refuse(sensor.where, {"sensor", sensor.name, "MBS has kinematic sensors only"});
      continue;
    }
    BodyPoints& points = PointsOf(BodyOf(sensor.link));
    // A sensor on the body's origin needs the one point that may be declared there.
    if (sensor.X_LS.p == Vector3::Zero() && points.DeclaredOrigin().sensor.empty()) {
      points.DeclaredOrigin().sensor = sensor.native.content;
      continue;
    }
    FilePoint point;
    point.name = sensor.name + "_point";
    point.p = Snapped(sensor.X_LS.p);
    point.sensor = sensor.native.content;
    points.AddUnique(std::move(point));
  }
}

}  // namespace kinemorph::mbs
