package sandbox

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"checkout/till/assets"
	"checkout/till/payments"
)

const (
	// stateSuffix follows a link where its page's script asks how it stands.
	stateSuffix = "/state"
	// tokenKey names the prompt of a window in the page's address.
	tokenKey = "ask"
	// refreshAsked is how many seconds a page without a script waits until it
	// looks whether the phone has answered.
	refreshAsked = 2
	// refreshScripted is the same for a page whose script looks by itself, for
	// the case that it does not.
	refreshScripted = 60
)

// What the page shows beside the states of a link.
const (
	showReview   = "review"   // The number, to be confirmed.
	showProgress = "progress" // The phone is being asked.
	showMoved    = "moved"    // The answer came: the customer goes elsewhere.
	showMissing  = "missing"
	showUnclear  = "unclear"
	showBusy     = "busy"
)

// servePage is the hosted page. A GET shows where the link stands, and where
// the customer of this window does. A POST is what the customer did; it answers
// 303 to the merchant's page or back to this one, 409 while the phone is being
// asked, 410 when the link is over, and 422 with the form when an entry is
// wrong.
func (s *Sandbox) servePage(w http.ResponseWriter, r *http.Request) {
	link, ofState := strings.CutSuffix(strings.TrimPrefix(r.URL.Path, linkPrefix), stateSuffix)
	if ofState {
		s.serveState(w, r, link)
		return
	}
	if !s.allow(w, r, http.MethodGet, http.MethodHead, http.MethodPost) {
		return
	}
	if r.Method == http.MethodPost {
		s.takeStep(w, r, link)
		return
	}
	token := r.URL.Query().Get(tokenKey)
	view, found := s.look(link, token)
	switch {
	case !found:
		s.show(w, r, http.StatusNotFound, pageView{Show: showMissing})
	case view.shows == showMoved:
		s.redirect(w, r, s.afterwards(r, link, view.outcome))
	case token != "" && view.shows == string(open):
		// Another window gave another number.
		s.redirect(w, r, address(r, ""))
	case view.shows == string(expired):
		s.showOrder(w, r, http.StatusGone, view)
	default:
		s.showOrder(w, r, http.StatusOK, view)
	}
}

// serveState tells the page's script what the page would show, as
// {"state": "open", "left_ms": 600000}. For a window whose prompt has ended the
// state is "moved": it shall ask for the page again.
func (s *Sandbox) serveState(w http.ResponseWriter, r *http.Request, link string) {
	if !s.allow(w, r, http.MethodGet, http.MethodHead) {
		return
	}
	view, found := s.look(link, r.URL.Query().Get(tokenKey))
	status := http.StatusOK
	if !found {
		status, view.shows = http.StatusNotFound, showMissing
	}
	body, err := json.Marshal(struct {
		State string `json:"state"`
		Left  int64  `json:"left_ms"`
	}{view.shows, max(0, view.left.Milliseconds())})
	if err != nil {
		s.refuse(w, r, http.StatusInternalServerError, "Internal Server Error")
		return
	}
	reply(w, status, body)
}

// afterwards returns where the customer of a link goes after an event, or
// after none: to the merchant's page for it, or back to this one.
func (s *Sandbox) afterwards(r *http.Request, link string, kind payments.EventKind) string {
	var page string
	switch kind {
	case payments.PaymentSuccess:
		page = s.config.SuccessURL
	case payments.PaymentCanceled:
		page = s.config.CancelURL
	case payments.PaymentFailed:
		page = s.config.FailureURL
	default: // An expiry sends the customer nowhere.
	}
	s.mu.Lock()
	order, found := s.book.byLink[link]
	s.mu.Unlock()
	target, err := url.Parse(page)
	if page == "" || err != nil || !found {
		return address(r, "")
	}
	// What is read of the order never changes.
	named := url.Values{"reference": {order.request.Reference}, "order_reference": {order.reference}}
	target.RawQuery = strings.TrimPrefix(target.RawQuery+"&"+named.Encode(), "&")
	return target.String()
}

// redirect sends the customer on.
func (s *Sandbox) redirect(w http.ResponseWriter, r *http.Request, target string) {
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, target, http.StatusSeeOther)
}

// address returns the page's own address, with the language that the customer
// chose and the prompt of the window, if there is one.
func address(r *http.Request, token string) string {
	query := url.Values{}
	if r.URL.Query().Has("lang") {
		query.Set("lang", assets.Language(r))
	}
	if token != "" {
		query.Set(tokenKey, token)
	}
	return (&url.URL{Path: r.URL.Path, RawQuery: query.Encode()}).String()
}

// pageView is what the template of the hosted page is filled with.
type pageView struct {
	assets.Texts
	look
	Show    string // A state of a link, or what is shown instead.
	Shop    string
	Address string     // Of the page itself, where it makes sense to go there.
	Watch   string     // Where the script asks; empty when nothing changes any more.
	Token   string     // Of the window's prompt; empty when it has none.
	Order   *orderView // Nil when there is none to show.
	Entry   entryView
}

// showOrder draws the page of an order.
func (s *Sandbox) showOrder(w http.ResponseWriter, r *http.Request, status int, order orderView) {
	s.show(w, r, status, pageView{Show: order.shows, Token: order.Prompt.Token, Order: &order})
}

// show draws the hosted page.
func (s *Sandbox) show(w http.ResponseWriter, r *http.Request, status int, view pageView) {
	view.Texts, view.look, view.Shop = s.web.texts[assets.Language(r)], s.web.page, s.config.Shop
	switch view.Show {
	case string(open), showReview, showProgress:
		view.Address = address(r, view.Token)
		watch := url.URL{Path: r.URL.Path + stateSuffix}
		if view.Token != "" {
			watch.RawQuery = url.Values{tokenKey: {view.Token}}.Encode()
		}
		view.Watch = watch.String()
		// The browser asks again by itself, also when it runs no script.
		w.Header().Set("Refresh", refresh(view))
	case showUnclear, showBusy:
		view.Address = address(r, "")
	}
	w.Header().Set("Content-Language", view.Language())
	s.web.draw(w, status, "page.html", view.look, view)
}

// refresh returns when the browser asks for the page again, and where it then
// goes: at the end of the link, and before it for the phone's answer.
func refresh(view pageView) string {
	after := int(view.Order.left/time.Second) + 1
	if view.Show != showProgress {
		return strconv.Itoa(after)
	}
	wait := refreshAsked
	if view.Order.Prompt.Scripted {
		wait = refreshScripted
	}
	return strconv.Itoa(min(after, wait)) + "; url=" + view.Address
}
