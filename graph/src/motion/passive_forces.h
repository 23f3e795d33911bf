// What springs, dampers, friction and soft limits of the joints do.
#pragma once

#include "kinemorph/graph/mechanics/mechanism.h"

namespace kinemorph::motion {

struct Passive {
  Eigen::VectorXd force;  ///< by velocity: all of them
  double energy = 0;      ///< stored in springs and soft limits (J)
  double power = 0;       ///< of those that dissipate (W)
};

void ComputePassive(const Mechanism& m, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                    Passive& out);

}  // namespace kinemorph::motion
