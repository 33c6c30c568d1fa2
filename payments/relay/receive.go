package relay

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
)

const (
	// A sample is a refused request that the relay sends to the till, so that the till can find the
	// cause.
	samplePause = 10 * time.Second // Shortest time between two samples.
	sampleSpeed = 100              // Maximum bytes a second of a box's samples, to leave a slow line to the events.
	maxSample   = 4 << 10          // Largest body of a sample, in bytes.
	maxHeaders  = 4 << 10          // Maximum size of the stored signature header, and of all other stored headers together, in bytes of JSON.
)

func (s *Server) receive(w http.ResponseWriter, r *http.Request) {
	address := s.sender(r)
	box, ok := s.box(w, r, r.PathValue("box"), address)
	if !ok {
		return
	}
	stamped := box.stamped(r.Header)
	if stamped && len(box.Stamps) > 0 {
		s.config.Trust(r.Context())
	}
	switch {
	case !s.limits.box(box.ID, address, stamped):
		s.refuse(w, box, http.StatusTooManyRequests, "Too Many Requests")
		return
	case box.Key == nil:
		s.refuse(w, box, http.StatusServiceUnavailable, "No till is paired")
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	header := kept(r.Header, box.Header)
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		s.refuse(w, box, http.StatusRequestEntityTooLarge, "Request Entity Too Large")
		return
	case err != nil, len(body) == 0, len(header) == 0:
		s.refuse(w, box, http.StatusBadRequest, "Bad Request")
		return
	}
	request := Request{Header: header, Body: body, Address: address}
	if !stamped {
		s.sample(box, request)
		s.refuse(w, box, http.StatusUnauthorized, "Invalid signature")
		return
	}
	event, err := gateway.DecodeEvent(body)
	if err != nil { // The till could not read the request, so do not store it.
		s.sample(box, request)
		text := "Bad Request"
		if errors.Is(err, gateway.ErrNoOrderReference) {
			text = "Missing order_reference"
		}
		s.refuse(w, box, http.StatusBadRequest, text)
		return
	}
	if err := s.keep(r.Context(), box, request); err != nil {
		noRoom := errors.Is(err, ErrFull) || errors.Is(err, ErrSenderFull)
		if !noRoom || s.limits.allow("log full "+box.ID, perMinute, 1) {
			s.config.Logger.Error("an event could not be stored", keyBox, box.Name, keyFailure, err)
		}
		s.refuse(w, box, http.StatusServiceUnavailable, "Service Unavailable")
		return
	}
	s.tally(resultStored)
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"received":true,"status":"`+statusOf(event)+`"}`)
}

func (s *Server) keep(ctx context.Context, box Box, request Request) error {
	sealed, err := seal(box.Key, request)
	if err == nil {
		// Store the request even if the sender hangs up.
		err = s.config.Store.Keep(context.WithoutCancel(ctx), box, senderIP(request.Address), sealed)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.state(box.ID)
	// While the box counts as full, the till makes no orders. If only one sender's part is full,
	// the box counts as full only with the scheme static: with the scheme body, anyone can fill a
	// part.
	switch {
	case err == nil:
		known.full = time.Time{}
	case errors.Is(err, ErrFull), errors.Is(err, ErrSenderFull) && len(box.Stamps) > 0:
		known.full = time.Now()
	}
	known.wake()
	return err
}

// refuse answers a request that is not stored in the box, and counts it for the operator.
func (s *Server) refuse(w http.ResponseWriter, box Box, status int, text string) {
	s.mu.Lock()
	known := s.state(box.ID)
	known.refused++
	known.refusedAt = time.Now()
	known.refusedAs = status
	s.mu.Unlock()
	s.answer(w, status, text)
}

// stray answers a request with an unknown path or method. If the path only begins with the webhook
// address of a box, the shop may have given the payment service a wrong address, such as one with a
// slash at its end. Then the relay logs a warning, at most once a minute, and keeps a POST as a
// sample for the till.
func (s *Server) stray(w http.ResponseWriter, r *http.Request) {
	address := s.sender(r)
	id, found := strings.CutPrefix(path.Clean(r.URL.Path), "/w/")
	id, _, _ = strings.Cut(id, "/")
	if !found {
		s.answer(w, http.StatusNotFound, "Not found")
		return
	}
	astray := strings.Replace(r.URL.Path, id, "…", 1) // The ID is secret.
	box, ok := s.box(w, r, id, address)
	switch {
	case !ok:
		return
	case !s.limits.box(box.ID+" stray", address, false):
		s.refuse(w, box, http.StatusTooManyRequests, "Too Many Requests")
		return
	case s.limits.allow("log stray "+box.ID, perMinute, 1):
		s.config.Logger.Warn("a request came to a wrong address of a box, such as one with a slash at its end", keyBox, box.Name)
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxSample))
	if err == nil && r.Method == http.MethodPost && box.Key != nil && len(astray) < 100 {
		s.sample(box, Request{Header: kept(r.Header, box.Header), Body: body, Address: address, Astray: astray})
	}
	s.refuse(w, box, http.StatusNotFound, "Not found")
}

// statusOf returns the status that the specification gives to this kind of event. For an unknown
// kind it returns "received".
func statusOf(event payments.Event) string {
	if status, known := event.Kind.Status(); known {
		return string(status)
	}
	return "received"
}

// stamped reports whether a request may be stored: the hash of its signature header is one of the
// box's Stamps, or there are no Stamps.
func (b Box) stamped(header http.Header) bool {
	sum := hash(strings.Join(header.Values(b.Header), "\n"))
	return len(b.Stamps) == 0 || slices.ContainsFunc(b.Stamps, func(stamp []byte) bool { return bytes.Equal(stamp, sum) })
}

// Stamp returns the hash of a signature header's value, for the list Stamps of [Terms].
func Stamp(header string) []byte { return hash(header) }

// sample keeps a refused request as a sample for the till, unless the last sample is too recent or
// the body is larger than maxSample.
func (s *Server) sample(box Box, request Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known, now := s.state(box.ID), time.Now()
	if now.Before(known.sampled) || len(request.Body) > maxSample {
		return
	}
	known.sample, _ = seal(box.Key, request) // If the key is unusable, seal returns nil: then there is no sample.
	known.sampled = now.Add(max(samplePause, time.Duration(len(known.sample))*time.Second/sampleSpeed))
	known.wake()
}

// box returns the box with an ID. If the box does not exist or cannot be read, the method answers the
// request and returns false.
func (s *Server) box(w http.ResponseWriter, r *http.Request, id, address string) (Box, bool) {
	box, err := s.config.Store.Box(r.Context(), id)
	switch {
	case err == nil:
		return box, true
	case !errors.Is(err, ErrNoBox):
		s.fail(w, "read a box", err)
	case !s.limits.allow("unknown "+senderIP(address), 1, 30):
		s.answer(w, http.StatusTooManyRequests, "Too Many Requests")
	default:
		s.answer(w, http.StatusNotFound, "Not found")
	}
	return Box{}, false
}

// find answers 200 if the box exists. If a till holds the box, the header Till-Listener of the
// answer is the ID of that till's webhook listener.
func (s *Server) find(w http.ResponseWriter, r *http.Request) {
	box, ok := s.box(w, r, r.PathValue("box"), s.sender(r))
	if !ok {
		return
	}
	s.mu.Lock()
	known := s.state(box.ID)
	if known.held() {
		w.Header().Set(gateway.ListenerHeader, known.holder.listener)
	}
	s.mu.Unlock()
	_, _ = io.WriteString(w, "The relay takes webhooks here by POST.\n")
}
