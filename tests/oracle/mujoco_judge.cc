#include "mujoco_judge.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "paths.h"

#ifdef KINEMORPH_LIBMUJOCO
#include <mujoco/mujoco.h>
#endif

namespace kinemorph {
namespace {

namespace fs = std::filesystem;

// A folder of this process, gone when the process is.
class Scratch {
 public:
  Scratch()
      : path_(fs::temp_directory_path() / ("kinemorph_mujoco_" + std::to_string(::getpid()))) {
    fs::create_directories(path_);
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

const fs::path& ScratchFolder() {
  static const Scratch scratch;
  return scratch.path();
}

std::string Quoted(const fs::path& path) { return "'" + path.string() + "'"; }

}  // namespace

std::optional<fs::path> StubbedCorpus(std::string& why) {
  const fs::path shared = kinemorph::test::SharedDir();
  const fs::path tool = shared / "data/tools/stub_assets.py";
  if (!fs::exists(tool)) return why = "the corpus is not here", std::nullopt;
  const fs::path out = ScratchFolder() / "corpus";
  if (!fs::exists(out) &&
      std::system(("/usr/bin/env python3 " + Quoted(tool) + " " + Quoted(shared / "data/corpus") +
                   " " + Quoted(out) + " > /dev/null")
                      .c_str()) != 0) {
    return why = "stub_assets.py failed (python3?)", std::nullopt;
  }
  return out / "mjcf";
}

std::vector<std::string> CorpusMains() {
  std::vector<std::string> mains;
  std::ifstream manifest(fs::path(kinemorph::test::SharedDir()) / "data/corpus/manifest.csv");
  std::string line;
  while (std::getline(manifest, line)) {
    // path,format,source_repo,commit,licence,role,... ; no commas before the role.
    std::vector<std::string> cells;
    std::stringstream stream(line);
    for (std::string cell; cells.size() < 6 && std::getline(stream, cell, ',');)
      cells.push_back(cell);
    if (cells.size() == 6 && cells[1] == "mjcf" && cells[5] == "main")
      mains.push_back(cells[0].substr(5));
  }
  return mains;
}

std::optional<std::map<std::string, CompiledMujoco>> CompileWithNode(
    const fs::path& root, const std::vector<std::string>& files, std::string& why) {
  const fs::path script =
      fs::path(kinemorph::test::SourceDir()) / "tests/oracle/mjwasm/compile.mjs";
  if (std::getenv("KINEMORPH_MUJOCO_WASM") == nullptr &&
      !fs::exists(script.parent_path() / "node_modules/@mujoco/mujoco")) {
    return why = "npm module @mujoco/mujoco is absent (npm ci in tests/oracle/mjwasm)",
           std::nullopt;
  }
  if (std::system("node --version > /dev/null 2>&1") != 0)
    return why = "node is absent", std::nullopt;
  const fs::path list = ScratchFolder() / "files.txt", output = ScratchFolder() / "compiled.jsonl";
  {
    std::ofstream out(list);
    for (const std::string& file : files) out << file << "\n";
  }
  if (std::system(("node " + Quoted(script) + " " + Quoted(root) + " @" + Quoted(list) + " > " +
                   Quoted(output))
                      .c_str()) != 0) {
    return why = "compile.mjs failed", std::nullopt;
  }
  std::map<std::string, CompiledMujoco> compiled;
  std::ifstream in(output);
  for (std::string line; std::getline(in, line);) {
    std::string file;
    CompiledMujoco one = CompiledFromJson(line, file);
    compiled.emplace(file, std::move(one));
  }
  return compiled;
}

#ifndef KINEMORPH_LIBMUJOCO
std::optional<CompiledMujoco> CompileWithLibrary(const fs::path&) { return std::nullopt; }
#else
namespace {

Vector3 Vec(const mjtNum* v) { return {v[0], v[1], v[2]}; }
RigidTransform Pose(const mjtNum* position, const mjtNum* matrix) {
  RigidTransform X;
  for (int i = 0; i < 9; ++i) X.R(i / 3, i % 3) = matrix[i];
  X.p = Vec(position);
  return X;
}
std::string NameOf(const mjModel* m, int type, int id) {
  const char* name = mj_id2name(m, type, id);
  return name != nullptr ? name : "";
}

}  // namespace

std::optional<CompiledMujoco> CompileWithLibrary(const fs::path& file) {
  CompiledMujoco result;
  char error[1000] = "refused";
  mjModel* m = mj_loadXML(file.c_str(), nullptr, error, sizeof error);
  if (m == nullptr) {
    result.error = error;
    return result;
  }
  mjData* d = mj_makeData(m);
  mju_copy(d->qpos, m->qpos0, m->nq);
  mj_kinematics(m, d);
  result.nv = m->nv;
  for (int b = 1; b < m->nbody; ++b) {
    result.bodies.push_back({NameOf(m, mjOBJ_BODY, b), m->body_parentid[b], m->body_mocapid[b] >= 0,
                             m->body_mass[b], Pose(d->xpos + 3 * b, d->xmat + 9 * b),
                             Pose(d->xipos + 3 * b, d->ximat + 9 * b),
                             Vec(m->body_inertia + 3 * b)});
  }
  for (int j = 0; j < m->njnt; ++j) {
    const int dof = m->jnt_dofadr[j], q = m->jnt_qposadr[j];
    CompiledJoint joint;
    joint.name = NameOf(m, mjOBJ_JOINT, j);
    joint.body = m->jnt_bodyid[j];
    joint.type = m->jnt_type[j];
    joint.anchor = Vec(d->xanchor + 3 * j);
    joint.axis = Vec(d->xaxis + 3 * j);
    joint.limited = m->jnt_limited[j] != 0;
    joint.lower = m->jnt_range[2 * j];
    joint.upper = m->jnt_range[2 * j + 1];
    joint.ref = m->qpos0[q];
    joint.springref = m->qpos_spring[q];
    joint.stiffness = m->jnt_stiffness[j];
    joint.damping = m->dof_damping[dof];
    joint.armature = m->dof_armature[dof];
    joint.frictionloss = m->dof_frictionloss[dof];
    result.joints.push_back(joint);
  }
  for (int e = 0; e < m->neq; ++e) {
    CompiledEquality eq;
    eq.type = m->eq_type[e];
    eq.active = m->eq_active[e] != 0;
    eq.a = m->eq_obj1id[e];
    eq.b = m->eq_obj2id[e];
    eq.data.assign(m->eq_data + mjNEQDATA * e, m->eq_data + mjNEQDATA * (e + 1));
    result.equalities.push_back(std::move(eq));
  }
  mj_deleteData(d);
  mj_deleteModel(m);
  return result;
}
#endif

}  // namespace kinemorph
