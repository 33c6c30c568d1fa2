package assets_test

import (
	"fmt"
	"html/template"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"checkout/till/assets"
)

func ask(method, target, language string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(method, target, nil)
	request.Header.Set("Accept-Language", language)
	recorder := httptest.NewRecorder()
	assets.Pages().ServeHTTP(recorder, request)
	return recorder
}

// policyOf returns the Content-Security-Policy of a page without content.
func policyOf(style template.CSS, script template.JS, targets string) string {
	recorder := httptest.NewRecorder()
	assets.WritePage(recorder, http.StatusOK, template.Must(template.New("").Parse(" ")), nil, style, script, targets)
	return recorder.Header().Get("Content-Security-Policy")
}

// Each page has texts in each language: see TestEveryTextOfAPageIsTranslatedAndShown.
func TestTheRedirectPagesSayThatTheCounterConfirms(t *testing.T) {
	tests := []struct{ path, language, title, counter string }{
		{"/success", "en", "Thank you", "The counter confirms"},
		{"/canceled", "fr", "Paiement annulé", "la caisse qui confirme"},
		{"/failed", "mg", "Tsy nety ny fandoavana", "Ny mpandray vola no manamarina"},
	}
	for _, test := range tests {
		t.Run(test.path+" in "+test.language, func(t *testing.T) {
			recorder := ask(http.MethodGet, test.path+"?reference=%3Cscript%3E&order_reference=REF_1", test.language)
			page := strings.ReplaceAll(recorder.Body.String(), "&#39;", "'")
			if recorder.Code != http.StatusOK || !strings.Contains(page, "<h1>"+test.title+"</h1>") ||
				!strings.Contains(page, test.counter) || !strings.Contains(page, `<html lang="`+test.language+`">`) {
				t.Errorf("got %d %s", recorder.Code, page)
			}
			for _, forbidden := range []string{"<script", "REF_1", "<form", "http://", "https://", "src="} {
				if strings.Contains(page, forbidden) {
					t.Errorf("the page holds %q", forbidden)
				}
			}
			want := policyOf(assets.PageStyle, "", "'none'")
			if got := recorder.Header().Get("Content-Security-Policy"); got != want {
				t.Errorf("the policy is %s", got)
			}
		})
	}
}

func TestTheRedirectPagesAnswerEveryPathThatBeginsWithTheirs(t *testing.T) {
	tests := []struct {
		method, target string
		status         int
	}{
		{http.MethodHead, "/success", http.StatusOK},
		{http.MethodPost, "/success", http.StatusOK},
		{http.MethodDelete, "/failed", http.StatusOK},
		{http.MethodGet, "/success/", http.StatusOK},
		{http.MethodGet, "/canceled&reference=T1", http.StatusOK},
		{http.MethodGet, "/x/success", http.StatusNotFound},
		{http.MethodGet, "/", http.StatusNotFound},
		{http.MethodGet, "/expired", http.StatusNotFound},
	}
	for _, test := range tests {
		if recorder := ask(test.method, test.target, "en"); recorder.Code != test.status {
			t.Errorf("%s %s answers %d", test.method, test.target, recorder.Code)
		}
	}
}

func TestTheStyleLoadsNothing(t *testing.T) {
	style := string(assets.PageStyle)
	for _, forbidden := range []string{"url(", "@import", "</", "http"} {
		if strings.Contains(style, forbidden) {
			t.Errorf("the style holds %q", forbidden)
		}
	}
}

func TestThePolicyAllowsOnlyTheGivenScript(t *testing.T) {
	policy := policyOf("a{}", "alert(1)", "'self'")
	for _, want := range []string{
		"default-src 'none'", "form-action 'self'; script-src 'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='; connect-src 'self'",
	} {
		if !strings.Contains(policy, want) {
			t.Errorf("the policy lacks %q: %s", want, policy)
		}
	}
}

// The server that receives the webhooks can also serve the pages.
func ExamplePages() {
	server := httptest.NewServer(assets.Pages())
	defer server.Close()
	response, err := http.Get(server.URL + "/success?lang=mg")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer response.Body.Close()
	fmt.Println(response.Status, response.Header.Get("Content-Language"))
	// Output: 200 OK mg
}
