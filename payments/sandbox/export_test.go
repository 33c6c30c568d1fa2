package sandbox

import "net"

// WithResolver has the names of targets looked up by a resolver of the test.
func WithResolver(resolver *net.Resolver) Option {
	return func(s *Sandbox) { s.outlet.targets.resolver = resolver }
}

// Load is how much a sandbox holds.
type Load struct{ Orders, Shown, Pending, Lines, Ready, Agenda int }

// Load returns how much the sandbox holds now.
func (s *Sandbox) Load() Load {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sender.mu.Lock()
	defer s.sender.mu.Unlock()
	s.agenda.mu.Lock()
	defer s.agenda.mu.Unlock()
	return Load{
		Orders: len(s.book.all), Shown: len(s.sender.kept), Pending: s.sender.pending,
		Lines: len(s.sender.lines), Ready: len(s.sender.ready), Agenda: len(s.agenda.entries),
	}
}
