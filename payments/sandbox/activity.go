package sandbox

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/sandbox/delivery"
)

// maxActivities bounds the activities that are kept for the dashboard.
const maxActivities = 200

// LogFailure is the log's key of an error.
const LogFailure = "failure"

// The other keys of the log.
const (
	logOrder  = "order_reference"
	logEvent  = "event"
	logTry    = "try"
	logStatus = "status"
	logThen   = "then"
)

// ActivityKind is what an activity is about.
type ActivityKind string

// The kinds of activities.
const (
	ActivityCall     ActivityKind = "order_call" // And how it was answered; status 0 is no answer.
	ActivityAct      ActivityKind = "act"        // Of a customer or the clock.
	ActivityDelivery ActivityKind = "delivery"   // One try, and how the merchant answered.
)

// Activity is one line of the sandbox's log for programs.
type Activity struct {
	At             time.Time          `json:"at"`
	Kind           ActivityKind       `json:"kind"`
	OrderReference string             `json:"order_reference,omitzero"`
	Reference      string             `json:"reference,omitzero"`
	Event          payments.EventKind `json:"event,omitzero"`
	Delivery       int64              `json:"delivery,omitzero"`
	Stage          delivery.Stage     `json:"stage,omitzero"`
	Status         int                `json:"status,omitzero"`
	Message        string             `json:"message,omitzero"` // Of a refusal, or why no reply came.
	Unknown        []string           `json:"unknown_fields,omitempty"`
}

// journal keeps the newest activities, and wakes those who wait for a change.
type journal struct {
	mu      sync.Mutex
	newest  []Activity // The newest last.
	changed chan struct{}
}

func (j *journal) clear() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.newest = nil
}

// Activities returns the newest activities, the newest first.
func (s *Sandbox) Activities() []Activity {
	s.journal.mu.Lock()
	defer s.journal.mu.Unlock()
	newest := slices.Clone(s.journal.newest)
	slices.Reverse(newest)
	return newest
}

// Changed returns a channel that is closed by the next change of an order, a
// delivery or a fault.
func (s *Sandbox) Changed() <-chan struct{} {
	s.journal.mu.Lock()
	defer s.journal.mu.Unlock()
	return s.journal.changed
}

// Await waits until something holds, and asks again after every change. It
// returns false when ctx or the sandbox ends before.
func (s *Sandbox) Await(ctx context.Context, holds func() bool) bool {
	for {
		changed := s.Changed()
		if holds() {
			return true
		}
		select {
		case <-changed:
		case <-s.over:
			return false
		case <-ctx.Done():
			return false
		}
	}
}

// notify wakes who waits for a change, and marks the snapshot as outdated.
func (s *Sandbox) notify() {
	s.version.Add(1)
	s.journal.mu.Lock()
	defer s.journal.mu.Unlock()
	close(s.journal.changed)
	s.journal.changed = make(chan struct{})
}

// record notes an activity.
func (s *Sandbox) record(activity Activity) {
	s.journal.mu.Lock()
	defer s.journal.mu.Unlock()
	activity.At = s.config.Now().UTC()
	if len(s.journal.newest) == maxActivities {
		s.journal.newest = slices.Delete(s.journal.newest, 0, 1)
	}
	s.journal.newest = append(s.journal.newest, activity)
	if s.config.Observe != nil {
		s.config.Observe(activity)
	}
}

// tried notes a try of a delivery, and logs it.
func (s *Sandbox) tried(sent delivery.Delivery) {
	last, then := sent.Last(), "giving up"
	if sent.NextTryAt != nil {
		then = "next try in " + sent.NextTryAt.Sub(s.config.Now()).Round(100*time.Millisecond).String()
	}
	logger := s.config.Logger.With(
		slog.String(logOrder, sent.Order), slog.String(logEvent, string(sent.Event)),
		slog.Int(logTry, sent.Round), slog.Int(logStatus, last.Status))
	if last.Accepted() {
		logger.Info("event delivered")
	} else {
		logger.Warn("event not delivered", slog.String(logThen, then), slog.String(LogFailure, last.Failure))
	}
	s.record(Activity{
		Kind: ActivityDelivery, OrderReference: sent.Order, Event: sent.Event, Delivery: sent.ID, Stage: sent.Stage,
		Status: last.Status, Message: last.Failure,
	})
	s.notify()
}
