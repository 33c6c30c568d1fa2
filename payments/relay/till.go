package relay

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	beat      = 5 * time.Second  // Pause between the line breaks that are sent to a waiting till.
	pollLimit = 25 * time.Second // Longest time that a fetch waits for a letter.
	// fullFor is how long a box counts as full after a request that found no room. The time is
	// limited: a till makes no orders while its box counts as full, so perhaps no later request
	// ends that state.
	fullFor = time.Minute
)

// pairing is the JSON body of a pairing request. The code is in plain text.
type pairing struct {
	Code      string `json:"code"`
	TokenHash []byte `json:"token_hash"`
	Key       []byte `json:"key"`
	Terms
}

func (s *Server) pair(w http.ResponseWriter, r *http.Request) {
	var asked pairing
	switch {
	case !s.limits.allow("pairing "+senderIP(s.sender(r)), 0.1, 10): // 6 tries a minute, too few to guess a code.
		s.answer(w, http.StatusTooManyRequests, "Too Many Requests")
		return
	case decode(w, r, &asked) != nil, len(asked.TokenHash) != 32, len(asked.Key) != 32, asked.Header == "":
		s.answer(w, http.StatusBadRequest, "Bad Request")
		return
	}
	box, err := s.config.Store.Pair(r.Context(), hash(unspaced(asked.Code)), Box{TokenHash: asked.TokenHash, Key: asked.Key, Terms: asked.Terms})
	switch {
	case errors.Is(err, ErrCode):
		s.answer(w, http.StatusForbidden, "Forbidden")
	case err != nil:
		s.fail(w, "pair a till", err)
	default:
		s.config.Logger.Info("a till was paired", keyBox, box.Name)
		s.mu.Lock()
		s.state(box.ID).pairings++
		s.state(box.ID).hold(fetcher{}) // Pairing has made the token of the earlier till invalid.
		s.mu.Unlock()
		writeJSON(w, map[string]string{"webhook": s.config.URL + "/w/" + box.ID})
	}
}

// withBox returns a handler that calls do with the box of the request's token. It refuses
// requests without a valid token.
func (s *Server) withBox(do func(http.ResponseWriter, *http.Request, Box)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		box, err := s.config.Store.BoxOf(r.Context(), hash(token))
		switch {
		case err == nil:
			s.config.Trust(r.Context())
			do(w, r, box)
		case errors.Is(err, ErrNoBox):
			s.answer(w, http.StatusUnauthorized, "Unauthorized")
		default:
			s.fail(w, "read a box", err)
		}
	}
}

func (s *Server) setTerms(w http.ResponseWriter, r *http.Request, box Box) {
	var terms Terms
	err := decode(w, r, &terms)
	if err != nil || terms.Header == "" {
		s.answer(w, http.StatusBadRequest, "Bad Request")
		return
	}
	// Do not write the same terms again: on a full disk, the error would keep the till from its
	// letters.
	if terms.Header != box.Header || !slices.EqualFunc(terms.Stamps, box.Stamps, bytes.Equal) {
		err = s.config.Store.SetTerms(r.Context(), box.ID, terms)
	}
	s.finish(w, err)
}

func (s *Server) replay(w http.ResponseWriter, r *http.Request, box Box) {
	defer s.exclusive(box.ID)()
	err := s.config.Store.Replay(r.Context(), box)
	s.mu.Lock()
	s.state(box.ID).replayed = true
	s.state(box.ID).again = true
	s.state(box.ID).wake()
	s.mu.Unlock()
	s.finish(w, err)
}

// exclusive locks the letters of a box against changes by other requests, and waits for the lock.
// The caller must call end, which unlocks them.
func (s *Server) exclusive(box string) (end func()) {
	s.mu.Lock()
	changing := s.state(box).changing
	s.mu.Unlock()
	changing <- struct{}{}
	return func() { <-changing }
}

