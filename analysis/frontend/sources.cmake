list(APPEND WARPDRF_FRONTEND_SOURCES
  annotations.cpp command.cpp constants.cpp errors.cpp frontend.cpp invocation.cpp launches.cpp
  outline.cpp parse.cpp preamble.cpp ranges.cpp roots.cpp toolkit.cpp)
