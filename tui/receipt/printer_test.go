//go:build unix

package receipt_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/storage/storagetest/sqlitetest"
	"checkout/till/tui/receipt"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/press"
	"checkout/till/tui/wording/errortext"
)

// large is a number of bytes that does not fit into the buffers between the till and the printer.
const large = 16 << 20

// limited returns a context. If want is [receipt.ErrStuck], the context ends soon, so that the test
// need not wait ten seconds.
func limited(t *testing.T, want error) context.Context {
	if !errors.Is(want, receipt.ErrStuck) {
		return t.Context()
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	t.Cleanup(cancel)
	return ctx
}

// networked returns a network printer, and the listener that stands for it.
func networked(t *testing.T) (receipt.Printer, net.Listener) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	tuitest.Must(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	return receipt.Printer{Address: "tcp://" + listener.Addr().String()}, listener
}

// device returns the path of a FIFO that stands for the printer's device, and the FIFO's reading
// end.
func device(t *testing.T) (string, *os.File) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lp0")
	tuitest.Must(t, syscall.Mkfifo(path, 0o600))
	end, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	tuitest.Must(t, err)
	t.Cleanup(func() { _ = end.Close() })
	return path, end
}

// programs writes shell scripts, by name, into a folder.
func programs(t *testing.T, scripts map[string]string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	for name, script := range scripts {
		tuitest.Must(t, os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\n"+script+"\n"), 0o700))
	}
	return folder
}

func receives(t *testing.T, got io.Reader, want []byte) {
	t.Helper()
	data, err := io.ReadAll(got)
	if err != nil || !bytes.Equal(data, want) {
		t.Errorf("the printer got %q, %v, want %q", data, err, want)
	}
}

func TestAReceiptGoesToThePrinter(t *testing.T) {
	t.Parallel()
	ticket := of(t, "fr", grocery(), mobile(item("Mofo gasy", 300, 10)), 32).Bytes()
	ended := append(slices.Clone(ticket), 0) // Print adds a zero byte to the receipt.
	t.Run("in the network", func(t *testing.T) {
		t.Parallel()
		listener, papers := tuitest.Printer(t, "127.0.0.1:0")
		sends(t, "tcp://"+listener.Addr().String(), ticket)
		receives(t, strings.NewReader(<-papers), append([]byte("\x10\x04\x01"), ended...))
	})
	t.Run("in the network, without questions", func(t *testing.T) {
		t.Parallel()
		listener, papers := tuitest.Printer(t, "127.0.0.1:0")
		printer := receipt.Printer{Address: "tcp://" + listener.Addr().String(), NoStatus: true}
		_, err := printer.Check(t.Context())
		tuitest.Must(t, err)
		receives(t, strings.NewReader(<-papers), nil)
		_, err = printer.Print(t.Context(), ticket)
		tuitest.Must(t, err)
		receives(t, strings.NewReader(<-papers), ended)
	})
	t.Run("at a device", func(t *testing.T) {
		t.Parallel()
		path, end := device(t)
		_, err := receipt.Printer{Address: path}.Check(t.Context())
		tuitest.Must(t, err)
		sends(t, path, ticket)
		receives(t, end, ended)
	})
	t.Run("at a file that exists", func(t *testing.T) {
		t.Parallel()
		path := filepath.Join(t.TempDir(), "receipts")
		tuitest.Must(t, os.WriteFile(path, []byte("before "), 0o600))
		sends(t, path, ticket)
		file, err := os.Open(path)
		tuitest.Must(t, err)
		receives(t, file, append([]byte("before "), ended...))
	})
}

func TestAReceiptGoesToAQueueThatNamesNoJob(t *testing.T) {
	t.Setenv("PATH", programs(t, map[string]string{"lp": "", "lpstat": ""}))
	sends(t, "lp:Ticket_58", tenLines())
}

// sends fails the test unless the receipt is sent to the printer.
func sends(t *testing.T, address string, ticket []byte) {
	t.Helper()
	outcome, err := receipt.Printer{Address: address}.Print(t.Context(), ticket)
	if err != nil || outcome != receipt.Sent {
		t.Errorf("got %s, %v, want that the receipt was sent", outcome.Name(), err)
	}
}

// A printer may send its state while it prints. It still gets the whole receipt, because the till
// does not reset the connection.
func TestAPrinterThatSendsItsStateGetsTheWholeReceipt(t *testing.T) {
	t.Parallel()
	printer, listener := networked(t)
	ticket := bytes.Repeat([]byte("Mofo gasy 3 000\n"), large/16)
	got := make(chan []byte, 1)
	go func() {
		connection, err := listener.Accept()
		if err != nil {
			return
		}
		_, _ = connection.Write(bytes.Repeat([]byte{0x14, 0, 0, 0x0f}, 50))
		t.Cleanup(func() { _ = connection.Close() }) // Many printers do not close it after a receipt.
		data, _ := io.ReadAll(connection)
		got <- data
	}()
	_, err := printer.Print(t.Context(), ticket)
	tuitest.Must(t, err)
	if data := <-got; !bytes.Equal(data, append([]byte("\x10\x04\x01"), append(ticket, 0)...)) {
		t.Errorf("the printer got %d of %d bytes", len(data), len(ticket)+1)
	}
}

// A printer that prints for another till refuses connections for a moment.
func TestABusyPrinterIsTriedAgain(t *testing.T) {
	for name, tt := range map[string]struct {
		refuses  int   // Number of connections that the printer refuses.
		then     error // The error of the connection after them.
		want     error
		atMost   time.Duration
		patience time.Duration
	}{
		"for a moment":        {3, nil, nil, time.Second, 5 * time.Second},
		"for too long":        {1000, nil, syscall.ECONNREFUSED, 6 * time.Second, 5 * time.Second},
		"when only looked at": {1000, nil, syscall.ECONNREFUSED, time.Second, 0},
		"until the deadline":  {2, os.ErrDeadlineExceeded, syscall.ECONNREFUSED, time.Second, time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began, refused := time.Now(), 0
				_, err := receipt.UntilTaken(t.Context(), tt.patience, func() (net.Conn, error) {
					if refused++; refused <= tt.refuses {
						return nil, &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
					}
					return nil, tt.then
				})
				if !errors.Is(err, tt.want) || time.Since(began) > tt.atMost {
					t.Errorf("after %s: %v, want %v", time.Since(began), err, tt.want)
				}
			})
		})
	}
}

