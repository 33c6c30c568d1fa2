package mailbox_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments/relay"
	"checkout/till/storage/mailbox"
	"checkout/till/storage/storagetest/disk"
)

func TestTheProtocol(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		static := r.add("static", newKey(t), relay.Stamp(signature))
		body := r.add("body", newKey(t))
		code, hash := relay.NewCode()
		id, err := r.mail.Add(t.Context(), "unpaired", hash)
		must(t, err)
		unpaired := static[:strings.LastIndex(static, "/")+1] + id
		for _, test := range []struct {
			name, webhook, text, header, value string
			status                             int
			answer                             string
		}{
			{"a success", static, success, header, signature, 200, `{"received":true,"status":"success"}`},
			{"an expiry", static, strings.Replace(success, "success", "expired", 1), header, signature, 200, `{"received":true,"status":"expired"}`},
			{"another event", static, strings.Replace(success, "payment.success", "x", 1), header, signature, 200, `{"received":true,"status":"received"}`},
			{"no JSON", static, `{`, header, signature, 400, "Bad Request\n"},
			{"no event", static, `{"a":1}`, header, signature, 400, "Missing order_reference\n"},
			{"an event twice", static, strings.Replace(success, "{", `{"event":"x",`, 1), header, signature, 400, "Bad Request\n"},
			{"no body", static, "", header, signature, 400, "Bad Request\n"},
			{"no header", static, success, "Content-Type", "application/json", 400, "Bad Request\n"},
			{"a wrong signature", static, success, header, "wrong", 401, "Invalid signature\n"},
			{"another header", static, success, "X-Other", signature, 401, "Invalid signature\n"},
			{"any signature with the scheme body", body, success, header, "wrong", 200, `{"received":true,"status":"success"}`},
			{"no such box", static + "A", success, header, signature, 404, "Not found\n"},
			{"the largest body", static, eventOfSize(relay.MaxBody), header, signature, 200, `{"received":true,"status":"success"}`},
			{"a larger body", static, eventOfSize(relay.MaxBody + 1), header, signature, 413, "Request Entity Too Large\n"},
			{"a box without a till", unpaired, success, header, signature, 503, "No till is paired\n"},
		} {
			before, trusted := r.waiting(), r.trusted.Load()
			got := r.send(http.MethodPost, test.webhook, test.text, phone, test.header, test.value)
			if want := test.webhook == static && test.header == header && test.value == signature; (r.trusted.Load() > trusted) != want {
				t.Errorf("%s: trusted is %v, want %v", test.name, !want, want)
			}
			if got.status != test.status || got.body != test.answer {
				t.Errorf("%s: %d %q", test.name, got.status, got.body)
			}
			if stored := r.waiting() - before; (stored == 1) != (test.status == 200) {
				t.Errorf("%s: %d stored", test.name, stored)
			}
			if (got.header.Get("Retry-After") != "") != (test.status == 503) {
				t.Errorf("%s: Retry-After %q", test.name, got.header.Get("Retry-After"))
			}
		}
		if got := r.send(http.MethodPost, static, success, phone, header, signature, header, signature); got.status != 401 {
			t.Errorf("two signatures, which a till refuses: %d", got.status)
		}
		if got := r.send(http.MethodGet, static, "", phone); got.status != 200 || got.header.Get("Till-Listener") != "" {
			t.Errorf("GET without a till: %+v", got)
		}
		base := strings.TrimSuffix(unpaired, "/w/"+id)
		trusted := r.trusted.Load()
		for _, path := range []string{"GET /v1/events", "PUT /v1/box", "POST /v1/replay"} {
			method, path, _ := strings.Cut(path, " ")
			if got := r.send(method, base+path, "{}", phone, "Authorization", "Bearer "+code); got.status != 401 {
				t.Errorf("%s with a wrong token: %d", path, got.status)
			}
		}
		for i := range 11 {
			got := r.send(http.MethodPost, base+"/v1/pair", `{"code":"A","token_hash":"`+strings.Repeat("A", 43)+`=","key":"`+
				strings.Repeat("A", 43)+`=","header":"X"}`, "203.0.113.8")
			if want := []int{403, 429}[i/10]; got.status != want {
				t.Errorf("pairing attempt %d: %d", i, got.status)
			}
		}
		if got := r.trusted.Load(); got != trusted {
			t.Errorf("%d requests without a valid token are trusted", got-trusted)
		}
		r.paired().run(t)
		time.Sleep(time.Second)
		if r.trusted.Load() == trusted {
			t.Error("a till's fetch is not trusted")
		}
	})
}

func TestAPairingCodeIsValidOnce(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		_, hash := relay.NewCode()
		_, err := r.mail.Add(t.Context(), "A", hash)
		must(t, err)
		for _, want := range []error{nil, relay.ErrCode} {
			if _, err := r.mail.Pair(t.Context(), hash, relay.Box{TokenHash: hash, Key: hash, Terms: terms()}); !errors.Is(err, want) {
				t.Errorf("error %v, want %v", err, want)
			}
		}
		_, late := relay.NewCode()
		_, err = r.mail.NewCode(t.Context(), "A", late)
		must(t, err)
		time.Sleep(relay.CodeValid)
		if _, err := r.mail.Pair(t.Context(), late, relay.Box{TokenHash: hash, Key: hash, Terms: terms()}); !errors.Is(err, relay.ErrCode) {
			t.Errorf("after its time: error %v, want %v", err, relay.ErrCode)
		}
	})
}

