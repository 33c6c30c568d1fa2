// Package browsertest looks at the sandbox's pages as a customer and a
// developer do: in a real browser, at a phone's size, over a real connection.
// It holds tests alone, so that nothing else is compiled with a browser's
// protocol.
//
// The tests need Chromium or Chrome on the PATH, and the check of
// accessibility the file axe.min.js of axe-core, which TILL_AXE names. What is
// missing skips its tests, or fails them when TILL_TEST_REQUIRE is set.
package browsertest
