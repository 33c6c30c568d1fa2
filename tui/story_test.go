package tui_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/money"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/counter"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/story"
)

// The stories are played in each language.
func TestStories(t *testing.T) {
	for _, language := range i18n.Languages() {
		t.Run(language, func(t *testing.T) {
			story.Play(t, "console", func(t *testing.T) story.Stage {
				t.Helper()
				stage := &stage{open(t, in(language), lending)}
				acts := story.World(t, stage.Counter, func(by time.Duration) { stage.after(by) }, func() { stage.wake() })
				maps.Copy(acts, stage.acts())
				return story.Stage{
					Acts: acts, States: stage.states(), Settle: func() { stage.wake() },
					Account: func() string { return story.Account(t, stage.Store()) },
				}
			})
		})
	}
}

// lending lets customers buy on account.
func lending(c *console) { c.config.Tenders = story.Tenders() }

// stage plays stories on the console. An act presses keys.
type stage struct{ *console }

func (s *stage) acts() map[string]func(string) {
	keys := func(names ...string) func(string) { return func(string) { s.press(names...) } }
	ready := func() { s.after(counter.Grace) }
	return map[string]func(rest string){
		"add":    func(entry string) { s.enter(entry) },
		"charge": keys("enter"),
		"no":     keys("esc"),
		"again":  keys("n"),
		"send":   keys("s"),
		"lines":  keys("r"),
		"open":   keys("f2"),
		"undo":   keys("ctrl+z"),
		"leave":  keys("esc", "enter"),
		"back":   func(string) { s.Sees(s.config.Texts.Keys.ToCode).Press("esc") },
		"press":  func(key string) { s.press(key) },
		"hold":   func(name string) { s.press("f5").Type(name).Press("enter") },
		"resume": keys("f5", "enter"),
		"refund": func(rest string) {
			from, amount, _ := strings.Cut(rest, " ")
			way := map[string]string{"drawer": "1", "area": "2"}[from]
			s.sale(s.newest().Reference).press("b").press(way).Type(amount+" broken").Press("enter", "f3")
		},
		"find": func(rest string) {
			key := map[string]string{"paid": "y", "unpaid": "u"}[rest]
			s.sale(s.newest().Reference).press(key).press("enter").press("f3")
		},
		"void":  func(string) { s.sale(story.CashNumber).press("b").press("3").Type("mistake").Press("enter", "f3") },
		"float": func(rest string) { s.press("f10").press("f").Type(rest).Press("enter", "f10") },
		"count": func(rest string) { s.press("f10").press("m").Type(rest).Press("enter", "f10") },
		"close": keys("f10", "c", "enter", "f10"),
		"deaf": func(string) {
			s.health.Listening = false
			s.wake()
		},
		"restart": func(string) { s.console = at(s.t, s.Counter, s.alike(), lending) },
		"cash": func(given string) {
			if !tuitest.Shows(s.View(), s.config.Texts.TenderKeys["cash"]) { // No question is open.
				s.press("enter")
			}
			s.press("tab").Type(given).Press("enter")
		},
		"bill": func(name string) {
			s.press("enter", "tab", "tab").Type(name).Press("enter")
			if tuitest.Shows(s.View(), s.config.Texts.Debts.New.With(name)) {
				s.press("enter")
			}
		},
		"pays": func(rest string) {
			_, amount, _ := strings.Cut(rest, " ")
			s.press("f5", "enter").Type(amount).Press("enter")
		},
		"yes": func(string) {
			ready()
			s.press("enter")
		},
		"next": func(string) {
			ready()
			s.press("enter")
			if s.newestPayable() {
				s.press("enter")
			}
		},
	}
}

// sale opens the details of a sale by its number.
func (s *stage) sale(number string) *console { return s.enter(number) }

func (s *stage) newestPayable() bool {
	orders := s.All()
	return len(orders) > 0 && orders[0].Payable(s.Now()) && !orders[0].Paid()
}

func (s *stage) states() map[string]func(string) {
	texts := s.config.Texts
	sum := func(rest string) string { return i18n.Money(story.Amount(s.t, rest)) }
	states := map[string]func(rest string){
		"sees":  func(text string) { s.Sees(text) },
		"empty": func(string) { s.Sees(texts.Sale.Empty) },
		"total": func(rest string) { s.Sees(texts.Keys.Charges.With(i18n.Number(int64(story.Amount(s.t, rest))))) },
		"part":  func(rest string) { s.Sees(story.Part(s.t, texts, rest)) },
		"owes":  func(rest string) { story.Owes(s.t, s.Counter, rest) },
		"orders": func(rest string) {
			if got := len(s.All()); story.Amount(s.t, rest) != money.Ariary(got) {
				s.t.Errorf("got %d orders, want %s", got, rest)
			}
		},
		"seen": func(string) { s.wake().Lacks("F2  " + texts.Bar.News) },
		"board": func(rest string) { // The last row has how many payments are awaited.
			s.Sees("F4" + texts.Bar.WaitingShort + strings.TrimPrefix(rest, "0") + " ")
		},
		"change": func(rest string) {
			_, change, _ := strings.Cut(rest, " ")
			s.Sees(texts.TenderWords["cash"], sum(rest), sum(change))
		},
		"asks": func(rest string) {
			kind, amount, _ := strings.Cut(rest, " ")
			order := append(s.All(), payments.Order{})[0]
			s.Sees(story.Question(texts, kind, story.Amount(s.t, amount), order, s.Now()))
		},
		"news": func(rest string) {
			word, amount, _ := strings.Cut(rest, " ")
			s.Sees(badge.Of(texts, s.newest(), story.Verdicts()[word]).Name, sum(amount), "F2")
		},
	}
	for word, verdict := range story.Verdicts() {
		states[word] = func(rest string) {
			s.Sees(badge.Of(texts, s.newest(), verdict).Name, sum(rest))
			if verdict == payments.VerdictWaiting {
				s.QR()
			}
		}
	}
	return states
}
