package live_test

import (
	"context"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/tui/live"
)

// reads counts the calls of next, which returns the number of the call.
type reads struct{ count int }

func (r *reads) next(context.Context) (int, error) {
	r.count++
	return r.count, nil
}

func run(work func(ctx context.Context) tea.Msg) tea.Cmd {
	return func() tea.Msg { return work(context.Background()) }
}

func TestReadsRunOneAfterTheOther(t *testing.T) {
	var loader live.Loader[int]
	var source reads
	first := loader.Load(run, source.next)
	if loader.Load(run, source.next) != nil || !loader.Busy() {
		t.Fatal("a second read began during the first")
	}
	answer := first().(live.Loaded[int])
	wanted, second := loader.Done(answer)
	if !wanted || second == nil || answer.Value != 1 || !loader.Busy() {
		t.Fatalf("got wanted %v after %+v, or the second read did not begin", wanted, answer)
	}
	answer = second().(live.Loaded[int])
	if wanted, third := loader.Done(answer); !wanted || third != nil || answer.Value != 2 || loader.Busy() {
		t.Errorf("got wanted %v, busy %v after %+v", wanted, loader.Busy(), answer)
	}
	if wanted, _ := loader.Done(answer); wanted {
		t.Error("the same answer was wanted twice")
	}
}

func TestTheAnswerOfADroppedReadIsIgnored(t *testing.T) {
	var loader live.Loader[int]
	var source reads
	dropped := loader.Load(run, source.next)
	loader.Drop()
	wanted := loader.Load(run, source.next)
	if ok, _ := loader.Done(dropped().(live.Loaded[int])); ok {
		t.Error("the dropped read is wanted")
	}
	if ok, next := loader.Done(wanted().(live.Loaded[int])); !ok || next != nil {
		t.Errorf("for the second read got wanted %v and a next read %v", ok, next != nil)
	}
}
