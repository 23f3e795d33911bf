/* A minimal importer: loads an FMU's library through the types of the published headers, walks it
   through its phases, integrates with RK4 and prints the state.
   Arguments: library, guid, step, number of steps, number of states, first force, force, number
   of event indicators. */
#include <dlfcn.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmi2Functions.h"

static int allocated = 0, complaints = 0;
static void Log(fmi2ComponentEnvironment e, fmi2String name, fmi2Status status,
                fmi2String category, fmi2String message, ...) {
  (void)e, (void)name, (void)status, (void)category, (void)message;
  ++complaints;
}
static void *Allocate(size_t n, size_t size) {
  ++allocated;
  return calloc(n, size);
}
static void Free(void *block) {
  if (block != NULL) --allocated;
  free(block);
}

#define CHECK(condition)                                     \
  if (!(condition)) {                                        \
    fprintf(stderr, "line %d: %s\n", __LINE__, #condition);  \
    return 1;                                                \
  }
#define LOAD(name)              \
  name##TYPE *name;             \
  *(void **)&name = dlsym(library, #name); \
  CHECK(name != NULL)

int main(int argc, char **argv) {
  const fmi2CallbackFunctions callbacks = {Log, Allocate, Free, NULL, NULL};
  const int n = argc > 5 ? atoi(argv[5]) : 0;
  const size_t nx = (size_t)n;
  double *x = calloc(nx, sizeof(double)), *y = calloc(nx, sizeof(double)),
         *k = calloc(nx, sizeof(double)), *sum = calloc(nx, sizeof(double));
  fmi2Component c;
  fmi2EventInfo info;
  fmi2FMUstate saved = NULL, restored = NULL;
  fmi2Boolean event, terminate;
  size_t bytes;
  char *buffer;
  int step, stage, i;
  void *library;
  CHECK(argc == 9);
  library = dlopen(argv[1], RTLD_NOW);
  CHECK(library != NULL);
  {
    LOAD(fmi2GetTypesPlatform) LOAD(fmi2GetVersion) LOAD(fmi2SetDebugLogging)
    LOAD(fmi2Instantiate) LOAD(fmi2FreeInstance) LOAD(fmi2SetupExperiment)
    LOAD(fmi2EnterInitializationMode) LOAD(fmi2ExitInitializationMode) LOAD(fmi2Terminate)
    LOAD(fmi2Reset) LOAD(fmi2GetReal) LOAD(fmi2GetInteger) LOAD(fmi2GetBoolean)
    LOAD(fmi2GetString) LOAD(fmi2SetReal) LOAD(fmi2SetInteger) LOAD(fmi2SetBoolean)
    LOAD(fmi2SetString) LOAD(fmi2GetFMUstate) LOAD(fmi2SetFMUstate) LOAD(fmi2FreeFMUstate)
    LOAD(fmi2SerializedFMUstateSize) LOAD(fmi2SerializeFMUstate) LOAD(fmi2DeSerializeFMUstate)
    LOAD(fmi2GetDirectionalDerivative) LOAD(fmi2EnterEventMode) LOAD(fmi2NewDiscreteStates)
    LOAD(fmi2EnterContinuousTimeMode) LOAD(fmi2CompletedIntegratorStep) LOAD(fmi2SetTime)
    LOAD(fmi2SetContinuousStates) LOAD(fmi2GetDerivatives) LOAD(fmi2GetEventIndicators)
    LOAD(fmi2GetContinuousStates) LOAD(fmi2GetNominalsOfContinuousStates)
    LOAD(fmi2SetRealInputDerivatives) LOAD(fmi2GetRealOutputDerivatives) LOAD(fmi2DoStep)
    LOAD(fmi2CancelStep) LOAD(fmi2GetStatus) LOAD(fmi2GetRealStatus) LOAD(fmi2GetIntegerStatus)
    LOAD(fmi2GetBooleanStatus) LOAD(fmi2GetStringStatus)
    const double h = atof(argv[3]), force = atof(argv[7]);
    const fmi2ValueReference input = (fmi2ValueReference)atoi(argv[6]);
    fmi2ValueReference derivative = (fmi2ValueReference)n;
    double value, reached, *indicators = calloc((size_t)atoi(argv[8]) + 1, sizeof(double));
    fmi2Status status;
    fmi2Boolean ends;
    fmi2String text;
    CHECK(strcmp(fmi2GetVersion(), "2.0") == 0);
    CHECK(strcmp(fmi2GetTypesPlatform(), "default") == 0);
    CHECK(fmi2Instantiate("one", fmi2ModelExchange, "{other}", "", &callbacks, 0, 0) == NULL);
    CHECK(complaints == 1 && allocated == 0);
    c = fmi2Instantiate("one", fmi2ModelExchange, argv[2], "", &callbacks, fmi2False, fmi2False);
    CHECK(c != NULL);
    CHECK(fmi2SetupExperiment(c, fmi2False, 0, 0, fmi2False, 0) == fmi2OK);
    CHECK(fmi2EnterInitializationMode(c) == fmi2OK);
    CHECK(fmi2SetReal(c, &input, 1, &force) == fmi2OK);
    CHECK(fmi2ExitInitializationMode(c) == fmi2OK);
    CHECK(fmi2NewDiscreteStates(c, &info) == fmi2OK && !info.newDiscreteStatesNeeded);
    CHECK(fmi2EnterContinuousTimeMode(c) == fmi2OK);
    CHECK(fmi2GetContinuousStates(c, x, nx) == fmi2OK);
    CHECK(fmi2GetNominalsOfContinuousStates(c, y, nx) == fmi2OK && y[0] == 1);
    CHECK(fmi2GetEventIndicators(c, indicators, (size_t)atoi(argv[8])) == fmi2OK);
    for (step = 0; step < atoi(argv[4]); ++step) {
      const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
      memset(sum, 0, nx * sizeof(double)), memset(k, 0, nx * sizeof(double));
      for (stage = 0; stage < 4; ++stage) {
        for (i = 0; i < n; ++i) y[i] = x[i] + h * at[stage] * k[i];
        CHECK(fmi2SetTime(c, h * (step + at[stage])) == fmi2OK);
        CHECK(fmi2SetContinuousStates(c, y, nx) == fmi2OK);
        CHECK(fmi2GetDerivatives(c, k, nx) == fmi2OK);
        for (i = 0; i < n; ++i) sum[i] += weight[stage] * k[i];
      }
      for (i = 0; i < n; ++i) x[i] += h * sum[i];
      CHECK(fmi2SetContinuousStates(c, x, nx) == fmi2OK);
      CHECK(fmi2CompletedIntegratorStep(c, fmi2True, &event, &terminate) == fmi2OK && !event);
    }
    for (i = 0; i < n; ++i) printf("%.17g\n", x[i]);
    /* Derivatives as variables; states saved, carried over as bytes, and put back. */
    CHECK(fmi2GetDerivatives(c, k, nx) == fmi2OK);
    CHECK(fmi2GetReal(c, &derivative, 1, &value) == fmi2OK && value == k[0]);
    CHECK(fmi2GetFMUstate(c, &saved) == fmi2OK);
    CHECK(fmi2SerializedFMUstateSize(c, saved, &bytes) == fmi2OK);
    buffer = malloc(bytes);
    CHECK(fmi2SerializeFMUstate(c, saved, buffer, bytes) == fmi2OK);
    CHECK(fmi2Reset(c) == fmi2OK);
    CHECK(fmi2DeSerializeFMUstate(c, buffer, bytes, &restored) == fmi2OK);
    CHECK(fmi2SetFMUstate(c, restored) == fmi2OK);
    CHECK(fmi2GetContinuousStates(c, y, nx) == fmi2OK && memcmp(x, y, nx * sizeof(double)) == 0);
    CHECK(fmi2FreeFMUstate(c, &saved) == fmi2OK && fmi2FreeFMUstate(c, &restored) == fmi2OK);
    /* Wrong use is refused. */
    CHECK(complaints == 1);
    CHECK(fmi2SetReal(c, &derivative, 1, &value) == fmi2Error);
    derivative = 1000000;
    CHECK(fmi2GetReal(c, &derivative, 1, &value) == fmi2Error);
    CHECK(fmi2SetContinuousStates(c, x, nx + 1) == fmi2Error);
    CHECK(fmi2GetInteger(c, &derivative, 1, &step) == fmi2Error);
    CHECK(fmi2Terminate(c) == fmi2OK);
    CHECK(fmi2SetTime(c, 0) == fmi2Error && complaints == 6);
    fmi2FreeInstance(c);
    CHECK(allocated == 0);
    /* Co-simulation, to the same place. */
    c = fmi2Instantiate("two", fmi2CoSimulation, argv[2], "", &callbacks, fmi2False, fmi2False);
    CHECK(c != NULL);
    CHECK(fmi2SetupExperiment(c, fmi2True, 1e-12, 0, fmi2False, 0) == fmi2OK);
    CHECK(fmi2EnterInitializationMode(c) == fmi2OK);
    CHECK(fmi2SetReal(c, &input, 1, &force) == fmi2OK);
    CHECK(fmi2ExitInitializationMode(c) == fmi2OK);
    CHECK(fmi2SetRealInputDerivatives(c, NULL, 0, NULL, NULL) == fmi2OK);
    CHECK(fmi2GetRealOutputDerivatives(c, NULL, 0, NULL, NULL) == fmi2OK);
    for (step = 0; step < atoi(argv[4]); ++step)
      CHECK(fmi2DoStep(c, h * step, h, fmi2True) == fmi2OK);
    CHECK(fmi2GetRealStatus(c, fmi2LastSuccessfulTime, &reached) == fmi2OK);
    CHECK(fabs(reached - h * atoi(argv[4])) <= 1e-15);
    CHECK(fmi2GetBooleanStatus(c, fmi2Terminated, &ends) == fmi2OK && !ends);
    CHECK(fmi2GetStatus(c, fmi2DoStepStatus, &status) == fmi2Discard);
    CHECK(fmi2GetIntegerStatus(c, fmi2Terminated, &step) == fmi2Discard);
    CHECK(fmi2GetStringStatus(c, fmi2PendingStatus, &text) == fmi2Discard);
    CHECK(fmi2CancelStep(c) == fmi2Error);
    for (i = 0; i < n; ++i) {
      derivative = (fmi2ValueReference)i;
      CHECK(fmi2GetReal(c, &derivative, 1, &value) == fmi2OK);
      printf("%.17g\n", value);
    }
    fmi2FreeInstance(c);
    CHECK(allocated == 0);
    free(indicators), free(buffer), free(x), free(y), free(k), free(sum);
  }
  return 0;
}
