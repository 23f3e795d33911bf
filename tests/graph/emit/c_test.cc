// Exported C: compiled strictly, loaded, equal to the library; clean under the sanitizers; nothing
// from outside but <math.h>.
#include <algorithm>
#include <numbers>
#include <set>
#include <sstream>

#include "emit/names.h"
#include "generated_c.h"
#include "load_model.h"
#include "random_mechanism.h"

namespace kinemorph::test {
namespace {

struct Exported {
  Mechanism m;
  Coordinates coordinates;
  Equations equations;
};

std::optional<Exported> ExportOf(Mechanism m, const std::string& name) {
  Exported out;
  out.m = std::move(m);
  out.coordinates = AnalyseCoordinates(out.m);
  std::string why;
  std::optional<Equations> equations = MakeEquations(out.m, out.coordinates, name, {}, why);
  EXPECT_TRUE(equations) << name << ": " << why;
  if (!equations) return std::nullopt;
  out.equations = *std::move(equations);
  return out;
}

std::vector<Exported> ExportedFixtures(const std::vector<std::string>& names) {
  std::vector<Exported> all;
  for (const std::string& name : names) {
    std::string why;
    const std::optional<Model> model =
        LoadModel(Fixture("mechanisms/" + name + "/" + name + ".urdf"), why);
    EXPECT_TRUE(model) << why;
    if (!model) continue;
    if (auto exported = ExportOf(Compile(*model), name)) all.push_back(*std::move(exported));
  }
  return all;
}

// A floating base with a loop, a ball joint, couplings, joints of all kinds.
std::optional<Exported> Hard() {
  RandomMechanismOptions options;
  options.links = 8, options.reversed_joints = true, options.free_base = true;
  Mechanism m = Compile(RandomMechanism(3, options));
  for (std::size_t v = 0; v < m.names.size(); ++v) m.damping[v] = 0.1, m.armature[v] = 0.01;
  for (std::size_t b = 1; b < m.bodies.size(); b += 2) m.bodies[b].weightless = true;
  return ExportOf(std::move(m), "hard");
}

void ExpectEqual(const Loaded& loaded, const Exported& each, int states, double tolerance) {
  for (const auto& [function, difference] :
       DifferencesOfGenerated(loaded, each.m, each.coordinates, each.equations, states))
    EXPECT_LE(difference, tolerance) << each.equations.name << " " << function;
}

TEST(ExportC, EqualsTheLibraryInTenMechanisms) {
  std::vector<Exported> all = ExportedFixtures(
      {"four_bar", "four_bar_general", "six_bar", "slider_crank", "double_pendulum", "gripper",
       "spherical_four_bar", "torso", "belt_transmission"});
  if (auto hard = Hard()) all.push_back(*std::move(hard));
  ASSERT_EQ(all.size(), 10u);
  TemporaryFolder folder;
  std::string sources;
  for (const Exported& each : all) {
    WriteFiles(ExportC(each.equations), folder.path());
    sources += each.equations.name + ".c ";
  }
  const CommandResult built =
      Shell("cc " + kStrict + " -O0 -shared -fPIC -o all.so " + sources + "-lm", folder.path());
  ASSERT_EQ(built.exit_code, 0) << built.err;
  const Loaded loaded(folder / "all.so");
  ASSERT_TRUE(loaded.good()) << dlerror();
  for (const Exported& each : all)
    ExpectEqual(loaded, each, 20, each.equations.name == "hard" ? 1e-11 : 1e-12);
  // Nothing is asked of the system but mathematics.
  const CommandResult symbols = Shell("nm -u all.so", folder.path());
  ASSERT_EQ(symbols.exit_code, 0) << symbols.err;
  const std::set<std::string> allowed = {"sin",
                                         "cos",
                                         "atan2",
                                         "nearbyint",
                                         "fabs",
                                         "sqrt",
                                         "__cxa_finalize",
                                         "__gmon_start__",
                                         "_ITM_deregisterTMCloneTable",
                                         "_ITM_registerTMCloneTable"};
  std::istringstream lines(symbols.out);
  int seen = 0;
  for (std::string kind, name; lines >> kind >> name; ++seen)
    EXPECT_TRUE(allowed.contains(name.substr(0, name.find('@')))) << name;
  EXPECT_GT(seen, 2);
}

// Published robots of four formats, at 100 closed states each. The accelerations of spf_rhs are
// compared with those of dense matrices, which lose the digits of the condition of their mass
// matrix (1e6 in the five-bar, whose rods are light); those of fd with another recursion, which
// does not.
TEST(ExportC, EqualsTheLibraryInTenMechanismsOfTheCorpus) {
  const std::string grbda = "urdf_plus/ROAM-Lab-ND_generalized_rbda/",
                    menagerie = "corpus/mjcf/johnnynunez__mujoco_menagerie/";
  const std::vector<std::string> paths = {
      "legs/km_b.urdf",
      "legs/km_r.urdf",
      grbda + "robot-models/planar_leg_linkage.urdf",
      grbda + "robot-models/mini_cheetah_fr_leg.urdf",
      grbda + "Benchmarking/urdfs/variable_four_bar_urdf/four_bar_branch_2_2.urdf",
      menagerie + "robotiq_2f85/2f85.xml",
      menagerie + "agility_cassie/cassie.xml",
      "mbs/examples/four_bar.mbs",
      "corpus/sdf/Gepetto__example-robot-data/robots/cassie_description/robots/cassie_v2.sdf",
      "urdf_plus/Gepetto_example-parallel-robots/robots/5bar_linkage/robot.urdf"};
  std::vector<Exported> all;
  TemporaryFolder folder;
  std::string sources;
  for (const std::string& path : paths) {
    if (!ReadText(Shared("data/" + path))) GTEST_SKIP() << path << " is not there";
    std::string why;
    const std::optional<Model> model = LoadModel(Shared("data/" + path), why);
    ASSERT_TRUE(model) << path << why;
    auto exported = ExportOf(Compile(*model), "robot" + std::to_string(all.size()));
    ASSERT_TRUE(exported) << path;
    WriteFiles(ExportC(exported->equations), folder.path());
    sources += exported->equations.name + ".c ";
    all.push_back(*std::move(exported));
  }
  const CommandResult built =
      Shell("cc " + kStrict + " -O0 -shared -fPIC -o all.so " + sources + "-lm", folder.path());
  ASSERT_EQ(built.exit_code, 0) << built.err;
  const Loaded loaded(folder / "all.so");
  ASSERT_TRUE(loaded.good()) << dlerror();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Exported& each = all[i];
    const bool light = paths[i].find("5bar") != std::string::npos;
    const double condition = ConditionOfMass(each.m, each.coordinates, each.coordinates.assembled);
    if (light) { EXPECT_GT(condition, 1e5); }
    for (const auto& [function, difference] :
         DifferencesOfGenerated(loaded, each.m, each.coordinates, each.equations, 100)) {
      const bool dense = light && function == "spf_rhs";
      EXPECT_LE(difference, dense ? 2e-16 * condition : 1e-12) << paths[i] << " " << function;
    }
  }
}

// A program that calls everything with arrays of exactly the sizes that the header names.
std::string Driver(const Equations& e) {
  std::string out = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include \"" +
                    e.name + ".h\"\n";
  out += "static double *array(size_t n) { return calloc(n > 0 ? n : 1, sizeof(double)); }\n";
  out += "int main(void) {\n  int bad = 0;\n";
  std::vector<Program> functions = e.programs;
  functions.push_back(CloseSignature(e));
  for (const Program& program : functions) {
    out += "  {\n";
    std::string arguments;
    for (const ProgramInput& input : program.inputs) {
      arguments += arguments.empty() ? "" : ", ";
      if (input.scalar) {
        arguments += "0.05";
        continue;
      }
      out += "    double *" + input.name + " = array(" + std::to_string(input.size) + ");\n";
      if (input.name == "q" || input.name == "guess" || input.name == "state")
        out += "    memcpy(" + input.name + ", " + e.name + "_q0, sizeof " + e.name + "_q0);\n";
      arguments += input.name;
    }
    for (const ProgramOutput& output : program.outputs) {
      out += "    double *" + output.name + " = array(" +
             std::to_string(output.rows * output.columns) + ");\n";
      arguments += ", " + output.name;
    }
    out += "    bad += " + e.name + "_" + program.name + "(" + arguments + ");\n";
    for (const ProgramInput& input : program.inputs)
      out += input.scalar ? "" : "    free(" + input.name + ");\n";
    for (const ProgramOutput& output : program.outputs) out += "    free(" + output.name + ");\n";
    out += "  }\n";
  }
  return out + "  printf(\"%d\\n\", bad);\n  return bad;\n}\n";
}

TEST(ExportC, IsCleanUnderSanitizersAndClang) {
  const std::vector<Exported> all = ExportedFixtures({"six_bar"});
  ASSERT_EQ(all.size(), 1u);
  TemporaryFolder folder;
  WriteFiles(ExportC(all[0].equations), folder.path());
  WriteFile(folder / "main.c", Driver(all[0].equations));
  const CommandResult run =
      Shell("cc " + kStrict +
                " -O0 -g -fsanitize=address,undefined -fno-sanitize-recover=all main.c "
                "six_bar.c -lm -o main && ASAN_OPTIONS=detect_leaks=0 ./main",
            folder.path());
  EXPECT_EQ(run.exit_code, 0) << run.err << run.out;
  // Debian's versioned name, which tools/setup installs; the plain one belongs to another package.
  if (std::system("command -v clang-14 >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "clang-14 is not installed";
  const CommandResult clang =
      Shell("clang-14 " + kStrict + " -fsyntax-only six_bar.c", folder.path());
  EXPECT_EQ(clang.exit_code, 0) << clang.err;
}

// A long program is cut into functions of bounded length, and means the same.
TEST(ExportC, CutsLongFunctions) {
  const std::vector<Exported> all = ExportedFixtures({"delta_robot"});
  ASSERT_EQ(all.size(), 1u);
  const std::vector<ExportedFile> files = ExportC(all[0].equations);
  EXPECT_NE(files[1].text.find("static void delta_robot_fd_2_of_"), std::string::npos);
  std::istringstream lines(files[1].text);
  int length = 0, longest = 0;
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line);) {
    length = line == "}" ? 0 : length + 1;
    longest = std::max(longest, length), widest = std::max(widest, line.size());
  }
  EXPECT_LE(widest, 100u);
  EXPECT_LE(longest, 2000);
  TemporaryFolder folder;
  WriteFiles(files, folder.path());
  const CommandResult built =
      Shell("cc " + kStrict + " -O0 -shared -fPIC -o one.so delta_robot.c -lm", folder.path());
  ASSERT_EQ(built.exit_code, 0) << built.err;
  const Loaded loaded(folder / "one.so");
  ASSERT_TRUE(loaded.good());
  ExpectEqual(loaded, all[0], 5, 1e-12);
}

// A robot of the fixtures, and "close" and others in its compiled C.
struct Driven {
  Exported exported;
  const Loaded* loaded = nullptr;

