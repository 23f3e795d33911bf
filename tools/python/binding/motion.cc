// A robot in motion: what kinemorph/gateway/motion.h does.
#include "interruption.h"
#include "kinemorph/formats/file_resolver.h"

namespace kinemorph::python {
namespace {

std::string TakeMethod(const std::string& name, MotionRequest& request) {
  if (name == "embedding")
    request.method = MotionMethod::kEmbedding;
  else if (name == "spf")
    request.method = MotionMethod::kSpf;
  else
    return "method: '" + name + "' is none of embedding, spf";
  return {};
}

std::string TakeBase(const std::string& name, MotionRequest& request) {
  if (name == "auto")
    request.base = BaseChoice::kAuto;
  else if (name == "fixed")
    request.base = BaseChoice::kFixed;
  else if (name == "floating")
    request.base = BaseChoice::kFloating;
  else
    return "base: '" + name + "' is none of auto, fixed, floating";
  return {};
}

// The table, the summary (empty: the motion did not begin), and the messages.
using Told = std::tuple<std::string, std::string, std::string>;

Told Simulated(const Description& robot, MotionRequest request, std::size_t max_rows) {
  FileAccess anywhere;
  anywhere.outside = true;  // the user's own file names them
  const FileResolver tables(request.controller_name, std::move(anywhere));
  request.controller_files = &tables;
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
            if (rows > max_rows + 1) return "more rows than max_rows allows";
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

void BindMotion(py::module_& module, DescriptionClass& type) {
  py::class_<MotionRequest> asked(module, "MotionRequest", "How a robot moves.");
  Seal(asked, [] { return py::cast(MotionRequest()).release().ptr(); });
  asked.def(py::init<>())
      .def_readwrite("time", &MotionRequest::time)
      .def_readwrite("step", &MotionRequest::step)
      .def_readwrite("rtol", &MotionRequest::rtol)
      .def_readwrite("eps", &MotionRequest::eps)
      .def_readwrite("rows", &MotionRequest::rows)
      .def_readwrite("friction", &MotionRequest::friction)
      .def_readwrite("ground", &MotionRequest::ground)
      .def_readwrite("set", &MotionRequest::set)
      .def_readwrite("rate", &MotionRequest::rate)
      .def_readwrite("hold", &MotionRequest::hold)
      .def_readwrite("armature", &MotionRequest::armature)
      .def_readwrite("contact", &MotionRequest::contact)
      .def_property(
          "gravity", [](const MotionRequest& request) { return request.gravity; },
          py::cpp_function(
              [](MotionRequest& request, const decltype(MotionRequest::gravity)& gravity) {
                request.gravity = gravity;
              },
              py::arg("request"), py::arg("gravity").noconvert()))
      .def_readwrite("controller", &MotionRequest::controller)
      .def_readwrite("controller_name", &MotionRequest::controller_name)
      .def(
          "take_method",
          [](MotionRequest& request, const std::string& name) { return TakeMethod(name, request); },
          py::arg("name"))
      .def(
          "take_base",
          [](MotionRequest& request, const std::string& name) { return TakeBase(name, request); },
          py::arg("name"));
  type.def("simulate", &Simulated, py::arg("request"), py::arg("max_rows"));
}

}  // namespace kinemorph::python
