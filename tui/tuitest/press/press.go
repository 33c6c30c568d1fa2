package press

import (
	"errors"
	"io"
	"slices"
	"sync"
)

// Fault is why a printer stops printing.
type Fault int

// The faults of a [Printer].
const (
	None Fault = iota
	NoPaper
	CoverOpen
	Jam    // An error of the cutter.
	CutOff // The connection is closed.
	Deaf   // The printer receives bytes without printing; its answers show no fault.
)

// Printer is a fake printer. The zero value works without a fault. Set the exported fields before
// Serve.
type Printer struct {
	Offline bool   // Whether the printer always reports that it is offline.
	Silent  bool   // Whether the printer sends nothing, neither answers nor reports.
	Answers []int  // Queries of DLE EOT that the printer answers; nil means all.
	Hides   bool   // Whether the printer does not answer GS r.
	Reports bool   // Whether the printer sends its state by itself.
	Garbage []byte // Sent instead of each answer to DLE EOT.
	Fault   Fault
	After   int    // Lines that are printed before the fault.
	Slow    func() // Called before each answer to DLE EOT.

	mu      sync.Mutex
	paper   Paper
	pending []byte
	err     error
	got     []byte
}

// Got returns all bytes that the printer received, including queries.
func (p *Printer) Got() []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]byte{}, p.got...)
}

// Paper returns what was printed, and an error for an unknown command.
func (p *Printer) Paper() (Paper, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.paper, p.err
}

// Mend removes the fault. The printer then prints what it has received meanwhile.
func (p *Printer) Mend() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.Fault = None
	p.print()
}

// Serve prints the data that arrives on a connection, until the connection ends.
func (p *Printer) Serve(connection io.ReadWriteCloser) {
	answers := make(chan []byte, 1000) // The printer sends and receives at the same time.
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

// take handles received bytes, and reports whether the connection must be closed.
func (p *Printer) take(data []byte, answers chan<- []byte) (ends bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.got = append(p.got, data...)
	const question = 3 // Number of bytes of the query DLE EOT n.
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

// print performs the waiting commands until the fault, and returns how many of them the printer
// must answer.
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

// reply answers GS r asked times. If the printer reports its state and has stopped, reply first
// sends a report.
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

// state answers the query DLE EOT with the number question.
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

// report returns the four bytes of a report for the command GS a.
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
