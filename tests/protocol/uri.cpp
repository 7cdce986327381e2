// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Paths and URIs.
#include "protocol/uri.h"
#include "tests/support/catch.h"

using namespace warpdrf::protocol;

TEST_CASE("URIs give paths") {
  CHECK(pathFromUri("file:///a/b%20c.cu") == "/a/b c.cu");
  CHECK(pathFromUri("file://host/a.cu") == "/a.cu");
  CHECK(pathFromUri("file:/a.cu") == "/a.cu");
  CHECK(pathFromUri("untitled:Untitled-1") == "Untitled-1");
  CHECK(pathFromUri("file:///a%2") == "/a%2");
  CHECK(pathFromUri("file:///a%zz#L3") == "/a%zz");
  CHECK(pathFromUri("file://") == "");
  CHECK(pathFromUri("") == "");
}

TEST_CASE("paths survive the way to a URI and back") {
  CHECK(uriFromPath("/a b/c#%.cu") == "file:///a%20b/c%23%25.cu");
  for (std::string path : {"/a/b.cu", "/ä/€.cu", "/x?y/[z]"})
    CHECK(pathFromUri(uriFromPath(path)) == path);
}
