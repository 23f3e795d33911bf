#include "paths.h"

namespace kinemorph::test {

std::string SourceDir() { return KINEMORPH_SOURCE_DIR; }
std::string SharedDir() { return KINEMORPH_SHARED_DIR; }

}  // namespace kinemorph::test
