// Simbody behind plain numbers (compiled as C++17).
#include "simbody_plain.h"

#include <SimTKsimbody.h>

namespace kinemorph::test {
namespace {

SimTK::Vec3 Vec(const double v[3]) { return {v[0], v[1], v[2]}; }
SimTK::Transform Pose(const PlainTransform& X) {
  SimTK::Mat33 R;
  for (int i = 0; i < 9; ++i) R(i / 3, i % 3) = X.R[i];
  return {SimTK::Rotation(R, true), Vec(X.p)};
}

}  // namespace

struct PlainSimbody::Impl {
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter{system};
  SimTK::GeneralForceSubsystem forces{system};
  SimTK::Force::DiscreteForces discrete{forces, matter};
  std::vector<PlainBody> plain;
  std::vector<SimTK::MobilizedBody> bodies;
  SimTK::State state;
};

PlainSimbody::PlainSimbody(const double gravity[3], const std::vector<PlainBody>& bodies,
                           const std::vector<PlainBall>& balls)
    : impl_(std::make_unique<Impl>()) {
  Impl& s = *impl_;
  SimTK::Force::UniformGravity(s.forces, s.matter, Vec(gravity));
  s.plain = bodies;
  s.bodies.push_back(s.matter.updGround());
  for (const PlainBody& body : bodies) {
    const double* I = body.inertia;
    const SimTK::Body::Rigid rigid(SimTK::MassProperties(
        body.mass, Vec(body.com),
        SimTK::Inertia(SimTK::Vec3(I[0], I[1], I[2]), SimTK::Vec3(I[3], I[4], I[5]))));
    SimTK::MobilizedBody& parent = s.bodies[static_cast<std::size_t>(body.parent)];
    switch (body.kind) {
      case PlainBody::kPin:
        s.bodies.push_back(
            SimTK::MobilizedBody::Pin(parent, Pose(body.X_PJ), rigid, Pose(body.X_BJ)));
        break;
      case PlainBody::kSlider:
        s.bodies.push_back(
            SimTK::MobilizedBody::Slider(parent, Pose(body.X_PJ), rigid, Pose(body.X_BJ)));
        break;
      case PlainBody::kWeld:
        s.bodies.push_back(
            SimTK::MobilizedBody::Weld(parent, Pose(body.X_PJ), rigid, Pose(body.X_BJ)));
        break;
    }
  }
  for (const PlainBall& ball : balls) {
    SimTK::Constraint::Ball(s.bodies[static_cast<std::size_t>(ball.a)], Vec(ball.p_a),
                            s.bodies[static_cast<std::size_t>(ball.b)], Vec(ball.p_b));
  }
  s.state = s.system.realizeTopology();
  s.system.realizeModel(s.state);
}

PlainSimbody::~PlainSimbody() = default;

void PlainSimbody::SetState(const std::vector<double>& q, const std::vector<double>& u,
                            const std::vector<double>& tau) {
  Impl& s = *impl_;
  s.discrete.clearAllMobilityForces(s.state);
  for (std::size_t i = 0; i < s.plain.size(); ++i) {
    if (s.plain[i].kind == PlainBody::kWeld) continue;
    s.bodies[i + 1].setOneQ(s.state, 0, q[i]);
    s.bodies[i + 1].setOneU(s.state, 0, u[i]);
    s.discrete.setOneMobilityForce(s.state, s.bodies[i + 1], SimTK::MobilizerUIndex(0), tau[i]);
  }
}

void PlainSimbody::Realize() {
  impl_->state.invalidateAllCacheAtOrAbove(SimTK::Stage::Position);
  impl_->system.realize(impl_->state, SimTK::Stage::Acceleration);
}

bool PlainSimbody::Close(std::vector<double>& q, double accuracy) {
  Impl& s = *impl_;
  for (std::size_t i = 0; i < s.plain.size(); ++i)
    if (s.plain[i].kind != PlainBody::kWeld) s.bodies[i + 1].setOneQ(s.state, 0, q[i]);
  s.system.realize(s.state, SimTK::Stage::Position);
  s.system.projectQ(s.state, accuracy);
  for (std::size_t i = 0; i < s.plain.size(); ++i)
    if (s.plain[i].kind != PlainBody::kWeld) q[i] = s.bodies[i + 1].getOneQ(s.state, 0);
  return s.state.getQErr().normInf() <= accuracy;
}

std::vector<double> PlainSimbody::Accelerations() const {
  std::vector<double> udot(impl_->plain.size(), 0);
  for (std::size_t i = 0; i < udot.size(); ++i) {
    if (impl_->plain[i].kind != PlainBody::kWeld)
      udot[i] = impl_->bodies[i + 1].getOneUDot(impl_->state, 0);
  }
  return udot;
}

}  // namespace kinemorph::test
