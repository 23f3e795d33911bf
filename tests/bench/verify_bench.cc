// A whole verify of a 60-link robot with loops and 20 states.
#include <benchmark/benchmark.h>

#include "../support/chain_of_four_bars.h"
#include "kinemorph/converters/verify.h"
#include "ratios.h"

namespace kinemorph::bench {
namespace {

void Verify(benchmark::State& state) {
  const Model model = test::ChainOfFourBars(static_cast<int>(state.range(0)) / 3);
  VerifyOptions options;
  options.states = 20;
  for (auto _ : state) {
    const VerifyResult result = VerifyEquivalent(model, model, options);
    if (!result.equivalent) state.SkipWithError("not equivalent");
  }
}
BENCHMARK(Verify)->Arg(30)->Arg(60)->Arg(120)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace kinemorph::bench

int main(int argc, char** argv) {
  return kinemorph::bench::RunWithRatios(
      argc, argv,
      {{"proof of 120 links with 20 states, against 60 links", "Verify/120", "Verify/60", 3}});
}