func TestAPrinterThatFailsSaysWhy(t *testing.T) {
	t.Parallel()
	unplugged, end := device(t)
	tuitest.Must(t, end.Close())
	jammed, _ := networked(t)
	full, _ := device(t)
	for _, tt := range []struct {
		name          string
		printer       receipt.Printer
		want, checked error
	}{
		{"nothing listens", receipt.Printer{Address: "tcp://127.0.0.1:1"}, receipt.ErrBusy, receipt.ErrBusy},
		{"a host without an address", receipt.Printer{Address: "tcp://printer.invalid:9100"}, receipt.ErrUnreachable, receipt.ErrUnreachable},
		{"no device", receipt.Printer{Address: "/dev/usb/no-such-printer"}, receipt.ErrUnreachable, receipt.ErrUnreachable},
		{"a device that nothing reads", receipt.Printer{Address: unplugged}, receipt.ErrUnreachable, receipt.ErrUnreachable},
		{"a network printer that takes nothing", jammed, receipt.ErrStuck, nil},
		{"a device that takes nothing", receipt.Printer{Address: full}, receipt.ErrStuck, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			fails(t, tt.printer, tt.want, tt.checked)
		})
	}
}

func TestAQueueThatFailsSaysWhy(t *testing.T) {
	for _, tt := range []struct {
		name, path string // The PATH of lp and lpstat.
		want       error
	}{
		{"a queue that hangs", programs(t, map[string]string{"lpstat": "exec /bin/sleep 1000"}), receipt.ErrStuck},
		{"a machine without CUPS", t.TempDir(), receipt.ErrUnreachable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("PATH", tt.path)
			fails(t, receipt.Printer{Address: "lp:slow"}, tt.want, tt.want)
		})
	}
}

// fails fails the test unless Print returns the error want, and Check the error checked.
func fails(t *testing.T, printer receipt.Printer, want, checked error) {
	t.Helper()
	began := time.Now()
	ctx := limited(t, want)
	if errors.Is(want, receipt.ErrBusy) { // Print retries for some seconds.
		ctx = limited(t, receipt.ErrStuck)
	}
	_, err := printer.Print(ctx, make([]byte, large))
	if !errors.Is(err, want) || time.Since(began) > 5*time.Second {
		t.Errorf("after %s: %v, want %v", time.Since(began), err, want)
	}
	if _, err := printer.Check(limited(t, checked)); !errors.Is(err, checked) {
		t.Errorf("Check returns %v, want %v", err, checked)
	}
}

func TestAPrinterThatIsNotOursSaysWhichGroup(t *testing.T) {
	const path = "/proc/sys/kernel/ostype" // Not even root may write to this file.
	if _, err := os.Stat(path); err != nil {
		t.Skip(err)
	}
	_, err := receipt.Printer{Address: path}.Print(t.Context(), nil)
	words := errortext.Of(i18n.Load("en"), err, errortext.Place{})
	if !errors.Is(err, receipt.ErrForbidden) || !strings.Contains(words.Text, "may not") || !strings.Contains(words.Advice, "usermod -aG lp") {
		t.Errorf("%v is said as %+v", err, words)
	}
}

func TestTheDrawerOpensForCashIfTheReceiptCannotBeRead(t *testing.T) {
	store := sqlitetest.Open(t)
	service := drawer.New(store, payments.New(store, nil, made))
	tuitest.Must(t, store.Close())
	for cash, want := range map[bool][]byte{true: append(receipt.OpenDrawer(2), 0), false: nil} {
		path, end := device(t)
		config := receipt.Config{Printer: receipt.Printer{Address: path}, DrawerPin: 2, When: receipt.Always}
		if err := receipt.AfterSale(t.Context(), service, i18n.Load("en"), config, zone(), "T1-GT-C-000001", cash); err == nil {
			t.Error("AfterSale returns no error")
		}
		receives(t, end, want)
	}
}

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