  [[nodiscard]] const Equations& e() const { return exported.equations; }
  [[nodiscard]] int Call(const std::string& function, const Eigen::VectorXd& in,
                         Eigen::VectorXd& out) const {
    return loaded->Find<int(const double*, double*)>(e().name + "_" + function)(in.data(),
                                                                                out.data());
  }
  [[nodiscard]] bool Close(const Eigen::VectorXd& guess, Eigen::VectorXd& q) const {
    q.resize(guess.size());
    return Call("close", guess, q) == 0;
  }
  [[nodiscard]] Eigen::MatrixXd G(const Eigen::VectorXd& q) const {
    Eigen::VectorXd flat(exported.m.nv * std::ssize(e().independent));
    EXPECT_EQ(Call("G", q, flat), 0);
    return flat.reshaped<Eigen::RowMajor>(exported.m.nv, std::ssize(e().independent));
  }
  // Index into q of an independent velocity; none of a ball or free joint.
  [[nodiscard]] std::optional<Eigen::Index> PositionOf(int v) const {
    const std::vector<int>& rates = e().closing.rates;
    const auto at = std::find(rates.begin(), rates.end(), v);
    if (at == rates.end()) return std::nullopt;
    return at - rates.begin();
  }
};

// All mechanisms of the fixtures, without springs and dampers, in one shared object.
class ExportedClose : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(Fixture("mechanisms")))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    folder_ = new TemporaryFolder;
    std::string sources;
    for (const std::string& name : names) {
      std::string why;
      const std::optional<Model> model =
          LoadModel(Fixture("mechanisms/" + name + "/" + name + ".urdf"), why);
      ASSERT_TRUE(model) << why;
      Mechanism m = Compile(*model);
      std::fill(m.damping.begin(), m.damping.end(), 0.0);
      std::fill(m.spring_stiffness.begin(), m.spring_stiffness.end(), 0.0);
      auto exported = ExportOf(std::move(m), name);
      ASSERT_TRUE(exported);
      WriteFiles(ExportC(exported->equations), folder_->path());
      sources += name + ".c ";
      all_.push_back({*std::move(exported)});
    }
    const CommandResult built =
        Shell("cc " + kStrict + " -O0 -shared -fPIC -o all.so " + sources + "-lm", folder_->path());
    ASSERT_EQ(built.exit_code, 0) << built.err;
    loaded_ = new Loaded(*folder_ / "all.so");
    ASSERT_TRUE(loaded_->good()) << dlerror();
    for (Driven& each : all_) each.loaded = loaded_;
  }
  static void TearDownTestSuite() {
    all_.clear();
    delete loaded_;
    delete folder_;
  }
  static const Driven& Of(const std::string& name) {
    return *std::find_if(all_.begin(), all_.end(),
                         [&](const Driven& each) { return each.e().name == name; });
  }

  inline static TemporaryFolder* folder_ = nullptr;
  inline static Loaded* loaded_ = nullptr;
  inline static std::vector<Driven> all_;
};

