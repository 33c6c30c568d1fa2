package plain_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/tui/live"
	"checkout/till/tui/plain"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

// patience is the time limit of every wait.
const patience = time.Minute

// paper is the output of the line mode. It also stores how much of the output the test has read.
type paper struct {
	mu    sync.Mutex
	grown *sync.Cond
	text  string
	read  int
}

func (p *paper) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text += string(text)
	p.grown.Broadcast()
	return len(text), nil
}

// talk is a run of the line mode. The test types the lines.
type talk struct {
	*shoptest.Counter
	t      *testing.T
	config plain.Config
	health atomic.Pointer[payments.Health]
	in     *io.PipeWriter
	ticks  chan time.Time
	paper  *paper
	stop   context.CancelFunc
	ended  chan struct{}
	err    error
}

func open(t *testing.T, settings ...func(*plain.Config)) *talk {
	t.Helper()
	shop := shoptest.Open(t)
	err := shop.AddArticles(t.Context(), []payments.Article{
		{Label: "Coca", UnitPrice: 2000, Code: "5449000000996"},
		{Label: "Vary gasy", UnitPrice: 3500},
		{Label: "Vary stock", UnitPrice: 3000},
		{Label: "Note", UnitPrice: 500},
		{Label: "Tomate", UnitPrice: 4000, Unit: "kg"},
	})
	tuitest.Must(t, err)
	return at(t, shop, settings...)
}

// at starts the line mode in an existing shop, and waits for the prompt.
func at(t *testing.T, shop *shoptest.Counter, settings ...func(*plain.Config)) *talk {
	t.Helper()
	return begin(t, shop, settings...).sees("Line mode.", "listens", "> ")
}

// begin starts the line mode in a shop and does not wait for the prompt.
func begin(t *testing.T, shop *shoptest.Counter, settings ...func(*plain.Config)) *talk {
	t.Helper()
	in, typed := io.Pipe()
	c := &talk{Counter: shop, t: t, in: typed, ticks: make(chan time.Time), paper: new(paper), ended: make(chan struct{})}
	c.paper.grown = sync.NewCond(&c.paper.mu)
	c.health.Store(&payments.Health{Listening: true})
	c.config = plain.Config{
		Console: live.Console{
			Tenders: []drawer.Tender{drawer.TenderCash},
			Service: shop.Service, Till: shoptest.Till, Texts: i18n.Load("en"), Zone: shoptest.Zone(), Theme: theme.Plain(),
		},
		Health: func() payments.Health { return *c.health.Load() },
		Ticks:  c.ticks,
		Input:  in, Output: c.paper, Echoes: true,
	}
	for _, set := range settings {
		set(&c.config)
	}
	ctx, stop := context.WithCancel(t.Context())
	c.stop = stop
	go func() {
		defer close(c.ended)
		defer func() { _ = in.Close() }() // The input is not read after Run. Close makes a waiting write of the test return.
		c.err = plain.Run(ctx, c.config)
	}()
	t.Cleanup(func() {
		stop()
		<-c.ended
		c.clean()
	})
	return c
}

// clean fails the test if the output contains control characters.
func (c *talk) clean() {
	c.t.Helper()
	for i, b := range []byte(c.paper.text) {
		if b < ' ' && b != '\n' && b != '\a' || b == 0x7f {
			c.t.Errorf("the output contains the byte %#x, in %q", b, c.paper.text[max(0, i-20):min(len(c.paper.text), i+20)])
		}
	}
}

func (c *talk) types(lines ...string) *talk {
	c.t.Helper()
	for _, text := range lines {
		_, err := io.WriteString(c.in, text+"\n")
		tuitest.Must(c.t, err)
	}
	return c
}

// sees waits until the texts were written in this order, after the texts that earlier calls waited
// for.
func (c *talk) sees(texts ...string) *talk {
	c.t.Helper()
	late := false
	watchdog := time.AfterFunc(patience, func() {
		c.paper.mu.Lock()
		defer c.paper.mu.Unlock()
		late = true
		c.paper.grown.Broadcast()
	})
	defer watchdog.Stop()
	c.paper.mu.Lock()
	defer c.paper.mu.Unlock()
	for _, want := range texts {
		for {
			if at := strings.Index(c.paper.text[c.paper.read:], want); at >= 0 {
				c.paper.read += at + len(want)
				break
			}
			if late {
				c.t.Fatalf("%q is missing in:\n%s", want, c.paper.text[c.paper.read:])
			}
			c.paper.grown.Wait()
		}
	}
	return c
}

// tick sends two ticks. The line mode receives the second one only after it has handled the first.
// Therefore, the first one has been handled when tick returns.
func (c *talk) tick() *talk {
	c.t.Helper()
	for range 2 {
		select {
		case c.ticks <- c.Now():
		case <-time.After(patience):
			c.t.Fatal("the line mode takes no ticks")
		}
	}
	return c
}

func (c *talk) after(by time.Duration) *talk {
	c.t.Helper()
	c.Advance(by)
	return c.tick()
}

// lacks fails the test if one of the texts was written after the text that the last call of sees
// waited for.
func (c *talk) lacks(texts ...string) *talk {
	c.t.Helper()
	c.tick()
	c.paper.mu.Lock()
	defer c.paper.mu.Unlock()
	for _, text := range texts {
		if strings.Contains(c.paper.text[c.paper.read:], text) {
			c.t.Errorf("got %q in:\n%s", text, c.paper.text[c.paper.read:])
		}
	}
	return c
}

func (c *talk) ends() *talk {
	c.t.Helper()
	select {
	case <-c.ended:
	case <-time.After(patience):
		c.t.Fatal("the line mode does not end")
	}
	if c.err != nil {
		c.t.Errorf("the line mode ended with %v", c.err)
	}
	return c
}

func (c *talk) charge() payments.Order {
	c.t.Helper()
	c.types("Riz 3500 x2", "coca", "charge", "yes").sees("Charge 9 000 Ar?", "WAITING: 9 000 Ar", "Link: https://", "> ")
	return c.All()[0]
}

// items formats the lines of the stored current sale.
func (c *talk) items() string {
	c.t.Helper()
	sales, err := c.Sales(c.t.Context(), shoptest.Till)
	tuitest.Must(c.t, err)
	var all []string
	for _, sale := range sales {
		if sale.Name != "" {
			continue
		}
		for _, item := range sale.Items {
			all = append(all, fmt.Sprintf("%d %s %d/%d", item.Quantity, item.Label, item.UnitPrice, item.ListPrice))
		}
	}
	return strings.Join(all, ", ")
}

// gone is the output to a closed terminal: every write fails.
type gone struct{}

var errGone = errors.New("the terminal is gone")

func (gone) Write([]byte) (int, error) { return 0, errGone }
