package page

import (
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"checkout/till/assets"
	"checkout/till/payments"
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
	Style   template.CSS
	Shop    string
	Show    string // A state of a link, or what is shown instead.
	Refresh string // Of the meta element; empty for none.
	Address string // Of the page itself, where it makes sense to go there.
	Order   *orderView
	Number  string // That was typed, and is wrong.
	Problem string // The text that says why.
}

// Outcome tells whether the page shows that something ended.
func (v view) Outcome() bool { return v.Show != string(sandbox.Open) && v.Show != showProgress }

// orderView is an order as the customer sees it.
type orderView struct {
	Reference, Description string
	Lines                  []lineView
	Total                  string
	Failure                sandbox.Failure
	Asked                  string // The number of the phone that is being asked, masked.
	Minutes, Seconds       int    // That are left.
}

type lineView struct{ Label, Quantity, Price, Sum string }

// viewOf returns the view of an order.
func viewOf(r *http.Request, order sandbox.Order, now time.Time) view {
	left := max(0, order.ExpiresAt.Sub(now))
	seconds := int((left + time.Second - 1) / time.Second)
	shown := orderView{
		Reference:   payments.Clean(order.Reference, payments.MaxLabelWidth),
		Description: payments.Clean(order.Description, payments.MaxShownWidth),
		Total:       group(int64(order.Amount)) + noBreak + payments.Currency, Failure: order.Failure,
		Minutes: seconds / 60, Seconds: seconds % 60,
	}
	for _, item := range order.Items {
		shown.Lines = append(shown.Lines, lineView{
			Label: payments.Clean(item.Label, payments.MaxShownWidth), Quantity: group(item.Quantity),
			Price: group(int64(item.UnitPrice)), Sum: group(int64(item.Item().Total())),
		})
	}
	page := view{Show: string(order.State), Order: &shown}
	if order.State != sandbox.Open {
		return page
	}
	if order.Request != nil {
		page.Show, shown.Asked = showProgress, order.Request.Number
	}
	page.Address = address(r, order.Request != nil)
	page.Refresh = refresh(order, left, page.Address)
	return page
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

// refresh is the content of the meta element: at the end of the link, and for the
// phone's answer.
func refresh(order sandbox.Order, left time.Duration, address string) string {
	after := int(left/time.Second) + 1
	if order.Request == nil {
		return strconv.Itoa(after)
	}
	return strconv.Itoa(min(after, pollSeconds)) + "; url=" + address
}

// group writes a whole number in groups of three, as people in Madagascar do.
func group(number int64) string {
	digits := strconv.FormatInt(number, 10)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + noBreak + digits[at:]
	}
	return digits
}
