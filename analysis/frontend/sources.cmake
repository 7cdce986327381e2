list(APPEND WARPDRF_FRONTEND_SOURCES
  annotations.cpp call_sites.cpp callers.cpp changes.cpp constants.cpp constants_facts.cpp constants_operators.cpp constants_pointers.cpp constants_spell.cpp error_marks.cpp errors.cpp files_seen.cpp frontend.cpp
  host_interpreter.cpp invocation.cpp launch_facts.cpp launch_merge.cpp launches.cpp outline.cpp
  parse.cpp preamble.cpp preprocessing.cpp ranges.cpp read_file.cpp reciprocals.cpp recording.cpp roots.cpp shared_objects.cpp skipped_bodies.cpp syntax.cpp toolkit.cpp
  command/clang_flags.cpp command/database.cpp command/find.cpp command/json_file.cpp command/nvcc.cpp
  command/project.cpp command/project_files.cpp command/response.cpp)
# These need none of the headers that the rest of the layer shares.
set_source_files_properties(command/clang_flags.cpp command/database.cpp command/find.cpp command/json_file.cpp
  command/nvcc.cpp command/project.cpp command/project_files.cpp command/response.cpp files_seen.cpp
  read_file.cpp recording.cpp
  PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
