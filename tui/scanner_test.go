package tui_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments"
	"checkout/till/payments/money"
	"checkout/till/tui"
	"checkout/till/tui/counter"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/receipt"
	"checkout/till/tui/tuitest"
)

// varyGasy is the barcode of an article.
const varyGasy = "6111000000017"

// sells saves an article with the code varyGasy, and a favourite.
func sells(c *console) {
	for _, article := range []payments.Article{
		{Label: "Vary gasy", UnitPrice: 3500, Code: varyGasy}, {Label: "Vary stock", UnitPrice: 3000, Favourite: 2},
	} {
		tuitest.Must(c.t, c.SaveArticles(c.t.Context(), []payments.Article{article}))
	}
}

// scan types a code as a scanner does, one key every five milliseconds.
func (c *console) scan(code string) *console {
	c.t.Helper()
	return c.scans(code, 5*time.Millisecond, "enter")
}

// scans types a code with a gap between its keys, then the end key.
func (c *console) scans(code string, gap time.Duration, end string) *console {
	c.t.Helper()
	for _, char := range code {
		c.Advance(gap)
		c.Send(runes(string(char)))
	}
	c.Advance(gap)
	return c.press(end)
}

func (c *console) sells(label string, price money.Ariary, code string) {
	c.t.Helper()
	tuitest.Must(c.t, c.SaveArticles(c.t.Context(), []payments.Article{{Label: label, UnitPrice: price, Code: code}}))
}

// burst sends all digits of a code in one message, then Enter.
func (c *console) burst(code string) *console {
	c.t.Helper()
	c.Send(runes(code))
	return c.press("enter")
}

func TestAnUnknownCodeCanBecomeAnArticle(t *testing.T) {
	c := open(t, sells)
	c.scan("6111000000099").Sees("No article has the code 6111000000099", "F6")
	c.press("f6").Sees("─ New article", "6111000000099", "› Name").Type("Mofo gasy").Press("enter").Type("300").Press("ctrl+s")
	c.wake().press("f6").Lacks("6111000000099")
	c.scan("6111000000099").Sees("1  Mofo gasy", "Added: Mofo gasy, 300 Ar")
	c.press("f6").Sees("Mofo gasy").Lacks("─ New article")
}

func TestAScannerWorksOnEveryScreen(t *testing.T) {
	added, next := "Added: Vary gasy, 3 500 Ar", "For the next customer: Vary gasy, 3 500 Ar."
	t.Run("over a payment code, which stays", func(t *testing.T) {
		c := open(t, sells)
		order := c.charge()
		c.scan(varyGasy).Sees("… WAITING", next, "r takes this sale back with it.")
		c.Resize(120, 40)
		if got := c.QR(); got != order.Link.URL {
			t.Errorf("the code contains %q, want %q", got, order.Link.URL)
		}
		c.Resize(80, 24)
		c.after(5 * time.Second).Lacks(next)
		c.serve().Sees("1  Vary gasy", "charges 3 500", next)
	})
	t.Run("over a search, which keeps its text", func(t *testing.T) {
		c := open(t, sells)
		c.charge()
		c.serve().press("f3", "/").Type("ris").Sees("Find: ris")
		c.scan(varyGasy).Sees(added, "Find: ris").Lacks("Find: ris6")
	})
	t.Run("over a search, the entry line of the sale stays", func(t *testing.T) {
		c := open(t, sells)
		c.Type("Savony 17")
		c.press("f3", "/").Type("Rado 61")
		c.scan(varyGasy).Sees("Find: Rado 61", added)
		c.press("esc", "esc").Sees("› Savony 17")
	})
	t.Run("over a payment code, with an article code of three digits", func(t *testing.T) {
		c := open(t, sells, func(c *console) { c.sells("Mofo", 300, "123") })
		c.charge()
		c.scan("123").Sees("… WAITING", "For the next customer: Mofo, 300 Ar.")
	})
	t.Run("it acknowledges no outcome", func(t *testing.T) {
		c := open(t, sells)
		c.Pay(c.charge())
		c.wake().after(counter.Grace).burst(varyGasy).Sees("✓ PAID", next).Lacks("takes this sale back")
		c.scan("6111000000018").Sees("✓ PAID", "No article has the code 6111000000018.")
		c.after(time.Second).press("enter").wake().Sees("1  Vary gasy").Lacks("PAID")
	})
	t.Run("on the orders", func(t *testing.T) {
		c := open(t, sells)
		c.charge()
		c.serve().press("f3").scan(varyGasy).Sees("History", added)
		c.press("esc").Sees("1  Vary gasy")
	})
	t.Run("in the catalogue it finds the article", func(t *testing.T) {
		c := open(t, sells)
		c.press("f6").scan(varyGasy).Sees("Vary gasy").Lacks(added)
		c.press("esc", "esc", "esc").Sees("nothing yet")
	})
	t.Run("over the leave question", func(t *testing.T) {
		c := open(t, sells)
		c.charge()
		c.press("ctrl+c").after(time.Second).scan(varyGasy).Sees("Leave?", next)
		if c.Quit() {
			t.Fatal("the scanner left the console")
		}
		c.after(time.Second).press("enter")
		if !c.Quit() {
			t.Error("Enter does not leave")
		}
	})
	t.Run("while an order is sent it asks to scan again", func(t *testing.T) {
		c := open(t, sells).enter("Coca 2000", "")
		c.gate.HoldCommands(tui.Performed[counter.SaveSale])
		c.enter("").Sees("Asking the payment service")
		c.burst(varyGasy).Sees("Scan again in a moment.")
		c.release().Sees("… WAITING")
		c.serve().Sees("Type what the customer takes", "nothing yet")
	})
}

