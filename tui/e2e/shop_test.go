package e2e_test

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/storage"
	"checkout/till/storage/storagetest/postgrestest"
	"checkout/till/tui/tuitest"
)

// The secrets of the shop under test.
const (
	accessToken   = tuitest.AccessToken
	webhookSecret = tuitest.WebhookSecret
)

// binary is the path of the program, which TestMain builds once. With -short, TestMain runs only
// the stories, unless -run names other tests.
var binary string

func TestMain(m *testing.M) { os.Exit(buildAndRun(m)) }

func buildAndRun(m *testing.M) int {
	if binary = os.Getenv("TILL_E2E_NAMESPACE"); binary != "" {
		return m.Run()
	}
	folder, err := os.MkdirTemp("", "till-e2e")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(folder) }()
	binary = filepath.Join(folder, "till")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", binary, "checkout/till")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build the program: %v\n%s", err, out)
		return 1
	}
	settings, run := map[string]string{"test.parallel": "8"}, postgrestest.Run // The tests mostly wait.
	if flag.Parse(); testing.Short() && flag.Lookup("test.run").Value.String() == "" {
		settings["test.run"] = "^TestStories$" // A story needs no database server.
		run = (*testing.M).Run
	}
	for name, value := range settings {
		if err := flag.Set(name, value); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	return run(m)
}

// sized returns one of three sizes for a test: short with -short, long if TILL_TEST_LONG is set, as
// in the nightly run, and usual in other runs.
func sized[T any](short, usual, long T) T {
	switch {
	case tuitest.Long():
		return long
	case testing.Short():
		return short
	}
	return usual
}

// store is the kind of a shop's database.
type store string

const (
	file   store = "SQLite"
	server store = "PostgreSQL"
)

// shop is a shop's home folder, a payment service and the address of the webhook's listener.
type shop struct {
	t       testing.TB
	home    string
	listen  string
	service *paymentService
	address string // Address of the database; empty for a file in home.
	path    string // Path of the program; empty means the program that TestMain built.
	webhook string // The shop's webhook; empty means its own listener's.
}

// open sets up a shop with a database and a new payment service. answer is the parameter of
// [serve].
func open(t testing.TB, at store, answer answerer) *shop {
	t.Helper()
	s := openAt(t, serve(t, answer))
	if at == server {
		s.address = postgrestest.Database(t)
	}
	return s
}

// openAt sets up a shop that uses a payment service and a database file.
func openAt(t testing.TB, service *paymentService) *shop {
	t.Helper()
	home := t.TempDir()
	t.Cleanup(func() { tuitest.SearchFolder(t, home) })
	return &shop{t: t, home: home, listen: tuitest.FreeAddress(t), service: service}
}

// program returns the command that runs the built program with arguments in the shop's environment.
func (s *shop) program(args string, env ...string) *exec.Cmd {
	cmd := exec.Command(cmp.Or(s.path, binary), strings.Fields(args)...)
	cmd.Env = append(tuitest.Environ(
		"HOME="+s.home, "TILL_BASE_URL="+s.service.url, "TILL_ACCESS_TOKEN="+accessToken,
		"TILL_WEBHOOK_SECRET="+webhookSecret, "TILL_LISTEN="+s.listen,
		"TILL_SHOP=Tantely", "TILL_TILL=T1", "TILL_LANGUAGE=en", "TILL_DATABASE="+s.address,
	), env...)
	return cmd
}

// start starts the program in a terminal of 80×24 that answers no query.
func (s *shop) start(args string, env ...string) *tuitest.Terminal {
	s.t.Helper()
	return tuitest.Start(s.t, 80, 24, s.program(args, env...))
}

// console opens the console and waits until its listener runs.
func (s *shop) console(env ...string) *tuitest.Terminal {
	s.t.Helper()
	return s.start("", env...).Sees("Total", "awaits")
}

