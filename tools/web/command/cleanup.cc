// Where signals end the host at once, and nothing else is there to be ended or limited.
#include "host/cleanup.h"

#include "command/alone/alone.h"

namespace kinemorph::tools {
void WatchSignals() {}
void EndAfter(double) { Refuse("--timeout"); }
void LimitMemory(std::size_t) { Refuse("--memory"); }
Doomed::Doomed(const std::string&) : slot_(-1) {}
Doomed::~Doomed() = default;
SignalsWait::SignalsWait() : before_() {}
SignalsWait::~SignalsWait() = default;

}  // namespace kinemorph::tools