func TestSendersAreLimitedPerBox(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		flooded := r.add("A", newKey(t))
		other := r.add("B", newKey(t))
		statuses := map[int]int{}
		for range 50 {
			statuses[r.post(flooded, success)]++
		}
		if statuses[200] != 40 || statuses[429] != 10 {
			t.Errorf("50 at once from one sender: %v", statuses)
		}
		for i := range 40 {
			got := r.send(http.MethodPost, other+"X", success, phone, header, signature)
			if want := map[bool]int{true: 404, false: 429}[i < 30]; got.status != want {
				t.Errorf("unknown path %d: %d", i, got.status)
			}
		}
		r.expectPost("the other box during the flood", other, success, 200)
		// The proxy adds the real sender in a second header, after a forged header.
		if got := r.send(http.MethodPost, flooded, success, "198.51.100.1", header, signature, "X-Forwarded-For", phone); got.status != 429 {
			t.Errorf("a forged sender: %d", got.status)
		}
		time.Sleep(time.Second)
		r.expectPost("a second later", flooded, success, 200)
	})
}

func TestAFloodDoesNotKeepTrueEventsOut(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		static := r.add("static", newKey(t), relay.Stamp(signature))
		body := r.add("body", newKey(t))
		other := r.add("other", newKey(t))
		statuses := map[int]int{}
		for i := range 300 { // With the scheme static, the relay recognizes wrong signatures.
			statuses[r.send(http.MethodPost, static, success, fmt.Sprint("198.51.", i/100, ".", i), header, "wrong").status]++
		}
		if statuses[401] == 0 || statuses[429] == 0 || len(statuses) != 2 {
			t.Errorf("wrong signatures from 300 addresses: %v", statuses)
		}
		clear(statuses)
		for i := range 300 { // With the scheme body, all addresses of one network count as one sender.
			statuses[r.send(http.MethodPost, body, success, fmt.Sprintf("2001:db8::%x", i), header, "wrong").status]++
		}
		if statuses[200] != 40 || statuses[429] != 260 {
			t.Errorf("wrong signatures from one network: %v", statuses)
		}
		for name, webhook := range map[string]string{"static": static, "body": body, "other": other} {
			r.expectPost("a true event for "+name, webhook, success, 200)
		}
	})
}

func TestAFullBoxHasRoomAgainAfterAFetch(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		one := r.paired()
		webhook, box := one.webhook, r.box(one.webhook)
		large := make([]byte, relay.MaxBody)
		for range 128 { // These 8 MiB are half of the box.
			must(t, r.mail.Keep(t.Context(), box, phone, large))
		}
		r.expectPost("half of a box from one sender", webhook, success, 503)
		if got := r.send(http.MethodPost, webhook, success, "203.0.113.8", header, signature); got.status != 200 {
			t.Errorf("another sender: %d", got.status)
		}
		for range 127 {
			must(t, r.mail.Keep(t.Context(), box, "203.0.113.8", large[:relay.MaxBody-1]))
		}
		if err := r.mail.Keep(t.Context(), box, "203.0.113.9", large); !errors.Is(err, relay.ErrFull) {
			t.Errorf("a full box: %v", err)
		}
		r.expectPost("still half of a box", webhook, success, 503)
		one.run(t)
		time.Sleep(time.Second)
		if r.waiting() != 0 || one.State().Full {
			t.Errorf("%d waiting, %+v", r.waiting(), one.State())
		}
		r.expectPost("with room again", webhook, success, 200)
	})
}

// With the scheme body, the relay stores the requests of anyone who knows the webhook's address.
func TestASenderWhoFillsPartOfABoxIsNoFullBoxWithTheSchemeBody(t *testing.T) {
	for scheme, stamps := range map[string][][]byte{"static": {relay.Stamp(signature)}, "body": nil} {
		inBubble(t, func(t *testing.T, r *rig) {
			one := r.paired(stamps...)
			one.failWith(func(string) error { return errDisk }) // Nothing is acknowledged.
			r.expectPost("the first event", one.webhook, success, 200)
			box := r.box(one.webhook)
			fill := func(sender string) (err error) {
				for err == nil {
					err = r.mail.Keep(t.Context(), box, sender, make([]byte, relay.MaxBody))
				}
				return err
			}
			if err := fill(phone); !errors.Is(err, relay.ErrSenderFull) {
				t.Errorf("half of a box: %v", err)
			}
			r.expectPost("half of a box", one.webhook, eventOfSize(relay.MaxBody), 503)
			one.run(t)
			time.Sleep(time.Second)
			if got, want := one.State().Full, scheme == "static"; got != want {
				t.Errorf("half of a box, scheme %s: full is %v, want %v", scheme, got, want)
			}
			if err := fill("203.0.113.8"); !errors.Is(err, relay.ErrFull) && !errors.Is(err, relay.ErrSenderFull) {
				t.Errorf("the whole box: %v", err)
			}
			r.send(http.MethodPost, one.webhook, eventOfSize(relay.MaxBody), "203.0.113.9", header, signature)
			time.Sleep(30 * time.Second)
			if !one.State().Full {
				t.Errorf("the whole box, scheme %s: it is not full", scheme)
			}
		})
	}
}