// till runs a command and returns its standard output, standard error and exit code.
func (s *shop) till(args ...string) (stdout, stderr string, code int) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, cmp.Or(s.path, binary), args...)
	var out, errs strings.Builder
	cmd.Env, cmd.Stdout, cmd.Stderr = s.program("").Env, &out, &errs
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		s.t.Error(err)
		return "", "", -1
	}
	tuitest.SearchText(s.t, strings.Join(args, " "), []byte(out.String()+errs.String()))
	if ctx.Err() != nil && s.t.Context().Err() == nil {
		s.t.Errorf("till %s does not end", args)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// held is a pause after an outcome has appeared. It is a little longer than the time until a key
// can close the outcome.
const held = 900 * time.Millisecond

// alone starts the program in a terminal of 80×24, in English and in a home folder without
// settings.
func alone(t testing.TB, args string, env ...string) *tuitest.Terminal {
	t.Helper()
	cmd := exec.Command(binary, strings.Fields(args)...)
	cmd.Env = tuitest.Environ(append([]string{"HOME=" + t.TempDir(), "TILL_LANGUAGE=en", "TILL_SOUND=off"}, env...)...)
	return tuitest.Start(t, 80, 24, cmd)
}

// order is an order in the JSON of `till order list --json`.
type order struct {
	Reference      string `json:"reference"`
	OrderReference string `json:"order_reference"`
	Status         string `json:"status"`
	Verdict        string `json:"verdict"`
}

func (s *shop) newest() order {
	s.t.Helper()
	listed, stderr, code := s.till("order", "list", "--json")
	var orders []order
	if err := json.Unmarshal([]byte(listed), &orders); err != nil || len(orders) == 0 {
		s.t.Fatalf("order list: %v, exit %d\n%s%s", err, code, listed, stderr)
	}
	return orders[0]
}

// verify runs "till verify", which must find no difference. It returns the number of events.
func (s *shop) verify() (events int) {
	s.t.Helper()
	printed, stderr, code := s.till("verify", "--json")
	var verified struct {
		OK     bool
		Events int
	}
	if err := json.Unmarshal([]byte(printed), &verified); err != nil || code != 0 || !verified.OK {
		s.t.Errorf("verify: %v, exit %d\n%s%s", err, code, printed, stderr)
	}
	return verified.Events
}

// expectNewest returns the newest order. It fails the test unless the order has the given status
// and verdict.
func (s *shop) expectNewest(status, verdict string) order {
	s.t.Helper()
	now := s.newest()
	if now.Status != status || now.Verdict != verdict {
		s.t.Errorf("got order %+v, want %s and %s", now, status, verdict)
	}
	return now
}

// sell types a sale of 9 000 Ar, charges it, and returns the link in the QR code.
func sell(terminal *tuitest.Terminal) string {
	return enter(terminal).Press("enter").Sees("To pay", "9 000 Ar").QR()
}

// enter types a sale of 9 000 Ar, and stops at the question whether to charge the sale.
func enter(terminal *tuitest.Terminal) *tuitest.Terminal {
	terminal.Type("Vary 3500 x2").Press("enter").Sees("7 000")
	terminal.Type("Coca 2000").Press("enter").Sees("9 000")
	return terminal.Press("enter").Sees("Charge 9 000 Ar?")
}

// quit closes the console and fails the test unless the exit code is 0.
func quit(t testing.TB, terminal *tuitest.Terminal) {
	t.Helper()
	if code := terminal.Press("ctrl+c").Wait(); code != 0 {
		t.Errorf("the console exits with %d\n%s", code, terminal.Screen())
	}
}

func (s *shop) database() string {
	return filepath.Join(s.home, ".local", "share", "till", "till.db")
}

// keeps waits until the till has stored the current sale on its disk, with lines of these labels.
// Seeing a line on the screen is not enough, because the console draws a line before storing it.
func (s *shop) keeps(labels ...string) {
	s.t.Helper()
	path := s.database()
	if drafts, _ := filepath.Glob(filepath.Join(s.home, ".local", "state", "till", "drafts-*.db")); drafts != nil {
		path = drafts[0]
	}
	store, err := storage.Open(s.t.Context(), path, storage.Options{})
	tuitest.Must(s.t, err)
	defer func() { _ = store.Close() }()
	eventually(s.t, fmt.Sprintf("the lines %q are on disk", labels), func() bool {
		sales, err := store.Sales(s.t.Context(), "T1")
		return err == nil && slices.ContainsFunc(sales, func(sale payments.Sale) bool {
			return sale.Name == "" && slices.EqualFunc(sale.Items, labels, func(item payments.Item, label string) bool { return item.Label == label })
		})
	})
}

// eventually waits up to 90 seconds until the function good returns true. Use it for facts that no
// screen shows.
func eventually(t testing.TB, what string, good func() bool) {
	t.Helper()
	limit := time.NewTimer(90 * time.Second)
	defer limit.Stop()
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	for !t.Failed() && !good() {
		select {
		case <-again.C:
		case <-limit.C:
			t.Errorf("not in time: %s", what)
		}
	}
}
