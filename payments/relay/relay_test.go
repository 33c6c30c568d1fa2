package relay_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"checkout/till/payments/relay"
)

func TestAKeyIsReadAsPeopleWriteIt(t *testing.T) {
	key, err := relay.KeyOf(withCheck(t, "0123456789ABCDEFGHJKMNPQ"))
	if err != nil {
		t.Fatal(err)
	}
	text, code := key.Text(), key.Code()
	// People read a zero as the letter O, and a one as the letter I or L.
	asLetters := strings.NewReplacer("0", "O", "1", "I")
	asSmall := strings.NewReplacer("0", "o", "1", "l")
	for _, written := range []string{
		text, strings.ToLower(text), " " + text[:5] + "-" + text[5:] + "\n", asLetters.Replace(text), asSmall.Replace(text),
	} {
		if read, err := relay.ParseKey(written); err != nil || read.Text() != text {
			t.Errorf("%q: %v", written, err)
		}
	}
	for _, written := range []string{
		code, strings.ToLower(code), " " + strings.ReplaceAll(code, "-", " ") + "\n", asLetters.Replace(code), asSmall.Replace(code),
	} {
		if read, err := relay.KeyOf(written); err != nil || read.Code() != code || read.Text() == text {
			t.Errorf("%q: %v", written, err)
		}
	}
	for _, wrong := range []string{"", code, text[1:], text + "A", "U" + text[1:], "É" + text[2:]} {
		if _, err := relay.ParseKey(wrong); !errors.Is(err, relay.ErrKey) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
	accepted := 0 // One wrong code in 1,024 is accepted by chance.
	for at := range text[:26] {
		other := "A"
		if text[at] == 'A' {
			other = "B"
		}
		mistyped := text[:at] + other + text[at+1:26]
		if _, err := relay.KeyOf(mistyped); err == nil {
			accepted++
		}
	}
	if accepted > 2 {
		t.Errorf("%d of 26 recovery codes with one wrong character are accepted", accepted)
	}
}

func TestAKeyIsNotPrinted(t *testing.T) {
	key, err := relay.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	fetcher := struct{ config relay.FetcherConfig }{relay.FetcherConfig{Key: key}}
	secrets := []string{key.Text(), key.Code(), key.Token()}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
		for _, value := range []any{key, &key, struct{ key relay.Key }{key}, struct{ Key relay.Key }{key}, fetcher, &fetcher} {
			printed := fmt.Sprintf(verb, value)
			for _, held := range secrets {
				if strings.Contains(printed, held) || strings.Contains(printed, fmt.Sprintf("%x", held)) {
					t.Errorf("%s shows the key: %s", verb, printed)
				}
			}
		}
	}
}

// withCheck returns the recovery code that begins with these characters.
func withCheck(t *testing.T, random string) string {
	t.Helper()
	const characters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	for _, first := range characters {
		for _, second := range characters {
			code := random + string(first) + string(second)
			if _, err := relay.KeyOf(code); err == nil {
				return code
			}
		}
	}
	t.Fatalf("no recovery code begins with %s", random)
	return ""
}

func FuzzOpen(f *testing.F) {
	key, err := relay.ParseKey("AAAAA-BBBBB-CCCCC-DDDDD-EEEEE-F" + "GGGGG-HHHHH-IIIII-JJJJJ-KKKKK-L")
	if err != nil {
		f.Fatal(err)
	}
	request := relay.Request{Header: http.Header{"X": {"y"}}, Body: []byte("body"), Address: "192.0.2.1"}
	sealed, err := relay.Seal(key, request)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(sealed, 0)
	f.Add([]byte{}, 40)
	f.Fuzz(func(t *testing.T, letter []byte, at int) {
		if opened, err := key.Open(letter); err == nil && !reflect.DeepEqual(opened, request) {
			t.Errorf("a forged letter was opened: %+v", opened)
		}
		changed := append([]byte(nil), sealed...)
		changed[uint(at)%uint(len(changed))] ^= 1
		if _, err := key.Open(changed); err == nil {
			t.Errorf("a letter with byte %d changed was opened", uint(at)%uint(len(changed)))
		}
	})
}

// A caller that waits for [relay.Fetcher.Settled] goes on as soon as the relay has refused the
// fetcher.
func TestAFetcherIsSettledWhenTheRelayRefusesIt(t *testing.T) {
	for name, status := range map[string]int{"an unknown key": http.StatusUnauthorized, "another till fetches": http.StatusConflict} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method != http.MethodGet && status == http.StatusConflict {
					return
				}
				w.WriteHeader(status)
				_, _ = io.WriteString(w, `{"error": "held", "by": "T2"}`)
			}))
			t.Cleanup(server.Close)
			key, err := relay.NewKey()
			if err != nil {
				t.Fatal(err)
			}
			fetcher, err := relay.NewFetcher(relay.FetcherConfig{
				Webhook: server.URL + "/w/BOX", Key: key, Name: "T1", Now: time.Now, Logger: slog.New(slog.DiscardHandler),
			})
			if err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithTimeout(t.Context(), time.Minute)
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				fetcher.Run(ctx)
			}()
			select {
			case <-fetcher.Settled():
			case <-ended:
				t.Error("the fetcher is not settled")
			}
			stop()
			<-ended
		})
	}
}
