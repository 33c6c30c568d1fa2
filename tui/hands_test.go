package tui_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments/money"
	"checkout/till/storage/storagetest"
	"checkout/till/tui/keyboard"
)

// FuzzHands sends keys, scans, pastes and terminal replies to the console while a QR code is shown.
// It splits the bytes at random places, and varies the pauses between the pieces.
func FuzzHands(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8}, []byte{1, 5, 2, 16})
	f.Add([]byte{3, 3, 8, 0, 5}, []byte{255})
	f.Add([]byte{1, 4, 0, 6, 2, 7, 5}, []byte{0, 3})
	random := rand.New(rand.NewPCG(1, 2))
	for range storagetest.Size(12, 40) {
		which, cuts := make([]byte, 1+random.IntN(10)), make([]byte, random.IntN(8))
		for i := range which {
			which[i] = byte(random.IntN(10))
		}
		for i := range cuts {
			cuts[i] = byte(random.IntN(40))
		}
		f.Add(which, cuts)
	}
	acts := []struct {
		sent  string
		typed string // Text that the act types.
		sold  int64  // Number of pieces of the article that the act sells.
		scan  bool
	}{
		{sent: varyGasy + "\r", sold: 1, scan: true},
		{sent: "\x1bOv\x1bOq\x1bOq\x1bOq\x1bOp\x1bOp\x1bOp\x1bOp\x1bOp\x1bOp\x1bOp\x1bOq\x1bOw\x1bOM", sold: 1, scan: true}, // varyGasy, typed with the keys of the number pad.
		{sent: "6111000000099\t", scan: true},
		{sent: "LN-1042\n", scan: true},
		{sent: "(''çàààà('ééè\r", scan: true},
		{sent: "z", typed: "z"},
		{sent: "vwz", typed: "vwz"},
		{sent: "\x1b[200~Mofo\x1b[201~", typed: "Mofo"},
		{sent: "\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\"},
		{sent: "\x1b[24;80R"},
	}
	f.Fuzz(func(t *testing.T, which, cuts []byte) {
		if len(which) > 12 {
			return
		}
		c := open(t, sells)
		order := c.charge()
		c.Fail(order, "") // The QR code stays on the screen, because the customer can try again.
		c.wake().after(2 * time.Second)
		var decoder keyboard.Decoder
		var text string
		var sold int64
		cut := func(i int) int {
			if len(cuts) == 0 {
				return 1000
			}
			return int(cuts[i%len(cuts)])
		}
		for i, at := range which {
			act := acts[int(at)%len(acts)]
			gap := 80 * time.Millisecond
			if act.scan {
				gap = time.Duration(1+cut(i)%12) * time.Millisecond
			}
			for rest := act.sent; rest != ""; i++ {
				size := min(len(rest), 1+cut(i)%20)
				c.Advance(gap)
				for _, msg := range decoder.Decode([]byte(rest[:size])) {
					if key, pressed := msg.(tea.KeyMsg); pressed {
						msg = keyboard.Stroke{Key: key, At: c.Now()}
					}
					c.Send(msg)
				}
				rest = rest[size:]
			}
			c.Advance(keyboard.LetterWait + time.Duration(cut(i))*time.Millisecond)
			c.Send(keyboard.Quiet{})
			text += act.typed
			sold += act.sold
		}
		if all := c.All(); len(all) != 1 || all[0].Facts.Acknowledged {
			t.Fatalf("a scan or a reply was handled as a key: %+v", all)
		}
		if text == "" {
			c.press("esc", "enter")
		}
		c.Sees("› " + text)
		if sold > 0 {
			c.Sees("Vary gasy", money.Ariary(3500 * sold).String()[:1])
		}
		if strings.Contains(c.View(), "rgb") {
			t.Errorf("a terminal reply was handled as text:\n%s", c.View())
		}
	})
}
