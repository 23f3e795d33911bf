// Reading, graphing, lowering and writing a 50-link robot, against what others need for the same
// bytes.
#include <benchmark/benchmark.h>
#include <tinyxml2.h>

#include <string>

#include "kinemorph/converters/convert.h"
#include "kinemorph/graph/connectivity/lacg.h"
#include "ratios.h"
#ifdef KINEMORPH_BENCH_URDFDOM
#include <urdf_parser/urdf_parser.h>
#endif
#ifdef KINEMORPH_BENCH_SDFORMAT
#include <sdf/sdf.hh>
#endif
#ifdef KINEMORPH_BENCH_MUJOCO
#include <mujoco/mujoco.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#endif

namespace kinemorph::bench {
namespace {

constexpr int kLinks = 50;

// A serial-branching robot with one visual and one collision per link, like the robots people have;
// every tenth link closes a loop.
std::string Urdf(bool loops) {
  std::string text = "<?xml version=\"1.0\"?>\n<robot name=\"bench\">\n";
  for (int i = 0; i < kLinks; ++i) {
    const std::string n = std::to_string(i);
    text += "  <link name=\"link_" + n +
            "\">\n    <inertial>\n      <origin xyz=\"0.01 -0.02 0.1\" rpy=\"0.1 0.2 0.3\"/>\n     "
            " <mass value=\"1.25\"/>\n"
            "      <inertia ixx=\"0.012\" ixy=\"0.0001\" ixz=\"-0.0002\" iyy=\"0.013\" "
            "iyz=\"0.0003\" izz=\"0.011\"/>\n    </inertial>\n"
            "    <visual>\n      <origin xyz=\"0 0 0.1\" rpy=\"0 0 0\"/>\n      <geometry>\n       "
            " <mesh "
            "filename=\"package://bench/meshes/link_" +
            n +
            ".stl\" scale=\"1 1 1\"/>\n"
            "      </geometry>\n      <material name=\"grey\">\n        <color rgba=\"0.5 0.5 0.5 "
            "1\"/>\n      </material>\n    </visual>\n"
            "    <collision>\n      <origin xyz=\"0 0 0.1\" rpy=\"0 0 0\"/>\n      <geometry>\n    "
            "    <cylinder radius=\"0.05\" "
            "length=\"0.2\"/>\n      </geometry>\n    </collision>\n  </link>\n";
  }
  for (int i = 1; i < kLinks; ++i) {
    const std::string n = std::to_string(i), parent = std::to_string(i % 5 == 0 ? i - 3 : i - 1);
    text += "  <joint name=\"joint_" + n +
            "\" type=\"revolute\">\n    <origin xyz=\"0.1 0 0.2\" rpy=\"0.1 -0.2 0.3\"/>\n    "
            "<parent link=\"link_" +
            parent + "\"/>\n    <child link=\"link_" + n +
            "\"/>\n    <axis xyz=\"0 0 1\"/>\n    <limit lower=\"-1.5\" upper=\"1.5\" "
            "effort=\"100\" velocity=\"5\"/>\n    <dynamics "
            "damping=\"0.1\" friction=\"0.01\"/>\n  </joint>\n";
  }
  for (int i = 10; loops && i < kLinks; i += 10) {
    text += "  <loop name=\"loop_" + std::to_string(i) +
            "\" type=\"revolute\">\n    <predecessor link=\"link_" + std::to_string(i - 1) +
            "\">\n      <origin xyz=\"0 0 0.1\" rpy=\"0 0 0\"/>\n    </predecessor>\n    "
            "<successor link=\"link_" +
            std::to_string(i) +
            "\">\n      <origin xyz=\"0.1 0 0\" rpy=\"0 0 0\"/>\n    </successor>\n    <axis "
            "xyz=\"0 0 1\"/>\n  </loop>\n";
  }
  return text + "</robot>\n";
}

Model Read(const std::string& text, const char* format) {
  Diagnostics diagnostics;
  std::optional<Model> model = ReadModel(text, FindFormat(format), {}, diagnostics);
  if (!model) {
    for (const Diagnostic& item : diagnostics.items())
      std::fprintf(stderr, "%s\n", Render(item).c_str());
    std::abort();
  }
  return std::move(*model);
}

std::string Written(Model model, const char* format) {
  Diagnostics diagnostics;
  ConvertOptions options;
  options.target.format = FindFormat(format);
  options.base = BaseChoice::kFixed;
  std::optional<Converted> converted = Convert(std::move(model), options, diagnostics);
  if (!converted) {
    for (const Diagnostic& item : diagnostics.items())
      std::fprintf(stderr, "%s\n", Render(item).c_str());
    std::abort();
  }
  return std::move(converted->text);
}

const std::string& Text(const std::string& format) {
  static const std::map<std::string, std::string> kTexts = [] {
    const Model model = Read(Urdf(false), "urdf");
    std::map<std::string, std::string> texts = {{"urdf", Urdf(false)}, {"urdf+", Urdf(true)}};
    for (const char* target : {"sdf", "mjcf", "mbs"}) texts[target] = Written(model, target);
    return texts;
  }();
  return kTexts.at(format);
}

void TinyXml(benchmark::State& state, const std::string& format) {
  const std::string& text = Text(format);
  for (auto _ : state) {
    tinyxml2::XMLDocument document;
    document.Parse(text.data(), text.size());
    tinyxml2::XMLPrinter printer;
    document.Print(&printer);
    benchmark::DoNotOptimize(printer.CStr());
  }
}

void ReadOnly(benchmark::State& state, const std::string& format) {
  for (auto _ : state) benchmark::DoNotOptimize(Read(Text(format), format.c_str()));
}

void Cluster(benchmark::State& state) {
  const Model model = Read(Text("urdf+"), "urdf+");
  for (auto _ : state) {
    const SpanningTree tree = ChooseSpanningTree(model);
    benchmark::DoNotOptimize(BuildLoopAggregatedConnectivityGraph(model, tree));
  }
}

void ConvertAll(benchmark::State& state, const std::string& from, const std::string& to) {
  for (auto _ : state)
    benchmark::DoNotOptimize(Written(Read(Text(from), from.c_str()), to.c_str()));
}

BENCHMARK_CAPTURE(TinyXml, urdf, "urdf");
BENCHMARK_CAPTURE(TinyXml, sdf, "sdf");
BENCHMARK_CAPTURE(TinyXml, mjcf, "mjcf");
BENCHMARK_CAPTURE(TinyXml, mbs, "mbs");
BENCHMARK_CAPTURE(ReadOnly, urdf, "urdf");
BENCHMARK_CAPTURE(ReadOnly, sdf, "sdf");
BENCHMARK_CAPTURE(ReadOnly, mjcf, "mjcf");
BENCHMARK_CAPTURE(ReadOnly, mbs, "mbs");
BENCHMARK(Cluster);
BENCHMARK_CAPTURE(ConvertAll, urdf_to_sdf, "urdf", "sdf");
BENCHMARK_CAPTURE(ConvertAll, sdf_to_urdf, "sdf", "urdf+");
BENCHMARK_CAPTURE(ConvertAll, urdf_to_mjcf, "urdf", "mjcf");
BENCHMARK_CAPTURE(ConvertAll, mjcf_to_mjcf, "mjcf", "mjcf");
BENCHMARK_CAPTURE(ConvertAll, mjcf_to_urdf, "mjcf", "urdf+");
BENCHMARK_CAPTURE(ConvertAll, urdf_to_mbs, "urdf", "mbs");

#ifdef KINEMORPH_BENCH_URDFDOM
void Urdfdom(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(urdf::parseURDF(Text("urdf")));
}
BENCHMARK(Urdfdom);
#endif

#ifdef KINEMORPH_BENCH_SDFORMAT
void SdformatUrdfToSdf(benchmark::State& state) {
  for (auto _ : state) {
    sdf::SDFPtr sdf(new sdf::SDF());
    sdf::init(sdf);
    sdf::readString(Text("urdf"), sdf);
    benchmark::DoNotOptimize(sdf->Root()->ToString(""));
  }
}
BENCHMARK(SdformatUrdfToSdf)->Unit(benchmark::kMillisecond);

void SdformatLoad(benchmark::State& state) {
  for (auto _ : state) {
    sdf::Root root;
    benchmark::DoNotOptimize(root.LoadSdfString(Text("sdf")));
  }
}
BENCHMARK(SdformatLoad)->Unit(benchmark::kMillisecond);
#endif

#ifdef KINEMORPH_BENCH_MUJOCO
// MuJoCo reads files; the mesh geoms are left out, which only helps it.
void MujocoLoadSave(benchmark::State& state) {
  tinyxml2::XMLDocument document;
  document.Parse(Text("mjcf").c_str());
  tinyxml2::XMLElement* root = document.RootElement();
  if (tinyxml2::XMLElement* asset = root->FirstChildElement("asset")) root->DeleteChild(asset);
  std::vector<tinyxml2::XMLElement*> stack = {root};
  while (!stack.empty()) {
    tinyxml2::XMLElement* parent = stack.back();
    stack.pop_back();
    for (tinyxml2::XMLElement* e = parent->FirstChildElement(); e;) {
      tinyxml2::XMLElement* next = e->NextSiblingElement();
      for (const char* newer : {"actuatorfrcrange", "actuatorfrclimited"})
        e->DeleteAttribute(newer);  // than the installed library
      if (e->Attribute("mesh"))
        parent->DeleteChild(e);
      else
        stack.push_back(e);
      e = next;
    }
  }
  std::string in = "/tmp/kinemorph-bench-in-XXXXXX", out = "/tmp/kinemorph-bench-out-XXXXXX";
  ::close(mkstemp(in.data()));
  ::close(mkstemp(out.data()));
  document.SaveFile(in.c_str());
  char error[1000] = "";
  for (auto _ : state) {
    mjModel* model = mj_loadXML(in.c_str(), nullptr, error, sizeof error);
    if (!model) {
      state.SkipWithError(error);
      break;
    }
    mj_saveLastXML(out.c_str(), model, error, sizeof error);
    mj_deleteModel(model);
  }
  ::unlink(in.c_str());
  ::unlink(out.c_str());
}
BENCHMARK(MujocoLoadSave);
#endif

}  // namespace
}  // namespace kinemorph::bench

