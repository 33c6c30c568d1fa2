package server

import (
	"cmp"
	"embed"
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"checkout/till/assets"
	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/money"
	"checkout/till/payments/sandbox"
)

//go:embed page.html texts.toml
var pageFiles embed.FS

//go:embed page.js
var pageScript template.JS

const (
	maxForm     = 4 << 10     // Maximum size of a form, in bytes.
	maxNumber   = 40          // Maximum width of an invalid number that is shown again, in columns.
	askedKey    = "asked"     // Query parameter that selects the page that waits for the phone's answer.
	pollSeconds = 2           // Seconds between two reloads of the page that waits.
	noBreak     = "\u00a0"    // Space that keeps the parts of a number on one line.
	prompt      = time.Minute // Time to answer on the phone, as the page shows it.
)

// page is the hosted page that a checkout link opens: plain HTML with one form, in French, Malagasy
// and English. It works without its script.
//
// The customer enters a phone number, whose last two digits decide the outcome after a few seconds;
// see [readPhone]. The outcome buttons decide it immediately. Only the masked number is stored.
type page struct {
	service  *sandbox.Sandbox
	texts    assets.Texts
	template *template.Template
}

func newPage(service *sandbox.Sandbox) *page {
	texts, err := assets.LoadTexts(pageFiles, "texts.toml")
	if err != nil {
		panic("page: " + err.Error()) // Only if the embedded file is wrong.
	}
	return &page{
		service: service, texts: texts,
		template: template.Must(template.New("page.html").Funcs(template.FuncMap{
			"clean":     cleanText,
			"group":     group,
			"upper":     strings.ToUpper,
			"countdown": i18n.Countdown,
			"ariary":    func(amount money.Ariary) string { return group(amount) + noBreak + payments.Currency },
		}).ParseFS(pageFiles, "page.html")),
	}
}

func group(number any) string {
	return strings.ReplaceAll(i18n.Number(reflect.ValueOf(number).Int()), " ", noBreak)
}

type pageView struct {
	assets.Texts
	Style          template.CSS
	Script         template.JS
	Shop           string
	Show           string // State of the link, or "progress", "missing" or "unclear"; selects what the page shows.
	Refresh        string // Content of the meta element that reloads the page; empty without one.
	Address        string // URL of this page, for its form and links; empty for an ended or unknown order.
	Order          *sandbox.Order
	Left           time.Duration
	Whole, Seconds int64  // The link's lifetime and the time until it ends, in seconds.
	Prompt         int64  // Time left to answer on the phone, in seconds.
	PaidAt         string // Time of the payment, such as 14:05; empty without a payment.
	Number         string
	Problem        string // Key of the text that describes the problem.
}

// Outcome reports whether the page shows how the payment ended, or a problem, instead of the form
// or the progress.
func (v pageView) Outcome() bool { return v.Show != string(sandbox.Open) && v.Show != "progress" }

// ServeHTTP shows the state of a link (GET), and handles the customer's action (POST). After a
// successful POST it redirects to the merchant's page or back to this page.
func (p *page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	order, err := p.service.AtLink(strings.TrimPrefix(r.URL.Path, sandbox.LinkPrefix))
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodPost:
		w.Header().Set("Allow", "GET, HEAD, POST")
		http.Error(w, "Method Not Allowed", http.StatusMethodNotAllowed)
	case err != nil:
		p.show(w, r, http.StatusNotFound, pageView{Show: "missing"})
	case r.Method == http.MethodPost:
		p.post(w, r, order)
	case r.URL.Query().Has(askedKey) && order.Request == nil:
		p.leave(w, r, order)
	case order.State == sandbox.Expired:
		p.show(w, r, http.StatusGone, p.viewOf(r, order))
	default:
		p.show(w, r, http.StatusOK, p.viewOf(r, order))
	}
}

func (p *page) post(w http.ResponseWriter, r *http.Request, order sandbox.Order) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	kind, typed := payments.EventKind("payment."+r.PostFormValue("outcome")), r.PostFormValue("number")
	var err error
	switch choice := kind == payments.PaymentSuccess || kind == payments.PaymentFailed || kind == payments.PaymentCanceled; {
	case choice && order.Request != nil && kind != payments.PaymentCanceled:
		err = sandbox.ErrAsked // While the phone is asked, the customer can only cancel.
	case choice:
		err = p.service.Act(r.Context(), order.OrderReference, kind)
	case r.PostFormValue("step") == "number":
		masked, failure := readPhone(typed)
		err = p.service.AskPhone(order.OrderReference, masked, failure)
	default:
		p.show(w, r, http.StatusBadRequest, pageView{Show: "unclear", Address: address(r, false)})
		return
	}
	order, gone := p.service.Order(order.OrderReference) // Read the order again, because the action may have changed it.
	err = cmp.Or(gone, err)
	switch status := sandbox.StatusOf(err); {
	case err == nil && order.Request != nil:
		redirect(w, r, address(r, true))
	case err == nil:
		p.leave(w, r, order)
	case status == http.StatusNotFound:
		p.show(w, r, status, pageView{Show: "missing"})
	case status == http.StatusInternalServerError:
		http.Error(w, "Internal Server Error", status)
	default:
		view := p.viewOf(r, order)
		if errors.Is(err, sandbox.ErrNumber) {
			view.Number, view.Problem = clean.Text(typed, maxNumber), "number_wrong"
		}
		p.show(w, r, status, view)
	}
}

