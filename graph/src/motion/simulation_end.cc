// Why a simulation ended, in words.
#include "kinemorph/graph/motion/simulation.h"

namespace kinemorph {

std::string_view Name(SimulationEnd end) {
  switch (end) {
    case SimulationEnd::kDone:
      return "done";
    case SimulationEnd::kBelowGround:
      return "below the ground";
    case SimulationEnd::kNoDivision:
      return "no independent coordinates";
    case SimulationEnd::kChangePoint:
      return "change point";
    case SimulationEnd::kNoStep:
      return "no step";
    case SimulationEnd::kZeno:
      return "zeno";
    case SimulationEnd::kTooManySteps:
      return "too many steps";
    case SimulationEnd::kInterrupted:
      return "interrupted";
  }
  return "";
}

}  // namespace kinemorph
