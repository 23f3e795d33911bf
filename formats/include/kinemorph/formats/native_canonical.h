// Content of one format in a spelling of its own: what is left is what it says.
#pragma once

#include <string>
#include <string_view>

#include "kinemorph/graph/model/native_data.h"

namespace kinemorph {

/// The same with its attributes sorted, numbers in their shortest form, white space and comments
/// gone, and of several spellings of the family (NativeData::format) one.
[[nodiscard]] NativeElement Canonical(const NativeElement& element, std::string_view family);

/// In one line, for messages and as a key: `<pose degrees=true>1 2 3 30 0 1</>`.
[[nodiscard]] std::string BriefText(const NativeElement& element);

/// Words as they are compared: numbers in their shortest form, one blank between words.
[[nodiscard]] std::string CanonicalWords(std::string_view text);

}  // namespace kinemorph