// A copy of a till's files on another machine runs under the same name.
func TestACopyDoesNotTakeTheBox(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		first := r.paired()
		second := r.till(first.webhook, "T1", first.key)
		stop := first.run(t)
		time.Sleep(7 * time.Second)
		second.run(t)
		for range 100 {
			time.Sleep(time.Second)
			if first.State().HeldBy != "" {
				t.Fatalf("the copy has the box: %+v", first.State())
			}
		}
		r.post(first.webhook, "a")
		time.Sleep(time.Second)
		if first.bodies() != "a" || second.bodies() != "" || second.State().HeldBy != "T1" {
			t.Errorf("the first till has %q, the copy %q and %+v", first.bodies(), second.bodies(), second.State())
		}
		stop()
		time.Sleep(2 * time.Second)
		if second.State().HeldBy != "" || !second.State().Emptied {
			t.Errorf("after the end of the first till: %+v", second.State())
		}
	})
}

func TestATillLearnsThatTheRelayDoesNotKnowItsKey(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		key, other := newKey(t), newKey(t)
		webhook := r.add("A", key)
		till := r.till(webhook, "T1", other)
		till.run(t)
		time.Sleep(time.Second)
		if state := till.State(); !state.Unknown || state.Emptied {
			t.Errorf("before the pairing: %+v", state)
		}
		r.repair("A", other)
		time.Sleep(10 * time.Second)
		if state := till.State(); state.Unknown || !state.Emptied {
			t.Errorf("after the pairing: %+v", state)
		}
	})
}

func TestASecondTillGetsTheBoxAfterTheFirst(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		first := r.paired()
		webhook, key := first.webhook, first.key
		stop := first.run(t)
		time.Sleep(time.Second)
		if got := r.send(http.MethodGet, webhook, "", phone); got.header.Get("Till-Listener") != "listener of T1" {
			t.Errorf("the listener's ID: %q", got.header.Get("Till-Listener"))
		}
		second := r.till(webhook, "T2 on laptop", key)
		stopSecond := second.run(t)
		time.Sleep(time.Minute)
		if got := second.State(); got.HeldBy != "T1" || got.Emptied {
			t.Errorf("second till: %+v", got)
		}
		stop() // A till that ends cleanly releases the box.
		time.Sleep(2 * time.Second)
		if got := second.State(); got.HeldBy != "" || !got.Emptied {
			t.Errorf("2 s after the first: %+v", got)
		}
		// After a power cut of the second till, another till gets the box at the end of the lease.
		second.cutPower(stopSecond)
		third := r.till(webhook, "T3 on phone", key)
		third.run(t)
		time.Sleep(20 * time.Second)
		if got := third.State(); got.HeldBy != "T2 on laptop" {
			t.Errorf("20 s after the power cut: %+v", got)
		}
		time.Sleep(50 * time.Second)
		if got := third.State(); got.HeldBy != "" || !got.Emptied {
			t.Errorf("70 s after the power cut: %+v", got)
		}
		must(t, first.Take(t.Context()))
		time.Sleep(10 * time.Second)
		if got := third.State(); got.HeldBy != "T1" {
			t.Errorf("after a take: %+v", got)
		}
		// Another process of the till that took the box gets it immediately, and no other till does.
		again := r.till(webhook, "T1", key)
		again.run(t)
		time.Sleep(time.Second)
		if got := again.State(); got.HeldBy != "" || !got.Emptied {
			t.Errorf("the till that took the box: %+v", got)
		}
		// A newly paired till gets the box without waiting for the end of the earlier till's lease.
		other := newKey(t)
		r.repair("A", other)
		fourth := r.till(webhook, "T4", other)
		fourth.run(t)
		time.Sleep(time.Second)
		if got := fourth.State(); got.HeldBy != "" || !got.Emptied {
			t.Errorf("after a new pairing: %+v", got)
		}
		if err := first.Take(t.Context()); err == nil {
			t.Error("the former till took the box back")
		}
		time.Sleep(time.Minute)
		if got := fourth.State(); got.HeldBy != "" || !got.Emptied {
			t.Errorf("after the former till tried to take the box: %+v", got)
		}
	})
}

func TestTheListNamesTheTillThatTookTheBox(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		first := r.paired()
		first.run(t)
		listed := func(want string) {
			t.Helper()
			time.Sleep(time.Second)
			must(t, r.mail.Record(t.Context(), r.relay.Changes()))
			boxes, err := r.mail.List(t.Context())
			must(t, err)
			if got := boxes[0]; got.Till != want || !got.Connected || time.Since(got.Seen) > 2*time.Second {
				t.Errorf("at %v, got %+v, want %s", time.Now(), got, want)
			}
		}
		listed("T1")
		second := r.till(first.webhook, "T2 on laptop", first.key)
		second.run(t)
		time.Sleep(time.Minute)
		must(t, second.Take(t.Context())) // The box always belongs to a till.
		listed("T2 on laptop")
		must(t, r.mail.Disconnect(t.Context(), time.Time{})) // As after a kill.
		if boxes, err := r.mail.List(t.Context()); err != nil || boxes[0].Connected || time.Since(boxes[0].Seen) > 2*time.Second {
			t.Errorf("after a restart got %+v, %v", boxes, err)
		}
	})
}

func TestARestartedTillGetsItsBoxBack(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		old := r.paired()
		stop := old.run(t)
		time.Sleep(time.Second)
		old.cutPower(stop)
		one := r.till(old.webhook, "T1", old.key)
		one.run(t)
		time.Sleep(4 * time.Second)
		if state := one.State(); state.HeldBy != "" || !state.Emptied {
			t.Errorf("4 seconds after the start of the new process: %+v", state)
		}
		before := r.reads.Load()
		time.Sleep(20 * time.Second)
		if reads := r.reads.Load() - before; reads > 10 {
			t.Errorf("the relay looks for letters %d times in 20 seconds", reads)
		}
		r.post(one.webhook, "a")
		time.Sleep(time.Second)
		if one.bodies() != "a" {
			t.Errorf("the new process got %q", one.bodies())
		}
	})
}

