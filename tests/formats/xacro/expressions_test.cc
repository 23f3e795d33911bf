// Expressions: a table of small ones, and 10,000 random ones against Python itself.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "kinemorph/formats/xacro.h"

namespace kinemorph::test {
namespace {

// What ${text} prints; "error CODE" where it fails.
std::string Printed(const std::string& text) {
  std::string escaped;
  for (const char c : text)
    escaped += c == '<' ? "&lt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
  Diagnostics diagnostics;
  const auto made = ExpandXacro("<a v=\"${" + escaped + "}\"/>", {}, diagnostics);
  if (!made) return "error " + diagnostics.items().back().code;
  const std::size_t begin = made->text.find("v=\"") + 3;
  std::string value = made->text.substr(begin, made->text.rfind('"') - begin);
  for (const auto& [entity, c] :
       {std::pair{"&lt;", "<"}, {"&quot;", "\""}, {"&apos;", "'"}, {"&gt;", ">"}, {"&amp;", "&"}})
    for (std::size_t at = value.find(entity); at != std::string::npos;
         at = value.find(entity, at + 1))
      value.replace(at, std::string(entity).size(), c);
  return value;
}

TEST(XacroExpressions, SmallOnes) {
  const std::pair<const char*, const char*> cases[] = {
      {"1/2", "0.5"},
      {"4/2", "2.0"},
      {"7//2", "3"},
      {"-7//2", "-4"},
      {"7//2.0", "3.0"},
      {"-7%3", "2"},
      {"7%-3", "-2"},
      {"-7.5%2", "0.5"},
      {"7%-2.5", "-0.5"},
      {"2**-1", "0.5"},
      {"2**3**2", "512"},
      {"-2**2", "-4"},
      {"0**0", "1"},
      {"10**20", "error xacro-overflow"},
      {"(-8)**(1/3)", "error xacro-unsupported"},
      {"0.1+0.2", "0.30000000000000004"},
      {"1e15", "1000000000000000.0"},
      {"1e16", "1e+16"},
      {"0.0001", "0.0001"},
      {"0.00009999", "9.999e-05"},
      {"5e-324", "5e-324"},
      {"1e400", "inf"},
      {"-0.0", "-0.0"},
      {"9007199254740993", "9007199254740993"},
      {"9007199254740993/2", "4503599627370496.0"},
      {"1_000", "1000"},
      {"0x10", "16"},
      {"010", "error xacro-syntax"},
      {"nan==nan", "False"},
      {"round(0.5)", "0"},
      {"round(1.5)", "2"},
      {"round(2.675,2)", "2.67"},
      {"round(5.015,2)", "5.01"},
      {"round(1234.5,-2)", "1200.0"},
      {"round(0.5,0)", "0.0"},
      {"int(-3.9)", "-3"},
      {"floor(-0.5)", "-1"},
      {"int('1.5')", "error xacro-type"},
      {"fsum([0.1]*10)", "1.0"},
      {"radians(45)", "0.7853981633974483"},
      {"pow(2,3)", "8.0"},
      {"fmod(7,3)", "1.0"},
      {"fmod(-7,3)", "-1.0"},
      {"fmod(7,inf)", "7.0"},
      {"fmod(inf,2)", "error xacro-type"},
      {"atan2(1,-1)", "2.356194490192345"},
      {"copysign(3,-0.0)", "-3.0"},
      {"isclose(1,1+1e-10)", "True"},
      {"isclose(1,1.1)", "False"},
      {"isclose(0,1e-9)", "False"},
      {"isclose(1,1.1,abs_tol=0.2)", "True"},
      {"isclose(1,1.1,rel_tol=0.1)", "True"},
      {"isclose(inf,inf)", "True"},
      {"isclose(inf,1,abs_tol=inf)", "False"},
      {"gcd(12,18)", "6"},
      {"hypot(3,4)", "5.0"},
      {"log(8,2)", "3.0"},
      {"log(0)", "error xacro-type"},
      {"log(-1)", "error xacro-type"},
      {"log(inf)", "inf"},
      {"trunc(-2.7)", "-2"},
      {"factorial(5)", "120"},
      {"prod([2,3,4])", "24"},
      {"pow(0,-1)", "error xacro-type"},
      {"pow(2,-1)", "0.5"},
      {"ceil(-2.5)", "-2"},
      {"exp2(3)", "8.0"},
      {"isfinite(inf)", "False"},
      {"isnan(nan)", "True"},
      {"isinf(-inf)", "True"},
      {"sqrt(-1)", "error xacro-type"},
      {"True+True", "2"},
      {"1==1.0", "True"},
      {"1=='1'", "False"},
      {"1<2<3", "True"},
      {"1<3<2", "False"},
      {"1 and 2", "2"},
      {"0 and 1/0", "0"},
      {"5 if True else 1/0", "5"},
      {"'a'+1", "error xacro-type"},
      {"'abc'[::-1]", "cba"},
      {"'abc'[5]", "error xacro-type"},
      {"'%s_%02d' % ('a',3)", "a_03"},
      {"'a' 'b'", "ab"},
      {"'it\\'s'", "it's"},
      {"len('\xF0\x9F\x98\x80')", "1"},
      {"[1,2.0,'x',True,None]", "[1, 2.0, 'x', True, None]"},
      {"(1,)", "(1,)"},
      {"dict(a=1)", "{'a': 1}"},
      {"dict(a=1).a", "error xacro-unsupported"},
      {"[x*2 for x in range(4) if x%2]", "[2, 6]"},
      {"max('a',1)", "error xacro-type"},
      {"abs(-1)", "error xacro-undefined"},
      {"python.abs(-1)", "1"},
      {"xacro.tokenize('1,2;3 4')", "['1', '2', '3', '4']"},
      {"list(map(int, '1 2'.split()))", "[1, 2]"},
      {"map(int, '1')", "error xacro-unsupported"},
      {"lambda: 1", "error xacro-unsupported"},
      {"2**53+1 == 9007199254740992.0", "False"},
      // 2.1 and what Shadow's hands use
      {"python.set([3,1,3])", "{1, 3}"},
      {"python.set()", "set()"},
      {"python.set([])", "set()"},
      {"python.frozenset([1])", "frozenset({1})"},
      {"python.frozenset()", "frozenset()"},
      {"python.set([7,0,True,1.0])", "{0, True, 7}"},
      {"len(python.set('a b a'.split()))", "2"},
      {"'a' in python.set('a b'.split())", "True"},
      {"'c' not in python.set('a b'.split())", "True"},
      {"[1] in python.set([1])", "error xacro-type"},
      {"python.set([[1]])", "error xacro-type"},
      {"python.set([1])[0]", "error xacro-type"},
      {"sorted(python.set([9,100,5]))", "[5, 9, 100]"},
      {"python.sum(python.set([1,2,2]))", "3"},
      {"max(python.set([1,20]))", "20"},
      {"1 if python.set() else 2", "2"},
      {"python.set([1,2]) == python.set([2,1])", "True"},
      {"python.set([1,2]) == python.frozenset([2,1])", "True"},
      {"python.set([1,2]) == [1,2]", "False"},
      {"python.set([1,2]) | python.set([3])", "{1, 2, 3}"},
      {"python.set([1,2]) & python.set([2,3])", "{2}"},
      {"python.set([1,2]) - python.set([2,3])", "{1}"},
      {"python.set([1,2]) ^ python.set([2,3])", "{1, 3}"},
      {"python.set([1,'a'])", "error xacro-unsupported"},
      {"python.set([1]).add(2)", "error xacro-unsupported"},
      {"python.isinstance(1,int)", "True"},
      {"python.isinstance(True,int)", "True"},
      {"python.isinstance(1,bool)", "False"},
      {"python.isinstance('1',str)", "True"},
      {"python.isinstance(1.0,int)", "False"},
      {"python.isinstance([1],(int,list))", "True"},
      {"python.isinstance(dict(a=1),dict)", "True"},
      {"python.isinstance(python.set(),python.set)", "True"},
      {"python.isinstance(1,'int')", "error xacro-type"},
      {"python.isinstance(1,round)", "error xacro-unsupported"},
      {"isinstance(1,int)", "error xacro-undefined"},
      {"python.issubclass(bool,int)", "True"},
      {"python.type(1.0)", "<class 'float'>"},
      {"python.type(1.0) == float", "True"},
      {"python.type('a') is str", "True"},
      {"python.type(1) != int", "False"},
      {"python.any([0,1])", "True"},
      {"python.sum([1,2.5])", "3.5"},
      {"python.sorted([2,1])", "[1, 2]"},
      {"list(python.range(3))", "[0, 1, 2]"},
      {"list(python.enumerate([5,6]))", "[(0, 5), (1, 6)]"},
      {"python.divmod(7,2)", "(3, 1)"},
      {"python.complex(1,2)", "error xacro-unsupported"},
      {"python.vars()", "error xacro-unsupported"},
      {"'pi' in python.vars()", "True"},
      {"'nobody' not in python.vars()", "True"},
      {"python.vars()['tau']", "6.283185307179586"},
      {"bool('')", "False"},
      {"'%05f' % inf", "00inf"},
      {"'%+07.1E' % -inf", "-000INF"},
      {"'%-5g|' % nan", "nan  |"},
      {"fsum([inf,-inf])", "error xacro-type"},
      {"fsum([inf,-inf,nan])", "error xacro-type"},
      {"fsum([inf,1,nan])", "nan"},
      {"len(dict(a=1).keys())", "1"},
      {"bool(dict().items())", "False"},
      {"dict(a=1).values()[0]", "error xacro-type"},
      {"dict(a=1).keys()[:1]", "error xacro-type"},
      {"dict(a=1).keys() == dict(a=1).keys()", "error xacro-unsupported"},
      {"dict(a=1).keys()", "error xacro-unsupported"},
      {"python.set([1]) < python.set([1,2])", "True"},
      {"python.set([1]) < python.set([1])", "False"},
      {"python.set([1]) <= python.set([1])", "True"},
      {"python.set([1,2]) > python.frozenset([2])", "True"},
      {"python.set([1,2]) >= python.set([3])", "False"},
      {"python.set([1]) < [1,2]", "error xacro-type"},
      {"python.set([2,nan,1])", "error xacro-unsupported"},
      {"sorted([2,nan,1])", "error xacro-unsupported"},
      {"sorted([python.set([1]),python.set([2])])", "error xacro-unsupported"},
      // underscores, fillings, places
      {"float('1_0.5')", "10.5"},
      {"float('1_e5')", "error xacro-type"},
      {"float('1e_5')", "error xacro-type"},
      {"float('1_.5')", "error xacro-type"},
      {"1_e5", "error xacro-syntax"},
      {"int('0x_10', 16)", "16"},
      {"int('0x__10', 16)", "error xacro-type"},
      {"int('0x_', 16)", "error xacro-type"},
      {"int('0x', 16)", "error xacro-type"},
      {"int('_10', 16)", "error xacro-type"},
      {"int('a_b', 16)", "171"},
      {"0x_10", "16"},
      {"'a'.ljust(3, '\xC3\xA9')", "a\xC3\xA9\xC3\xA9"},
      {"'a'.rjust(3, '\xC3\xA9z')", "error xacro-type"},
      {"'a'.rjust(3, '')", "error xacro-type"},
      {"'-5'.zfill(4)", "-005"},
      {"round(9*10**18, -19)", "error xacro-overflow"},
      {"round(-9*10**18, -19)", "error xacro-overflow"},
      {"round(5*10**18, -19)", "0"},
      {"round(9*10**18, -20)", "0"},
      {"round(-9223372036854775807-1, -18)", "-9000000000000000000"},
      {"round(9223372036854775807, -1)", "error xacro-overflow"},
      {"round(-25, -1)", "-20"},
      {"round(-15, -1)", "-20"},
      // arguments with names
      {"round(ndigits=2)", "error xacro-type"},
      {"round(ndigits=1, number=2.25)", "2.2"},
      {"round(2.25, number=1)", "error xacro-type"},
      {"sorted([2,1], reverse=True)", "[2, 1]"},
      {"sorted([1,2], True)", "error xacro-type"},
      {"prod([3], 2)", "error xacro-type"},
      {"prod([3], start=2)", "6"},
      {"isclose(1, rel_tol=2)", "error xacro-type"},
      {"isclose(1, 2, 3)", "error xacro-type"},
      {"int(base=2)", "error xacro-type"},
      {"int('11', base=2)", "3"},
      {"xacro.tokenize(sep=',')", "error xacro-type"},
      {"xacro.tokenize(sep='.', s='a.b')", "['a', 'b']"},
      {"xacro.tokenize('a.b', '.', sep=';')", "error xacro-type"},
      {"hypot(x=3)", "error xacro-type"},
      {"gcd(a=4)", "error xacro-type"},
      {"xacro.message(color='red')", "error xacro-type"}};
  for (const auto& [text, value] : cases) EXPECT_EQ(Printed(text), value) << text;
}

// Random expressions of numbers, texts, lists and calls.
class Maker {
 public:
  explicit Maker(unsigned seed) : random_(seed) {}
  std::string Any(int depth) {
    if (depth == 0 || Below(5) == 0) return Leaf();
    const auto sub = [&] { return Any(depth - 1); };
    switch (Below(15)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return "(" + sub() + One({"+", "-", "*", "/", "//", "%"}) + sub() + ")";
      case 4:
        return sub() + One({" < ", " <= ", " == ", " != ", " > ", " >= "}) + sub();
      case 5:
        return "(" + sub() + One({" and ", " or "}) + sub() + ")";
      case 6:
        return "(" + sub() + " if " + sub() + " else " + sub() + ")";
      case 7:
        return One({"sin", "cos", "atan", "sqrt", "floor", "ceil", "fabs", "radians", "int",
                    "float", "str", "len", "round"}) +
               "(" + sub() + ")";
      case 8:
        return One({"min", "max", "round", "atan2", "fmod"}) + "(" + sub() + ", " + sub() + ")";
      case 9:
        return "[" + sub() + ", " + sub() + "]";
      case 10:
        return "(" + sub() + ")[" + std::to_string(static_cast<int>(Below(5)) - 2) +
               (Below(2) == 0 ? ":]" : "]");
      case 11:
        return "[x*2 for x in [" + sub() + ", " + sub() + "]" + (Below(2) == 0 ? " if x" : "") +
               "]";
      case 12:
        return One({"-", "+", "not "}) + "(" + sub() + ")";
      case 13:
        return "(" + sub() + One({" in ", " not in "}) + "[" + sub() + ", " + sub() + "])";
      default:
        return "'" + One({"%s", "%r", "%.3f", "%d", "%6.2f|", "%g", "%05d", "%e"}) + "' % (" +
               sub() + ",)";
    }
  }

