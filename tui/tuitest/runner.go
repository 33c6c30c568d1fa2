package tuitest

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// commandLimit is how long a command may take outside of a bubble.
const commandLimit = 10 * time.Second

// runner runs commands one at a time and collects their messages.
type runner struct {
	// bubble is true within testing/synctest, which knows when a command waits.
	bubble   bool
	messages *mailbox
	running  sync.WaitGroup
}

func newRunner() *runner {
	return &runner{bubble: inBubble(), messages: newMailbox()}
}

// inBubble tells whether the caller runs in a testing/synctest bubble, of which
// the package says so only by a panic.
func inBubble() (yes bool) {
	defer func() { yes = recover() == nil }()
	synctest.Wait()
	return true
}

// run starts cmd and returns when it has come to its end or, in a bubble, waits
// for something.
func (r *runner) run(cmd tea.Cmd) error {
	if cmd == nil || !r.bubble && timer(cmd) {
		return nil
	}
	done := make(chan struct{})
	r.running.Go(func() {
		defer close(done)
		r.messages.push(cmd())
	})
	if r.bubble {
		r.wait()
		return nil
	}
	limit := time.NewTimer(commandLimit)
	defer limit.Stop()
	select {
	case <-done:
		return nil
	case <-limit.C:
		return fmt.Errorf("run command %s: it does not end within %v; drive the model within synctest.Test if it shall wait",
			nameOf(cmd), commandLimit)
	}
}

// wait returns when all commands in a bubble have ended or wait for something.
func (r *runner) wait() {
	if r.bubble {
		synctest.Wait()
	}
}

// finish lets the commands that wait come to their ends: a bubble must not end
// before what runs in it.
func (r *runner) finish() {
	if r.bubble {
		r.running.Wait()
	}
}

// inOrder runs the commands of a tea.Sequence, each after the end of the one
// before, and puts their messages down itself.
func (r *runner) inOrder(cmds []tea.Cmd) tea.Msg {
	for _, cmd := range cmds {
		if cmd == nil || !r.bubble && timer(cmd) {
			continue
		}
		r.messages.push(cmd())
	}
	return nil
}

// sequenced gives the commands of a tea.Sequence, whose message has a type that
// Bubble Tea keeps to itself.
func sequenced(msg tea.Msg) ([]tea.Cmd, bool) {
	v := reflect.ValueOf(msg)
	if t := v.Type(); t.Kind() != reflect.Slice || t.Elem() != reflect.TypeFor[tea.Cmd]() {
		return nil, false
	}
	return v.Convert(reflect.TypeFor[[]tea.Cmd]()).Interface().([]tea.Cmd), true
}

// timer tells whether cmd only lets time go by. It goes by the function's name:
// where the compiler has inlined the function that makes a timer, its name stands
// behind the caller's.
func timer(cmd tea.Cmd) bool {
	name := nameOf(cmd)
	for _, maker := range []string{".Tick.func", ".Every.func", ".BlinkCmd.func"} {
		if strings.Contains(name, maker) {
			return true
		}
	}
	return false
}

func nameOf(cmd tea.Cmd) string {
	return runtime.FuncForPC(reflect.ValueOf(cmd).Pointer()).Name()
}

// mailbox holds the messages that no one has handed out yet.
type mailbox struct {
	mu       sync.Mutex
	messages []tea.Msg
	arrived  chan struct{}
}

func newMailbox() *mailbox {
	return &mailbox{arrived: make(chan struct{}, 1)}
}

func (b *mailbox) push(msg tea.Msg) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.messages = append(b.messages, msg)
	select {
	case b.arrived <- struct{}{}:
	default:
	}
}

func (b *mailbox) pop() (tea.Msg, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.messages) == 0 {
		return nil, false
	}
	msg := b.messages[0]
	b.messages = b.messages[1:]
	return msg, true
}

// wait returns when a message is there, or when limit is over.
func (b *mailbox) wait(limit time.Duration) {
	timeout := time.NewTimer(limit)
	defer timeout.Stop()
	select {
	case <-b.arrived:
	case <-timeout.C:
	}
}
