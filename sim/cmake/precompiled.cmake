# What nearly every file reads, compiled once for each set of options: the standard library, and SystemC
# with JSON where a library has them. No header of the project is among them: an edit of one would
# rebuild everything. g++ refuses one made with other options (-Winvalid-pch).
set(presil_precompiled_std algorithm array cmath cstdint cstring deque functional limits map memory numeric
    optional set sstream stdexcept string tuple unordered_map utility variant vector)
set(presil_precompiled_systemc systemc tlm tlm_utils/simple_target_socket.h nlohmann/json.hpp)

# presil_precompiled(NAME HEADER... [LIBS ...] [OPTIONS ...]): a target that others name in REUSE_FROM.
function(presil_precompiled name)
  cmake_parse_arguments(P "" "" "LIBS;OPTIONS" ${ARGN})
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/precompiled.cpp CONTENT "int main() { return 0; }\n")
  if(NOT P_LIBS MATCHES GTest)  # libraries are -fPIC, test programs -fPIE
    add_library(${name} OBJECT EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/precompiled.cpp)
  else()
    add_executable(${name} EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/precompiled.cpp)
  endif()
  target_link_libraries(${name} PRIVATE presil_base ${P_LIBS})
  target_compile_options(${name} PRIVATE ${P_OPTIONS})
  list(TRANSFORM P_UNPARSED_ARGUMENTS REPLACE "(.+)" "$<$<COMPILE_LANGUAGE:CXX>:<\\1$<ANGLE-R>>")
  target_precompile_headers(${name} PRIVATE ${P_UNPARSED_ARGUMENTS})
endfunction()

# Whether `target` compiles with what `library` gives: `kind` is LINK_LIBRARIES for its own, and those of
# its libraries are INTERFACE_LINK_LIBRARIES.
function(presil_compiles_with library target kind result)
  get_property(known GLOBAL PROPERTY presil_compiles_with_${library}_${target}_${kind})
  if("${known}" STREQUAL "")
    set(known FALSE)
    get_target_property(inner ${target} ${kind})
    if(library IN_LIST inner)
      set(known TRUE)
    endif()
    foreach(one ${inner})
      if(TARGET ${one} AND NOT known)
        presil_compiles_with(${library} ${one} INTERFACE_LINK_LIBRARIES known)
      endif()
    endforeach()
    set_property(GLOBAL PROPERTY presil_compiles_with_${library}_${target}_${kind} ${known})
  endif()
  set(${result} ${known} PARENT_SCOPE)
endfunction()

# Gives each C++ library of a folder, and of those below it, the precompiled headers of its options;
# those with options of their own (lanes of the DSP, the driver) have none.
function(presil_precompile_all folder)
  presil_targets_of(${folder} targets)
  foreach(target ${targets})
    get_target_property(type ${target} TYPE)
    get_target_property(options ${target} COMPILE_OPTIONS)
    get_target_property(visibility ${target} CXX_VISIBILITY_PRESET)
    get_target_property(sources ${target} SOURCES)
    if(NOT type STREQUAL STATIC_LIBRARY OR visibility OR sources MATCHES "\\.c(;|$)" OR NOT sources MATCHES "\\.cpp(;|$)")
      continue()
    endif()
    presil_compiles_with(presil_systemc ${target} LINK_LIBRARIES systemc)
    set(name presil_precompiled)
    if(systemc)
      string(APPEND name _systemc)
    endif()
    if(options STREQUAL PRESIL_SELDOM)
      string(APPEND name _seldom)
    elseif(options)
      continue()
    endif()
    target_precompile_headers(${target} REUSE_FROM ${name})
  endforeach()
endfunction()
