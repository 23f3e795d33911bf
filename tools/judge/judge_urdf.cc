// urdfdom's opinion of the URDF part (it does not know loops and couplings and passes over them).
#include <urdf_parser/urdf_parser.h>

#include "judge.h"

namespace kinemorph::judge {

Verdict JudgeUrdf(const std::string& file) {
  // urdfdom prints its reasons to std::cerr, where main() puts them into one text with the verdict.
  const urdf::ModelInterfaceSharedPtr model = urdf::parseURDFFile(file);
  if (!model) return {kRefused, "urdfdom refuses the file; its reasons are above"};
  return {kAccepted, "urdfdom accepts the file: " + std::to_string(model->links_.size()) +
                         " links, " + std::to_string(model->joints_.size()) + " joints"};
}

}  // namespace kinemorph::judge
