// Pass `inertia_axes`: inertial frames of their own directions where the target has none.
#include "edit/model_edit.h"
#include "lower/passes.h"

namespace kinemorph {

void InertiaAxes(Model& model, PassContext& context) {
  for (const LinkId id : Links(model)) {
    Link& link = model.link(id);
    if (!link.inertial || link.inertial->X_LI.R == Matrix3::Identity()) continue;
    Matrix3 I = link.inertial->InLink().I_BBcm;
    const double noise = 1e-15 * I.cwiseAbs().maxCoeff();
    link.inertial->I_I = I.unaryExpr([&](double x) { return std::abs(x) <= noise ? 0.0 : x; });
    link.inertial->X_LI.R.setIdentity();
    context.Lowered(SubjectOf(link), "the inertia tensor is turned into the axes of the link");
  }
}

}  // namespace kinemorph