// From the assembled posture to 1.89 rad or 0.3 m, or as far as "close" says 0; all on the way is
// closed, and moves as G says.
Eigen::VectorXd Drive(const Driven& each, Eigen::Index at, bool slide, double step) {
  ClosureSolver solver(each.exported.m);
  Eigen::VectorXd q = each.e().assembled, next;
  const int count = static_cast<int>(std::lround((slide ? 0.3 : 1.89) / std::abs(step)));
  for (int k = 1; k <= count; ++k) {
    Eigen::VectorXd guess = q;
    guess[at] = each.e().assembled[at] + k * step;
    if (!each.Close(guess, next)) {
      // The last one that closed, or the guess where it is too far to know.
      EXPECT_TRUE(solver.Residual(next) < 1e-6 || next == guess) << each.e().name;
      return q;
    }
    EXPECT_EQ(next[at], guess[at]) << each.e().name;
    q = next;
    if (k % 64 == 0) {
      EXPECT_LT(solver.Residual(q), 1e-6) << each.e().name << " " << q[at];
      Eigen::VectorXd phi(std::max<Eigen::Index>(1, std::ssize(each.e().rows)));
      phi.setZero();
      EXPECT_EQ(each.Call("phi", q, phi), 0);
      EXPECT_LT(phi.lpNorm<Eigen::Infinity>(), 1e-12) << each.e().name << " " << q[at];
    }
  }
  return q;
}

