package press

import (
	"errors"
	"io"
	"slices"
	"sync"
)

// Fault is why a printer stops.
type Fault int

// The faults.
const (
	None Fault = iota
	NoPaper
	CoverOpen
	Jam    // An error of the cutter.
	CutOff // The connection is closed.
	Deaf   // It takes bytes and does not say why it does not print.
)

// Printer is a fake printer. Its zero value answers as the table of commands says. The exported fields are
// set before it serves.
type Printer struct {
	Offline bool   // It always says that it is offline.
	Silent  bool   // It answers nothing.
	Answers []int  // The questions of DLE EOT that it answers; nil for all.
	Hides   bool   // It does not answer GS r.
	Reports bool   // It sends its state when somebody connects, and when its state changes.
	Garbage []byte // Sent as the answer to each question.
	Fault   Fault
	After   int    // Lines that it prints before the fault.
	Slow    func() // Called before each answer to DLE EOT.

	mu      sync.Mutex
	paper   Paper
	pending []byte
	err     error
	got     []byte
}

// Got returns every byte that the printer got, with the questions.
func (p *Printer) Got() []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]byte{}, p.got...)
}

// Paper returns what was printed, and an error for a command that is not in the table.
func (p *Printer) Paper() (Paper, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.paper, p.err
}

// Mend removes the fault. What the printer kept is printed.
func (p *Printer) Mend() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.Fault = None
	p.print()
}

// Serve prints what comes on a connection, until its end.
func (p *Printer) Serve(connection io.ReadWriteCloser) {
	answers := make(chan []byte, 1000) // A printer sends while it receives.
	var sending sync.WaitGroup
	sending.Go(func() {
		for answer := range answers {
			_, _ = connection.Write(answer)
		}
	})
	if p.Reports && !p.Silent {
		answers <- p.report()
	}
	buffer := make([]byte, 1<<12)
	for {
		count, err := connection.Read(buffer)
		if p.take(buffer[:count], answers) || err != nil {
			break
		}
	}
	_ = connection.Close()
	close(answers)
	sending.Wait()
}

// take handles some bytes. It reports whether the connection must be closed.
func (p *Printer) take(data []byte, answers chan<- []byte) (ends bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.got = append(p.got, data...)
	const question = 3 // Bytes of DLE EOT n.
	for i := 0; i < len(data); i++ {
		if i+question <= len(data) && data[i] == 0x10 && data[i+1] == 0x04 {
			p.pending = append(p.pending, data[:i]...)
			p.reply(p.print(), answers)
			p.state(data[i+2], answers)
			data, i = data[i+question:], -1
		}
	}
	p.pending = append(p.pending, data...)
	p.reply(p.print(), answers)
	return p.stopped() && p.Fault == CutOff
}

func (p *Printer) stopped() bool { return p.Fault != None && len(p.paper.Lines) >= p.After }

// print performs the commands that wait, until the fault. It returns how many of them want an answer.
func (p *Printer) print() (asked int) {
	for len(p.pending) > 0 && !p.stopped() && p.err == nil {
		used, asks, err := p.paper.step(p.pending)
		if errors.Is(err, errShort) {
			return asked
		}
		p.err = err
		p.pending = p.pending[used:]
		if asks {
			asked++
		}
	}
	return asked
}

// reply answers GS r, and reports a new state.
func (p *Printer) reply(asked int, answers chan<- []byte) {
	if p.Silent {
		return
	}
	if p.Reports && p.stopped() {
		answers <- p.report()
	}
	for range asked {
		if !p.Hides {
			answers <- []byte{0}
		}
	}
}

// state answers DLE EOT.
func (p *Printer) state(question byte, answers chan<- []byte) {
	if p.Silent || p.Answers != nil && !slices.Contains(p.Answers, int(question)) {
		return
	}
	if p.Garbage != nil {
		answers <- p.Garbage
		return
	}
	if p.Slow != nil {
		p.Slow()
	}
	const fixed = 0x12
	answer := byte(fixed)
	if p.Offline && question == 1 {
		answer |= 0x08
	}
	if p.stopped() {
		answer |= map[byte]map[Fault]byte{
			1: {NoPaper: 0x08, CoverOpen: 0x08, Jam: 0x08},
			2: {NoPaper: 0x20, CoverOpen: 0x04, Jam: 0x40},
			3: {Jam: 0x08},
			4: {NoPaper: 0x6c},
		}[question][p.Fault]
	}
	answers <- []byte{answer}
}

// report returns the four bytes of GS a.
func (p *Printer) report() []byte {
	bytes := []byte{0x14, 0, 0, 0x0f}
	if !p.stopped() {
		return bytes
	}
	bytes[0] |= 0x08
	switch p.Fault {
	case CoverOpen:
		bytes[0] |= 0x20
	case Jam:
		bytes[1] |= 0x08
	case NoPaper:
		bytes[2] |= 0x0c
	}
	return bytes
}
