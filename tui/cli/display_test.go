package cli_test

import (
	"strings"
	"testing"
)

func TestTheCustomerScreenIsServedAsAPage(t *testing.T) {
	desk := newDesk(t)
	end := desk.background("l'écran du client est à http://", "display", "--web", "127.0.0.1:0", "--shop", "Chez Tantely", "--lang", "fr")
	_, address, _ := strings.Cut(strings.TrimSpace(desk.out.String()), " est à ")
	if page := get(t, address); !strings.Contains(page.text, "Chez Tantely") || !strings.Contains(page.text, "Bienvenue") {
		t.Errorf("got page %+v", page)
	}
	desk.stops(end)
	desk.noSecrets()
}