// readPhone parses a mobile number of Madagascar, with or without separators, country code and
// leading zero. masked is the number as 034 •• ••• 12, or "" for an invalid number. failure is how
// the simulated customer fails to pay if the number ends with 01, 02 or 03; else it is empty.
func readPhone(typed string) (masked string, failure sandbox.Failure) {
	bare := regexp.MustCompile(`[\s\p{Zs}\p{Pd}./()]`).ReplaceAllString(typed, "")
	digits := regexp.MustCompile(`^(?:(?:\+|00)?2610?|0)?(3\d)\d{5}(\d\d)$`).FindStringSubmatch(bare)
	if digits == nil {
		return "", ""
	}
	failures := map[string]sandbox.Failure{"01": sandbox.LowBalance, "02": sandbox.Refused, "03": sandbox.NoAnswer}
	return strings.Join([]string{"0" + digits[1], "••", "•••", digits[2]}, noBreak), failures[digits[2]]
}

// leave redirects the customer to the merchant's page for the order's outcome. If the merchant has
// no such page, it redirects to the hosted page.
func (p *page) leave(w http.ResponseWriter, r *http.Request, order sandbox.Order) {
	config, back := p.service.Config(), ""
	switch {
	case order.State == sandbox.Paid:
		back = config.SuccessURL
	case order.State == sandbox.Open && order.Failure == sandbox.Canceled:
		back = config.CancelURL
	case order.State == sandbox.Open && order.Failure != "" && order.Failure != sandbox.NoAnswer:
		back = config.FailureURL
	}
	target, err := url.Parse(back)
	if back == "" || err != nil {
		redirect(w, r, address(r, false))
		return
	}
	query := url.Values{"reference": {order.Reference}, "order_reference": {order.OrderReference}}
	target.RawQuery = strings.TrimPrefix(target.RawQuery+"&"+query.Encode(), "&")
	redirect(w, r, target.String())
}

func redirect(w http.ResponseWriter, r *http.Request, target string) {
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, target, http.StatusSeeOther) //nolint:gosec // The path of an existing link, or a page from the merchant's settings.
}

// show writes a page. The form-action of its Content-Security-Policy includes the merchant's pages,
// because browsers also apply it to the redirect after a POST.
func (p *page) show(w http.ResponseWriter, r *http.Request, status int, view pageView) {
	config, targets := p.service.Config(), "'self'"
	for _, page := range []string{config.SuccessURL, config.CancelURL, config.FailureURL} {
		if target, err := url.Parse(page); err == nil && target.Host != "" {
			targets += " " + target.Scheme + "://" + target.Host
		}
	}
	view.Texts = p.texts
	view.Style = assets.PageStyle
	view.Script = pageScript
	view.Shop = config.Shop
	view.Language = assets.Language(r)
	w.Header().Set("Content-Language", view.Language)
	assets.WritePage(w, status, p.template, view, view.Style, view.Script, targets)
}

func (p *page) viewOf(r *http.Request, order sandbox.Order) pageView {
	config := p.service.Config()
	now := config.Now()
	left := max(0, order.ExpiresAt.Sub(now))
	view := pageView{
		Show: string(order.State), Order: &order, Left: left, Whole: seconds(config.Lifetime), Seconds: seconds(left),
	}
	if !order.PaidAt.IsZero() {
		view.PaidAt = i18n.Clock(order.PaidAt.In(now.Location()))
	}
	if order.State != sandbox.Open {
		return view
	}
	// Reload the page after the end of the link, or every pollSeconds while the phone is asked.
	after := int(left/time.Second) + 1
	view.Address, view.Refresh = address(r, order.Request != nil), strconv.Itoa(after)
	if order.Request != nil {
		view.Prompt = seconds(max(0, order.Request.Asked.Add(prompt).Sub(now)))
		view.Show, view.Refresh = "progress", strconv.Itoa(min(after, pollSeconds))+"; url="+view.Address
	}
	return view
}

// seconds returns a duration in seconds, rounded up.
func seconds(span time.Duration) int64 { return int64((span + time.Second - 1) / time.Second) }

// address returns the address of this page, with the selected language. If asked is true, it is the
// address of the page that waits for the phone.
func address(r *http.Request, asked bool) string {
	query := url.Values{}
	if r.URL.Query().Has("lang") {
		query.Set("lang", assets.Language(r))
	}
	if asked {
		query.Set(askedKey, "1")
	}
	return (&url.URL{Path: r.URL.Path, RawQuery: query.Encode()}).String()
}
