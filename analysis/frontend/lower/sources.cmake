list(APPEND WARPDRF_FRONTEND_SOURCES
  lower/address_taken.cpp
  lower/asm.cpp
  lower/builtins.cpp
  lower/call.cpp
  lower/casts.cpp
  lower/expr_address.cpp
  lower/expr_record.cpp
  lower/expr_scalar.cpp
  lower/function.cpp
  lower/groups.cpp
  lower/library.cpp
  lower/operators.cpp
  lower/stmt.cpp
  lower/switch.cpp
  lower/sync.cpp
  lower/types.cpp
  lower/unit.cpp)