// The relay sends a line break every 5 s. When the till notices a silent connection depends on when
// the last line break came.
func TestASilentConnectionIsReplaced(t *testing.T) {
	for _, since := range []time.Duration{100 * time.Millisecond, 2500 * time.Millisecond, 4900 * time.Millisecond} {
		inBubble(t, func(t *testing.T, r *rig) {
			one := r.paired()
			one.run(t)
			time.Sleep(5*time.Second + since)
			r.mute()
			muted := time.Now()
			r.post(one.webhook, "a")
			silent := time.Duration(0)
			for one.count() == 0 && time.Since(muted) < time.Minute {
				silent = max(silent, one.State().Silent(time.Now()))
				time.Sleep(100 * time.Millisecond)
			}
			took := time.Since(muted)
			t.Logf("a connection that is silent %v after a line break: the till fetches again %v later", since, took)
			if last := since + took; last < 12*time.Second || last > 14*time.Second || silent < 11*time.Second {
				t.Errorf("the till fetches again %v after the last line break; the relay seemed silent for %v", last, silent)
			}
			if got := one.State().Silent(time.Now()); one.bodies() != "a" || got > time.Second {
				t.Errorf("got %q, silent for %v", one.bodies(), got)
			}
		})
	}
}

func TestAnIdleTillKeepsItsConnection(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		one := r.paired()
		one.run(t)
		time.Sleep(9 * time.Minute)
		if dials := r.tillDials.Load(); dials != 1 {
			t.Errorf("%d connections in nine minutes", dials)
		}
	})
}

func TestALyingRelayCannotMoveArrivalFar(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		one := r.paired()
		stop := one.run(t)
		time.Sleep(time.Second)
		stop()
		emptied := time.Now()
		time.Sleep(10 * time.Minute)
		for _, years := range []int{1, 400, -400} {
			body := fmt.Sprint(years)
			r.expectPost("before the clock is wrong", one.webhook, body, 200)
			r.setClock(0, years) // The relay reports a wrong age of the events.
			r.restart()
			stop := one.run(t)
			time.Sleep(time.Second)
			stop()
			if came := one.arrival(body); came.Before(emptied.Add(-2*time.Second)) || came.After(time.Now()) {
				t.Errorf("%d years off: came %v, last emptied %v", years, came, emptied)
			}
			emptied = time.Now()
			time.Sleep(time.Minute)
			r.setClock(0, 0)
			r.restart()
		}
		r.post(one.webhook, "first")
		r.setClock(0, 400)
		r.restart()
		fresh := r.till(one.webhook, "T1", one.key)
		fresh.run(t)
		time.Sleep(time.Second)
		if age := time.Since(fresh.arrival("first")); age < 0 || age > 30*24*time.Hour+time.Second {
			t.Errorf("at the first fetch: %v old", age)
		}
	})
}

func TestAFailedDeliveryIsRepeatedInOrder(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		one := r.paired()
		failures := 0
		one.failWith(func(body string) error {
			if body == "b" && failures < 3 {
				failures++
				return errors.New("the database is locked")
			}
			return nil
		})
		for _, body := range []string{"a", "b", "c"} {
			r.post(one.webhook, body)
		}
		stop := one.run(t)
		time.Sleep(500 * time.Millisecond)
		if one.bodies() != "a" || one.State().Fault == "" || one.State().Emptied {
			t.Errorf("got %q, %+v", one.bodies(), one.State())
		}
		time.Sleep(time.Minute)
		if one.bodies() != "a b c" || r.waiting() != 0 || one.State().Fault != "" {
			t.Errorf("got %q, %d waiting", one.bodies(), r.waiting())
		}
		stop()
	})
}

func TestAFaultOfTheRelaysStoreIsAFaultOfTheTill(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		one := r.paired()
		expect := func(when, bodies string, waiting int, works bool) {
			t.Helper()
			time.Sleep(time.Minute)
			if state := one.State(); one.bodies() != bodies || r.waiting() != waiting || (state.Fault == "") != works {
				t.Errorf("%s: got %q, %d waiting, %+v", when, one.bodies(), r.waiting(), state)
			}
		}
		r.failsRead.Store(true)
		r.post(one.webhook, "a")
		r.post(one.webhook, "b")
		one.run(t)
		expect("the letters cannot be read", "", 2, false)
		if one.State().Emptied {
			t.Error("the box counts as emptied, although its letters cannot be read")
		}
		r.failsRead.Store(false)
		expect("they can be read again", "a b", 0, true)
	})
}

// On a full disk, letters can be read but not acknowledged. Each batch has one letter.
func TestLaterLettersArriveWhileNoneCanBeAcknowledged(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		one := r.paired()
		last := ""
		for i := range 3 {
			last = eventOfSize(relay.MaxBody - i)
			r.post(one.webhook, last)
		}
		r.failsAck.Store(true)
		deliveries := 0
		one.failWith(func(string) error { // A fetcher that gets the same letter for good must pause.
			if deliveries++; deliveries > 20 {
				return errDisk
			}
			return nil
		})
		one.run(t)
		time.Sleep(time.Minute)
		if one.arrival(textOf(last)).IsZero() {
			t.Error("the last letter was not delivered")
		}
	})
}

