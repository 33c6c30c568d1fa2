package cli_test

import (
	"context"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
)

func TestTheCustomersScreenIsServedAsAPage(t *testing.T) {
	desk := newDesk(t)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan int, 1)
	go func() {
		ended <- desk.run(ctx, "display", "--web", "127.0.0.1:0", "--shop", "Chez Tantely", "--lang", "fr")
	}()
	if !desk.comes(desk.out, "l'écran du client est à http://", ended) {
		t.Fatal(desk.err)
	}
	_, address, _ := strings.Cut(strings.TrimSpace(desk.out.String()), " est à ")
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	page, err := io.ReadAll(response.Body)
	_ = response.Body.Close()
	if err != nil || !strings.Contains(string(page), "Chez Tantely") || !strings.Contains(string(page), "Bienvenue") {
		t.Errorf("the page is %s (%v)", page, err)
	}
	stop()
	if code := <-ended; code != 0 {
		t.Errorf("exit code %d\n%s", code, desk.err)
	}
	desk.noSecrets()
}

func TestTheCustomersScreenOpensBesideTheConsole(t *testing.T) {
	for database, args := range map[string][]string{
		"till.db": {"display"}, "demo.db": {"display", "--demo"},
	} {
		t.Run(database, func(t *testing.T) {
			desk := newDesk(t)
			keys := desk.keyboard()
			ended := make(chan int, 1)
			go func() { ended <- desk.run(t.Context(), args...) }()
			go desk.leave(keys, database)
			if code := <-ended; code != 0 {
				t.Errorf("exit code %d\n%s", code, desk.err)
			}
		})
	}
}

func TestTheCustomersScreenNeedsATerminalOrAPage(t *testing.T) {
	desk := newDesk(t)
	file, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	desk.in = file
	if code := desk.run(t.Context(), "display"); code != 1 || !strings.Contains(desk.err.String(), "needs a terminal") {
		t.Errorf("exit code %d\n%s", code, desk.err)
	}
	if code := desk.run(t.Context(), "display", "--web", "192.0.2.1:1", "--lan"); code != 2 {
		t.Errorf("an address of a network and --lan: exit code %d\n%s", code, desk.err)
	}
}
