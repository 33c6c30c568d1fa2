package sandbox

import (
	"fmt"
	"net/http"
	"strings"
)

// line is a command to copy into a shell.
type line struct{ ID, Title, Text string }

// lines returns commands that do what the page does, for the orders and
// deliveries that it shows. No secret stands in them: the shell puts the token
// in.
func lines(origin, orderPath string, orders orderList, deliveries deliveryList) []line {
	order, delivery := "REF_…", "1"
	for _, row := range orders.Rows {
		if order = row.Name; row.Open {
			break
		}
	}
	if len(deliveries.Rows) > 0 {
		delivery = fmt.Sprint(deliveries.Rows[0].ID)
	}
	lab := origin + labPrefix
	post := func(path, body string) string { return fmt.Sprintf("curl '%s%s' -d '%s'", lab, path, body) }
	return []line{
		{"line-order", "Make an order", orderLine(origin + orderPath)},
		{"line-act", "Act as the customer: success, failed, canceled, expired", post("orders/"+order+"/act", `{"outcome":"success"}`)},
		{"line-resend", "Send a delivery again", fmt.Sprintf("curl -X POST '%sdeliveries/%s/resend'", lab, delivery)},
		{"line-scenario", "Play a scenario", post("scenario", `{"name":"duplicate"}`)},
		{"line-faults", "Set faults for all orders", fmt.Sprintf(
			`curl -X PUT '%sfaults' -d '{"call":{"slow":"5s"},"event":{"copies":2,"signature":"wrong"}}'`, lab)},
		{"line-own", "Set the event faults of one order", fmt.Sprintf(
			`curl -X PUT '%sorders/%s/faults' -d '{"drop":true}'`, lab, order)},
		{"line-clear", "End all faults", fmt.Sprintf("curl -X DELETE '%sfaults'", lab)},
		{"line-look", "Read orders and deliveries as JSON", fmt.Sprintf("curl '%sorders?limit=5' '%sdeliveries?limit=5'", lab, lab)},
	}
}

// orderLine makes an order, under a reference that is new every second.
func orderLine(address string) string {
	return strings.Join([]string{
		fmt.Sprintf("curl '%s' -H 'Content-Type: application/json' -d '{", address),
		`  "access": "'"$TILL_ACCESS_TOKEN"'", "reference": "TRY-'"$(date +%s)"'",`,
		`  "description": "2 × Vary", "amount": 7000, "currency": "Ar",`,
		`  "metadata": [{"label": "Vary", "unit_price": 3500, "quantity": 2}] }'`,
	}, "\n")
}

// origin returns the address under which this machine has the sandbox, as the
// browser asked for it.
func origin(r *http.Request) string {
	if r.TLS != nil {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}