func TestLettersOfAnotherKeyWaitForIt(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		lost := newKey(t)
		webhook := r.add("A", lost)
		r.post(webhook, "done")
		first := r.till(webhook, "T1", lost)
		end := first.run(t)
		time.Sleep(time.Second)
		end() // The letter is acknowledged, so the pairing with another key must not bring it back.
		r.post(webhook, "a")
		fresh := newKey(t)
		r.repair("A", fresh)
		one := r.till(webhook, "T1", fresh)
		stop := one.run(t)
		r.post(webhook, "b")
		time.Sleep(time.Minute)
		if one.bodies() != "b" || one.State().OtherKey != 1 || !one.State().Emptied {
			t.Errorf("got %q, %+v", one.bodies(), one.State())
		}
		old := r.till(webhook, "T1", lost)
		if err := old.Replay(t.Context()); err == nil {
			t.Error("the old token is still valid")
		}
		stop()
		recovered, err := relay.KeyOf(strings.ToLower(lost.Code()))
		must(t, err)
		r.repair("A", recovered)
		back := r.till(webhook, "T1", recovered)
		back.run(t)
		time.Sleep(time.Second)
		if back.bodies() != "done a" {
			t.Errorf("got %q", back.bodies())
		}
		if err := old.Replay(t.Context()); err == nil {
			t.Error("the old token is valid again after the recovery")
		}
	})
}

func TestReplayDeliversAgain(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		one := r.paired()
		stop := one.run(t)
		posted := time.Now()
		r.post(one.webhook, "a")
		time.Sleep(time.Minute)
		// A second acknowledgement could acknowledge letters that a replay has made unacknowledged.
		if acks := r.acks.Load(); acks != 1 {
			t.Errorf("acknowledged %d times", acks)
		}
		r.purge()
		time.Sleep(time.Second) // A replay at the same moment as a line break may deliver letters twice, which is harmless.
		must(t, one.Replay(t.Context()))
		time.Sleep(time.Minute)
		if off := one.arrival("a").Sub(posted).Abs(); off > time.Second {
			t.Errorf("the replayed event came %v off", off)
		}
		if one.bodies() != "a a" || r.waiting() != 0 {
			t.Errorf("got %q, %d waiting", one.bodies(), r.waiting())
		}
		stop()
		time.Sleep(relay.ReplayFor / 2)
		stop = one.run(t)
		r.post(one.webhook, "b") // Its acknowledgement must not count for the earlier event again.
		time.Sleep(time.Minute)
		stop()
		time.Sleep(relay.ReplayFor / 2)
		must(t, one.Replay(t.Context()))
		one.run(t)
		time.Sleep(time.Minute)
		if one.bodies() != "a a b b" {
			t.Errorf("after three days: %q", one.bodies())
		}
	})
}

// A batch has only one letter, and one delivery fails.
func TestReplayedLettersKeepTheirArrivalUntilAllAreDelivered(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		one := r.paired()
		one.run(t)
		posted := map[string]time.Time{}
		for i := range 3 {
			text := textOf(eventOfSize(relay.MaxBody - i))
			posted[text] = time.Now()
			r.post(one.webhook, text)
			time.Sleep(time.Minute)
		}
		fails := true
		one.failWith(func(string) error {
			if fails {
				fails = false
				return errDisk
			}
			return nil
		})
		must(t, one.Replay(t.Context()))
		time.Sleep(time.Minute)
		if one.count() != 2*len(posted) {
			t.Errorf("%d deliveries", one.count())
		}
		for text, at := range posted {
			if off := one.arrival(text).Sub(at).Abs(); off > time.Second {
				t.Errorf("%d bytes came %v off", len(text), off)
			}
		}
	})
}

// A replay keeps the time of arrival. An acknowledgement that arrives during a replay is meant only
// for letters that were sent before the replay.
func TestAReplayIsCompleteWhateverItMeets(t *testing.T) {
	for name, test := range map[string]struct {
		meets func(r *rig, one *till, replay func() error)
		want  string // The deliveries begin with these. More deliveries are harmless.
	}{
		"a delivery": {func(r *rig, one *till, replay func() error) {
			replayed := false
			one.failWith(func(string) error {
				if replayed {
					return nil
				}
				replayed = true
				return replay()
			})
			r.post(one.webhook, "b")
		}, "a b a b"},
		"an acknowledgement": {func(r *rig, one *till, replay func() error) {
			during := func() {
				go func() {
					if err := replay(); err != nil {
						r.t.Error(err)
					}
				}()
				time.Sleep(time.Second) // By now, the replay has ended unless it waits.
			}
			r.beforeAck.Store(&during)
			r.post(one.webhook, "b")
		}, "a b a b"},
		// The answer to that read has no letters, so that the next one is the first with those of the replay.
		"the read of an empty box": {func(r *rig, _ *till, replay func() error) {
			during := func() { must(r.t, replay()) }
			r.afterRead.Store(&during)
		}, "a a"},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, r *rig) {
				one := r.paired()
				one.run(t)
				posted := time.Now()
				r.post(one.webhook, "a")
				time.Sleep(time.Minute)
				test.meets(r, one, func() error { return one.Replay(t.Context()) })
				time.Sleep(time.Minute)
				if off := one.arrival("a").Sub(posted).Abs(); off > time.Second || !strings.HasPrefix(one.bodies(), test.want) || r.waiting() != 0 {
					t.Errorf("got %q, %d waiting, and the first event came %v off", one.bodies(), r.waiting(), off)
				}
			})
		})
	}
}

