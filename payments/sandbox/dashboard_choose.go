package sandbox

import (
	"slices"
	"strings"
)

// chosenOrders are copies of the newest orders that were chosen by a text.
type chosenOrders struct {
	text          string
	newest        []order
	names         map[string]bool // Of all that were chosen; nil for every order.
	count, inBook int
}

// wants tells whether a delivery is one of a chosen order's.
func (c chosenOrders) wants(asked *delivery) bool {
	return c.names == nil || c.names[asked.order] || strings.Contains(asked.order, c.text)
}

// chooseOrders finds the orders whose reference, the merchant's or the
// service's, holds a text, whatever its case.
func (s *Sandbox) chooseOrders(text string) chosenOrders {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.book.all
	chosen := chosenOrders{text: text, inBook: len(all)}
	if named, found := s.book.byName[text]; found {
		chosen.newest, chosen.names, chosen.count = append(chosen.newest, named.copied()), map[string]bool{text: true}, 1
		return chosen
	}
	if text != "" {
		chosen.names = make(map[string]bool)
	}
	wanted := strings.ToLower(text)
	for _, order := range slices.Backward(all) {
		if text != "" {
			if !strings.Contains(strings.ToLower(order.reference+"\n"+order.request.Reference), wanted) {
				continue
			}
			chosen.names[order.reference] = true
		}
		if chosen.count++; len(chosen.newest) < maxShown {
			chosen.newest = append(chosen.newest, order.copied())
		} else if text == "" {
			chosen.count = len(all)
			break
		}
	}
	return chosen
}

// copied returns a copy of what the dashboard shows of an order. The lock must
// be held.
func (o *order) copied() order {
	one := *o
	if o.customer.prompt != nil {
		prompt := *o.customer.prompt
		one.customer.prompt = &prompt
	}
	return one
}

// choose returns copies of the deliveries that are wanted, the newest first. Of
// those that are shown the tries are copied too.
func (s *sender) choose(wants func(*delivery) bool) []delivery {
	s.mu.Lock()
	defer s.mu.Unlock()
	var chosen []delivery
	for _, kept := range slices.Backward(s.kept) {
		if wants(kept) {
			one := *kept
			if one.attempts = nil; len(chosen) < maxShown {
				one.attempts = slices.Clone(kept.attempts)
			}
			chosen = append(chosen, one)
		}
	}
	return chosen
}
