// A conversion from text to text in tests, through the door that the command uses.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "kinemorph/gateway.h"

namespace kinemorph::test {

/// Reads the text called `request.in`, with files from `request.resolver` and no side-car, and
/// converts the robot; the messages of reading come first.
[[nodiscard]] inline ConversionResult ConvertText(std::string text, ConversionRequest request,
                                                  const std::string& from = {}) {
  const std::shared_ptr<const ResourceResolver> files(std::shared_ptr<void>(), request.resolver);
  LoadOptions how;
  how.from = from, how.look_beside = false;
  Loaded loaded = LoadText(std::move(text), request.in, files, how);
  ConversionResult result;
  if (loaded.robot) result = ConvertRobot(std::move(*loaded.robot), std::move(request));
  loaded.diagnostics.Append(result.diagnostics);
  result.diagnostics = std::move(loaded.diagnostics);
  return result;
}

}  // namespace kinemorph::test
