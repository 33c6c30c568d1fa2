package sqlite_test

import (
	"bufio"
	"context"
	"crypto/sha256"
	sqldriver "database/sql/driver"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	driver "modernc.org/sqlite"

	"checkout/till/payments"
	"checkout/till/storage"
	"checkout/till/storage/sqlite"
	"checkout/till/storage/storagetest"
)

// servedFile is the environment variable for the database that a child process serves. If servedLax
// is set, a commit does not wait for the disk.
const (
	servedFile = "TILL_TEST_SERVE"
	servedLax  = "TILL_TEST_SERVE_LAX"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(servedFile); path != "" {
		if err := serve(context.Background(), path, os.Stdin); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if path := os.Getenv(migratedFile); path != "" {
		migrateUntilKilled(path)
	}
	_ = flag.Set("test.parallel", "6") // The parallel tests mostly wait, so more can run than there are processors.
	os.Exit(m.Run())
}

// migrateUntilKilled runs a migration made for the test. An SQL function in it kills the process.
func migrateUntilKilled(path string) {
	driver.MustRegisterScalarFunction("kill", 0, func(*driver.FunctionContext, []sqldriver.Value) (sqldriver.Value, error) {
		self, err := os.FindProcess(os.Getpid())
		if err == nil {
			err = self.Kill()
		}
		fmt.Println(err)
		select {} // Wait until the process is killed.
	})
	at, _ := strconv.Atoi(os.Getenv(killedAt))
	_, err := sqlite.OpenWith(context.Background(), path, migrating(slices.Insert(madeUp(), at, "SELECT kill()")))
	fmt.Println("not killed:", err)
	os.Exit(1)
}

// serve reads commands from standard input, one on each line, and answers each with a line, until
// the input ends.
func serve(ctx context.Context, path string, input io.Reader) error {
	var changes []func(*sqlite.Options)
	if os.Getenv(servedLax) != "" {
		changes = append(changes, sqlite.Lax)
	}
	store, err := sqlite.OpenWith(ctx, path, changes...)
	if err != nil {
		return err
	}
	watching, leave := context.WithCancel(ctx)
	defer leave()
	notices := store.Watch(watching)
	service := payments.New(store, nil, time.Now)
	fmt.Println("ready")
	for lines := bufio.NewScanner(input); lines.Scan(); {
		answer, err := lines.Text(), error(nil)
		switch answer {
		case "event":
			var receipt payments.Receipt
			receipt, err = service.Receive(ctx, storagetest.Success(storagetest.Order(1)), []byte("{}"))
			answer = string(receipt.Effect)
		case "order":
			err = store.Update(ctx, func(tx payments.Tx) error { return tx.InsertOrder(storagetest.Order(2)) })
		case "read":
			_, err = store.Orders(ctx, payments.Query{})
		case "backup":
			_, err = sqlite.Backup(ctx, path, path+".copy")
		case "verify":
			_, err = storage.Verify(ctx, path, storage.Checks{Now: time.Now()})
		case "write":
			return writeUntilKilled(ctx, store)
		case "heal":
			for _, err = store.Orders(ctx, payments.Query{}); err != nil; _, err = store.Orders(ctx, payments.Query{}) {
				<-notices
			}
		}
		if err != nil {
			answer = "error: " + strings.ReplaceAll(err.Error(), "\n", " ")
		}
		fmt.Println(answer)
	}
	return store.Close()
}

// writeUntilKilled stores paid orders from several goroutines, each order and
// its event in one transaction. It prints each reference after the commit.
func writeUntilKilled(ctx context.Context, store *sqlite.Store) error {
	var next atomic.Int64
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for {
				order := storagetest.Order(int(next.Add(1)))
				order.Reference = fmt.Sprintf("P%d-%s", os.Getpid(), order.Reference)
				order.OrderReference = "REF_" + order.Reference
				if err := store.Update(ctx, func(tx payments.Tx) error { return pay(tx, order) }); err != nil {
					fmt.Println(err)
					return
				}
				fmt.Println("stored", order.Reference)
			}
		})
	}
	group.Wait()
	return errors.New("no more is written")
}

func pay(tx payments.Tx, order payments.Order) error {
	event := storagetest.Success(order)
	order, outcome := order.Apply(event, payments.Order{}, order.CreatedAt)
	err := tx.InsertOrder(order)
	if err == nil {
		err = tx.InsertEvent(payments.Record{
			Event: event, ID: event.ID(), ReceivedAt: order.CreatedAt, Order: order.Reference, Effect: outcome, Count: 1,
			Body: []byte(order.Reference), BodySHA256: sha256.Sum256([]byte(order.Reference)),
		})
	}
	return err
}

type process struct {
	*exec.Cmd
	t      *testing.T
	input  io.WriteCloser
	output *bufio.Scanner
}

// start starts a child process that serves a database. A program such as strace, if given, starts
// the child.
func start(t *testing.T, path string, program ...string) *process {
	t.Helper()
	program = append(program, os.Args[0])
	command := exec.CommandContext(t.Context(), program[0], program[1:]...)
	command.Env = append(os.Environ(), servedFile+"="+path)
	command.Stderr = os.Stderr
	input, err := command.StdinPipe()
	must(t, err)
	output, err := command.StdoutPipe()
	must(t, err)
	must(t, command.Start())
	t.Cleanup(func() { _ = command.Process.Kill() })
	return &process{command, t, input, bufio.NewScanner(output)}
}

func startReady(t *testing.T, path string, program ...string) *process {
	t.Helper()
	p := start(t, path, program...)
	if said := p.line(); said != "ready" {
		t.Fatalf("the process printed %q", said)
	}
	return p
}

func (p *process) tell(what string) {
	p.t.Helper()
	_, err := io.WriteString(p.input, what+"\n")
	must(p.t, err)
}

func (p *process) line() string {
	p.t.Helper()
	if !p.output.Scan() {
		p.t.Fatal("the process ended")
	}
	return p.output.Text()
}

func (p *process) ask(what string) string {
	p.t.Helper()
	p.tell(what)
	return p.line()
}

// stored returns the next references that the process prints. It waits until there are as many as
// most, or until the output ends.
func (p *process) stored(most int) (references []string) {
	p.t.Helper()
	for len(references) < most && p.output.Scan() {
		reference, stored := strings.CutPrefix(p.output.Text(), "stored ")
		if !stored {
			p.t.Fatalf("the process printed %q", p.output.Text())
		}
		references = append(references, reference)
	}
	return references
}

func (p *process) drain() {
	for p.output.Scan() {
	}
	_ = p.Wait()
}

// end closes the process's input and waits until it has ended.
func (p *process) end() {
	p.t.Helper()
	must(p.t, p.input.Close(), p.Wait())
}
