package tui_test

import (
	"maps"
	"strconv"
	"strings"
	"testing"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/counter"
	"checkout/till/tui/receipt"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
	"checkout/till/tui/tuitest/story"
)

// The stories are played in each language; with -short, only in English.
func TestStories(t *testing.T) {
	for _, language := range tuitest.Languages() {
		t.Run(language, func(t *testing.T) {
			story.Play(t, "console", func(t *testing.T) story.Stage {
				t.Helper()
				stage := &stage{console: open(t, in(language), lending), tills: make(map[string]*console)}
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

func lending(c *console) { c.config.Tenders = story.Tenders() }

// stage plays stories in the console. Each act presses keys.
type stage struct {
	*console
	tills map[string]*console // The consoles of other tills, by name.
	paper func() string       // Returns what the printer has printed.
}

// use makes another till of the shop the current one. If that till's console was not opened before,
// use opens it.
func (s *stage) use(till string) {
	s.tills[s.config.Till] = s.console
	if s.tills[till] == nil {
		s.tills[till] = at(s.t, s.Counter, s.alike(), lending, func(c *console) { c.config.Till = till })
	}
	s.console = s.tills[till]
	s.wake()
}

func (s *stage) acts() map[string]func(string) {
	keys := func(names ...string) func(string) { return func(string) { s.press(names...) } }
	ready := func() { s.after(counter.Grace) }
	return map[string]func(rest string){
		"add":  func(entry string) { s.enter(entry) },
		"scan": func(code string) { s.scan(code) },
		"till": s.use,
		"prints": func(string) {
			ready()
			if !tuitest.Shows(s.View(), s.config.Texts.Receipt.Total) { // The receipt is not on the screen yet.
				s.press("p")
			}
			s.press("p")
		},
		"printer": func(string) {
			var printer receipt.Config
			printer, s.paper = story.Printer(s.t, s.config.Texts)
			s.console = at(s.t, s.Counter, s.alike(), lending, func(c *console) { c.config.Receipts = printer })
		},
		"signs": func(name string) {
			pin := map[string]string{"Hasina": shoptest.HasinasPIN, "Soa": shoptest.SoasPIN}[name]
			s.press("f12").Type(strings.ToLower(name[:1]) + pin).Press("enter")
		},
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
		"void":  func(string) { s.sale(story.CashNumber).press("b").press("2").Type("mistake").Press("enter", "f3") },
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
		"card": func(string) { s.press("enter", "tab", "tab", "tab", "enter") },
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

func (s *stage) is(what, got, want string) {
	s.t.Helper()
	tuitest.Equal(s.t, got, want, "%s", what)
}

func (s *stage) sale(number string) *console { return s.enter(number) }

func (s *stage) newestPayable() bool {
	orders := s.All()
	return len(orders) > 0 && orders[0].Payable(s.Now()) && !orders[0].Paid()
}

func (s *stage) states() map[string]func(string) {
	texts := s.config.Texts
	sum := func(rest string) string { return i18n.Money(story.Amount(s.t, rest)) }
	states := story.Shown(s.t, texts, func(texts ...string) { s.Sees(texts...) }, func() { s.QR() }, s.newest)
	maps.Copy(states, map[string]func(rest string){
		"owes": func(rest string) { story.Owes(s.t, s.Counter, rest) },
		"owing": func(rest string) {
			name, amount, _ := strings.Cut(rest, " ")
			s.wake().press("f5").Sees(name, sum(amount)).Press("f5")
		},
		"seller": func(name string) { s.Sees(s.config.Till + " · " + name) },
		"by":     func(names string) { s.is("cashiers", story.Sellers(s.t, s.Counter), names) },
		"paper":  func(rest string) { s.is("receipts and copies", s.paper(), rest) },
		"part":   func(rest string) { s.Sees(story.Part(s.t, texts, counter.AskRest, rest)) },
		"stays":  func(rest string) { s.Sees(story.Part(s.t, texts, counter.AskLess, rest)) },
		"orders": func(rest string) { s.is("orders", strconv.Itoa(len(s.All())), rest) },
		"seen":   func(string) { s.wake().Lacks("F2  " + texts.Bar.News) },
		"carded": func(amount string) { s.Sees(texts.TenderWords["card"], sum(amount)) },
		"asks": func(rest string) {
			kind, amount, _ := strings.Cut(rest, " ")
			order := append(s.All(), payments.Order{})[0]
			s.Sees(story.Question(texts, kind, story.Amount(s.t, amount), order, s.Now()))
		},
	})
	return states
}
