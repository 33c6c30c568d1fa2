package cli_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
)

//go:generate go test -run TestTheReadmeHasEveryScenario -write-readme .

var writeReadme = flag.Bool("write-readme", false, "write the table of scenarios into the README")

func TestTheReadmeHasEveryScenario(t *testing.T) {
	const path, from, to = "../../README.md", "<!-- scenarios: written by go generate ./tui/cli -->\n", "<!-- /scenarios -->"
	readme, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, begun := strings.Cut(string(readme), from)
	_, tail, ended := strings.Cut(rest, to)
	if !begun || !ended {
		t.Fatal("the README has lost the marks around its table of scenarios")
	}
	table := "| scenario | what goes wrong |\n|---|---|\n"
	for _, scenario := range sandbox.Scenarios() {
		table += "| `" + scenario.Name + "` | " + scenario.Summary + " |\n"
	}
	want := head + from + table + to + tail
	if *writeReadme {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(readme) != want {
		t.Error("the README's scenarios are not the sandbox's: run go generate ./tui/cli")
	}
}

// TestTheGuideIsTrue looks at the orders that the README and the help of the
// sandbox show, and at the scenario.
func TestTheGuideIsTrue(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	desk := newDesk(t)
	if code := desk.run(t.Context(), "sandbox", "--help"); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	for name, text := range map[string]string{"the README": string(readme), "the help": desk.out.String()} {
		t.Run(name, func(t *testing.T) {
			_, rest, found := strings.Cut(text, "curl http://127.0.0.1:8789/api/payement/service -d '")
			body, rest, ended := strings.Cut(rest, "'")
			if !found || !ended {
				t.Fatal("it shows no order call")
			}
			order, err := gateway.DecodeOrder([]byte(body))
			if err != nil || order.Access.Reveal() != "TGP_sandbox" || !strings.Contains(text, "TILL_ACCESS_TOKEN=TGP_sandbox ") {
				t.Errorf("the service would refuse it: %v", err)
			}
			_, rest, found = strings.Cut(rest, `/lab/scenario -d '{"name": "`)
			scenario, _, _ := strings.Cut(rest, `"`)
			if _, err := sandbox.FindScenario(scenario); !found || err != nil {
				t.Errorf("the scenario: %v", err)
			}
		})
	}
}
