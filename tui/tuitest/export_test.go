package tuitest

import "testing"

// Faults lets tests see what the gallery finds in a view beside the English one.
func Faults(t *testing.T, english, view, language string, narrow bool) []string {
	t.Helper()
	words := newVocabulary(t, []string{"Misaotra Rabe"}, nil)
	return words.faults(words.keysIn(english), view, language, narrow)
}