// replayed reports whether [Store.Replay] was called since the last answer to a fetch. If so, the
// next acknowledgement must be ignored: it is meant for letters that were sent before, but would
// also acknowledge those that must be sent again.
func (s *Server) replayed(box string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state(box).replayed
}

func (s *Server) finish(w http.ResponseWriter, err error) {
	if err != nil {
		s.fail(w, "change a box", err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// acknowledge acknowledges the letters up to the query parameter "after", unless [Server.replayed]
// returns true. If the store fails, acknowledge returns the number, so that the caller does not
// send the letters again.
func (s *Server) acknowledge(r *http.Request, box Box) (skip int64) {
	after, _ := strconv.ParseInt(r.URL.Query().Get("after"), 10, 64) // An invalid number gives 0, so that all letters are sent again.
	if after <= 0 {
		return 0
	}
	defer s.exclusive(box.ID)()
	if s.replayed(box.ID) {
		return 0
	}
	if err := s.config.Store.Acknowledge(r.Context(), box, after); err != nil {
		s.config.Logger.Error("the letters of a box could not be acknowledged", keyBox, box.Name, keyFailure, err)
		return after
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state(box.ID).full = time.Time{}
	return 0
}

// fetch acknowledges the letters up to the query parameter "after", and answers with the next
// letters. With the parameter "wait", it waits up to pollLimit for letters, and sends line breaks
// meanwhile, so that both sides notice a dead connection. It does not wait if the process did not
// hold the box before.
func (s *Server) fetch(w http.ResponseWriter, r *http.Request, box Box) {
	asked, waits := fetcherOf(r), r.URL.Query().Has("wait")
	if asked.name == "" || asked.process == "" {
		s.answer(w, http.StatusBadRequest, "Bad Request")
		return
	}
	holder, number, first := s.claim(r.Context(), box.ID, asked, waits)
	if number == 0 {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusConflict)
		writeJSON(w, map[string]string{"error": "held", "by": holder.name})
		return
	}
	sent := 0
	defer func() { s.ended(box.ID, number, sent) }()
	skip := s.acknowledge(r, box)
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("X-Accel-Buffering", "no") // Keeps nginx from buffering the line breaks.
	for end := time.Now().Add(pollLimit); ; {
		next, letters, news, err := s.next(r.Context(), box, skip)
		if err != nil {
			s.config.Logger.Error("the letters of a box could not be read", keyBox, box.Name, keyFailure, err)
			return // The till sees an incomplete answer and fetches again.
		}
		sample, current, ends := s.current(box.ID, number)
		next.Sample = sample
		switch left := time.Until(end); {
		case !current:
			return
		case !waits, first, ends, left <= 0, len(letters) > 0, sample != nil:
			answer, err := next.bytes(letters)
			if err == nil {
				sent = len(answer)
				err = send(w, answer)
			}
			if err != nil {
				s.config.Logger.Debug("an answer could not be sent", keyBox, box.Name, keyFailure, err)
			}
			return
		default:
			await(r.Context(), news, min(beat, left))
		}
		if r.Context().Err() != nil || send(w, []byte("\n")) != nil {
			return
		}
	}
}

// next returns the first line of the answer to a fetch, still without a sample, and the letters of
// the answer. news is closed when the box changes.
func (s *Server) next(ctx context.Context, box Box, skip int64) (next batch, letters []Letter, news <-chan struct{}, err error) {
	s.mu.Lock()
	known := s.state(box.ID)
	news = known.news
	next = batch{Full: time.Since(known.full) < fullFor, Replayed: known.again}
	known.replayed = false
	s.mu.Unlock()
	found, err := s.config.Store.Letters(ctx, box, skip)
	next.More = found.More
	next.OtherKey = found.OtherKey
	if err == nil && len(found.Letters) == 0 {
		s.mu.Lock()
		known.again = known.replayed // True if a replay came during the read, because its letters are not in this answer.
		s.mu.Unlock()
	}
	return next, found.Letters, news, err
}