int main(int argc, char** argv) {
  return kinemorph::bench::RunWithRatios(
      argc, argv,
      {{"URDF to SDFormat, against tinyxml2 parsing and printing the URDF",
        "ConvertAll/urdf_to_sdf", "TinyXml/urdf", 3},
       {"SDFormat to URDF+, against tinyxml2 parsing and printing the SDFormat",
        "ConvertAll/sdf_to_urdf", "TinyXml/sdf", 3},
       {"URDF to MJCF, against tinyxml2 parsing and printing the URDF", "ConvertAll/urdf_to_mjcf",
        "TinyXml/urdf", 3},
       {"MJCF to MJCF, against tinyxml2 parsing and printing the MJCF", "ConvertAll/mjcf_to_mjcf",
        "TinyXml/mjcf", 3},
       {"MJCF to URDF+, against tinyxml2 parsing and printing the MJCF", "ConvertAll/mjcf_to_urdf",
        "TinyXml/mjcf", 3},
       {"URDF to MBS, against tinyxml2 parsing and printing the URDF", "ConvertAll/urdf_to_mbs",
        "TinyXml/urdf", 3},
       {"URDF read, against urdfdom", "ReadOnly/urdf", "Urdfdom"},
       {"SDFormat read, against libsdformat", "ReadOnly/sdf", "SdformatLoad"},
       {"URDF to SDFormat, against libsdformat's own conversion", "ConvertAll/urdf_to_sdf",
        "SdformatUrdfToSdf", 0.01},
       {"MJCF to MJCF, against MuJoCo loading and saving", "ConvertAll/mjcf_to_mjcf",
        "MujocoLoadSave", 1},
       {"tree, digraph and aggregates, against tinyxml2 parsing and printing", "Cluster",
        "TinyXml/urdf"}});
}
