# presil_add_engine(FOLDER): builds an engine from its folder, inside presil's checkout or against an
# installed presil. With NAME as its engine.yaml says:
#
#   engine_NAME          shared library: model, timing, check; shows presil_engine_plugin() (engine_plugin.h)
#   engine_NAME_model    the same as a static library, for tests and SystemC programs of your own
#   engine_NAME_compiler  what it tells the compiler; there is none without `compiler` in its engine.yaml
#   engine_NAME_rtl      shared library: its RTL, Verilated, as sim/rtl/engine_top.h has it; _rtl_fst: with waveforms
#   engine_NAME_verilated  its Verilated class V<top>, for benches of your own
#
# There are none of the last two without RTL, or without Verilator.
# The prints of the contract go to engine/NAME of the build folder, made when CMake runs. Once it is linked, the
# library is looked at by presil_engine_check.
# PRESIL_ENGINE_ROOT: sources of presil that an engine is built with; the including file sets it.
set(PRESIL_ENGINE_SRAM_BYTES 1048576 CACHE STRING "SRAM of the tile that engines in RTL are built for")
set(PRESIL_RDL_PYTHON "" CACHE FILEPATH "Python with rtl/gen/requirements.txt; default: presil's own venv")

# A program; what it says, or its complaint as CMake's.
function(presil_engine_call result)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE said ERROR_VARIABLE complaint RESULT_VARIABLE code
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_STRIP_TRAILING_WHITESPACE)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${complaint}")
  endif()
  set(${result} "${said}" PARENT_SCOPE)
endfunction()

function(presil_engine_rdl_python result)
  set(python ${PRESIL_RDL_PYTHON})
  if(NOT python)
    set(venv $ENV{PRESIL_RDL_VENV})
    if(NOT venv AND DEFINED ENV{PRESIL_CACHE})
      set(venv $ENV{PRESIL_CACHE}/venv-rdl)
    elseif(NOT venv)
      set(venv $ENV{HOME}/.cache/presil/venv-rdl)
    endif()
    set(python ${venv}/bin/python)
  endif()
  if(NOT EXISTS ${python})
    set(python)
  endif()
  set(${result} ${python} PARENT_SCOPE)
endfunction()

