package page

import (
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"checkout/till/assets"
	"checkout/till/payments/sandbox"
)

const (
	// askedKey marks the address of a page that waits for the phone.
	askedKey = "asked"
	// pollSeconds is how often such a page asks for the answer.
	pollSeconds = 2
)

// What the page shows beside the states of a link.
const (
	showProgress = "progress"
	showMissing  = "missing"
	showUnclear  = "unclear"
	showBusy     = "busy"
)

// view is what the template is filled with.
type view struct {
	assets.Texts
	Style            template.CSS
	Shop             string
	Show             string // A state of a link, or what is shown instead.
	Refresh          string // Of the meta element; empty for none.
	Address          string // Of the page itself, where it makes sense to go there.
	Order            *sandbox.Order
	Minutes, Seconds int    // That are left.
	Number           string // That was typed, and is wrong.
	Problem          string // The text that says why.
}

// Outcome tells whether the page shows that something ended.
func (v view) Outcome() bool { return v.Show != string(sandbox.Open) && v.Show != showProgress }

// viewOf returns the view of an order.
func (p *Page) viewOf(r *http.Request, order sandbox.Order) view {
	left := max(0, order.ExpiresAt.Sub(p.service.Config().Now()))
	seconds := int((left + time.Second - 1) / time.Second)
	shown := view{Show: string(order.State), Order: &order, Minutes: seconds / 60, Seconds: seconds % 60}
	if order.State != sandbox.Open {
		return shown
	}
	// The page is asked for again at the end of the link, and for the phone's answer.
	after := int(left/time.Second) + 1
	shown.Address, shown.Refresh = address(r, order.Request != nil), strconv.Itoa(after)
	if order.Request != nil {
		shown.Show, shown.Refresh = showProgress, strconv.Itoa(min(after, pollSeconds))+"; url="+shown.Address
	}
	return shown
}

// address returns the page's own address, with the language that was chosen.
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
