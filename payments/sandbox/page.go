package sandbox

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"checkout/till/assets"
	"checkout/till/payments"
)

// maxForm bounds the form of the page, in bytes.
const maxForm = 4 << 10

// servePage is the hosted page. A GET shows where the link stands. A POST is
// what the customer did; it answers 303 to the merchant's page or back to this
// one, and 410 when the link is over.
func (s *Sandbox) servePage(w http.ResponseWriter, r *http.Request) {
	if !s.allow(w, r, http.MethodGet, http.MethodHead, http.MethodPost) {
		return
	}
	link := strings.TrimPrefix(r.URL.Path, linkPrefix)
	if r.Method == http.MethodPost {
		s.takeAction(w, r, link)
		return
	}
	view, found := s.look(link)
	switch {
	case !found:
		s.show(w, r, http.StatusNotFound, "missing", nil)
	case view.state == expired:
		s.show(w, r, http.StatusGone, string(expired), &view)
	case view.state == open:
		// The browser asks again when the time is over.
		w.Header().Set("Refresh", strconv.Itoa(int(view.left/time.Second)+1))
		s.show(w, r, http.StatusOK, string(open), &view)
	default:
		s.show(w, r, http.StatusOK, string(view.state), &view)
	}
}

// takeAction takes what the customer chose on the page.
func (s *Sandbox) takeAction(w http.ResponseWriter, r *http.Request, link string) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	kind := payments.EventKind("payment." + r.PostFormValue("outcome"))
	if status, known := kind.Status(); !known || status == payments.StatusExpired {
		s.show(w, r, http.StatusBadRequest, "unclear", nil)
		return
	}
	s.mu.Lock()
	order, found := s.book.byLink[link]
	err := ErrNoSuchOrder
	if found {
		_, err = s.act(order, kind)
	}
	s.mu.Unlock()
	switch {
	case errors.Is(err, ErrNoSuchOrder):
		s.show(w, r, http.StatusNotFound, "missing", nil)
	case errors.Is(err, ErrLinkOver):
		view, _ := s.look(link)
		s.show(w, r, http.StatusGone, string(view.state), &view)
	case err != nil:
		s.show(w, r, http.StatusTooManyRequests, "busy", nil)
	default:
		http.Redirect(w, r, s.afterwards(r, order, kind), http.StatusSeeOther) //nolint:gosec // It leads to the merchant's page, as it is set, or back.
	}
}

// afterwards returns where the customer goes after an action. What it reads of
// the order never changes.
func (s *Sandbox) afterwards(r *http.Request, order *order, kind payments.EventKind) string {
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
	target, err := url.Parse(page)
	if page == "" || err != nil {
		return linkPrefix + order.link + language(r)
	}
	named := url.Values{"reference": {order.request.Reference}, "order_reference": {order.reference}}
	target.RawQuery = strings.TrimPrefix(target.RawQuery+"&"+named.Encode(), "&")
	return target.String()
}

// language returns the query that keeps the language the customer chose.
func language(r *http.Request) string {
	if r.URL.Query().Has("lang") {
		return "?lang=" + assets.Language(r)
	}
	return ""
}

// pageView is what the template of the hosted page is filled with.
type pageView struct {
	assets.Texts
	look
	Show    string // "open", an outcome, or what is wrong.
	Shop    string
	Address string     // Of the page itself, where it makes sense to go there.
	Order   *orderView // Nil when there is none to show.
}

// orderView is an order as the customer sees it.
type orderView struct {
	Reference, Description string
	Lines                  []lineView
	Total                  string
	Failed                 bool // The last try failed.
	Minutes, Seconds       int  // Left.

	state state
	left  time.Duration
}

type lineView struct {
	Label, Price, Sum string
	Quantity          string
}

// look returns what the customer may see of a link, and false when there is
// none. A link whose time is over is shown so, even a moment before its event.
func (s *Sandbox) look(link string) (orderView, bool) {
	s.mu.Lock()
	order, found := s.book.byLink[link]
	if !found {
		s.mu.Unlock()
		return orderView{}, false
	}
	state, failures := order.state, order.failures
	s.mu.Unlock()
	left := order.ends.Sub(s.config.Now())
	if state == open && left <= 0 {
		state = expired
	}
	seconds := int((max(0, left) + time.Second - 1) / time.Second)
	view := orderView{
		Reference:   payments.Clean(order.request.Reference, payments.MaxLabelWidth),
		Description: payments.Clean(order.request.Description, payments.MaxShownWidth),
		Total:       money(order.request.Amount),
		Failed:      failures > 0, Minutes: seconds / 60, Seconds: seconds % 60,
		state: state, left: left,
	}
	for _, item := range order.request.Metadata {
		view.Lines = append(view.Lines, lineView{
			Label: payments.Clean(item.Label, payments.MaxShownWidth),
			Price: group(int64(item.UnitPrice)), Quantity: group(item.Quantity),
			Sum: group(int64(item.Item().Total())),
		})
	}
	return view, true
}

// show draws the hosted page.
func (s *Sandbox) show(w http.ResponseWriter, r *http.Request, status int, what string, order *orderView) {
	view := pageView{
		Texts: s.web.texts[assets.Language(r)], Show: what,
		Shop: s.config.Shop, look: s.web.page, Order: order,
	}
	if what == string(open) || what == "unclear" || what == "busy" {
		view.Address = r.URL.Path + language(r)
	}
	w.Header().Set("Content-Language", view.Language())
	s.web.draw(w, status, "page.html", s.web.page, view)
}

// noBreak keeps the groups of a number, and its unit, on one line.
const noBreak = "\u00a0"

// group writes a whole number above zero in groups of three, as people in
// Madagascar do.
func group(number int64) string {
	digits := strconv.FormatInt(number, 10)
	var grouped strings.Builder
	for i, digit := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			grouped.WriteString(noBreak)
		}
		grouped.WriteRune(digit)
	}
	return grouped.String()
}

func money(amount payments.Ariary) string { return group(int64(amount)) + noBreak + payments.Currency }
