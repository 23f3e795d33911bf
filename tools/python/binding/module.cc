// The module _kinemorph: the door kinemorph/gateway.h for the Python package beside it.
#include "description.h"
#include "kinemorph/converters/json.h"
#include "kinemorph/converters/lint.h"
#include "kinemorph/views.h"

namespace kinemorph::python {

// A Description is a robot with the messages of its reading. It does not change, so that threads
// may share it; the mechanics are made when they are first asked for, once.
Description::Description(Robot robot, Diagnostics reading)
    : robot_(std::move(robot)), reading_(std::move(reading)) {
  for (const LinkId link : Links(model()))
    if (!model().link(link).synthetic) links_.push_back(link), places_.push_back({link, {}});
  for (const Frame& frame : model().frames) places_.push_back({frame.link, frame.X_LF});
}

std::shared_ptr<const Mechanics> Description::mechanics() const {
  std::call_once(once_, [&] { mechanics_ = std::make_shared<const Mechanics>(model()); });
  return mechanics_;
}

namespace {

// Objects without a robot in them would crash the first function; Python can make none.
PyObject* NewOfSealed(PyTypeObject* type, PyObject* /*words*/, PyObject* /*named*/) {
  PyErr_Format(PyExc_TypeError, "%s: only functions of kinemorph make such an object",
               type->tp_name);
  return nullptr;
}

}  // namespace

void Seal(py::handle type) {
  auto* const sealed = reinterpret_cast<PyTypeObject*>(type.ptr());
  sealed->tp_new = &NewOfSealed;
  PyType_Modified(sealed);
}

// One place checks sizes for all functions: what comes from an array is trusted from here on.
std::shared_ptr<const Mechanics> MechanicsFor(const Description& robot, Eigen::Index positions,
                                              std::initializer_list<Eigen::Index> velocities) {
  std::shared_ptr<const Mechanics> mechanics = robot.mechanics();
  const auto need = [](Eigen::Index is, std::size_t wanted) {
    if (static_cast<std::size_t>(is) != wanted)
      throw py::value_error("an array has " + std::to_string(is) + " numbers, and " +
                            std::to_string(wanted) + " are wanted");
  };
  need(positions, mechanics->coordinates().size());
  for (const Eigen::Index each : velocities) need(each, mechanics->velocities().size());
  return mechanics;
}

Diagnostics Description::Translated(const Diagnostics& messages) const {
  return robot_.expansion ? robot_.expansion->Translated(messages) : messages;
}

namespace {

// An unreadable file is no exception here: the package decides what to raise, with all messages.
// A robot or none, and the messages of reading it.
using Read = std::pair<std::shared_ptr<Description>, std::string>;

Read Taken(Loaded loaded) {
  std::string messages = MessagesJson(loaded.diagnostics);
  if (!loaded.robot) return {nullptr, std::move(messages)};
  return {std::make_shared<Description>(std::move(*loaded.robot), std::move(loaded.diagnostics)),
          std::move(messages)};
}

LoadOptions HowToRead(const std::string& from,
                      const std::vector<std::pair<std::string, std::string>>& with,
                      bool look_beside) {
  LoadOptions options;
  options.from = from, options.look_beside = look_beside;
  for (const auto& [name, text] : with) options.with.push_back({name, text});
  return options;
}

using SideCars = std::vector<std::pair<std::string, std::string>>;
using Names = std::map<std::string, std::string>;

Read ReadFile(const std::string& path, const std::optional<std::string>& text,
              const std::string& from, const SideCars& with, bool look_beside,
              const Names& packages, const std::vector<std::string>& package_path,
              const Names& xacro_args, bool xacro, bool allow_outside, bool env) {
  FileOptions options;
  static_cast<LoadOptions&>(options) = HowToRead(from, with, look_beside);
  options.text = text;
  options.packages = packages, options.package_path = package_path;
  options.xacro_args = xacro_args, options.xacro = xacro;
  options.allow_outside = allow_outside, options.environment = env;
  return Taken(LoadFile(path, options));
}

Read ReadText(const std::string& text, const std::string& name, const Names& files,
              const std::string& from, const SideCars& with) {
  return Taken(
      LoadText(text, name, std::make_shared<MemoryResolver>(files), HowToRead(from, with, true)));
}

// As the command prints it, or the messages alone where nothing could be inspected.
std::string InspectionOf(const Description& robot, const std::string& options) {
  Diagnostics messages = robot.reading();
  const std::optional<Inspection> found =
      InspectRobot(robot.robot(), RequestOf<InspectOptions>(options), messages);
  return found ? InspectionJson(*found, messages)
               : "{\"diagnostics\": " + MessagesJson(messages) + "}";
}

std::string LintOf(const Description& robot) {
  return MessagesJson(
      robot.Translated(Lint(robot.model(), robot.reading(), robot.robot().resolver.get())));
}

// A file that the description names, where it is.
std::optional<std::string> Located(const Description& robot, const std::string& uri) {
  std::string why;
  const ResourceResolver* resolver = robot.robot().resolver.get();
  return resolver ? resolver->Locate(uri, robot.robot().file, why) : std::nullopt;
}

py::object Opened(const Description& robot, const std::string& uri) {
  std::string why;
  // Bytes are made with the lock, the file is read without it.
  std::optional<Resource> found;
  {
    const py::gil_scoped_release unlocked;
    const ResourceResolver* resolver = robot.robot().resolver.get();
    if (resolver) found = resolver->Open(uri, robot.robot().file, why);
  }
  if (!found) return py::none();
  return py::bytes(found->content);
}

}  // namespace

PYBIND11_MODULE(_kinemorph, module) {
  module.doc() = "The library's door for the package kinemorph; use that.";
  module.attr("version") = KINEMORPH_VERSION;
  DescriptionClass type(module, "Description", "A robot that was read.");
  Seal(type);
  // What only looks something up keeps the interpreter's lock; what computes gives it up
  // (WithoutLock).
  type.def_property_readonly("name", [](const Description& r) { return r.model().name; })
      .def_property_readonly("format", [](const Description& r) { return r.model().format; })
      .def_property_readonly("format_version",
                             [](const Description& r) { return r.model().format_version; })
      .def_property_readonly("file", [](const Description& r) { return r.robot().file; })
      .def_property_readonly("text", [](const Description& r) { return py::bytes(r.robot().text); })
      .def_property_readonly("read", [](const Description& r) { return r.robot().read; })
      .def("inspection", &InspectionOf, py::arg("options"), WithoutLock())
      .def("lint", &LintOf, WithoutLock())
      .def(
          "scene", [](const Description& r) { return SceneJson(r.model()); }, WithoutLock())
      .def(
          "graph",
          [](const Description& r, const std::string& kind) {
            const std::optional<GraphKind> known = GraphKindNamed(kind);
            return known ? GraphJson(GraphOf(r.model(), *known)) : std::string();
          },
          py::arg("kind"), WithoutLock())
      .def(
          "drawing",
          [](const Description& r, const std::string& kind) {
            const std::optional<GraphKind> known = GraphKindNamed(kind);
            return known ? DrawGraph(r.model(), *known) : std::string();
          },
          py::arg("kind"), WithoutLock())
      .def("locate", &Located, py::arg("uri"), WithoutLock())
      .def("open", &Opened, py::arg("uri"));
  BindElements(type);
  BindMechanics(type);
  BindConversion(module, type);
  BindMotion(type);
  module.def("read_file", &ReadFile, py::arg("path"), py::arg("text"), py::arg("from_"),
             py::arg("with_"), py::arg("look_beside"), py::arg("packages"), py::arg("package_path"),
             py::arg("xacro_args"), py::arg("xacro"), py::arg("allow_outside"), py::arg("env"),
             WithoutLock());
  module.def("read_text", &ReadText, py::arg("text"), py::arg("name"), py::arg("files"),
             py::arg("from_"), py::arg("with_"), WithoutLock());
}

}  // namespace kinemorph::python
