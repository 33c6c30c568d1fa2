package cli_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"checkout/till/storage"
	"checkout/till/storage/storagetest/postgrestest"
	"checkout/till/tui/tuitest"
)

// away returns a desk. The settings of this desk name a database server that does not answer.
func away(t *testing.T) *desk {
	t.Helper()
	desk := newDesk(t)
	desk.service(http.StatusOK, sound, func() {})
	desk.env["TILL_DATABASE"] = "postgres://till@127.0.0.1:1/till?sslmode=disable"
	return desk
}

// talks runs the line mode with typed as its input. It fails the test unless the exit code is 0 and
// the output contains every text of want.
func (d *desk) talks(typed string, want ...string) {
	d.t.Helper()
	d.in, d.out, d.err = strings.NewReader(typed), &buffer{}, &buffer{}
	code := d.run(d.t.Context(), "--plain", "--language", "en")
	for _, text := range want {
		if code != 0 || !strings.Contains(d.out.String(), text) {
			d.t.Errorf("exit code %d, or it does not print %q\n%s%s", code, text, d.out, d.err)
		}
	}
}

func TestAConsoleStartsWithoutItsDatabaseServer(t *testing.T) {
	desk := away(t)
	desk.talks("Vary 3500\ncharge\n", "NO DATABASE: cannot charge", "Total 3 500 Ar", "nothing can be charged; what is typed is kept")
	desk.talks("Coca 2000\n", "The previous sale is back.", "Total 5 500 Ar")
	log, err := os.ReadFile(filepath.Join(desk.env["HOME"], "till", "till.log"))
	if err != nil || !strings.Contains(string(log), "the database is away: it is opened when it is there") {
		t.Errorf("the log says %s (%v)", log, err)
	}
	files, err := filepath.Glob(filepath.Join(desk.env["HOME"], "till", "drafts-T1-*.db"))
	if err != nil || len(files) != 1 {
		t.Fatalf("got sales files %q (%v), want one", files, err)
	}
	t.Run("a second console of the same name does not start", func(t *testing.T) {
		release, err := storage.Lock(files[0])
		tuitest.Must(t, err)
		defer release()
		desk.says("", 1, "another till (process ", "--plain")
	})
	t.Run("a console with a damaged sales file starts and logs why", func(*testing.T) {
		tuitest.Must(t, os.WriteFile(files[0], []byte("no database"), 0o600))
		desk.talks("Vary 3500\n", "NO DATABASE: cannot charge", "It could not be written to disk.")
		log, err := os.ReadFile(filepath.Join(desk.env["HOME"], "till", "till.log"))
		if err != nil || !strings.Contains(string(log), "no sale can be entered while the database is away") {
			t.Errorf("the log says %s (%v)", log, err)
		}
	})
}

func TestTheLineModeWarnsOfAWrongClock(t *testing.T) {
	desk := newDesk(t)
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Date", time.Now().Add(3*time.Hour+time.Minute).UTC().Format(http.TimeFormat))
		_, _ = io.WriteString(w, sound)
	}))
	t.Cleanup(service.Close)
	desk.env["TILL_BASE_URL"] = service.URL
	desk.talks("Vary 3500\ncharge\nyes\nhealth\nquit\nyes\n", "CLOCK OFF BY 3 h")
}

func TestAConsoleStartsWithoutAHomeFolder(t *testing.T) {
	desk := away(t)
	for _, name := range []string{"HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"} {
		desk.env[name] = ""
	}
	desk.talks("Vary 3500\n", "NO DATABASE: cannot charge", "It could not be written to disk.")
}

func TestStartFailsWhenTheDatabaseDoesNotExist(t *testing.T) {
	t.Parallel()
	desk := newDesk(t)
	database := desk.served()
	desk.service(http.StatusOK, sound, func() {})
	desk.env["TILL_DATABASE"] = strings.Replace(database, postgrestest.Name(database), "nobodys", 1)
	for _, args := range [][]string{{"--plain"}, {"listen"}, {"display", "--web", "127.0.0.1:0"}} {
		desk.says("", 1, "CREATE DATABASE", args...)
	}
}
