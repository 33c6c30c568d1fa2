package webhook_test

import (
	"context"
	"net"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments/webhook"
)

// TestRequestsOneAtATime: a server runs on one processor while its requests come
// one at a time, and on all from the first two on that overlap.
func TestRequestsOneAtATime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const all = 4
		now, used := all, []int(nil)
		use := func(processors int) (before int) {
			before, now = now, processors
			used = append(used, processors)
			return before
		}
		hold := make(chan struct{})
		handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/hold" {
				<-hold
			}
			w.WriteHeader(http.StatusNoContent)
		})
		bound := &pipes{conns: make(chan net.Conn), closed: make(chan struct{})}
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		done := make(chan error, 1)
		server := webhook.NewServer(bound, handler, webhook.WithProcessors(use))
		go func() { done <- server.Serve(ctx) }()
		connect := func() net.Conn {
			ours, theirs := net.Pipe()
			bound.conns <- theirs
			return ours
		}
		one, other := connect(), connect()
		get := func(conn net.Conn, path string) {
			ask(t, conn, "GET "+path+" HTTP/1.1\r\nHost: x\r\n\r\n")
			synctest.Wait()
		}
		wants := func(what string, want ...int) {
			t.Helper()
			if !slices.Equal(used, want) {
				t.Errorf("%s: processors were set to %v, want %v", what, used, want)
			}
		}

		get(one, "/")
		get(one, "/")
		wants("at once")
		time.Sleep(time.Second)
		get(one, "/")
		wants("after a while", 1)
		get(other, "/")
		get(one, "/")
		wants("of two connections, one after the other", 1)

		answered := make(chan struct{})
		overlap := func() {
			go func() { get(one, "/hold"); answered <- struct{}{} }()
			synctest.Wait()
			get(other, "/")
			hold <- struct{}{}
			<-answered
			synctest.Wait()
		}
		overlap()
		wants("two at a time", 1, all)
		get(one, "/")
		wants("one right after them", 1, all)
		overlap()
		wants("two again", 1, all)

		time.Sleep(time.Second)
		if err := other.Close(); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		get(one, "/")
		wants("when the other has gone", 1, all, 1)
		_ = one.Close()
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
		wants("at the end", 1, all, 1, all)
	})
}
