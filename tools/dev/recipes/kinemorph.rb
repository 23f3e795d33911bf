# Homebrew: tools/package DIR sdist fills in where the source is and what it sums to. For a tap: Formula/kinemorph.rb.
class Kinemorph < Formula
  desc "Convert robot descriptions between formats and keep kinematic loops"
  homepage "@HOME@"
  url "@URL@"
  sha256 "@SHA256@"
  license "Apache-2.0"

  depends_on "boost" => :build
  depends_on "cli11" => :build
  depends_on "cmake" => :build
  depends_on "eigen" => :build
  depends_on "nlohmann-json" => :build
  depends_on "pkgconf" => :build
  depends_on "tinyxml2"
  depends_on "yaml-cpp"

  def install
    system "cmake", "-S", ".", "-B", "build", "-DKINEMORPH_BUILD_TESTS=OFF", "-DKINEMORPH_PYTHON=OFF", "-DKINEMORPH_JUDGES=OFF", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build", "--component", "kinemorph"
    generate_completions_from_executable(bin/"kinemorph", "completion")
  end

  test do
    (testpath/"arm.urdf").write <<~XML
      <robot name="arm"><link name="a"/><link name="b"/>
        <joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint></robot>
    XML
    assert_match "1 joint", shell_output("#{bin}/kinemorph inspect arm.urdf")
  end
end