// Steps of any length lead to the same posture, or end at the same limit. Twelve pass change points:
// a parallelogram that comes out of its flat posture crossed is elsewhere.
TEST_F(ExportedClose, KeepsItsBranchInAllMechanisms) {
  ASSERT_EQ(all_.size(), 18u);
  int arrived = 0, limited = 0;
  for (const Driven& each : all_) {
    const std::vector<bool> linear = IsLinearVelocity(each.exported.m);
    for (const int v : each.e().independent) {
      const std::optional<Eigen::Index> at = each.PositionOf(v);
      if (!at) continue;
      const bool slide = linear[static_cast<std::size_t>(v)];
      for (const double sign : {1.0, -1.0}) {
        const Eigen::VectorXd coarse = Drive(each, *at, slide, sign * 0.03);
        const bool whole = std::abs(coarse[*at] - each.e().assembled[*at]) > (slide ? 0.29 : 1.88);
        ++(whole ? arrived : limited);
        for (const double step : {0.003, 0.0003}) {
          if (step < 0.001 && each.e().independent.size() > 1) continue;
          const Eigen::VectorXd fine = Drive(each, *at, slide, sign * step);
          if (whole) {
            EXPECT_LT((fine - coarse).lpNorm<Eigen::Infinity>(), 1e-9)
                << each.e().name << " " << v << " " << sign * step;
          } else {
            EXPECT_NEAR(fine[*at], coarse[*at] + sign * 0.015, 0.0151 + step)
                << each.e().name << " " << v << " " << sign * step;
          }
        }
      }
    }
  }
  EXPECT_GT(arrived, 60);
  EXPECT_GT(limited, 5);
}

TEST_F(ExportedClose, PassesTheFlatPosturesOfParallelograms) {
  for (const char* name : {"four_bar", "gripper"}) {
    const Driven& each = Of(name);
    const Eigen::Index at = *each.PositionOf(each.e().independent.front());
    const Eigen::MatrixXd G = each.G(each.e().assembled);
    for (const double step : {0.03, 0.01, 0.003, 0.001, 0.0003, -0.003, -0.0003}) {
      const Eigen::VectorXd q = Drive(each, at, false, step);
      EXPECT_NEAR(q[at] - each.e().assembled[at], step > 0 ? 1.89 : -1.89, 1e-9) << name << step;
      EXPECT_LT((each.G(q) - G).norm(), 1e-8) << name << " " << step;
    }
  }
}

