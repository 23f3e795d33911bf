// Content of one format in a spelling of its own: what is left is what it says.
#pragma once

#include <string>

#include "kinemorph/graph/model/native_data.h"

namespace kinemorph {

/// The same with its attributes sorted, numbers in their shortest form, white space and comments
/// gone; angles of `rpy="..."` and `<pose>` without whole turns; what a `<script>` names sorted.
[[nodiscard]] NativeElement Canonical(const NativeElement& element);

/// In one line, for messages and as a key: `<pose degrees=true>1 2 3 30 0 1</>`.
[[nodiscard]] std::string BriefText(const NativeElement& element);

}  // namespace kinemorph
