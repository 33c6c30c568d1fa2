package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"checkout/till/storage/storagetest/disk"
	"checkout/till/storage/storagetest/postgrestest"
	"checkout/till/tui/cli"
	"checkout/till/tui/cli/admin"
	"checkout/till/tui/cli/order"
	"checkout/till/tui/cli/serve"
	"checkout/till/tui/tuitest"
)

// transcript is the name of an environment variable. Its value is the path of a file, which every
// command of a script also writes its output to.
const transcript = "TILL_TEST_TRANSCRIPT"

func TestMain(m *testing.M) {
	// The first call of signal.Notify starts a goroutine. This goroutine must not belong to a test in a
	// synctest bubble.
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	signal.Stop(signals)
	// Run more tests in parallel than there are processors, because the tests mostly wait.
	if err := flag.Set("test.parallel", "6"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	testscript.Main(tests{m}, map[string]func(){"till": till})
}

// tests are the tests of this package. They share a PostgreSQL server.
type tests struct{ *testing.M }

func (t tests) Run() int { return postgrestest.Run(t.M) }

// till runs the real program and copies its output to the transcript.
func till() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	copied, err := os.OpenFile(os.Getenv(transcript), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(99)
	}
	os.Exit(cli.Execute(ctx, &cli.App{
		Args: os.Args[1:], Env: os.Getenv, Environ: os.Environ(), In: os.Stdin,
		Out: io.MultiWriter(os.Stdout, copied), Err: io.MultiWriter(os.Stderr, copied), Now: time.Now,
	}, serve.Console, serve.Commands, order.Commands, admin.Commands))
}

func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		WorkdirRoot:         disk.Memory(t),
		RequireExplicitExec: true,
		Setup:               setUp,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "start": start, "prints": prints, "finish": finish, "interrupt": interrupt,
			"field": field, "keep": keep, "nosecrets": noSecrets,
		},
	})
}

// setUp gives a script a temporary home folder and the secrets.
func setUp(env *testscript.Env) error {
	env.Values[processes{}] = map[string]*process{}
	for name, value := range map[string]string{
		"HOME": env.WorkDir, "TZ": "UTC", "USER": "rado",
		"XDG_CONFIG_HOME": filepath.Join(env.WorkDir, "etc"), "XDG_DATA_HOME": filepath.Join(env.WorkDir, "share"),
		"XDG_STATE_HOME": filepath.Join(env.WorkDir, "state"), transcript: filepath.Join(env.WorkDir, ".transcript"),
		"TILL_ACCESS_TOKEN": token, "TILL_WEBHOOK_SECRET": webhookSecret, "TILL_LISTEN": "127.0.0.1:0",
		"GOVERSION": runtime.Version(), "ESCAPE": "\x1b[31mA1",
	} {
		env.Setenv(name, value)
	}
	env.Defer(func() {
		for _, process := range env.Values[processes{}].(map[string]*process) {
			_ = process.command.Process.Kill()
			<-process.ended
		}
	})
	return nil
}

// exits CODE COMMAND… runs a command, and fails unless the exit code is CODE.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var failed *exec.ExitError
	switch {
	case errors.As(err, &failed):
		got = failed.ExitCode()
	default:
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d\n%s%s", got, want, ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	}
}

type processes struct{}

// process is a command that runs in the background of a script.
type process struct {
	command        *exec.Cmd
	stdout, stderr *buffer
	ended          chan struct{}
}

// start NAME stdout|stderr PATTERN COMMAND… starts a command, and waits until its output matches
// PATTERN, like the command prints.
func start(ts *testscript.TestScript, neg bool, args []string) {
	started := &process{
		command: exec.Command(args[3], args[4:]...), stdout: &buffer{}, stderr: &buffer{}, ended: make(chan struct{}),
	}
	command := started.command
	command.Dir = ts.Getenv("WORK")
	command.Env = append(os.Environ(), scriptEnvironment(ts)...)
	command.Stdout, command.Stderr = started.stdout, started.stderr
	ts.Check(command.Start())
	go func() {
		defer close(started.ended)
		_ = command.Wait()
	}()
	ts.Value(processes{}).(map[string]*process)[args[0]] = started
	prints(ts, neg, args[:3])
}

