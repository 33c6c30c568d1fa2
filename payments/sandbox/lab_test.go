package sandbox_test

import (
	"net/http"
	"net/http/httptest"
	"strings"

	"checkout/till/payments/sandbox"
)

// lab makes a request to the fault lab from its own machine.
func lab(made *sandbox.Sandbox, method, target, body string, headers ...string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(method, "http://127.0.0.1"+target, strings.NewReader(body))
	request.RemoteAddr = "127.0.0.1:5000"
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	recorder := httptest.NewRecorder()
	made.ServeHTTP(recorder, request)
	return recorder
}

var _ = http.MethodGet
