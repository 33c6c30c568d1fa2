package receipt

const (
	askState   = "\x10\x04"  // DLE EOT takes the number of a question. Printers answer it immediately, even without paper.
	askPrinted = "\x1dr\x01" // GS r 1: printers answer it after they have printed everything before it.
	askOnline  = byte(1)     // Whether the printer is ready.
	askCause   = byte(2)     // Why the printer is not ready.
	askPaper   = byte(4)     // Whether there is paper.
)

// sort is the kind of a byte from a printer.
type sort int

const (
	unknown  sort = iota
	realTime      // The answer to DLE EOT.
	ordinary      // The answer to GS r.
	report        // One of the four bytes that a printer sends by itself (GS a).
	never         // A sort that no byte has.
)

type status struct {
	offline, cover, paper, fault bool
	report                       []byte
}

// add handles a byte from the printer, and returns its sort, which follows from the byte's fixed
// bits: see "transmission status identification" in printer manuals.
func (s *status) add(b byte) sort {
	const first, others, answer, fixed, later = 0x10, 0x00, 0x12, 0x93, 0x90
	switch {
	case len(s.report) > 0 && b&later == others:
		s.report = append(s.report, b)
		if len(s.report) == 4 {
			s.evaluate(s.report)
			s.report = nil
		}
		return report
	case b&fixed == first:
		s.report = []byte{b}
		return report
	case b&fixed == answer:
		return realTime
	case b&later == others:
		return ordinary
	}
	return unknown
}

func (s *status) evaluate(report []byte) {
	s.offline, s.cover = report[0]&0x08 != 0, report[0]&0x20 != 0
	s.fault = report[1]&0x68 != 0 // Errors of the cutter, errors that need a repair, and errors that end without a person.
	s.paper = report[2]&0x0c != 0
}

func (s *status) answered(question, b byte) {
	switch question {
	case askOnline:
		s.offline = b&0x08 != 0
	case askCause:
		s.cover = b&0x04 != 0
		s.paper = b&0x20 != 0
		s.fault = b&0x40 != 0
	case askPaper:
		s.paper = s.paper || b&0x60 != 0
	}
}

func (s *status) printed(b byte) { s.paper = b&0x0c != 0 }

// problem returns why the printer does not print, or nil. Some printers always report that they are
// offline, but print, so offline alone is no problem.
func (s *status) problem() error {
	switch {
	case s.cover:
		return ErrCoverOpen
	case s.paper:
		return ErrNoPaper
	case s.fault:
		return ErrStuck
	}
	return nil
}
