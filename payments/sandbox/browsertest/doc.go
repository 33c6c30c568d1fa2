// Package browsertest tests the sandbox's pages in a real browser, over a TCP connection:
// the customer's at the size of a phone, and the developer's dashboard. It has only tests,
// so other packages do not import the browser's protocol.
//
// The tests need Chromium or Chrome on the PATH. The accessibility check needs the file
// axe.min.js of axe-core; TILL_AXE is its path. Tests without a browser and checks without
// axe-core are skipped, or fail if TILL_TEST_REQUIRE is set.
package browsertest
