// Numbers as MBsysPad writes them: the form of Java's Double.toString.
#pragma once

#include <string>

namespace kinemorph::mbs {

/// 0.0, -9.81, 1.5707963267948966, 2.9E-4, 1.0E7: shortest digits that read back; scientific below
/// 1e-3 and from 1e7. Never "-0.0".
[[nodiscard]] std::string JavaNumber(double value);

}  // namespace kinemorph::mbs
