// The page with a robot in it: where the page is, and what is put into it.
#pragma once

#include <string>
#include <vector>

#include "host/inputs.h"

namespace kinemorph::tools {

/// Where the robot goes in the page that tools/web/build makes.
inline constexpr std::string_view kPlaceForRobot = "<!-- kinemorph: the robot stands here -->";
/// What a page with a robot in it has, and no other file.
inline constexpr std::string_view kRobotInPage = "<script type=\"application/json\" id=\"given\">";
/// How the file begins that --watch writes beside it.
inline constexpr std::string_view kChangedRobot = "globalThis.kinemorphGiven(";

/// Where the page is: KINEMORPH_PAGE, beside the program, where it is installed, where it was
/// built. Empty where there is none.
[[nodiscard]] std::string PageFile();
/// The page without a robot. Empty, and what to do in `why`, where there is none.
[[nodiscard]] std::string EmptyPage(std::string& why);

/// A description with what it names, read from the disk.
struct Carried {
  std::string json;                   ///< {"stamp", "name", "files": {path: base64}, ...}
  std::vector<std::string> left_out;  ///< files that are too large together
};
/// Of the files that were `read` for `input` ("-" is standard input), which --from says is of the
/// format `from`, and no others; `asked` tells the packages. Of a text
/// that was expanded with arguments, `expanded` stands for it. `watch` is the name of the file that
/// is asked for changes, or empty.
[[nodiscard]] Carried Carry(const std::string& input, const std::string& from,
                            const std::vector<std::string>& read, const std::vector<Asked>& asked,
                            const std::string& expanded, const std::string& watch);

}  // namespace kinemorph::tools
