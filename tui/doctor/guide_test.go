package doctor_test

import (
	"os"
	"regexp"
	"testing"

	"checkout/till/tui/tuitest"
)

//go:generate go test -run TestTheGuideHasTheCodes -update .

// TestTheGuideHasTheCodes compares the table of codes in the contributor's guide with the constants
// and their comments.
func TestTheGuideHasTheCodes(t *testing.T) {
	table := "| code | what it says |\n|---|---|\n"
	constant := regexp.MustCompile(`(?m)^\t\w+ +(?:Reach|CauseKind|Code) += "(\w+)" *// (.*)$`)
	for _, file := range []string{"../../payments/reach.go", "../../payments/health.go", "findings.go", "checks.go"} {
		source, err := os.ReadFile(file)
		tuitest.Must(t, err)
		for _, match := range constant.FindAllStringSubmatch(string(source), -1) {
			table += "| `" + match[1] + "` | " + match[2] + " |\n"
		}
	}
	tuitest.Table(t, "../../assets/docs/en/contributor.md", "codes", table)
}
