package relay_test

import (
	"errors"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"checkout/till/payments/relay"
)

func TestAKeyIsReadAsPeopleWriteIt(t *testing.T) {
	key, err := relay.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	text, code := key.Text(), key.Code()
	for _, written := range []string{text, strings.ToLower(text), " " + text[:5] + "-" + text[5:] + "\n"} {
		if read, err := relay.ParseKey(written); err != nil || read.Text() != text {
			t.Errorf("%q: %v", written, err)
		}
	}
	for _, written := range []string{code, strings.ToLower(code), " " + strings.ReplaceAll(code, "-", " ") + "\n"} {
		if read, err := relay.Recover(written); err != nil || read.Code() != code || read.Text() == text {
			t.Errorf("%q: %v", written, err)
		}
	}
	for _, wrong := range []string{"", code, text[1:], text + "A", "0" + text[1:], "É" + text[2:]} {
		if _, err := relay.ParseKey(wrong); !errors.Is(err, relay.ErrKey) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
	accepted := 0 // A wrong code passes by chance once in 1,024.
	for at := range text[:26] {
		other := "A"
		if text[at] == 'A' {
			other = "B"
		}
		mistyped := text[:at] + other + text[at+1:26]
		if _, err := relay.Recover(mistyped); err == nil {
			accepted++
		}
	}
	if accepted > 2 {
		t.Errorf("%d of 26 recovery codes with one wrong character are accepted", accepted)
	}
	if strings.Contains(key.String(), code[:5]) {
		t.Error("a log would show the key")
	}
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