function(presil_add_engine folder)
  get_filename_component(folder ${folder} ABSOLUTE)
  presil_engine_rdl_python(python)
  if(NOT python)
    message(FATAL_ERROR "engine ${folder}: its contract cannot be printed, there is no Python with the "
                        "packages of rtl/gen/requirements.txt; make one (python3 -m venv, pip install -r "
                        "${PRESIL_ENGINE_ROOT}/rtl/gen/requirements.txt) and name it by -DPRESIL_RDL_PYTHON")
  endif()
  set(prints ${CMAKE_CURRENT_BINARY_DIR}/engine)
  get_property(beside GLOBAL PROPERTY PRESIL_ENGINES)
  presil_engine_call(said ${python} -B ${PRESIL_ENGINE_ROOT}/sim/engine/engine_folder.py ${folder}
                     --to ${prints} --beside ${beside})
  cmake_language(EVAL CODE "${said}")
  set_property(GLOBAL APPEND PROPERTY PRESIL_ENGINES ${folder})
  file(GLOB readers ${PRESIL_ENGINE_ROOT}/rtl/gen/*.py ${PRESIL_ENGINE_ROOT}/rtl/gen/templates/*)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/engine.yaml ${engine_contract}
               ${PRESIL_ENGINE_ROOT}/sim/engine/engine_folder.py
               ${PRESIL_ENGINE_ROOT}/sim/engine/engine_ports.py ${readers})

  set(engine_compiler_includes)
  foreach(source ${engine_compiler})
    get_filename_component(directory ${source} DIRECTORY)
    list(APPEND engine_compiler_includes ${directory})
  endforeach()
  list(REMOVE_DUPLICATES engine_compiler_includes)
  set(model engine_${engine_name}_model)
  set(plugin ${engine_model})
  list(FILTER plugin INCLUDE REGEX "_plugin\\.cpp$")
  list(REMOVE_ITEM engine_model ${plugin})
  add_library(${model} STATIC ${engine_model} ${engine_driver})
  target_include_directories(${model} PUBLIC ${folder} ${prints})
  target_link_libraries(${model} PUBLIC presil::engine_kit)
  set_target_properties(${model} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  if(engine_compiler)
    add_library(engine_${engine_name}_compiler STATIC ${engine_compiler})
    target_link_libraries(engine_${engine_name}_compiler PUBLIC ${model} presil::engine_compiler_kit)
    # Each work makes the model of itself alone (compiler_bridge/layer/CMakeLists.txt).
    set_source_files_properties(${engine_compiler} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    set_target_properties(engine_${engine_name}_compiler PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_include_directories(engine_${engine_name}_compiler PUBLIC ${engine_compiler_includes})
    set(model engine_${engine_name}_compiler)
  endif()
  add_library(engine_${engine_name} SHARED ${plugin})
  target_link_libraries(engine_${engine_name} PRIVATE ${model})
  target_link_options(engine_${engine_name} PRIVATE -Wl,--no-undefined)
  target_compile_definitions(engine_${engine_name} PRIVATE PRESIL_ENGINE_DEFAULTS=${engine_defaults})
  string(REPLACE ", " ";" defaults "${engine_defaults}")
  add_custom_command(TARGET engine_${engine_name} POST_BUILD VERBATIM
                     COMMAND presil_engine_check $<TARGET_FILE:engine_${engine_name}> ${folder} ${defaults})

  # What --engine looks for: beside the library, and in the build folder.
  string(REGEX REPLACE "([\\\"])" "\\\\\\1" text "${folder}")
  string(CONCAT note "{\"engine\": \"${engine_name}\", \"folder\": \"${text}\",\n"
                     " \"library\": \"$<TARGET_FILE:engine_${engine_name}>\"}\n")
  set(places ${CMAKE_CURRENT_BINARY_DIR} ${CMAKE_BINARY_DIR})
  list(REMOVE_DUPLICATES places)
  foreach(place ${places})
    file(GENERATE OUTPUT ${place}/engine_${engine_name}.json CONTENT "${note}")
  endforeach()

  find_package(verilator QUIET HINTS /usr/share/verilator $ENV{VERILATOR_ROOT})
  if(engine_rtl AND verilator_FOUND)
    presil_engine_rtl(${python} ${folder} ${prints})
  endif()
endfunction()

# Its RTL, by the engine_ variables of presil_add_engine: the Verilated class, and the library around it.
function(presil_engine_rtl python folder prints)
  set(top ${engine_rtl_top})
  file(GLOB waivers ${folder}/rtl/*.vlt)
  set(common)
  foreach(part job_pkg queue_pkg presil_pkg)
    list(APPEND common ${PRESIL_ENGINE_ROOT}/rtl/common/${part}.sv)
  endforeach()
  list(APPEND common ${PRESIL_ENGINE_ROOT}/rtl/soc/engines_pkg.sv)
  set(adaptor ${prints}/${engine_name}/${engine_name}_rtl.cpp)
  if(NOT TARGET presil_common)  # a project of its own: part of its build
    set(all "")
  else()
    set(all EXCLUDE_FROM_ALL)
  endif()
  foreach(waves "" _fst)
    set(verilated engine_${engine_name}_verilated${waves})
    set(trace)
    if(waves)
      set(trace TRACE_FST TRACE_STRUCTS)
      set(all EXCLUDE_FROM_ALL)
    endif()
    add_library(${verilated} STATIC EXCLUDE_FROM_ALL)
    verilate(${verilated} ${trace} TOP_MODULE ${top} PREFIX V${top}
             SOURCES ${PRESIL_ENGINE_ROOT}/rtl/common/common.vlt ${waivers} ${common}
                     ${prints}/${engine_name}/${engine_name}_pkg.sv
                     ${prints}/${engine_name}/${engine_name}_registers.sv ${engine_rtl}
             INCLUDE_DIRS ${PRESIL_ENGINE_ROOT} ${PRESIL_ENGINE_ROOT}/rtl/common
             OPT_FAST -O3 OPT_SLOW -O0 OPT_GLOBAL -O2
             VERILATOR_ARGS -y ${PRESIL_ENGINE_ROOT}/rtl/common --assert --x-assign fast
                            --x-initial unique ${engine_rtl_parameters} -GSramBytes=${PRESIL_ENGINE_SRAM_BYTES})
    get_target_property(headers ${verilated} INTERFACE_INCLUDE_DIRECTORIES)
    target_include_directories(${verilated} SYSTEM INTERFACE ${headers})
    set_target_properties(${verilated} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    if(NOT waves)  # of both; whenever Verilator has read the RTL again
      list(GET headers 0 made)
      add_custom_command(
        OUTPUT ${adaptor}
        COMMAND ${python} -B ${PRESIL_ENGINE_ROOT}/sim/engine/engine_ports.py ${folder} --top ${top}
                --header ${made}/V${top}.h --print ${adaptor} --name ${engine_name} --waits ${engine_rtl_waits}
                --sram ${PRESIL_ENGINE_SRAM_BYTES} --parameters ${engine_rtl_built}
        DEPENDS ${made}/V${top}.cpp ${PRESIL_ENGINE_ROOT}/sim/engine/engine_ports.py VERBATIM)
    endif()
    add_library(engine_${engine_name}_rtl${waves} SHARED ${all} ${adaptor})
    target_link_libraries(engine_${engine_name}_rtl${waves} PRIVATE ${verilated} presil::engine_kit)
    # Verilator's runtime is the library's own, whatever the program has.
    target_link_options(engine_${engine_name}_rtl${waves} PRIVATE -Wl,--exclude-libs,ALL -Wl,-Bsymbolic)
    if(waves)
      target_sources(engine_${engine_name}_rtl_fst PRIVATE ${PRESIL_ENGINE_ROOT}/sim/rtl/fst_file.cpp)
      target_compile_definitions(engine_${engine_name}_rtl_fst PRIVATE PRESIL_FST)
      target_link_libraries(engine_${engine_name}_rtl_fst PRIVATE z)
    endif()
  endforeach()
endfunction()
