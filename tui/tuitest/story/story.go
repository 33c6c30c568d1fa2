// Package story plays stories of a shop: texts about the acts of a cashier, a customer and the
// payment service, and about what the program shows. The same text runs on several stages, such as
// the console, the line mode and the built program.
//
// The stories are in the folder stories. The contributor's guide explains their words.
package story

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"checkout/till/tui/tuitest"
)

//go:embed stories
var files embed.FS

// Stage is a running shop in which a story is played. The keys of Acts and States are words of
// stories; the functions get the rest of the line.
type Stage struct {
	Acts    map[string]func(rest string) // Each does something, and waits only until its own key presses have had their effect.
	States  map[string]func(rest string) // Each waits until something is shown, or fails the test.
	Settle  func()                       // Waits until the stage shows the results of all earlier steps.
	Account func() string                // Returns the money that the ledger records: see [Account].
}

// step is a line of a story. on names the stages that play it; empty for all.
type step struct {
	line       int
	on         []string
	word, rest string
}

// story is a parsed story. on names the stages that play it.
type story struct {
	name  string
	on    []string
	steps []step
}

// Program is the name of the stage that is the built program.
const Program = "program"

// Play plays all stories of a stage, each in a subtest with a new shop. With -short, the slow stage
// [Program] plays only the first story of each file.
func Play(t *testing.T, stage string, open func(t *testing.T) Stage) {
	t.Helper()
	played := 0
	for file, all := range read(t) {
		all = slices.DeleteFunc(all, func(told story) bool { return !slices.Contains(told.on, stage) })
		if testing.Short() && stage == Program && len(all) > 1 {
			all = all[:1]
		}
		for _, told := range all {
			played++
			t.Run(told.name, func(t *testing.T) { told.play(t, file, stage, open(t)) })
		}
	}
	if played == 0 {
		t.Errorf("no story is told on %s", stage)
	}
}

func (s story) play(t *testing.T, file, name string, stage Stage) {
	t.Helper()
	for _, step := range s.steps {
		if len(step.on) > 0 && !slices.Contains(step.on, name) {
			continue
		}
		where := fmt.Sprintf("%s:%d: %s %s", file, step.line, step.word, step.rest)
		t.Log(where)
		word, rest := step.word, step.rest
		if word == "still" {
			stage.Settle()
			word, rest, _ = strings.Cut(rest, " ")
		}
		act, acts := stage.Acts[word]
		state, shows := stage.States[word]
		switch {
		case word == "account":
			if got := stage.Account(); got != rest {
				t.Errorf("%s: got %s", where, got)
			}
		case acts:
			act(rest)
		case shows:
			state(rest)
		default:
			t.Fatalf("%s: the stage does not know this word", where)
		}
	}
}

// read returns the stories by file name. A story begins with a line of # and its name, and ends
// with the line account.
func read(t *testing.T) map[string][]story {
	t.Helper()
	all := make(map[string][]story)
	paths, err := fs.Glob(files, "stories/*.txt")
	tuitest.Must(t, err)
	for _, path := range paths {
		text, err := files.ReadFile(path)
		tuitest.Must(t, err)
		for number, line := range strings.Split(string(text), "\n") {
			told := all[path]
			only, line := cutStages(line)
			word, rest, _ := strings.Cut(line, " ")
			rest = strings.TrimSpace(rest)
			switch {
			case word == "":
			case word == "#":
				all[path] = append(told, story{name: strings.TrimSuffix(rest, ".")})
			case word == "on:":
				told[len(told)-1].on = strings.Fields(rest)
			default:
				last := &told[len(told)-1]
				last.steps = append(last.steps, step{number + 1, only, word, rest})
			}
		}
		for _, told := range all[path] {
			if len(told.on) == 0 || len(told.steps) == 0 || told.steps[len(told.steps)-1].word != "account" {
				t.Fatalf("%s: the story %q names no stage, or does not end with an account", path, told.name)
			}
		}
	}
	return all
}

// cutStages removes the names of stages in brackets from the beginning of a line.
func cutStages(line string) (only []string, rest string) {
	inside, rest, found := strings.Cut(strings.TrimPrefix(line, "["), "]")
	if !found || !strings.HasPrefix(line, "[") {
		return nil, line
	}
	return strings.Fields(inside), strings.TrimSpace(rest)
}
