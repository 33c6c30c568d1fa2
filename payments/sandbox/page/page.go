// Package page is the hosted page of a payment service: what the customer sees
// behind a checkout link. It is plain HTML with one form, in fr, mg and en, and
// needs no script: the progress of a payment is followed by meta refresh.
//
// The customer gives a phone number and confirms on the phone; no phone is asked,
// the number's last two digits decide the outcome, after a few seconds. The
// outcome buttons do the same at once. Of the number only what is masked is kept.
package page

import (
	"embed"
	"html/template"
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"checkout/till/assets"
	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/sandbox"
)

// Prefix begins the path of every link.
const Prefix = "/c/"

// maxForm bounds the form, in bytes, and maxNumber how much of a wrong number is
// given back, in columns.
const maxForm, maxNumber = 4 << 10, 40

//go:embed page.html texts.toml
var files embed.FS

// Page is an http.Handler for the links of a sandbox.
type Page struct {
	service  *sandbox.Sandbox
	texts    map[string]assets.Texts
	template *template.Template
	style    template.CSS
}

// New returns the hosted page of a sandbox.
func New(service *sandbox.Sandbox) *Page {
	texts, err := assets.LoadTexts(files, "texts.toml")
	if err != nil {
		panic("page: " + err.Error()) // A defect of what was built in.
	}
	// In groups of three digits, as people in Madagascar write numbers, on one line.
	group := func(number any) string {
		return strings.ReplaceAll(i18n.Number(reflect.ValueOf(number).Int()), " ", noBreak)
	}
	return &Page{
		service: service, texts: texts, style: assets.Style(),
		template: template.Must(template.New("page.html").Funcs(template.FuncMap{
			"clean":  func(text string) string { return payments.Clean(text, payments.MaxShownWidth) },
			"group":  group,
			"ariary": func(amount payments.Ariary) string { return group(amount) + noBreak + payments.Currency },
		}).ParseFS(files, "page.html")),
	}
}

// ServeHTTP shows where a link stands (GET), and takes what the customer does
// (POST): 303 to the merchant's page or back to this one, 409 while the phone is
// asked, 410 when the link is over, 422 when the number is wrong.
func (p *Page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	link := strings.TrimPrefix(r.URL.Path, Prefix)
	switch r.Method {
	case http.MethodPost:
		p.post(w, r, link)
	case http.MethodGet, http.MethodHead:
		p.get(w, r, link)
	default:
		w.Header().Set("Allow", "GET, HEAD, POST")
		http.Error(w, "Method Not Allowed", http.StatusMethodNotAllowed)
	}
}

func (p *Page) get(w http.ResponseWriter, r *http.Request, link string) {
	order, err := p.service.AtLink(link)
	switch {
	case err != nil:
		p.show(w, r, http.StatusNotFound, view{Show: showMissing})
	case r.URL.Query().Has(askedKey) && order.Request == nil:
		p.leave(w, r, order)
	case order.State == sandbox.Expired:
		p.show(w, r, http.StatusGone, p.viewOf(r, order))
	default:
		p.show(w, r, http.StatusOK, p.viewOf(r, order))
	}
}

func (p *Page) post(w http.ResponseWriter, r *http.Request, link string) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	kind := payments.EventKind("payment." + r.PostFormValue("outcome"))
	var order sandbox.Order
	var err error
	switch {
	case kind == payments.PaymentSuccess, kind == payments.PaymentFailed, kind == payments.PaymentCanceled:
		order, err = p.service.Choose(link, kind)
	case r.PostFormValue("step") == "number":
		typed := r.PostFormValue("number")
		number, sound := readPhone(typed)
		if known, err := p.service.AtLink(link); err == nil && known.State == sandbox.Open && known.Request == nil && !sound {
			p.wrong(w, r, known, typed)
			return
		}
		order, err = p.service.AskPhone(link, number.masked, number.failure)
	default:
		p.show(w, r, http.StatusBadRequest, view{Show: showUnclear, Address: address(r, false)})
		return
	}
	switch status := sandbox.StatusOf(err); {
	case err == nil && order.Request != nil:
		redirect(w, r, address(r, true))
	case err == nil:
		p.leave(w, r, order)
	case status == http.StatusNotFound:
		p.show(w, r, status, view{Show: showMissing})
	case status == http.StatusTooManyRequests:
		p.show(w, r, status, view{Show: showBusy, Address: address(r, false)})
	case status == http.StatusInternalServerError:
		http.Error(w, "Internal Server Error", status)
	default:
		p.show(w, r, status, p.viewOf(r, order))
	}
}

// wrong gives a wrong number back with what is wrong with it.
func (p *Page) wrong(w http.ResponseWriter, r *http.Request, order sandbox.Order, typed string) {
	shown := p.viewOf(r, order)
	shown.Number, shown.Problem = payments.Clean(typed, maxNumber), "number_wrong"
	if strings.TrimSpace(typed) == "" {
		shown.Problem = "number_missing"
	}
	p.show(w, r, http.StatusUnprocessableEntity, shown)
}

// leave sends the customer to the merchant's page for the last outcome, or back
// to this one when there is none.
func (p *Page) leave(w http.ResponseWriter, r *http.Request, order sandbox.Order) {
	config, page := p.service.Config(), ""
	switch {
	case order.State == sandbox.Paid:
		page = config.SuccessURL
	case order.State == sandbox.Canceled:
		page = config.CancelURL
	case order.State == sandbox.Open && order.Failure != "" && order.Failure != sandbox.NoAnswer:
		page = config.FailureURL
	}
	target, err := url.Parse(page)
	if page == "" || err != nil {
		redirect(w, r, address(r, false))
		return
	}
	named := url.Values{"reference": {order.Reference}, "order_reference": {order.OrderReference}}
	target.RawQuery = strings.TrimPrefix(target.RawQuery+"&"+named.Encode(), "&")
	redirect(w, r, target.String())
}

func redirect(w http.ResponseWriter, r *http.Request, target string) {
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, target, http.StatusSeeOther) //nolint:gosec // It is this page, or one that the merchant set.
}

func (p *Page) show(w http.ResponseWriter, r *http.Request, status int, shown view) {
	config := p.service.Config()
	shown.Texts, shown.Style, shown.Shop = p.texts[assets.Language(r)], p.style, config.Shop
	w.Header().Set("Content-Language", shown.Language())
	p.service.WriteHTML(w, status, p.template, shown, p.style, formTargets(config))
}

// formTargets returns the sources that the form may lead to: a browser applies
// the policy to the redirect after it too.
func formTargets(config sandbox.Config) string {
	sources := "'self'"
	for _, page := range []string{config.SuccessURL, config.CancelURL, config.FailureURL} {
		if target, err := url.Parse(page); err == nil && target.Host != "" {
			sources += " " + target.Scheme + "://" + target.Host
		}
	}
	return sources
}
