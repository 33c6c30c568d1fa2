package sqlite_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/sqlite"
	"checkout/till/storage/storagetest"
)

// servedFile names the database that this process, started by a test, serves.
const servedFile = "TILL_TEST_SERVE"

// serve does what it is told on standard input, a line each, and answers each
// with a line, until the input ends.
func serve(ctx context.Context, path string, input io.Reader) error {
	store, err := sqlite.Open(ctx, path)
	if err != nil {
		return err
	}
	watching, leave := context.WithCancel(ctx)
	defer leave()
	notices := store.Watch(watching)
	service := payments.New(store, nil, time.Now)
	fmt.Println("ready")
	for lines := bufio.NewScanner(input); lines.Scan(); {
		var answer string
		switch lines.Text() {
		case "event":
			receipt, err := service.Receive(ctx, storagetest.Success(storagetest.Order(1)), []byte("{}"))
			answer = said(string(receipt.Outcome), err)
		case "order":
			err := store.Update(ctx, func(tx payments.Tx) error { return tx.InsertOrder(storagetest.Order(2)) })
			answer = said("stored", err)
		case "number":
			answer = said("taken", store.Update(ctx, storagetest.TakeNumber))
		case "read":
			_, err := store.Orders(ctx, payments.Query{})
			answer = said("read", err)
		case "backup":
			_, err := sqlite.Backup(ctx, path, path+".copy")
			answer = said("copied", err)
		case "verify":
			_, err := sqlite.Verify(ctx, path, false, nil)
			answer = said("examined", err)
		case "heal":
			for _, err = store.Orders(ctx, payments.Query{}); err != nil; _, err = store.Orders(ctx, payments.Query{}) {
				<-notices
			}
			answer = "healed"
		}
		fmt.Println(answer)
	}
	return store.Close()
}

// said is an outcome, or the error instead.
func said(outcome string, err error) string {
	if err != nil {
		return "error: " + strings.ReplaceAll(err.Error(), "\n", " ")
	}
	return outcome
}

// served is a process that has a database open.
type served struct {
	t       *testing.T
	command *exec.Cmd
	input   io.WriteCloser
	output  *bufio.Scanner
}

// startServing starts a process that does what it is told.
func startServing(t *testing.T, path string, program ...string) *served {
	t.Helper()
	program = append(program, os.Args[0])
	command := exec.CommandContext(t.Context(), program[0], program[1:]...)
	command.Env = append(os.Environ(), servedFile+"="+path, "GOMAXPROCS=1")
	command.Stderr = os.Stderr
	input, err := command.StdinPipe()
	must(t, err)
	output, err := command.StdoutPipe()
	must(t, err)
	must(t, command.Start())
	t.Cleanup(func() { _ = command.Process.Kill() })
	s := &served{t: t, command: command, input: input, output: bufio.NewScanner(output)}
	s.expect("ready")
	return s
}

// ask tells the process something and returns its answer.
func (s *served) ask(what string) string {
	s.t.Helper()
	_, err := io.WriteString(s.input, what+"\n")
	must(s.t, err)
	if !s.output.Scan() {
		s.t.Fatalf("the process ended when it was told: %s", what)
	}
	return s.output.Text()
}

func (s *served) expect(want string) {
	s.t.Helper()
	if !s.output.Scan() || s.output.Text() != want {
		s.t.Fatalf("the process says %q, want %q", s.output.Text(), want)
	}
}

// end lets the process end by itself.
func (s *served) end() {
	s.t.Helper()
	must(s.t, s.input.Close(), s.command.Wait())
}