// The till could not read a signed request whose body is no event. So the relay refuses the
// request, like a listener, and sends a sample to the till.
func TestASignedRequestThatIsNoEventIsRefusedAndShownToTheTill(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		one := r.paired(relay.Stamp(signature))
		one.run(t)
		for _, body := range []string{`[]`, `{"event":"payment.success","data":{}}`, `{"event":"payment.success","data":{"order_reference":7}}`} {
			if got := r.send(http.MethodPost, one.webhook, body, phone, header, signature); got.status != 400 || r.waiting() != 0 {
				t.Errorf("%s: status %d, %d waiting", body, got.status, r.waiting())
			}
			time.Sleep(time.Minute)
		}
		if one.countSigned() != 3 {
			t.Errorf("the till got %q", one.bodies())
		}
	})
}

func TestAStolenDiskShowsNoRequest(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		key := newKey(t)
		webhook := r.add("A", key, relay.Stamp(signature))
		r.expectPost("a sound event", webhook, "Rakoto", 200)
		files, err := filepath.Glob(filepath.Join(r.folder, "*"))
		must(t, err)
		seen := false
		for _, file := range files {
			text, err := os.ReadFile(file)
			must(t, err)
			for _, secret := range []string{"Rakoto", signature, "payment.success", key.Text()[:26]} {
				if bytes.Contains(text, []byte(secret)) {
					t.Errorf("%s contains %s", filepath.Base(file), secret)
				}
			}
			seen = seen || bytes.Contains(text, []byte(phone)) // The file must contain the letter's row.
		}
		if !seen {
			t.Error("no file contains the letter")
		}
	})
}

func TestAFullDiskLosesNoEvent(t *testing.T) {
	disk := disk.New(t, 96<<20)
	inFolder(t, disk.Folder, func(t *testing.T, r *rig) {
		one := r.paired()
		var posted []string
		post := func(bodies int, want int) {
			for range bodies {
				body := fmt.Sprint(len(posted))
				if got := r.post(one.webhook, body); got != want {
					t.Errorf("%d posted: %d, want %d", len(posted), got, want)
				} else if got == 200 {
					posted = append(posted, body)
				}
			}
		}
		post(20, 200)
		r.expectHealth("with room", http.StatusOK, "")
		disk.FillTo(64<<20 - 4096)
		post(10, 503)
		r.expectHealth("with little space", http.StatusServiceUnavailable, "disk")
		stop := one.run(t)
		time.Sleep(time.Second)
		if r.waiting() != 0 || !one.State().Full {
			t.Errorf("with little space: %d waiting, %+v", r.waiting(), one.State())
		}
		stop()
		time.Sleep(5 * time.Second)
		post(1, 200) // Acknowledged events make room.
		disk.Free()
		post(20, 200)
		disk.Fill() // Another program fills the disk.
		post(10, 503)
		r.expectHealth("on a full disk", http.StatusServiceUnavailable, "disk store")
		r.restart()
		disk.Free()
		time.Sleep(time.Second)
		post(20, 200)
		one.run(t)
		time.Sleep(time.Minute)
		if got, want := one.bodies(), strings.Join(posted, " "); got != want || r.waiting() != 0 {
			t.Errorf("got %s\nwant %s, %d waiting", got, want, r.waiting())
		}
	})
}

// Somebody moves the relay's file away, or puts an earlier copy in its place, while the relay runs.
func TestALetterIsAcceptedOnlyIntoTheFileThatTheNextStartOpens(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		one := r.paired()
		file := filepath.Join(r.folder, "relay.db")
		for name, harm := range map[string]func() error{
			"moved":    func() error { return nil },
			"replaced": func() error { return os.WriteFile(file, []byte("a copy"), 0o600) },
		} {
			must(t, os.Rename(file, file+".old"))
			must(t, harm())
			if got := r.post(one.webhook, name); got != http.StatusServiceUnavailable {
				t.Errorf("%s: the answer is %d", name, got)
			}
			r.expectHealth(name, http.StatusServiceUnavailable, "store")
			must(t, os.Rename(file+".old", file))
		}
		if got := r.post(one.webhook, "back"); got != http.StatusOK {
			t.Errorf("back: the answer is %d", got)
		}
		r.expectHealth("back", http.StatusOK, "")
	})
}

func TestTheSeriesExistFromTheStart(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		metrics := r.admin("/metrics").body
		for _, result := range []string{"stored", "400", "401", "404", "413", "429", "503"} {
			if want := fmt.Sprintf("till_relay_answers_total{result=%q} 0\n", result); !strings.Contains(metrics, want) {
				t.Errorf("%s lacks %s", metrics, want)
			}
		}
	})
}

// A slash at the end of the address in the merchant area is easy to overlook.
func TestARequestToAWrongAddressIsCountedAndShownToTheTill(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		one := r.paired(relay.Stamp(signature))
		one.run(t)
		time.Sleep(time.Second)
		for n, wrong := range []string{
			one.webhook + "/", one.webhook + "/webhook", strings.Replace(one.webhook, "/w/", "//w/", 1), strings.Replace(one.webhook, "/w/", "/", 1),
		} {
			r.expectPost(wrong, wrong, success, http.StatusNotFound)
			time.Sleep(11 * time.Second)
			if want := fmt.Sprintf("till_relay_answers_total{result=\"404\"} %d\n", n+1); !strings.Contains(r.admin("/metrics").body, want) {
				t.Errorf("%s is not counted", wrong)
			}
		}
		if want := []string{"/w/…/", "/w/…/webhook", "//w/…"}; !slices.Equal(one.astray, want) {
			t.Errorf("the till is told of the wrong addresses %q, want %q", one.astray, want)
		}
		synctest.Wait() // Nothing is logged now.
		if lines := strings.Count(r.log.String(), "wrong address"); lines != 1 {
			t.Errorf("the log has %d lines about the wrong addresses of a minute:\n%s", lines, &r.log)
		}
	})
}