func TestAPersonIsNotTakenForAScanner(t *testing.T) {
	t.Run("a price typed fast", func(t *testing.T) {
		open(t, sells).enter("Savony 1200", "1500").Sees("1  Savony", "2  Free amount", "charges 2 700")
	})
	t.Run("a name with a price in one burst", func(t *testing.T) {
		c := open(t, sells)
		c.Pay(c.charge())
		c.wake().after(counter.Grace)
		c.Send(runes("Coca"), tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}, runes("2000"))
		c.press("enter").Lacks("No article has the code")
	})
	t.Run("digits typed slowly", func(t *testing.T) {
		c := open(t, sells)
		c.charge()
		c.serve().press("f3")
		for _, digit := range varyGasy {
			c.after(200 * time.Millisecond).Send(runes(string(digit)))
		}
		c.after(200 * time.Millisecond).press("enter").Sees("… WAITING").Lacks("Added")
	})
	t.Run("an Enter after a pause", func(t *testing.T) {
		c := open(t, sells)
		c.Pay(c.charge())
		c.wake().after(counter.Grace)
		c.Send(runes(varyGasy))
		c.after(200 * time.Millisecond).press("enter").wake().Sees("1  Vary gasy").Lacks("For the next customer")
	})
	t.Run("a paste", func(t *testing.T) {
		c := open(t, sells)
		c.Pay(c.charge())
		c.wake().after(counter.Grace).Paste(varyGasy)
		c.press("enter").wake().Sees("1  Vary gasy").Lacks("For the next customer")
	})
	t.Run("short numbers on the orders screen", func(t *testing.T) {
		for _, digits := range []string{"123", "12345"} {
			c := open(t, sells)
			c.charge()
			c.serve().press("f3").scan(digits).Sees("… WAITING").Lacks("No article")
		}
	})
}

func TestAScanNeverAnswersAQuestion(t *testing.T) {
	const ms = time.Millisecond
	for _, code := range []string{"ln-1042", "]E0" + varyGasy, "]C10106111000000017\x1d10A1", "(''çàààà('ééè", "RNSLC-77", varyGasy} {
		for _, end := range []string{"enter", "tab", "ctrl+j"} {
			t.Run(code+" "+end, func(t *testing.T) {
				c := open(t, sells)
				c.charge()
				c.scans(code, 12*ms, end).Sees("… WAITING").Lacks("Charge", "?  ")
				if got := len(c.All()); got != 1 {
					t.Errorf("got %d orders, want 1", got)
				}
				c.Pay(c.newest())
				c.wake().after(counter.Grace).scans(code, 12*ms, end).Sees("✓ PAID")
				if c.newest().Facts.Acknowledged {
					t.Error("the outcome was acknowledged")
				}
				c.press("enter").enter("Coca 2000", "").Sees("Charge")
				c.scans(code, 12*ms, end)
				if got := len(c.All()); got != 1 {
					t.Errorf("got %d orders after the question, want 1", got)
				}
			})
		}
	}
}