TEST_F(ExportedClose, SaysWhatItCannotClose) {
  const Driven& bar = Of("four_bar");
  Eigen::VectorXd guess = bar.e().assembled, q;
  for (const double wrong :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    for (Eigen::Index i = 0; i < guess.size(); ++i) {
      guess = bar.e().assembled, guess[i] = wrong;
      EXPECT_FALSE(bar.Close(guess, q)) << i;
    }
  }
  // Flat to the last digit, where both branches are the same posture.
  const Eigen::Index at = *bar.PositionOf(bar.e().independent.front());
  guess = bar.e().assembled;
  const Eigen::VectorXd ratio = bar.G(guess).col(0);
  double low = guess[at], high = guess[at] + 1.5;
  const auto turned = [&](double y) {
    Eigen::VectorXd flat = bar.e().assembled + ratio * (y - bar.e().assembled[at]);
    return Eigen::MatrixXd(
               Constraints(bar.exported.m, flat, Eigen::VectorXd::Zero(3)).K(bar.e().kept, {1, 2}))
        .determinant();
  };
  ASSERT_LT(turned(low) * turned(high), 0);
  for (int i = 0; i < 60; ++i)
    (turned((low + high) / 2) * turned(low) > 0 ? low : high) = (low + high) / 2;
  guess = bar.e().assembled + ratio * (low - bar.e().assembled[at]);
  guess[at] += 0.01;
  EXPECT_FALSE(bar.Close(guess, q));
  // Out of reach, from near and from far: the last closed posture is what is left.
  const Driven& ball = Of("spherical_four_bar");
  const Eigen::Index crank = *ball.PositionOf(ball.e().independent.front());
  for (const double far : {-0.3, -1.5}) {
    guess = ball.e().assembled, guess[crank] += far;
    EXPECT_FALSE(ball.Close(guess, q));
    EXPECT_LT(ClosureSolver(ball.exported.m).Residual(q), 1e-12);
    EXPECT_NEAR(q[crank] - ball.e().assembled[crank], -0.26095, 1e-3);
  }
  // Three coordinates that come from afar: which of the postures they left cannot be known.
  const Driven& six = Of("six_bar");
  guess = six.e().assembled;
  for (const int v : six.e().independent) guess[*six.PositionOf(v)] += 1.2;
  EXPECT_FALSE(six.Close(guess, q));
}

// An open guess is closed to round-off, from as far as Newton goes.
TEST_F(ExportedClose, TakesTheBranchNearAnOpenGuess) {
  for (const Driven& each : all_) {
    Random random(2);
    Eigen::VectorXd guess = each.e().assembled, q;
    for (std::size_t i = 0; i < each.e().closing.rates.size(); ++i) {
      const int v = each.e().closing.rates[i];
      if (v >= 0 && each.e().dependent[static_cast<std::size_t>(v)])
        guess[static_cast<Eigen::Index>(i)] += random.Uniform(-0.02, 0.02);
    }
    ASSERT_TRUE(each.Close(guess, q)) << each.e().name;
    EXPECT_LT((q - each.e().assembled).lpNorm<Eigen::Infinity>(), 1e-9) << each.e().name;
  }
}

// Two cranks of two links with a coupler: three coordinates lead, and two rows hold. Straight cranks make
// a parallelogram, whose flat posture may be left crossed from another posture with the same guess.
std::string LinkedCranks() {
  std::string text = "<robot name=\"cranks\">";
  for (const char* link : {"base", "a1", "a2", "c", "b1", "b2"})
    text += std::string("<link name=\"") + link +
            R"("><inertial><origin xyz="0 0 0.1"/><mass value="1"/><inertia ixx="0.01")" +
            R"( iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>)";
  const auto joint = [&](const char* parent, const std::string& child, const char* at, bool leads) {
    text += "<joint name=\"to_" + child + "\" type=\"continuous\" independent=\"" +
            (leads ? "true" : "false") + "\"><parent link=\"" + parent + "\"/><child link=\"" +
            child + "\"/><origin xyz=\"" + at + "\"/><axis xyz=\"0 1 0\"/></joint>";
  };
  joint("base", "a1", "0 0 0", true), joint("a1", "a2", "0 0 0.2", true);
  joint("a2", "c", "0 0 0.2", false);
  joint("base", "b1", "0.2 0 0", false), joint("b1", "b2", "0 0 0.2", true);
  return text + R"(<loop name="l" type="revolute"><predecessor link="c"><origin xyz="0.2 0 0"/>)" +
         R"(</predecessor><successor link="b2"><origin xyz="0 0 0.2"/></successor>)" +
         R"(<axis xyz="0 1 0"/></loop></robot>)";
}

// One robot in a shared object of its own.
struct Alone {
  TemporaryFolder folder;
  std::optional<Loaded> loaded;
  std::optional<Driven> driven;

