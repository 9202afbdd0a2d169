# mpi.cmake: finds MPI 3 for C, as SUGENO_MPI (ON, OFF or AUTO) asks. Sets MPI_C_FOUND and MPIEXEC_EXECUTABLE.
#
# An mpicc alone proves nothing. Debian installs it without the headers (openmpi-bin without libopenmpi-dev), and
# FindMPI then stops the whole configure step. So every configure step first compiles and links mpi_probe.c with
# mpicc. FindMPI also caches its failures. If mpicc has changed since the last configure step, its cached results
# are dropped.
set(MPI_C_FOUND FALSE)
if(SUGENO_MPI STREQUAL "AUTO" AND (CMAKE_CROSSCOMPILING OR SUGENO_FUZZ))
    return()
elseif(NOT SUGENO_MPI)
    return()
endif()

# Forget programs that were uninstalled.
foreach(program MPI_C_COMPILER MPIEXEC_EXECUTABLE)
    if(IS_ABSOLUTE "${${program}}" AND NOT EXISTS "${${program}}")
        unset(${program} CACHE)
    endif()
endforeach()

# -DMPI_C_COMPILER=mpicc.mpich chooses among several MPIs.
if(IS_ABSOLUTE "${MPI_C_COMPILER}")
    set(mpicc ${MPI_C_COMPILER})
else()
    unset(mpicc)
    find_program(mpicc NAMES ${MPI_C_COMPILER} mpicc NO_CACHE
        HINTS ${MPI_HOME} ENV MPI_HOME ENV I_MPI_ROOT PATH_SUFFIXES bin)
endif()
set(probe_failed FALSE)
set(mpi_state "no mpicc") # FindMPI may still find an MPI without one
if(mpicc)
    execute_process(
        COMMAND ${mpicc} ${CMAKE_CURRENT_LIST_DIR}/mpi_probe.c -o ${PROJECT_BINARY_DIR}/CMakeFiles/mpi_probe
        RESULT_VARIABLE probe_failed OUTPUT_VARIABLE probe_output ERROR_VARIABLE probe_output)
    execute_process(COMMAND ${mpicc} -show OUTPUT_VARIABLE mpicc_flags ERROR_QUIET)
    string(SHA256 mpi_state "${mpicc} ${probe_failed} ${mpicc_flags}")
endif()

if(DEFINED CACHE{SUGENO_MPI_STATE} AND NOT SUGENO_MPI_STATE STREQUAL mpi_state)
    get_cmake_property(names CACHE_VARIABLES)
    list(FILTER names INCLUDE REGEX "^(MPI_RESULT_|MPI_C_|MPI_.*_LIBRARY$|MPIEXEC_EXECUTABLE$)")
    list(REMOVE_ITEM names MPI_C_COMPILER)
    foreach(name IN LISTS names)
        unset(${name} CACHE)
    endforeach()
endif()
set(SUGENO_MPI_STATE "unfinished" CACHE INTERNAL "The mpicc that the cached MPI variables belong to")
if(NOT probe_failed)
    find_package(MPI 3.0 QUIET COMPONENTS C)
endif()
set(SUGENO_MPI_STATE "${mpi_state}" CACHE INTERNAL "The mpicc that the cached MPI variables belong to")

if(MPI_C_FOUND AND (MPIEXEC_EXECUTABLE OR NOT SUGENO_TESTS))
    return()
elseif(MPI_C_FOUND)
    set(reason "There is no mpiexec to run the MPI tests with.")
elseif(probe_failed)
    string(STRIP "${probe_output}" probe_output)
    string(REPLACE "\n" "\n  " probe_output "  ${probe_output}") # CMake does not wrap indented lines
    set(reason "${mpicc} can't compile and link an MPI program:\n${probe_output}")
else()
    set(reason "CMake found no MPI 3.")
endif()
if(SUGENO_MPI STREQUAL "AUTO")
    message(STATUS "sugeno-mpi is not built or not tested. ${reason}")
else()
    message(FATAL_ERROR "SUGENO_MPI is ON, but MPI is missing or incomplete. ${reason}\n"
        "Install it (Debian: openmpi-bin libopenmpi-dev), or set SUGENO_MPI=OFF to build without it.")
endif()
