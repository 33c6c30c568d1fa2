package sandbox

// orderChanged is told of every order that was made or changed: of what stands
// in its record, nothing changes without it. The lock must be held.
func (s *Sandbox) orderChanged(*order) { s.watchers.wake() }

// deliveryChanged is told of every delivery that was made or changed. The
// sender's lock must be held.
func (s *Sandbox) deliveryChanged(*delivery) { s.watchers.wake() }
