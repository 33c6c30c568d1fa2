package sqlstore

// What the tests look at from outside.
const (
	MaxBatch = maxBatch
	MaxTally = maxTally
)

func (s *Store) Sequence() int64 {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	return s.hub.sequence
}

var (
	SelectOrders = selectOrders
	SearchText   = searchText
	Pattern      = searchPattern
)

// Statements are those whose speed must not depend on how much is stored.
func Statements() map[string]string {
	return map[string]string{
		"order by reference":       orderByReference,
		"order by order reference": orderByOrderReference,
		"orders of a sale":         ordersOfSale,
		"events of an order":       eventsOfOrder,
		"unmatched events":         unmatchedEvents,
		"backlog":                  backlogEvents,
		"event by identity":        eventByID,
		"last sequence":            lastSequence,
		"items of many orders":     itemsOfMany(),
		"order of an event":        orderOfEvent,
		"takings":                  selectTakings,
		"orders under way":         movingOrders,
		"orders by key":            ordersFrom,
		"unmatched events, count":  countUnmatched,
	}
}