  explicit Alone(const std::string& file) {
    std::string why;
    const std::optional<Model> model = LoadModel(file, why);
    EXPECT_TRUE(model) << why;
    if (!model) return;
    auto exported = ExportOf(Compile(*model), "alone");
    EXPECT_TRUE(exported);
    if (!exported) return;
    WriteFiles(ExportC(exported->equations), folder.path());
    const CommandResult built =
        Shell("cc " + kStrict + " -O0 -shared -fPIC -o one.so alone.c -lm", folder.path());
    EXPECT_EQ(built.exit_code, 0) << built.err;
    loaded.emplace(folder / "one.so");
    if (loaded->good()) driven = Driven{*std::move(exported), &*loaded};
  }
  // Where it ends, led both ways in steps of many lengths.
  template <class Check>
  void DriveAll(std::size_t led, const Check& check) const {
    ASSERT_TRUE(driven);
    const Eigen::Index at = *driven->PositionOf(driven->e().independent[led]);
    for (const double step : {0.03, 0.02, 0.01, 0.007, 0.003, 0.001, 0.0003}) {
      for (const double sign : {1.0, -1.0}) {
        SCOPED_TRACE(sign * step);
        const Eigen::VectorXd q = Drive(*driven, at, false, sign * step);
        check(q, q[at] - driven->e().assembled[at]);
      }
    }
  }
};

TEST(ExportC, CloseSaysWhereBranchesOfALooseLoopAreNear) {
  TemporaryFolder folder;
  WriteFile(folder / "cranks.urdf", LinkedCranks());
  const Alone cranks((folder / "cranks.urdf").string());
  ASSERT_TRUE(cranks.driven);
  const Eigen::VectorXd start = cranks.driven->e().assembled;
  const Eigen::VectorXd ratio = cranks.driven->G(start).col(0);
  cranks.DriveAll(0, [&](const Eigen::VectorXd& q, double moved) {
    EXPECT_LT((q - start - ratio * moved).lpNorm<Eigen::Infinity>(), 1e-7);
    EXPECT_GT(std::abs(moved), 1.5);
  });
}

// Two joints at one end of two loops lead: from where the others stand, theirs follow twice near
// 0.7 rad, and where branches meet.
TEST(ExportC, CloseKnowsWhichOfTwoPosturesWasLeft) {
  const Alone wrist(Fixture("mechanisms/lims2_wrist/lims2_wrist.sdf"));
  ASSERT_TRUE(wrist.driven);
  ASSERT_EQ(wrist.driven->e().independent, (std::vector<int>{2, 3}));
  wrist.DriveAll(1, [](const Eigen::VectorXd& q, double moved) {
    EXPECT_LT(std::abs(q[0] - q[3]) + std::abs(q[1]), 1e-7);
    EXPECT_GT(std::abs(moved), 1.88);
  });
  wrist.DriveAll(0, [](const Eigen::VectorXd& q, double moved) {
    EXPECT_LT(std::abs(q[1] - q[2]) + std::abs(q[0]), 1e-7);
    EXPECT_GT(moved > 0 ? moved - 0.85 : -moved - 1.88, 0);
  });
}

// Three coordinates lead two rows: so many postures could have been left, but one alone has moved.
TEST(ExportC, CloseKnowsThatOneCoordinateHasMoved) {
  const Alone six(Fixture("mechanisms/six_bar/six_bar.sdf"));
  ASSERT_TRUE(six.driven);
  ASSERT_EQ(six.driven->e().independent, (std::vector<int>{1, 2, 3}));
  six.DriveAll(0, [](const Eigen::VectorXd& q, double moved) {
    EXPECT_LT(std::max(0.0, -moved) * (std::abs(q[0] + q[1]) + std::abs(q[0] - q[4])), 1e-6);
    EXPECT_GT(std::abs(moved), 1.57);
  });
}

