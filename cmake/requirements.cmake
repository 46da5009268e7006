# What a build needs, looked for before anything else: who lacks it reads what to install.

# The build folder outlives a failed build: what was missing then must be looked for again.
if(NOT CMAKE_CXX_COMPILER)
  unset(CMAKE_CXX_COMPILER CACHE)
endif()
include(CheckLanguage)
check_language(CXX)
if(NOT CMAKE_CXX_COMPILER)
  message(FATAL_ERROR
    "Treewise is compiled while it is installed, and there is no C++ compiler. Install one, then try again:\n"
    "  Debian, Ubuntu:  sudo apt install g++\n"
    "  Fedora:          sudo dnf install gcc-c++\n"
    "  Arch:            sudo pacman -S gcc\n"
    "  macOS:           xcode-select --install\n"
    "  conda:           conda install cxx-compiler\n"
    "A compiler in another place is named by the environment variable CXX.")
endif()
enable_language(CXX)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS ON)  # __int128

include(CheckCXXSourceCompiles)
check_cxx_source_compiles("
  #include <bit>
  #include <concepts>
  #include <span>
  template <std::integral T> int bits(std::span<const T> values) { return std::popcount(values.front()); }
  int main() { const unsigned values[] = {7}; return bits<unsigned>(values) - 3; }
" TREEWISE_CXX20)
if(NOT TREEWISE_CXX20)
  set(compiler "${CMAKE_CXX_COMPILER} (${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION})")
  unset(TREEWISE_CXX20 CACHE)
  unset(CMAKE_CXX_COMPILER CACHE)
  file(REMOVE_RECURSE ${CMAKE_BINARY_DIR}/CMakeFiles/${CMAKE_VERSION})  # where CMake remembers it, too
  message(FATAL_ERROR
    "Treewise is written in C++20, which the compiler ${compiler} does not know. Install a newer one, such as g++ 12 "
    "or clang++ 15, and name it by the environment variable CXX:\n"
    "  Debian, Ubuntu:  sudo apt install g++-12; export CXX=g++-12")
endif()

if(TREEWISE_PYTHON)
  find_package(Python 3.11 COMPONENTS Interpreter Development.Module)
  if(NOT Python_Interpreter_FOUND)
    message(FATAL_ERROR "Treewise needs Python 3.11 or newer; CMake found none.")
  endif()
  if(NOT Python_Development.Module_FOUND)
    message(FATAL_ERROR
      "The headers of Python ${Python_VERSION} are missing, with which extensions are compiled. Install them, then try "
      "again:\n"
      "  Debian, Ubuntu:  sudo apt install python${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}-dev\n"
      "  Fedora:          sudo dnf install python${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}-devel")
  endif()
  find_package(nanobind CONFIG QUIET)
  if(NOT nanobind_FOUND)
    message(FATAL_ERROR
      "nanobind was not found. pip brings it when it builds the package; a build folder of one's own needs\n"
      "  pip install nanobind\n"
      "and -Dnanobind_DIR=$(python -m nanobind --cmake_dir), as CONTRIBUTING.md says.")
  endif()
endif()
