package e2e_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"checkout/till/tui/tuitest"
)

// stocked is a console of a shop that sells some articles.
func stocked(t *testing.T) (*shop, *tuitest.Terminal) {
	t.Helper()
	shop := open(t, file, nil)
	table := filepath.Join(t.TempDir(), "articles.csv")
	const articles = "label,price,code\nCoca,2000,5449000054227\nSavony,1200,LN-1042\nVary,3500,6111000000014\n"
	if err := os.WriteFile(table, []byte(articles), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, errs, code := shop.till("catalog", "import", table); code != 0 {
		t.Fatalf("the import ends with %d\n%s%s", code, out, errs)
	}
	return shop, shop.console().Sees("Type what the customer takes")
}

// in types pieces of bytes with a pause between them.
func in(terminal *tuitest.Terminal, pause time.Duration, pieces ...string) *tuitest.Terminal {
	for i, piece := range pieces {
		if i > 0 {
			<-time.After(pause)
		}
		terminal.Type(piece)
	}
	return terminal
}

func TestAScanWhileACodeIsShownIsForTheNextCustomer(t *testing.T) {
	t.Parallel()
	for name, scan := range map[string]string{
		"letters, and a line feed": "ln-1042\n", "an identifier, and Tab": "]C1LN-1042\t", "digits, and Enter": "5449000054227\r",
		"the signs of a French keyboard": "(''çàààà('ééè\r", "the number pad after a crash": "\x1bOu\x1bOt\x1bOt\x1bOy\x1bOp\x1bOp\x1bOp\x1bOp\x1bOu\x1bOt\x1bOr\x1bOr\x1bOw\x1bOM",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shop, terminal := stocked(t)
			sell(terminal)
			terminal.Type(scan).Sees("… WAITING", "For the next customer:", "r takes this sale back with it.")
			order := shop.stands("pending", "waiting")
			shop.pay(shop.service.last())
			terminal.Sees("PAID")
			terminal.Type(scan).Sees("PAID", "now 2")
			if now := shop.newest(); now.Reference != order.Reference {
				t.Errorf("%s made the order %s", name, now.Reference)
			}
		})
	}
}

func TestAScanIsOneCodeWhateverPausesItMakes(t *testing.T) {
	t.Parallel()
	_, terminal := stocked(t)
	in(terminal, 170*time.Millisecond, "5449", "000054227\r").Sees("1  Coca", "2 000 Ar")
	terminal.Type("6111000000099\r").Sees("No article has the code 6111000000099.")
	terminal.Type("6111000000088\t").Sees("No article has the code 6111000000088.").Press("f6").Sees("New article", "6111000000088")
	terminal.Type("6111000000077\r").Sees("6111000000077").Gone("6111000000088")
}

func TestWhatWasScannedAtACodeJoinsItsSale(t *testing.T) {
	t.Parallel()
	_, terminal := stocked(t)
	terminal.Type("LN-1042\r").Sees("1  Savony").Press("enter").Sees("Charge 1 200 Ar?").Press("enter").Sees("… WAITING")
	terminal.Type("5449000054227\r").Sees("For the next customer: Coca, 2 000 Ar.")
	terminal.Press("r").Sees("1  Savony", "2  Coca", "Waiting  1")
}

func TestBytesAreKeysWhereverTheyAreCut(t *testing.T) {
	t.Parallel()
	_, terminal := stocked(t)
	in(terminal, 30*time.Millisecond, "caf\xc3", "\xa9 \x1bO", "s\x1bOp\x1bOp").Sees("› café 300")
	in(terminal, 30*time.Millisecond, "\x1b]11;rgb:1e1e/", "1e1e/1e1e\x1b", "\\", "\x1b[200~x", "2\x1b[2", "01~").Sees("› café 300x2")
	in(terminal, 30*time.Millisecond, "\x1bO", "M").Sees("1  café", "600 Ar")
	in(terminal, 30*time.Millisecond, "\x1b[1", "8", "~").Sees("à l'écoute")
}

func TestPeopleTypeWhatTheyThink(t *testing.T) {
	t.Parallel()
	_, terminal := stocked(t)
	for typed, says := range map[string]string{
		"remise 500": "A discount is for a line of the sale", "-500": "A discount is for a line of the sale",
		"huile 0,5x6000": "The quantity is a whole number.",
	} {
		terminal.Type(typed).Press("enter").Sees(says).Press("esc")
	}
	terminal.Type("coca*2").Press("enter").Sees("1  Coca", "4 000 Ar")
	terminal.Press("f1").Sees("charge (empty line)").Press("esc").Press("enter").Sees("Charge").Press("enter").Sees("… WAITING")
	terminal.Press("y").Sees("What happened").Press("y").Sees("Did you see in the merchant area")
}
