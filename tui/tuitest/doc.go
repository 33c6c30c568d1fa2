// Package tuitest helps tests to use the program as a person does. Only tests
// import it.
//
// Start runs a real program in a pseudo-terminal, with an emulated screen in
// front of it; Drive runs a model alone, without a terminal. Both press keys by
// name, look at what the screen says and read the QR code that is drawn on it.
//
// It guarantees that nothing is slept away. A Terminal looks at its screen when
// the program has written something, and gives up after a limit that is far
// beyond what a slow machine needs. A Driver runs commands one after the other,
// in the same order every time, and never those that only let time go by.
//
// The emulator is github.com/hinshun/vt10x, which lacks some things: it takes
// every character for one column wide, loses characters that a read has cut in
// two, and knows no faint text. These are mended here. What remains: characters of no width, such as combining marks, are not kept; the
// colons of newer colour sequences are ignored, and so is faint text whose
// sequence says more than that; and bold text in one of the first eight colours
// is shown in the bright one.
package tuitest
