package e2e_test

import (
	"testing"
	"time"

	"checkout/till/tui/tuitest"
)

// in types the pieces of a text with a pause between two pieces.
func in(terminal *tuitest.Terminal, pause time.Duration, pieces ...string) *tuitest.Terminal {
	for i, piece := range pieces {
		if i > 0 {
			<-time.After(pause)
		}
		terminal.Type(piece)
	}
	return terminal
}

func TestSplitKeySequencesAreRead(t *testing.T) {
	t.Parallel()
	terminal := open(t, file, nil).console().Sees("Type what the customer takes")
	in(terminal, 30*time.Millisecond, "caf\xc3", "\xa9 \x1bO", "s\x1bOp\x1bOp").Sees("› café 300")
	in(terminal, 30*time.Millisecond, "\x1b]11;rgb:1e1e/", "1e1e/1e1e\x1b", "\\", "\x1b[200~x", "2\x1b[2", "01~").Sees("› café 300x2")
	in(terminal, 30*time.Millisecond, "\x1bO", "M").Sees("1  café", "600 Ar")
	in(terminal, 30*time.Millisecond, "\x1b[1", "8", "~").Sees("attend les paiements")
}
