// Package verb knows the commands of a person who types lines. It guarantees
// that a command has the same words in its help and where it is typed, and that
// a word means one command alone.
package verb

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrTaken says that a word means another command already.
var ErrTaken = errors.New("the word is another command's")

// Book are commands, by the words that they are typed with. The zero value is
// an empty one.
type Book struct{ commands map[string]int }

// Words are the words that a text gives a command: they stand before its first
// colon, separated by commas, as in "charge, c: asks, then charges".
func Words(text string) []string {
	head, _, _ := strings.Cut(text, ":")
	words := strings.FieldsFunc(head, func(r rune) bool { return r == ',' || r == ' ' })
	for i, word := range words {
		words[i] = strings.ToLower(word)
	}
	return words
}

// Means tells whether a word is one of those that a text gives.
func Means(word, text string) bool { return slices.Contains(Words(text), strings.ToLower(word)) }

// Add lets the words of a text mean a command. A word that means another one
// already is [ErrTaken].
func (b *Book) Add(command int, text string) error {
	if b.commands == nil {
		b.commands = make(map[string]int)
	}
	for _, word := range Words(text) {
		if other, known := b.commands[word]; known && other != command {
			return fmt.Errorf("%w: %s", ErrTaken, word)
		}
		b.commands[word] = command
	}
	return nil
}

// Find returns the command that a line begins with, in letters of any case, and
// what stands behind it.
func (b *Book) Find(line string) (command int, rest string, found bool) {
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	command, found = b.commands[strings.ToLower(word)]
	return command, strings.TrimSpace(rest), found
}
