package cli_test

import (
	"context"
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
	if page := get(t, address); !strings.Contains(page.text, "Chez Tantely") || !strings.Contains(page.text, "Bienvenue") {
		t.Errorf("the page is %+v", page)
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
