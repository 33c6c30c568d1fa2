package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"checkout/till/storage/storagetest/disk"
	"checkout/till/tui/tuitest"
)

func TestTheSandboxIsDrivenFromTheCommandLine(t *testing.T) {
	sandbox, merchant := newDesk(t), newMerchant(t)
	delete(sandbox.env, "TILL_BASE_URL")
	end := sandbox.background("try it:", "sandbox", "--listen", "127.0.0.1:0", "--webhook-url", merchant.url, "--retry-pauses", "1s,5s")
	defer end()
	site := regexp.MustCompile(`http://127\.0\.0\.1:\d+`).FindString(sandbox.out.String())
	desk := newDesk(t)
	desk.env["TILL_BASE_URL"] = site
	for _, reference := range []string{"A1", "A2"} {
		desk.says("", 0, "REF_", "order", "create", "--item", "Vary:3500", "--reference", reference)
	}
	order := regexp.MustCompile(`REF_\d+`).FindString(desk.out.String())
	desk.says("", 1, "no such delivery", "sandbox", "resend", "A1", "--url", site)
	desk.says("", 0, ": failed\n", "sandbox", "fail", "A1", "--url", site)
	desk.says("", 0, ": canceled\n", "sandbox", "cancel", "A1", "--url", site)
	desk.says("", 0, `"state":"success"`, "sandbox", "pay", "A1", "--json", "--url", site)
	desk.says("", 1, "the link is over", "sandbox", "pay", "A1", "--url", site)
	desk.says("", 0, order+": expired\n", "sandbox", "expire", order, "--url", site)
	desk.says("", 0, order+": the last event is sent again\n", "sandbox", "resend", order, "--url", site)
	desk.says("", 1, "has no such order", "sandbox", "pay", "A3", "--url", site)
	desk.says("", 1, "answers 200 OK", "sandbox", "pay", "A1", "--url", merchant.url)
}

func TestTheSandboxSendsTheEventsOfAFurtherTokenToItsAddress(t *testing.T) {
	sandbox, first, second := newDesk(t), newMerchant(t), newMerchant(t)
	delete(sandbox.env, "TILL_BASE_URL")
	const further = "TGP_second_not_a_real_token"
	end := sandbox.background("try it:", "sandbox", "--listen", "127.0.0.1:0", "--webhook-url", first.url, "--webhook-for", further+"="+second.url)
	printed := sandbox.out.String()
	if !strings.Contains(printed, "events of a further token go to "+second.url) || strings.Contains(printed, further) {
		t.Errorf("it prints %q", printed)
	}
	desk := newDesk(t)
	desk.env["TILL_BASE_URL"], desk.env["TILL_ACCESS_TOKEN"] = regexp.MustCompile(`http://127\.0\.0\.1:\d+`).FindString(printed), further
	desk.says("", 0, "REF_", "order", "create", "--item", "Vary:3500", "--reference", "B1")
	desk.says("", 0, ": failed\n", "sandbox", "fail", "B1", "--url", desk.env["TILL_BASE_URL"])
	get(t, desk.env["TILL_BASE_URL"]+"/lab/deliveries?wait=20s&event=payment.failed&after=0")
	sandbox.stops(end)
	if _, _, data := second.received(t); data["reference"] != "B1" || len(first.bodies) != 0 {
		t.Errorf("the merchant of the further token received %v, the other one %v", data, first.bodies)
	}
}

func TestAMissingSandboxIsNamed(t *testing.T) {
	desk := newDesk(t)
	const site = "http://127.0.0.1:1"
	desk.says("", 1, "nothing answers at http://127.0.0.1:1", "sandbox", "pay", "A1", "--url", site)
	desk.says("", 2, "is not an http or https address", "sandbox", "pay", "A1", "--url", "127.0.0.1")
	desk.says("", 2, "REF", "sandbox", "pay")
	desk.says("", 2, "--retry-pauses", "sandbox", "--retry-pauses", "soon")
}

func TestHealthIsForTheHealthCheckOfAContainer(t *testing.T) {
	desk := newDesk(t)
	desk.says("", 1, "nothing answers at http://", "health")
	desk.says("", 1, "nothing answers at https://127.0.0.1:1", "health", "https://127.0.0.1:1")
	desk.says("", 2, "is not an http or https address", "health", "127.0.0.1")
	address, end := desk.listening()
	other := newDesk(t)
	site := strings.TrimSuffix(address, "/webhook")
	other.says("", 0, "ok\n", "health", site)
	other.says("", 0, `"store_down":false`, "health", site, "--json")
	end()

	desk = newDesk(t)
	address, end = desk.listening()
	site = strings.TrimSuffix(address, "/webhook")
	tuitest.Must(t, os.Rename(filepath.Join(desk.env["HOME"], "till", "till.db"), filepath.Join(disk.Memory(t), "till.db")))
	for _, flags := range [][]string{nil, {"--json"}} {
		other.says("", 1, site+" answers 503 Service Unavailable", append([]string{"health", site}, flags...)...)
		if printed := other.out.String(); !strings.Contains(printed, `"store_down":true`) {
			t.Errorf("it prints %q", printed)
		}
	}
	end()
}
