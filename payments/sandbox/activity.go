package sandbox

import (
	"context"
	"log/slog"
	"slices"
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

// Activities returns the newest activities, the newest first.
func (s *Sandbox) Activities() []Activity {
	s.mu.Lock()
	defer s.mu.Unlock()
	newest := slices.Clone(s.activities)
	slices.Reverse(newest)
	return newest
}

// Await waits until something holds, and asks again after every change of an
// order, a delivery or a fault. It returns false when ctx or the sandbox ends
// before.
func (s *Sandbox) Await(ctx context.Context, holds func() bool) bool {
	for {
		s.mu.Lock()
		changed := s.changed
		s.mu.Unlock()
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

// touch wakes who waits for a change, sets the timer, and marks the snapshot as
// outdated. The lock must be held.
func (s *Sandbox) touch() {
	s.version++
	close(s.changed)
	s.changed = make(chan struct{})
	s.schedule()
}

// record notes an activity. The lock must be held.
func (s *Sandbox) record(activity Activity) {
	activity.At = s.config.Now().UTC()
	s.activities = append(s.activities[max(0, len(s.activities)-maxActivities+1):], activity)
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
	s.mu.Lock()
	defer s.mu.Unlock()
	s.record(Activity{
		Kind: ActivityDelivery, OrderReference: sent.Order, Event: sent.Event, Delivery: sent.ID, Stage: sent.Stage,
		Status: last.Status, Message: last.Failure,
	})
	s.touch()
}