// RK4 of the independent coordinates for two seconds, the loops closed at every evaluation. The
// largest drift of the energy over the largest energy, up to where a function says 1.
struct Swing {
  double drift = 0;
  bool stopped = false;
};
Swing Fall(const Driven& each, double rate) {
  const Mechanism& m = each.exported.m;
  const Equations& e = each.e();
  const auto fd =
      each.loaded->Find<int(const double*, const double*, const double*, double*)>(e.name + "_fd");
  const Eigen::VectorXd tau = Eigen::VectorXd::Zero(m.nv);
  const Eigen::Index n = std::ssize(e.independent);
  Eigen::VectorXd q = e.assembled, x(2 * n), qdd(m.nv);
  for (Eigen::Index i = 0; i < n; ++i)
    x[i] = q[*each.PositionOf(e.independent[static_cast<std::size_t>(i)])], x[n + i] = rate;
  Swing swing;
  const auto place = [&](const Eigen::VectorXd& at) {
    Eigen::VectorXd guess = q;
    for (Eigen::Index i = 0; i < n; ++i)
      guess[*each.PositionOf(e.independent[static_cast<std::size_t>(i)])] = at[i];
    Eigen::VectorXd closed;
    swing.stopped = swing.stopped || !each.Close(guess, closed);
    return closed;
  };
  const auto change = [&](const Eigen::VectorXd& at) -> Eigen::VectorXd {
    const Eigen::VectorXd closed = place(at), v_q = at.tail(n);
    Eigen::VectorXd out = Eigen::VectorXd::Zero(2 * n);
    if (swing.stopped || fd(closed.data(), v_q.data(), tau.data(), qdd.data()) != 0) {
      swing.stopped = true;
      return out;
    }
    out << v_q, qdd(e.independent);
    return out;
  };
  const auto energy = [&]() {
    const Energy now = EnergyOf(m, q, each.G(q) * x.tail(n));
    return now.kinetic + now.potential;
  };
  const double start = energy(), h = 0.001;
  double largest = std::abs(start), drift = 0;
  for (int step = 0; step < 2000; ++step) {
    const Eigen::VectorXd k1 = change(x), k2 = change(x + h / 2 * k1), k3 = change(x + h / 2 * k2),
                          k4 = change(x + h * k3);
    x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    const Eigen::VectorXd closed = place(x);
    if (swing.stopped) break;
    q = closed;
    const double now = energy();
    largest = std::max(largest, std::abs(now)), drift = std::max(drift, std::abs(now - start));
  }
  swing.drift = drift / std::max(largest, 1e-3);
  return swing;
}

TEST_F(ExportedClose, EnergyStaysOrAStatusSaysWhereItDoesNot) {
  int kept = 0;
  for (const Driven& each : all_) {
    if (each.exported.m.nq != each.exported.m.nv) continue;
    for (const double rate : {0.0, 2.0, -2.0}) {
      const Swing swing = Fall(each, rate);
      EXPECT_TRUE(swing.stopped || swing.drift < 1e-6)
          << each.e().name << " " << rate << " " << swing.drift;
      kept += swing.drift < 1e-6;
    }
  }
  EXPECT_GT(kept, 20);
}

// The leg KM-B swings with its base held: reference numbers (minimal coordinates,
// closure by Newton at every evaluation, DOP853) at two seconds, by the exported C alone.
TEST(ExportC, LegSwingsAsTheReference) {
  std::string why;
  std::optional<Model> model = LoadModel(Shared("data/legs/km_b.urdf"), why);
  if (!model) GTEST_SKIP() << why;
  for (const JointId id : Joints(*model)) {
    Joint& joint = model->joint(id);
    if (joint.name != "x" && joint.name != "y") continue;
    if (joint.name == "y") joint.X_PF.p = Vector3(0, 0.6, 0);
    joint.kind = Fixed{};
    joint.axes.clear();
  }
  Mechanism m = Compile(*model);
  const auto crank = std::find(m.names.begin(), m.names.end(), "j_crank") - m.names.begin();
  m.armature[static_cast<std::size_t>(crank)] = 1e-3;
  const auto exported = ExportOf(m, "km_b");
  ASSERT_TRUE(exported);
  const Equations& e = exported->equations;
  ASSERT_EQ(e.independent, std::vector<int>{static_cast<int>(crank)});
  TemporaryFolder folder;
  WriteFiles(ExportC(e), folder.path());
  const CommandResult built =
      Shell("cc " + kStrict + " -O1 -shared -fPIC -o leg.so km_b.c -lm", folder.path());
  ASSERT_EQ(built.exit_code, 0) << built.err;
  const Loaded loaded(folder / "leg.so");
  ASSERT_TRUE(loaded.good());
  auto* const rhs =
      loaded.Find<int(double, const double*, const double*, double, double*)>("km_b_spf_rhs");
  auto* const phi = loaded.Find<int(const double*, double*)>("km_b_phi");
  auto* const close = loaded.Find<int(const double*, double*)>("km_b_close");
  // Crank at 60 degrees, from the assembled posture in small steps.
  Eigen::VectorXd q = e.assembled;
  const double target = std::numbers::pi / 3, start = q[crank];
  for (int i = 1; i <= 40; ++i) {
    q[crank] = start + (target - start) * i / 40;
    for (int step = 0; step < 5; ++step) EXPECT_EQ(close(Eigen::VectorXd(q).data(), q.data()), 0);
  }
  ASSERT_DOUBLE_EQ(q[crank], target);
  ASSERT_LT(ClosureSolver(m).Residual(q), 1e-14);
  const Values tau(static_cast<std::size_t>(m.nv), 0.0);
  // Of fixed steps h up to two seconds: the crank, its rate and the largest residual.
  const auto swing = [&](double h, double epsilon) {
    Eigen::VectorXd x(m.nq + 1);
    x << q, 20.0;
    double largest = 0;
    const auto rate = [&](const Eigen::VectorXd& at) {
      Eigen::VectorXd k(x.size());
      EXPECT_EQ(rhs(0, at.data(), tau.data(), epsilon, k.data()), 0);
      return k;
    };
    for (int i = 0; i < static_cast<int>(std::lround(2 / h)); ++i) {
      const Eigen::VectorXd k1 = rate(x), k2 = rate(x + h / 2 * k1), k3 = rate(x + h / 2 * k2),
                            k4 = rate(x + h * k3);
      x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
      Values residual(e.rows.size());
      phi(x.data(), residual.data());
      for (const double r : residual) largest = std::max(largest, std::abs(r));
    }
    return std::array<double, 3>{x[crank], x[m.nq], largest};
  };
  const auto fine = swing(2e-4, 0.05);
  EXPECT_NEAR(fine[0], 40.87320074, 2e-8);
  EXPECT_NEAR(fine[1], 22.46932279, 2e-7);
  // Two milliseconds and epsilon 0.1: the reference has an error of 2.9e-5 and 1.5e-9 m.
  const auto coarse = swing(2e-3, 0.1);
  EXPECT_LT(std::abs(coarse[0] - 40.87320074), 3e-5);
  EXPECT_LT(coarse[2], 2e-9);
}