func TestAScanOfGS1ElementsFindsTheArticle(t *testing.T) {
	c := open(t, func(c *console) { c.sells("Beurre", 5000, "5449000054227") })
	for _, code := range []string{"]C10105449000054227\x1d10A1", "\x1d0105449000054227\x1d10A1", "]d20105449000054227"} {
		c.scans(code, 12*time.Millisecond, "enter")
	}
	c.Sees("Beurre: now 3", "charges 15 000", "›  ")
}

// TestAScanLeavesTheTextAndTheCursor scans into the middle of a text. The text and the cursor are as
// before, and what is typed next goes where the cursor was.
func TestAScanLeavesTheTextAndTheCursor(t *testing.T) {
	c := open(t, sells)
	c.Type("Savony").Press("home", "right")
	c.scan(varyGasy).Sees("1  Vary gasy", "› Savony")
	c.Type("ro").Sees("› Sroavony")
}

func TestAScanOfAnUnknownCodeLeavesTheDigitsOfTheEntryLine(t *testing.T) {
	c := open(t, sells)
	c.Type("Savony 17")
	c.after(5 * time.Second)
	c.scan("6111000000099").Sees("› Savony 17", "No article has the code 6111000000099")
}

func TestTextTypedAtAChosenLineGoesToTheEntryLine(t *testing.T) {
	c := open(t, sells).enter("Vary 3500x2").press("up")
	for _, letter := range "koba" {
		c.Advance(100 * time.Millisecond)
		c.Send(runes(string(letter)))
	}
	c.Advance(time.Second)
	c.Send(keyboard.Quiet{})
	c.Sees("› koba", "7 000")
}

// TestAScanAtTheCashQuestionDrawsFewNotes scans a code that is also an amount of billions.
func TestAScanAtTheCashQuestionDrawsFewNotes(t *testing.T) {
	c := open(t, sells).enter("Vary 3500", "").press("tab")
	c.scans("498000000000", 40*time.Millisecond, "enter").Sees("No article has the code 498000000000")
}

func TestAHeldCommandCountsOnce(t *testing.T) {
	const ms = time.Millisecond
	t.Run("at a code it does not begin the next sale", func(t *testing.T) {
		c := open(t)
		c.charge()
		c.plays(hold("l", 0, 500*ms, 33*ms, 15)...).Sees("… WAITING", "─ Link")
	})
	t.Run("at an outcome it prints one receipt", func(t *testing.T) {
		paper := filepath.Join(t.TempDir(), "paper")
		tuitest.Must(t, os.WriteFile(paper, nil, 0o600))
		c := open(t, func(c *console) {
			c.config.Receipts = receipt.Config{Printer: receipt.Printer{Address: paper}, Columns: 32}
		})
		c.Pay(c.charge())
		c.wake().after(counter.Grace).press("p").Sees("p print")
		c.plays(hold("p", time.Second, 500*ms, 33*ms, 25)...).Sees("Sent to the printer.")
		printed, err := os.ReadFile(paper)
		tuitest.Must(t, err)
		if got := strings.Count(string(printed), "TOTAL"); got != 1 {
			t.Errorf("got %d receipts, want 1", got)
		}
	})
}

func TestAScanInAFieldRecordsNothing(t *testing.T) {
	c := open(t, sells)
	c.Pay(c.charge())
	c.press("f3", "enter", "b").Press("2")
	c.after(time.Second).Sees("given back in the merchant area").Type("9000 rendu")
	c.scans("RNSLC-77", 12*time.Millisecond, "enter").Sees("given back in the merchant area", "rendu", "No article has the code RNSLC-77").Lacks("renduR")
	if c.newest().Finding != nil {
		t.Errorf("the scan recorded %+v", c.newest().Finding)
	}
}

