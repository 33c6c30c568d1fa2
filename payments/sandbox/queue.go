package sandbox

import (
	"bytes"
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
)

const (
	// maxInFlight bounds the concurrent tries.
	maxInFlight = 32
	// maxHistory bounds the deliveries that are kept once they are done.
	maxHistory = 500
)

// emit queues the event of a kind with the faults of the moment. Deliveries of one
// order never overlap, and go out in the order in which they were queued. The lock
// must be held.
func (s *Sandbox) emit(order *Order, kind payments.EventKind) {
	faults, kinds, stage := s.eventFaults(order), []payments.EventKind{kind}, Waiting
	if faults.Then != "" && order.State != Open {
		kinds = append(kinds, faults.Then)
	}
	if faults.Reorder {
		slices.Reverse(kinds)
	}
	if faults.Drop {
		stage = Dropped
	} else if faults.Reorder && order.State == Open {
		stage = Held
	}
	for _, kind := range kinds {
		for range 1 + faults.Copies {
			s.lastID++
			added := order.delivery(faults, kind)
			added.ID, added.CreatedAt, added.Stage = s.lastID, s.config.Now().UTC(), stage
			s.deliveries = append(s.deliveries, &added)
			if stage == Waiting {
				s.plan(&added, faults.Delay)
			}
		}
	}
	surplus := len(s.deliveries) - maxHistory
	s.deliveries = slices.DeleteFunc(s.deliveries, func(d *Delivery) bool {
		forget := surplus > 0 && d.Done()
		if forget {
			surplus--
		}
		return forget
	})
	for _, held := range slices.Backward(s.deliveries) {
		if stage == Waiting && held.Order == order.OrderReference && held.Stage == Held {
			s.plan(held, faults.Delay)
		}
	}
}

// plan has a delivery wait for its next try, behind those of its order that are
// due before it. The lock must be held.
func (s *Sandbox) plan(planned *Delivery, delay time.Duration) {
	at := s.config.Now().Add(delay).UTC()
	planned.Stage, planned.NextTryAt = Waiting, &at
	s.queue = append(slices.DeleteFunc(s.queue, func(d *Delivery) bool { return d == planned }), planned)
}

// dequeue returns the deliveries that are due, of each order one, and how long it
// is to the next. The lock must be held.
func (s *Sandbox) dequeue(now time.Time) (due []*Delivery, pause time.Duration) {
	pause = maxPause
	s.queue = slices.DeleteFunc(s.queue, func(next *Delivery) bool {
		if wait := next.NextTryAt.Sub(now); wait > 0 {
			pause = min(pause, wait)
			return false
		}
		if s.busy[next.Order] || len(s.busy) == maxInFlight { // The end of a try looks again.
			return false
		}
		s.busy[next.Order] = true
		next.Stage, next.NextTryAt = Sending, nil
		due = append(due, next)
		return true
	})
	return due, pause
}

// try sends a delivery once, and plans the next try.
func (s *Sandbox) try(ctx context.Context, next *Delivery) {
	s.mu.Lock()
	order, body := next.Order, []byte(next.Body)
	faults := s.eventFaults(s.find(named(order)))
	s.mu.Unlock()
	body = append(body, bytes.Repeat([]byte(" "), faults.Padding)...)
	sent := webhookRequest{body, http.Header{}, faults.Slow}
	signed := s.sign(faults.Signature, body, sent.signatures)
	tried := s.config.send(ctx, sent)
	tried.Signature = signed
	_ = s.change(func() error { // The error is in the log.
		delete(s.busy, order)
		switch {
		case !slices.Contains(s.deliveries, next): // It was forgotten meanwhile.
		case ctx.Err() != nil && tried.Status == 0:
			s.plan(next, 0) // Cut off by the end of Run: sent again after a restart.
		default:
			s.tried(next, tried)
		}
		return nil
	})
}

// sign signs a body as a fault has it, and says how.
func (s *Sandbox) sign(fault SignatureFault, body []byte, header http.Header) string {
	name, scheme, secret := s.config.SignatureHeader, s.config.Scheme, s.config.WebhookSecret
	switch fault {
	case SignatureMissing:
		return string(fault)
	case SignatureDoubled:
		header.Add(name, gateway.Sign(scheme, secret, body))
	case SignatureStatic:
		scheme = gateway.Static
	case SignatureBody:
		scheme = gateway.Body
	case SignatureWrong:
		secret = payments.NewSecret("not the merchant's webhook secret")
	}
	header.Add(name, gateway.Sign(scheme, secret, body))
	return cmp.Or(string(fault), string(scheme))
}

// tried notes a try of a delivery, plans the next one, and logs it. The lock must
// be held.
func (s *Sandbox) tried(sent *Delivery, last Try) {
	sent.Tries = append(slices.Clone(sent.Tries), last) // Copies share the old one.
	pause, again := s.config.Retry.backoff(len(sent.Tries), last)
	switch {
	case last.Accepted():
		sent.Stage = Delivered
	case again:
		s.plan(sent, pause)
	default:
		sent.Stage = Abandoned
	}
	activity := Activity{
		Kind: ActivityDelivery, OrderReference: sent.Order, Event: sent.Event, Delivery: sent.ID, Stage: sent.Stage,
		Status: last.Status, Message: last.Failure, Hint: s.config.hint(last),
	}
	logger := s.config.Logger.With(slog.String(logOrder, sent.Order), slog.String(logEvent, string(sent.Event)),
		slog.Int(logTry, len(sent.Tries)), slog.Int(logStatus, last.Status))
	if activity.Hint == "" {
		logger.Info("event delivered")
	} else {
		activity.Reply = payments.Clean(last.Reply, payments.MaxShownWidth)
		logger.Warn("event not delivered", slog.String(logStage, string(sent.Stage)), slog.String(logFailure, last.Failure),
			slog.String(logReply, activity.Reply), slog.String(logHint, activity.Hint))
	}
	s.record(activity)
}

// Deliveries returns the deliveries that are kept, the newest first.
func (s *Sandbox) Deliveries() []Delivery {
	s.mu.Lock()
	defer s.mu.Unlock()
	return newestFirst(s.deliveries)
}

// Resend sends a delivery now, whatever came of it, unless it is held or being
// sent. It returns it. Its errors are [ErrNoSuchDelivery] and [ErrSnapshot].
func (s *Sandbox) Resend(id int64) (sent Delivery, err error) {
	err = s.change(func() error {
		at := slices.IndexFunc(s.deliveries, func(d *Delivery) bool { return d.ID == id })
		if at < 0 {
			return ErrNoSuchDelivery
		}
		if stage := s.deliveries[at].Stage; stage != Sending && stage != Held {
			s.plan(s.deliveries[at], 0)
		}
		sent = *s.deliveries[at]
		return nil
	})
	return sent, err
}

// newestFirst returns copies of values that stand with the oldest first.
func newestFirst[T any](values []*T) []T {
	list := make([]T, 0, len(values))
	for _, value := range slices.Backward(values) {
		list = append(list, *value)
	}
	return list
}