TEST(ExportC, IsTheSameEveryTime) {
  const auto first = Hard(), second = Hard();
  ASSERT_TRUE(first && second);
  EXPECT_EQ(ExportC(first->equations)[1].text, ExportC(second->equations)[1].text);
}

// Names end no comment and no string, and are told apart.
TEST(ExportC, TakesHostileNames) {
  std::string why;
  std::optional<Model> model = LoadModel(Fixture("mechanisms/four_bar/four_bar.urdf"), why);
  ASSERT_TRUE(model) << why;
  Mechanism m = Compile(*model);
  const std::vector<std::string> names = {
      "*/ int x; /*\n#error \"?"
      "?/",
      "a b", "a_b"};
  for (std::size_t i = 0; i < 3; ++i) m.names[i] = names[i], m.bodies[i + 1].name = names[i];
  const auto exported = ExportOf(std::move(m), "../../while\n*/");
  ASSERT_TRUE(exported);
  EXPECT_EQ(exported->equations.name, "m_______while___");
  TemporaryFolder folder;
  WriteFiles(ExportC(exported->equations), folder.path());
  WriteFile(folder / "main.c",
            "#include <stdio.h>\n#include \"m_______while___.h\"\nint main(void) {\n"
            "  fputs(m_______while____v_names[0], stdout);\n"
            "  return M_______WHILE____V_a_b_2 != 2 || M_______WHILE____V_a_b != 1;\n}\n");
  const CommandResult run =
      Shell("cc " + kStrict + " main.c m_______while___.c -lm -o main && ./main", folder.path());
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out, names[0]);
}

// Words of C, files beside the equations, and devices of Windows.
TEST(ExportC, NamesThatAreTakenGetAMark) {
  for (const char* name : {"while", "fmi2", "fmi3", "COM9", "Lpt4"})
    EXPECT_EQ(emit::ModelIdentifier(name), std::string(name) + "_");
  EXPECT_EQ(emit::ModelIdentifier("com10"), "com10");
}

// What cannot be exported says why.
TEST(ExportC, RefusesWithReasons) {
  std::string why;
  std::optional<Model> model = LoadModel(Fixture("mechanisms/four_bar/four_bar.urdf"), why);
  ASSERT_TRUE(model);
  const Mechanism m = Compile(*model);
  Coordinates open = AnalyseCoordinates(m);
  open.assembles = false;
  EXPECT_FALSE(MakeEquations(m, open, "x", {}, why));
  EXPECT_EQ(why, "its loops cannot be closed");
  EquationOptions few;
  few.max_steps = 10;
  EXPECT_FALSE(MakeEquations(m, AnalyseCoordinates(m), "x", few, why));
  EXPECT_EQ(why, "a function of it needs more than 10 steps");
  Mechanism massless = m;
  for (Body& body : massless.bodies) body.inertia = {};
  EXPECT_FALSE(MakeEquations(massless, AnalyseCoordinates(massless), "x", {}, why));
  EXPECT_EQ(why.find("it has no forward dynamics: singular mass matrix"), 0u) << why;
  EXPECT_FALSE(MakeEquations(Mechanism(), {}, "x", {}, why));
  EXPECT_EQ(why, "nothing in it moves");
}

}  // namespace
}  // namespace kinemorph::test