// prints NAME stdout|stderr PATTERN waits until the output of a started command matches PATTERN.
// The groups of PATTERN become the variables $NAME1, $NAME2 and so on.
func prints(ts *testscript.TestScript, neg bool, args []string) {
	name, stream, pattern := args[0], args[1], regexp.MustCompile(args[2])
	process := ts.Value(processes{}).(map[string]*process)[name]
	output := map[string]*buffer{"stdout": process.stdout, "stderr": process.stderr}[stream]
	var groups []string
	if !eventually(func() bool {
		groups = pattern.FindStringSubmatch(output.String())
		return groups != nil
	}, process.ended) {
		ts.Fatalf("%s does not print %q\n%s%s", name, pattern, process.stdout, process.stderr)
	}
	for i, group := range groups[1:] {
		ts.Setenv(name+strconv.Itoa(i+1), group)
	}
}

// scriptEnvironment returns the variables that a script may set for a started command.
func scriptEnvironment(ts *testscript.TestScript) []string {
	var variables []string
	for _, name := range []string{
		"HOME", "TZ", "USER", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", transcript,
		"TILL_ACCESS_TOKEN", "TILL_WEBHOOK_SECRET", "TILL_LISTEN", "TILL_BASE_URL", "TILL_DATABASE", "TILL_CONFIG",
	} {
		variables = append(variables, name+"="+ts.Getenv(name))
	}
	return variables
}

// finish NAME CODE waits until a started command ends, and writes the output to NAME.out and
// NAME.err. It fails unless the exit code is CODE. interrupt NAME CODE does the same, but first
// sends an interrupt to the command.
func finish(ts *testscript.TestScript, neg bool, args []string) {
	process := ts.Value(processes{}).(map[string]*process)[args[0]]
	select {
	case <-process.ended:
	case <-time.After(patience):
		ts.Fatalf("%s does not end\n%s%s", args[0], process.stdout, process.stderr)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]+".out"), []byte(process.stdout.String()), 0o600))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]+".err"), []byte(process.stderr.String()), 0o600))
	if got := process.command.ProcessState.ExitCode(); strconv.Itoa(got) != args[1] {
		ts.Fatalf("%s ends with %d, want %s\n%s%s", args[0], got, args[1], process.stdout, process.stderr)
	}
}

func interrupt(ts *testscript.TestScript, neg bool, args []string) {
	process := ts.Value(processes{}).(map[string]*process)[args[0]]
	ts.Check(process.command.Process.Signal(os.Interrupt))
	finish(ts, neg, args)
}

// field FILE PATH VALUE fails unless the JSON in FILE has VALUE at PATH. "! field FILE PATH" fails
// if there is a value at PATH.
func field(ts *testscript.TestScript, neg bool, args []string) {
	got, found := part(ts, args[0], args[1])
	if neg {
		if found {
			ts.Fatalf("there is a %s: %s", args[1], got)
		}
		return
	}
	if !found || got != args[2] {
		ts.Fatalf("%s is %q (%v), want %q", args[1], got, found, args[2])
	}
}

// keep NAME FILE PATH stores the value at PATH in the JSON of FILE, in the variable NAME.
func keep(ts *testscript.TestScript, neg bool, args []string) {
	got, found := part(ts, args[1], args[2])
	if !found {
		ts.Fatalf("there is no %s", args[2])
	}
	ts.Setenv(args[0], got)
}

// part returns the part of a file's JSON value at a path such as items.0.label, and whether the
// part exists. In a list, the path "len" stands for the number of elements.
func part(ts *testscript.TestScript, file, path string) (string, bool) {
	decoder := json.NewDecoder(strings.NewReader(ts.ReadFile(file)))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		ts.Fatalf("%s is no JSON: %v\n%s", file, err, ts.ReadFile(file))
	}
	if text := ts.ReadFile(file); decoder.More() || strings.Count(text, "\n") != 1 {
		ts.Fatalf("%s holds more than one JSON value in one line\n%s", file, text)
	}
	for step := range strings.SplitSeq(path, ".") {
		switch at := value.(type) {
		case map[string]any:
			next, found := at[step]
			if !found {
				return "", false
			}
			value = next
		case []any:
			if step == "len" {
				return strconv.Itoa(len(at)), true
			}
			index, err := strconv.Atoi(step)
			if err != nil || index >= len(at) {
				return "", false
			}
			value = at[index]
		default:
			return "", false
		}
	}
	return fmt.Sprint(value), true
}

// noSecrets fails if the token, the secret or the signature is in a printed text or in a file that
// a command wrote.
func noSecrets(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(filepath.WalkDir(ts.Getenv("WORK"), func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(path, ".planted") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for name, planted := range tuitest.Secrets() {
			if bytes.Contains(text, []byte(planted)) {
				ts.Fatalf("the %s is in %s", name, path)
			}
		}
		return nil
	}))
}
