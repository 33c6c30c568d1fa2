package cli_test

import (
	"io"
	"net/http"
	"net/http/httptest"
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

func TestTheCustomerScreenNamesItsTillAndTheDemo(t *testing.T) {
	for name, demo := range map[string]bool{"of the shop": false, "of the demo": true} {
		t.Run(name, func(t *testing.T) {
			desk := newDesk(t)
			arguments := []string{"display", "--web", "127.0.0.1:0", "--till", "T7", "--lang", "en"}
			if demo {
				arguments = append(arguments, "--demo")
			}
			end := desk.background("the customer's screen is at http://", arguments...)
			said := strings.Join(strings.Fields(desk.err.String()), " ")
			if hint := strings.Contains(said, "till T7") && strings.Contains(said, "till display --demo"); hint == demo {
				t.Errorf("got %q on standard error", said)
			}
			desk.stops(end)
		})
	}
}

// The customer's screen is another process than the console with the listener.
func TestTheCustomerScreenShowsNoCodeWhileTheConsoleSeesNoPayment(t *testing.T) {
	desk := newDesk(t)
	desk.service(http.StatusOK, sound, func() {})
	desk.says("", 0, "https://pay.example.mg/c/1", "order", "create", "--item", "Vary:3500")
	desk.out = &buffer{}
	console := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"reach": "no_relay"}`)
	}))
	t.Cleanup(console.Close)
	_, desk.env["TILL_LISTEN"], _ = strings.Cut(console.URL, "://")
	end := desk.background("the customer's screen is at http://", "display", "--web", "127.0.0.1:0", "--lang", "en")
	_, address, _ := strings.Cut(strings.TrimSpace(desk.out.String()), " is at ")
	desk.waits("the screen shows no code", func() bool { return !strings.Contains(get(t, address).text, "Scan to pay") })
	desk.stops(end)
}
