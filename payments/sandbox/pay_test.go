package sandbox_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments/sandbox"
)

func TestTheNumberStaysWithTheCustomer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		desk := newDesk(t, func(config *sandbox.Config) { config.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
		path, _ := localOrder(t, desk.Sandbox, "T1")
		waiting := post(desk.Sandbox, path, "step", "number", "number", "034 55 777 02").Header().Get("Location")
		shown := local(desk.Sandbox, http.MethodGet, waiting, "").Body.String() + dashboard(desk.Sandbox).Body.String()
		pass(time.Minute)
		shown += local(desk.Sandbox, http.MethodGet, path, "").Body.String() +
			lab(desk.Sandbox, http.MethodGet, "/lab/orders", "").Body.String() + log.String()
		for _, part := range []string{"55 777", "55777"} {
			if strings.Contains(shown, part) {
				t.Errorf("%q is shown: %s", part, shown)
			}
		}
	})
}

func TestANumberIsReadAsPeopleWriteIt(t *testing.T) {
	give := func(t *testing.T, number string) (*sandbox.Sandbox, *httptest.ResponseRecorder) {
		made := quietSandbox(t)
		path, _ := localOrder(t, made, "T1-20261121-0007")
		return made, post(made, path, "step", "number", "number", number)
	}
	for _, number := range []string{
		"034 12 345 67", "0341234567", "034.12.345.67", "034-12-345-67", "  034 12 345 67 ", "034\u00a012\u202f345\u00a067",
		"+261 34 12 345 67", "+261 (0)34 12 345 67", "00261 34 12 345 67", "261341234567", "34 12 345 67",
	} {
		t.Run("taken is "+number, func(t *testing.T) {
			made, recorder := give(t, number)
			page := local(made, http.MethodGet, recorder.Header().Get("Location"), "")
			if recorder.Code != http.StatusSeeOther || !contains(page, "034\u00a0••\u00a0•••\u00a067") || contains(page, "345") {
				t.Errorf("got %d %s", recorder.Code, page.Body)
			}
		})
	}
	for name, number := range map[string]string{
		"nothing": "", "blanks": "   ", "too short": "034 12 345 6", "too long": "034 12 345 678", "a landline": "020 22 345 67",
		"another country": "+33 6 12 34 56 78", "letters": "034 12 E45 67", "a sign in the middle": "034+12 345 67",
		"digits of another script": "٠٣٤١٢٣٤٥٦٧", "markup": "<script>0341234567",
	} {
		t.Run("refused is "+name, func(t *testing.T) {
			_, recorder := give(t, number)
			if recorder.Code != http.StatusUnprocessableEntity || !contains(recorder, `id="number-problem"`) ||
				contains(recorder, "<script>0") {
				t.Errorf("got %d %s", recorder.Code, recorder.Body)
			}
		})
	}
}
