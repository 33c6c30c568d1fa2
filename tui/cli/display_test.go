package cli_test

import (
	"strings"
	"testing"
)

func TestTheCustomerScreenIsServedAsAPage(t *testing.T) {
	desk := newDesk(t)
	shown, end := desk.background("l'écran du client est à http://", "display", "--web", "127.0.0.1:0", "--shop", "Chez Tantely", "--lang", "fr")
	if !shown {
		t.Fatal(desk.err)
	}
	_, address, _ := strings.Cut(strings.TrimSpace(desk.out.String()), " est à ")
	if page := get(t, address); !strings.Contains(page.text, "Chez Tantely") || !strings.Contains(page.text, "Bienvenue") {
		t.Errorf("got page %+v", page)
	}
	if code := end(); code != 0 {
		t.Errorf("exit code %d\n%s", code, desk.err)
	}
	desk.noSecrets()
}
