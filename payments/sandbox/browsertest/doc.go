// Package browsertest tests the sandbox's pages in a real browser, over a TCP connection: the
// customer's pages, at the size of a phone, and the developer's dashboard. It is a separate package
// with only tests, so that no other package imports the browser's protocol.
//
// The tests need Chromium or Chrome on the PATH. The accessibility check needs the file axe.min.js
// of axe-core; TILL_AXE is its path. Without a browser all tests are skipped; without axe-core only
// the accessibility check is skipped. If TILL_TEST_REQUIRE is set, tests fail instead of being
// skipped.
package browsertest
