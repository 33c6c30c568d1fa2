package counter

type queue struct {
	effects []Effect
	facts   []Fact
}

// Drain returns and removes the queued effects and facts.
func (q *queue) Drain() ([]Effect, []Fact) {
	effects, facts := q.effects, q.facts
	q.effects = nil
	q.facts = nil
	return effects, facts
}

func (q *queue) do(effect Effect) { q.effects = append(q.effects, effect) }

func (q *queue) tell(facts ...Fact) { q.facts = append(q.facts, facts...) }
