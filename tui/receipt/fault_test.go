//go:build unix

package receipt_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/tui/receipt"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/press"
)

// Each printer gets a receipt of ten lines. If a printer says that it cannot print, it must not get
// the receipt. Everything that a printer gets must be in the published table of commands.
func TestWhatAPrinterSaysIsTold(t *testing.T) {
	late := 450 * time.Millisecond // Longer than the till waits for an answer.
	for name, tt := range map[string]struct {
		printer *press.Printer
		want    receipt.Outcome
		err     error
		lines   int // Number of printed lines.
		atMost  time.Duration
	}{
		"answers":                          {&press.Printer{}, receipt.Printed, nil, 10, time.Second},
		"answers and reports":              {&press.Printer{Reports: true}, receipt.Printed, nil, 10, time.Second},
		"is silent":                        {&press.Printer{Silent: true}, receipt.Sent, nil, 10, 2 * time.Second},
		"reports only":                     {&press.Printer{Reports: true, Answers: []int{}}, receipt.Sent, nil, 10, 2 * time.Second},
		"answers only whether it is ready": {&press.Printer{Answers: []int{1}}, receipt.Sent, nil, 10, 2 * time.Second},
		"does not say that it has printed": {&press.Printer{Hides: true}, receipt.Sent, nil, 10, 7 * time.Second},
		"answers nonsense":                 {&press.Printer{Garbage: []byte{0xff, 0x80}}, receipt.Sent, nil, 10, 2 * time.Second},
		"answers with zeros":               {&press.Printer{Garbage: []byte{0}}, receipt.Sent, nil, 10, 2 * time.Second},
		"answers late":                     {&press.Printer{Slow: func() { time.Sleep(late) }}, receipt.Sent, nil, 10, 2 * time.Second},
		"has no paper":                     {&press.Printer{Fault: press.NoPaper}, receipt.Sent, receipt.ErrNoPaper, 0, time.Second},
		"has its cover open":               {&press.Printer{Fault: press.CoverOpen}, receipt.Sent, receipt.ErrCoverOpen, 0, time.Second},
		"always says that it is offline":   {&press.Printer{Offline: true}, receipt.Printed, nil, 10, time.Second},
		"is offline and prints nothing":    {&press.Printer{Offline: true, Fault: press.Deaf}, receipt.Sent, receipt.ErrStuck, 0, 7 * time.Second},
		"has an error":                     {&press.Printer{Fault: press.Jam}, receipt.Sent, receipt.ErrStuck, 0, time.Second},
		"has no paper after four lines":    {&press.Printer{Fault: press.NoPaper, After: 4}, receipt.Sent, receipt.ErrNoPaper, 4, 3 * time.Second},
		"reports that it has no paper":     {&press.Printer{Fault: press.NoPaper, After: 4, Reports: true}, receipt.Sent, receipt.ErrNoPaper, 4, 3 * time.Second},
		"is opened after four lines":       {&press.Printer{Fault: press.CoverOpen, After: 4}, receipt.Sent, receipt.ErrCoverOpen, 4, 3 * time.Second},
		"has an error after four lines":    {&press.Printer{Fault: press.Jam, After: 4}, receipt.Sent, receipt.ErrStuck, 4, 3 * time.Second},
		"is cut off after four lines":      {&press.Printer{Fault: press.CutOff, After: 4}, receipt.Sent, receipt.ErrCutOff, 4, 3 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				printer := tt.printer
				ours, theirs := net.Pipe()
				go printer.Serve(theirs)
				began := time.Now()
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
				defer cancel()
				outcome, err := receipt.Deliver(ctx, ours, tenLines())
				took := time.Since(began)
				tuitest.Must(t, ours.Close())
				synctest.Wait()
				paper, unknown := printer.Paper()
				if outcome != tt.want || !errors.Is(err, tt.err) || len(paper.Lines) != tt.lines || took > tt.atMost || unknown != nil {
					t.Errorf("after %s: %s, %v, %d lines, %v; want %s, %v, %d lines", took, outcome.Name(), err, len(paper.Lines), unknown, tt.want.Name(), tt.err, tt.lines)
				}
				printer.Mend()
				if paper, _ := printer.Paper(); tt.lines == 0 && !printer.Offline && len(paper.Lines) > 0 {
					t.Errorf("the printer printed %d lines when it was mended", len(paper.Lines))
				}
			})
		})
	}
}

func tenLines() []byte {
	paper := receipt.NewPaper(32, "")
	for range 10 {
		paper.Row("Mofo gasy", "3 000", receipt.Plain)
	}
	return paper.Bytes()
}

// If a print broke off within a picture, the printer waits for the rest of the dots. The next
// receipt must be printed whole.
func TestAReceiptIsWholeAfterAPictureThatBrokeOff(t *testing.T) {
	sale := mobile(item("Mofo gasy", 300, 10))
	sale.Order.Reference = "CAISSEDELAGRANDERUEX-20261121-GT-1234567"
	broken := of(t, "fr", grocery(), sale, 32).Bytes()
	whole, err := press.Decode(broken)
	tuitest.Must(t, err)
	command := []byte("\x1dv0")
	first := bytes.Index(broken, command)
	if first < 0 {
		t.Fatal("the receipt has no picture")
	}
	last := bytes.LastIndex(broken, []byte("\x1ba\x00"))
	for end := first + len(command); end < last; end += 13 {
		if bytes.ContainsRune(broken[end-2:end], '\x1d') {
			continue // Real printers ignore an incomplete command, but the fake one reports it.
		}
		var fake press.Printer
		for _, sent := range [][]byte{broken[:end], broken} {
			ours, theirs := net.Pipe()
			var served sync.WaitGroup
			served.Go(func() { fake.Serve(theirs) })
			_, err := ours.Write(sent)
			tuitest.Must(t, errors.Join(err, ours.Close()))
			served.Wait()
		}
		paper, err := fake.Paper()
		tuitest.Must(t, err)
		if got := paper.Text(); paper.Cuts != 1 || !strings.HasSuffix(got, whole.Text()) {
			t.Fatalf("broken off after %d of %d bytes, the next receipt is\n%s", end, len(broken), got)
		}
	}
}

// The till asks a printer in the network for its state, prints, and asks whether the receipt was
// printed.
func TestAPrinterInTheNetworkSaysThatItHasPrinted(t *testing.T) {
	printer, listener := networked(t)
	var fake press.Printer
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			fake.Serve(connection)
		}
	}()
	talks, err := printer.Check(t.Context())
	if err != nil || !talks {
		t.Errorf("Check returns %v, %v", talks, err)
	}
	outcome, err := printer.Print(t.Context(), tenLines())
	paper, unknown := fake.Paper()
	if err != nil || unknown != nil || outcome != receipt.Printed || strings.Count(paper.Text(), "Mofo gasy") != 10 || paper.Cuts != 1 {
		t.Errorf("got %s, %v, %v and %q", outcome.Name(), err, unknown, paper.Text())
	}
	if got := fake.Got(); bytes.Count(got, []byte("\x10\x04")) != 6 { // Two times three questions.
		t.Errorf("the printer got %q", got)
	}
}
