// Package tuitest lets tests use the program as a person does. Only tests import it.
//
// Start runs a real program in a pseudo-terminal with an emulated screen. Drive runs a Bubble Tea
// model without a terminal. Both press keys by name, and read the texts and the QR code on the
// screen.
//
// Tests need no fixed sleep to wait for output. A Terminal checks its screen after each write of
// the program. A Driver runs commands in a fixed order, and never runs timers.
//
// The emulator is github.com/hinshun/vt10x. This package works around three of its limits: vt10x
// takes every character as one column wide, loses characters that are split between two reads, and
// ignores faint text. These limits remain:
//   - characters without a width, such as combining marks, are dropped;
//   - the colon form of colour sequences is ignored;
//   - text is not faint if its sequence also sets another attribute;
//   - bold text in one of the first eight colours is shown in the bright colour.
package tuitest