func TestTheNextTillGetsASampleThatTheLastOneDidNot(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		first := r.paired(relay.Stamp(signature))
		first.run(t)
		time.Sleep(time.Second)
		second := r.till(first.webhook, "T2 on laptop", first.key)
		take := func() { must(t, second.Take(t.Context())) }
		r.afterRead.Store(&take)
		r.expectPost("a wrong address", first.webhook+"/", success, http.StatusNotFound)
		time.Sleep(time.Second)
		second.run(t)
		time.Sleep(time.Second)
		synctest.Wait()
		if want := []string{"/w/…/"}; !slices.Equal(second.astray, want) || first.astray != nil {
			t.Errorf("the tills are told of the wrong addresses %q and %q, want %q", first.astray, second.astray, want)
		}
	})
}

func TestTheFilesArePrivateInAnOpenFolder(t *testing.T) {
	folder := t.TempDir()
	must(t, os.Chmod(folder, 0o755))
	mail, err := mailbox.Open(t.Context(), folder, mailbox.DefaultRoom, time.Now)
	must(t, err)
	_, err = mail.Add(t.Context(), "A", nil)
	must(t, err)
	files, err := os.ReadDir(folder)
	must(t, err)
	for _, file := range files {
		about, err := file.Info()
		must(t, err)
		if about.Mode().Perm() != 0o600 {
			t.Errorf("%s has the mode %v", file.Name(), about.Mode())
		}
	}
	if len(files) != 3 {
		t.Errorf("%d files, want the database and two next to it", len(files))
	}
	must(t, mail.Close())
}

func TestTheSignatureIsKeptAmongLargeHeaders(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		one := r.paired(relay.Stamp(signature))
		one.run(t)
		headers := []string{header, signature}
		for i := range 8 {
			headers = append(headers, fmt.Sprint("X-", i), strings.Repeat("a", 1000))
		}
		for range 20_000 { // They have no bytes, but many as JSON.
			headers = append(headers, "X-Empty", "")
		}
		for range 8 {
			r.send(http.MethodPost, one.webhook, eventOfSize(relay.MaxBody), phone, headers...)
		}
		time.Sleep(time.Second)
		if signed := one.countSigned(); signed != 8 {
			t.Errorf("%d of 8 requests have their signature", signed)
		}
	})
}

func TestARemovedBoxDoesNotDisturbTheOthers(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		removed := r.box(r.add("A", newKey(t)))
		other := r.box(r.add("B", newKey(t)))
		must(t, r.mail.Remove(t.Context(), "A"))
		var all sync.WaitGroup
		for range 50 {
			all.Go(func() {
				if err := r.mail.Keep(t.Context(), removed, phone, []byte("a")); !errors.Is(err, relay.ErrNoBox) {
					t.Errorf("removed box: %v", err)
				}
			})
			all.Go(func() {
				if err := r.mail.Keep(t.Context(), other, phone, []byte("b")); err != nil {
					t.Errorf("other box: %v", err)
				}
			})
		}
		all.Wait()
	})
}

// The relay adds the time that passes to its start time. The clock of its machine may be wrong, or
// be set by years.
func TestAJumpOfTheClockDeletesNothingAndChangesNoTime(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		one := r.paired()
		stop := one.run(t)
		r.post(one.webhook, "fetched")
		time.Sleep(time.Minute)
		stop()
		posted := map[string]time.Time{}
		for _, jump := range []struct {
			ahead time.Duration
			years int
		}{{0, 0}, {time.Hour, 0}, {0, 10}, {0, -10}, {-time.Hour, 0}} { // The last one lasts while the till fetches.
			r.setClock(jump.ahead, jump.years)
			body := fmt.Sprint(jump)
			posted[body] = time.Now()
			r.post(one.webhook, body)
			r.expectHealth(body, http.StatusOK, map[bool]string{true: "clock"}[jump.ahead != 0 || jump.years != 0])
			time.Sleep(time.Hour)
		}
		if r.waiting() != len(posted) {
			t.Errorf("%d letters wait, %d were posted", r.waiting(), len(posted))
		}
		must(t, one.Replay(t.Context()))
		fresh := r.till(one.webhook, "T1", one.key)
		fresh.run(t)
		time.Sleep(time.Minute)
		if !strings.HasPrefix(fresh.bodies(), "fetched ") || fresh.count() != 1+len(posted) {
			t.Errorf("after the jumps the till gets %q", fresh.bodies())
		}
		for body, at := range posted {
			if off := fresh.arrival(body).Sub(at).Abs(); off > time.Second {
				t.Errorf("%s came %v off", body, off)
			}
		}
	})
}

