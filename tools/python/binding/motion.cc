// A robot in motion: what kinemorph/simulate.h does.
#include "interruption.h"
#include "kinemorph/formats/file_resolver.h"
#include "kinemorph/simulate.h"

namespace kinemorph::python {
namespace {

// The table of the command as one text. CTRL-C ends the motion between two steps; the rows so far
// are given up then, since an exception has no result.
// The table, the summary (empty: the motion did not begin), and the messages.
using Told = std::tuple<std::string, std::string, std::string>;

Told Simulated(const Description& robot, const std::string& options,
               const std::string& controller_name) {
  MotionRequest request = RequestOf<MotionRequest>(options);
  FileAccess anywhere;
  // As in the command: the controller is the user's own, and its tables may stand anywhere.
  anywhere.outside = true;  // the user's own file names them
  const FileResolver tables(controller_name, std::move(anywhere));
  request.controller_name = controller_name, request.controller_files = &tables;
  Told told;
  Interruption interruption;
  {
    const py::gil_scoped_release unlocked;
    Diagnostics messages;
    request.interrupted = [&] { return interruption.Asked(); };
    const std::unique_ptr<Motion> motion = Motion::Prepare(robot.robot(), request, messages);
    if (motion) {
      MotionTable table = motion->Table();
      std::size_t rows = 0;
      bool finite = true;
      const SimulationResult result = motion->Run(
          [&](const MotionSample& sample) { finite = table.Add(sample) && finite, ++rows; },
          [&]() -> std::string {
            if (!finite) return "a number of the motion is not finite";
            if (rows > request.max_rows + 1) return "more rows than max_rows allows";
            return interruption.Asked();
          },
          messages);
      std::get<0>(told) = table.Take();
      std::get<1>(told) = motion->Summary(result);
    }
    std::get<2>(told) = MessagesJson(robot.Translated(messages));
  }
  if (interruption.pressed()) throw py::error_already_set();
  return told;
}

}  // namespace

void BindMotion(DescriptionClass& type) {
  type.def("simulate", &Simulated, py::arg("options"), py::arg("controller_name"));
}

}  // namespace kinemorph::python
