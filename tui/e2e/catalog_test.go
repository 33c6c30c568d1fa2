package e2e_test

import (
	"os"
	"path/filepath"
	"testing"
)

func TestACodeSellsItsArticleHoweverItIsTyped(t *testing.T) {
	t.Parallel()
	shop := open(t, file, nil)
	table := filepath.Join(t.TempDir(), "articles.csv")
	const articles = "Désignation;Prix achat;Prix vente;Code-barres\n" +
		"Sac;1;501;012345678905\nLamba;1;9002;HA112\nCoca;1;2003;5449000054227.0\nPâte;1;104;P1\nPâté;1;205;P2\n"
	if err := os.WriteFile(table, []byte(articles), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, errs, code := shop.till("catalog", "import", table); code != 0 {
		t.Fatalf("the import ends with %d\n%s%s", code, out, errs)
	}
	terminal := shop.console().Sees("Type what the customer takes")
	for _, c := range []struct{ typed, total string }{
		{"0 012345 678905", "charges 501 "},
		{"ha112", "charges 9 503 "},
		{"]C1010544900005422717261231", "charges 11 506 "},
		{"P2", "charges 11 711 "}, // The code is that of Pâté, not of Pâte.
		{"pâté", "charges 11 916 "},
		{"P1", "charges 12 020 "},
	} {
		terminal.Type(c.typed).Press("enter").Sees(c.total)
	}
	terminal.Type("5 449000 000996").Press("enter").Sees("5449000000996", "F6")
}
