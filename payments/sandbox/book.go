package sandbox

import "slices"

// maxOrders is how many orders are kept. When it is reached, a tenth of them
// makes room: the oldest whose links are over.
const maxOrders = 10_000

// book keeps the orders, by each of their names.
type book struct {
	byLink      map[string]*order
	byName      map[string]*order // The service's reference.
	byReference map[string]*order // The merchant's reference.
	all         []*order          // Oldest first.
	forgotten   func(*order)      // Is told of each that made room.
}

func newBook(forgotten func(*order)) *book {
	return &book{
		forgotten: forgotten,
		byLink:    make(map[string]*order), byName: make(map[string]*order),
		byReference: make(map[string]*order),
	}
}

// check says whether an order of this merchant's reference can be taken:
// [errTaken], or [ErrBusy] when there is no room.
func (b *book) check(reference string) error {
	if _, taken := b.byReference[reference]; taken {
		return errTaken
	}
	if len(b.all) >= maxOrders {
		b.makeRoom()
	}
	if len(b.all) >= maxOrders {
		return ErrBusy
	}
	return nil
}

// add keeps an order that was checked, under names that no other order has.
func (b *book) add(order *order) {
	for b.byName[order.reference] != nil {
		order.reference = newReference()
	}
	b.byLink[order.link] = order
	b.byName[order.reference] = order
	b.byReference[order.request.Reference] = order
	b.all = append(b.all, order)
}

func (b *book) makeRoom() {
	surplus := maxOrders / 10
	b.all = slices.DeleteFunc(b.all, func(order *order) bool {
		if surplus == 0 || order.state == open {
			return false
		}
		surplus--
		delete(b.byLink, order.link)
		delete(b.byName, order.reference)
		delete(b.byReference, order.request.Reference)
		b.forgotten(order)
		return true
	})
}
