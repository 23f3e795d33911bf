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

// What a coupling makes of its coordinates.
class Polynomial : public SimTK::Function {
 public:
  explicit Polynomial(PlainCoupling coupling) : coupling_(std::move(coupling)) {}
  SimTK::Real calcValue(const SimTK::Vector& q) const override {
    double sum = -coupling_.constant;
    for (int i = 0; i < q.size(); ++i) {
      const double* c = Of(i);
      sum += q[i] * (c[0] + q[i] * (c[1] + q[i] * (c[2] + q[i] * c[3])));
    }
    return sum;
  }
  SimTK::Real calcDerivative(const SimTK::Array_<int>& by, const SimTK::Vector& q) const override {
    const double x = q[by[0]], *c = Of(by[0]);
    if (by.size() == 1) return c[0] + x * (2 * c[1] + x * (3 * c[2] + x * 4 * c[3]));
    return by[0] == by[1] ? 2 * c[1] + x * (6 * c[2] + x * 12 * c[3]) : 0;
  }
  int getArgumentSize() const override { return static_cast<int>(coupling_.terms.size()); }
  int getMaxDerivativeOrder() const override { return 2; }

 private:
  const double* Of(int i) const { return coupling_.terms[static_cast<std::size_t>(i)].c; }
  PlainCoupling coupling_;
};

void Close(const PlainLoop& loop, std::vector<SimTK::MobilizedBody>& bodies) {
  SimTK::MobilizedBody &a = bodies[static_cast<std::size_t>(loop.a)],
                       &b = bodies[static_cast<std::size_t>(loop.b)];
  const SimTK::Transform X_a = Pose(loop.X_a), X_b = Pose(loop.X_b);
  if (loop.kind == PlainLoop::kWeld) {
    SimTK::Constraint::Weld(a, X_a, b, X_b);
    return;
  }
  SimTK::Constraint::Ball(a, X_a.p(), b, X_b.p());
  if (loop.kind == PlainLoop::kBall) return;
  SimTK::Constraint::ConstantAngle(a, X_a.x(), b, X_b.z());
  SimTK::Constraint::ConstantAngle(a, X_a.y(), b, X_b.z());
}

void Couple(const PlainCoupling& coupling, SimTK::SimbodyMatterSubsystem& matter,
            const std::vector<SimTK::MobilizedBody>& bodies) {
  SimTK::Array_<SimTK::MobilizedBodyIndex> of;
  for (const PlainCoupling::Term& term : coupling.terms)
    of.push_back(bodies[static_cast<std::size_t>(term.body)].getMobilizedBodyIndex());
  SimTK::Constraint::CoordinateCoupler(
      matter, new Polynomial(coupling), of,
      SimTK::Array_<SimTK::MobilizerQIndex>(of.size(), SimTK::MobilizerQIndex(0)));
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
                           const std::vector<PlainLoop>& loops,
                           const std::vector<PlainCoupling>& couplings)
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
  for (const PlainLoop& loop : loops) test::Close(loop, s.bodies);
  for (const PlainCoupling& coupling : couplings) Couple(coupling, s.matter, s.bodies);
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

PlainMotion PlainSimbody::Integrate(const std::vector<double>& times, double accuracy) {
  PlainMotion out;
  const double start = SimTK::cpuTime();
  try {
    SimTK::RungeKuttaMersonIntegrator integrator(impl_->system);
    integrator.setAccuracy(accuracy);
    integrator.setConstraintTolerance(1e-10);
    SimTK::TimeStepper stepper(impl_->system, integrator);
    stepper.initialize(impl_->state);
    for (const double time : times) {
      stepper.stepTo(time);
      std::vector<double>& q = out.q.emplace_back(impl_->plain.size(), 0);
      for (std::size_t i = 0; i < q.size(); ++i)
        if (impl_->plain[i].kind != PlainBody::kWeld)
          q[i] = impl_->bodies[i + 1].getOneQ(integrator.getState(), 0);
    }
  } catch (const std::exception& error) { out.why = error.what(); }
  out.seconds = SimTK::cpuTime() - start;
  return out;
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