func TestLettersAreKeptAcrossARestartWithAWrongClock(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		one := r.paired()
		stop := one.run(t)
		r.post(one.webhook, "fetched")
		time.Sleep(time.Minute)
		stop()
		r.post(one.webhook, "waits")
		for n, test := range []struct {
			years   int
			waiting int  // Number of letters so far, because each round ends with a replay.
			behind  bool // Whether the clock shows a time before that of a stored letter.
		}{{10, 1, false}, {-10, 3, true}, {0, 4, true}} {
			years := test.years
			r.setClock(0, years)
			r.restart()
			r.purge()
			if r.waiting() != test.waiting {
				t.Errorf("%d years off: %d letters wait", years, r.waiting())
			}
			r.expectHealth(fmt.Sprint(years, " years off"), http.StatusOK, map[bool]string{true: "clock"}[test.behind])
			posted := time.Now()
			body := fmt.Sprint("round ", n)
			r.post(one.webhook, body)
			time.Sleep(10 * time.Minute)
			fresh := r.till(one.webhook, "T1", one.key)
			stop := fresh.run(t)
			time.Sleep(time.Minute)
			stop()
			if off := fresh.arrival(body).Sub(posted).Abs(); off > time.Second {
				t.Errorf("%d years off: the event came %v off", years, off)
			}
			must(t, one.Replay(t.Context()))
		}
		if r.waiting() != 5 {
			t.Errorf("%d letters are replayed, want 5", r.waiting())
		}
	})
}

func TestNumbersOfLettersRiseAfterACopyWasRestored(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		webhook := r.paired().webhook
		keep := func() (number int64) {
			t.Helper()
			time.Sleep(time.Second)
			box := r.box(webhook)
			must(t, r.mail.Keep(t.Context(), box, phone, []byte("sealed")))
			letters, err := r.mail.Letters(t.Context(), box, 0)
			must(t, err)
			return letters.Letters[len(letters.Letters)-1].Seq
		}
		restore := r.backup()
		keep()
		last := keep() // The till may acknowledge this letter after the copy was restored.
		restore()
		if number := keep(); number <= last {
			t.Errorf("the first letter after the restore has the number %d, and would be acknowledged with %d", number, last)
		}
	})
}

// The relay ends before the till has acknowledged a letter. It goes on from an earlier copy of its
// file, on a machine with a clock that is behind.
func TestALetterOfARelayThatMovedIsNotAcknowledgedUnseen(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		one := r.paired()
		restore := r.backup()
		one.failWith(func(body string) error {
			if body == "first" {
				r.mute()
				one.off.Store(true)
			}
			return nil
		})
		stop := one.run(t)
		r.post(one.webhook, "first")
		time.Sleep(time.Second)
		r.setClock(-time.Hour, 0)
		restore()
		r.post(one.webhook, "second")
		one.off.Store(false)
		time.Sleep(time.Minute)
		if one.bodies() != "first second" {
			t.Errorf("the till got %q", one.bodies())
		}
		stop()
	})
}

// The relay goes on from a copy of its file that is older than a change of the till's secret.
func TestARestoredCopyLearnsTheTillsTermsAgain(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		key := newKey(t)
		webhook := r.add("A", key, relay.Stamp("former"))
		restore := r.backup()
		r.till(webhook, "T1", key, relay.Stamp(signature)).run(t)
		time.Sleep(time.Minute)
		r.expectPost("after the change", webhook, "a", http.StatusOK)
		restore()
		time.Sleep(time.Minute)
		r.expectPost("after the restore", webhook, "b", http.StatusOK)
	})
}

func TestLettersOfAFormerKeyGoWhenTheBoxIsFull(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		webhook := r.add("A", newKey(t))
		box := r.box(webhook)
		large := make([]byte, relay.MaxBody)
		for n := range 256 { // The whole box.
			must(t, r.mail.Keep(t.Context(), box, fmt.Sprint("203.0.113.", n%3), large))
		}
		one := r.till(webhook, "T1", newKey(t))
		r.repair("A", one.key)
		for n := range 20 {
			r.expectPost("an event", webhook, fmt.Sprint(n), http.StatusOK)
		}
		if got := r.waiting(); got != 255+20 {
			t.Errorf("%d letters wait, want 255 of the former key and 20", got)
		}
		one.run(t)
		time.Sleep(time.Minute)
		if one.count() != 20 {
			t.Errorf("the till got %q", one.bodies())
		}
	})
}

// A batch has at most 100 letters. A relay without room deletes those that were acknowledged first.
func TestTheLettersAcknowledgedFirstMakeRoom(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		box := r.box(r.add("A", newKey(t)))
		keep := func() error { return r.mail.Keep(t.Context(), box, phone, make([]byte, 600)) }
		for range 101 {
			must(t, keep())
		}
		r.room = 80 << 10
		r.restart()
		if err := keep(); !errors.Is(err, relay.ErrFull) || r.waiting() != 101 {
			t.Fatalf("without an acknowledged letter: %v, %d letters wait", err, r.waiting())
		}
		first, err := r.mail.Letters(t.Context(), box, 0)
		must(t, err)
		if len(first.Letters) != 100 || !first.More {
			t.Fatalf("got %d letters, more %v", len(first.Letters), first.More)
		}
		last := first.Letters[99].Seq
		must(t, r.mail.Acknowledge(t.Context(), box, last))
		time.Sleep(time.Second)
		must(t, r.mail.Acknowledge(t.Context(), box, math.MaxInt64))
		must(t, keep())
		must(t, r.mail.Replay(t.Context(), box))
		if left, err := r.mail.Letters(t.Context(), box, 0); err != nil || len(left.Letters) != 2 || left.Letters[0].Seq <= last {
			t.Errorf("got %d letters, %v, want the last two", len(left.Letters), err)
		}
	})
}