func TestScansAreReadOnAFrenchKeyboard(t *testing.T) {
	c := open(t, sells)
	c.scans("-&&&àààààà&è", 12*time.Millisecond, "enter").Sees("No article has the code 611100000017.")
	c.sells("Beurre", 5000, "5449000054227")
	c.after(6*time.Second).wake().scans("(''çàààà('ééè", 12*time.Millisecond, "enter").Sees("1  Beurre")
}

func TestAScanWithAPauseIsOneCode(t *testing.T) {
	for _, pause := range []time.Duration{140 * time.Millisecond, 160 * time.Millisecond, 200 * time.Millisecond} {
		t.Run(pause.String(), func(t *testing.T) {
			c := open(t, sells)
			for _, digit := range varyGasy[:4] {
				c.Advance(10 * time.Millisecond)
				c.Send(runes(string(digit)))
			}
			c.Advance(pause)
			c.scans(varyGasy[4:], 10*time.Millisecond, "enter").Sees("1  Vary gasy", "charges 3 500", "›  ")
			c.press("enter").Sees("Charge 3 500 Ar?").Lacks("Free amount").Press("enter")
			for _, digit := range varyGasy[:4] {
				c.Advance(10 * time.Millisecond)
				c.Send(runes(string(digit)))
			}
			c.Advance(pause)
			c.scans(varyGasy[4:], 10*time.Millisecond, "enter").Sees("… WAITING", "For the next customer: Vary gasy, 3 500 Ar.")
		})
	}
}

func TestScansDoNotRunTogether(t *testing.T) {
	for _, end := range []string{"enter", "tab", "ctrl+j"} {
		c := open(t, sells)
		for _, code := range []string{"6111000000099", varyGasy, "6111000000088"} {
			c.scans(code, 5*time.Millisecond, end)
		}
		c.Sees("1  Vary gasy", "No article has the code 6111000000088.", "›  ")
		c.press("f6").Sees("─ New article", "6111000000088").Lacks("6111000000099")
		c.scan("6111000000077").Sees("─ New article", "6111000000077").Lacks("6111000000088")
	}
}

func TestAScannerMayEndACodeWithTwoKeys(t *testing.T) {
	const gap = 5 * time.Millisecond
	for _, ends := range [][]string{{"enter", "ctrl+j"}, {"enter", "enter"}, {"enter", "tab"}, {"ctrl+c", "enter"}} {
		t.Run(ends[0]+" "+ends[1], func(t *testing.T) {
			c := open(t, sells)
			scan := func() {
				var presses []press
				for i, key := range append(strings.Split(varyGasy, ""), ends...) {
					presses = append(presses, press{time.Duration(i) * gap, key})
				}
				c.plays(presses...)
			}
			scan()
			c.Sees("1  Vary gasy", "charges 3 500").Lacks("Charge 3 500 Ar?")
			scan()
			c.Sees("2 ×", "charges 7 000")
			c.charge()
			scan()
			c.Sees("… WAITING", "For the next customer: Vary gasy, 3 500 Ar.")
			if c.Quit() {
				t.Error("the scanner left the console")
			}
		})
	}
	t.Run("two codes in a burst are two articles", func(t *testing.T) {
		c := open(t, sells)
		for range 2 {
			c.Send(runes(varyGasy))
			c.press("enter")
		}
		c.Sees("2 ×", "charges 7 000")
	})
}

func TestASingleLetterAtACodeIsACommand(t *testing.T) {
	const ms = time.Millisecond
	c := open(t)
	c.charge()
	c.plays(press{0, "n"}, press{299 * ms, "e"}, press{500 * ms, "m"}).Sees("› nem", "Waiting  1")
	c = open(t)
	c.charge()
	c.plays(press{0, "n"}).Sees("The earlier link can still be paid")
}

func TestYAtACodeOpensTheFindingAndEscReturns(t *testing.T) {
	c := open(t)
	order := c.charge()
	c.press("y").wake().Sees("What happened", order.Reference).Press("y")
	c.Sees("Did you see in the merchant area").Press("esc", "esc", "esc")
	c.Sees("… WAITING", "An SMS is no proof.")
}
