package tuitest

import "testing"

// Faults returns what the gallery finds in a view, compared with the English view.
func Faults(t *testing.T, english, view, language string, narrow bool) []string {
	t.Helper()
	words := newVocabulary(t, []string{"Misaotra Rabe"}, nil)
	return words.faults(words.keysIn(english), view, language, narrow)
}
