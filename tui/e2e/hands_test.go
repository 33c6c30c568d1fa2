package e2e_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"checkout/till/tui/tuitest"
)

// stocked opens the console of a shop with some articles.
func stocked(t *testing.T) (*shop, *tuitest.Terminal) {
	t.Helper()
	shop := open(t, file, nil)
	table := filepath.Join(t.TempDir(), "articles.csv")
	const articles = "label,price,code\nCoca,2000,5449000054227\nSavony,1200,LN-1042\nVary,3500,6111000000014\n"
	tuitest.Must(t, os.WriteFile(table, []byte(articles), 0o600))
	if out, errs, code := shop.till("catalog", "import", table); code != 0 {
		t.Fatalf("the import: exit code %d\n%s%s", code, out, errs)
	}
	return shop, shop.console().Sees("Type what the customer takes")
}

// in types pieces of text with a pause between them.
func in(terminal *tuitest.Terminal, pause time.Duration, pieces ...string) *tuitest.Terminal {
	for i, piece := range pieces {
		if i > 0 {
			<-time.After(pause)
		}
		terminal.Type(piece)
	}
	return terminal
}

// The number pad of a terminal that a crashed program left in the mode for applications sends other bytes.
func TestAScanDuringAPaymentIsForTheNextCustomer(t *testing.T) {
	t.Parallel()
	const scan = "\x1bOu\x1bOt\x1bOt\x1bOy\x1bOp\x1bOp\x1bOp\x1bOp\x1bOu\x1bOt\x1bOr\x1bOr\x1bOw\x1bOM"
	shop, terminal := stocked(t)
	sell(terminal)
	terminal.Type(scan).Sees("… WAITING", "For the next customer:", "r takes this sale back with it.")
	order := shop.expectNewest("pending", "waiting")
	shop.pay(shop.service.last())
	terminal.Sees("PAID")
	terminal.Type(scan).Sees("PAID", "now 2")
	if now := shop.newest(); now.Reference != order.Reference {
		t.Errorf("the scan created the order %s", now.Reference)
	}
}

func TestSplitKeySequencesAreRead(t *testing.T) {
	t.Parallel()
	_, terminal := stocked(t)
	in(terminal, 30*time.Millisecond, "caf\xc3", "\xa9 \x1bO", "s\x1bOp\x1bOp").Sees("› café 300")
	in(terminal, 30*time.Millisecond, "\x1b]11;rgb:1e1e/", "1e1e/1e1e\x1b", "\\", "\x1b[200~x", "2\x1b[2", "01~").Sees("› café 300x2")
	in(terminal, 30*time.Millisecond, "\x1bO", "M").Sees("1  café", "600 Ar")
	in(terminal, 30*time.Millisecond, "\x1b[1", "8", "~").Sees("à l'écoute")
}