 private:
  std::string Leaf() {
    return One({"0",    "1",    "2",     "3",         "7",      "12",      "100",
                "0.5",  "0.1",  "2.5",   "1e-5",      "1e3",    "3.14159", "1e16",
                "pi",   "True", "False", "None",      "'a'",    "'abc'",   "'1.5'",
                "'12'", "''",   "[]",    "[1, 2, 3]", "(1, 2)", "0.0",     "123456789.125"});
  }
  std::string One(std::initializer_list<const char*> options) {
    return *(options.begin() + Below(options.size()));
  }
  std::size_t Below(std::size_t n) { return random_() % n; }
  std::mt19937 random_;
};

TEST(XacroExpressions, RandomOnesAreWorthWhatPythonSays) {
  constexpr const char* kPython = "/usr/bin/python3";
  if (!std::filesystem::exists(kPython)) GTEST_SKIP() << kPython << " is not installed";
  constexpr std::size_t kCount = 10000;
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("kinemorph_xacro_" + std::to_string(std::rand()));
  std::filesystem::create_directories(folder);
  Maker maker(29);
  std::vector<std::string> expressions;
  std::ofstream list(folder / "in");
  for (std::size_t i = 0; i < kCount; ++i)
    list << expressions.emplace_back(maker.Any(static_cast<int>(1 + i % 4))) << '\n';
  list.close();
  std::ofstream(folder / "judge.py")
      << "import math, sys\n"
         "names = {k: getattr(math, k) for k in dir(math) if not k.startswith('_')}\n"
         "for line in open(sys.argv[1]):\n"
         "    try: value = str(eval(line.strip(), dict(names)))\n"
         "    except OverflowError: value = 'error large'\n"
         "    except Exception: value = 'error'\n"
         "    print(value.replace('\\n', ' '))\n";
  const std::string command = std::string(kPython) + " -W ignore " +
                              (folder / "judge.py").string() + " " + (folder / "in").string() +
                              " >" + (folder / "out").string();
  ASSERT_EQ(std::system(command.c_str()), 0);
  std::ifstream judged(folder / "out");
  std::string said;
  std::size_t compared = 0, refused = 0, values = 0, failures = 0;
  for (const std::string& expression : expressions) {
    ASSERT_TRUE(std::getline(judged, said)) << expression;
    const std::string ours = Printed(expression);
    const bool failed = said.starts_with("error");
    // What is refused for good reasons is no value of another kind.
    if (ours == "error xacro-overflow" || ours == "error xacro-unsupported") {
      ++refused;
      continue;
    }
    ++compared;
    values += failed ? 0 : 1;
    const bool same = failed ? ours.starts_with("error ") : ours == said;
    if (!same && ++failures < 20) ADD_FAILURE() << expression << "\n  " << ours << "\n  " << said;
  }
  std::filesystem::remove_all(folder);
  EXPECT_EQ(failures, 0u);
  EXPECT_GT(compared, kCount * 95 / 100);
  EXPECT_GT(values, kCount / 4);
  std::cout << compared << " compared, " << values << " of them values, " << refused
            << " refused\n";
}

}  // namespace
}  // namespace kinemorph::test
