// Everything stands in the library, so that its headers are compiled once.
#include "command/command_line.h"

int main(int argc, char** argv) { return kinemorph::tools::RunCommandLine(argc, argv); }
