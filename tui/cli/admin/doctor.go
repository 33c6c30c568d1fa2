package admin

import (
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"checkout/till/tui/cli"
	"checkout/till/tui/component/scan"
	"checkout/till/tui/doctor"
	"checkout/till/tui/theme"
)

func (a *app) doctorCommand() *cobra.Command {
	return a.JSON(&cobra.Command{
		Use: "doctor",
		RunE: func(command *cobra.Command, _ []string) error {
			found := a.Diagnose(command.Context())
			count := make(map[doctor.State]int)
			for _, finding := range found {
				count[finding.State]++
			}
			summary := a.Texts.Doctor.Summary.With(count[doctor.Fail], count[doctor.Warn], count[doctor.OK])
			text := a.drawFindings(found)
			if count[doctor.Fail] == 0 {
				return a.Print(found, text+"\n\n"+summary)
			}
			return errors.Join(a.Print(found, text), errors.New(summary))
		},
	})
}

// drawFindings sets findings for people. In a terminal a code to scan stands above,
// so that a low window shows the findings.
func (a *app) drawFindings(found []doctor.Finding) string {
	const widest, says = 100, "till"
	settings, _ := a.Settings() // What is wrong with them is among the findings.
	styles := theme.ForTerminal(a.Out, a.Env, theme.Mode(settings.Counter.Theme))
	width, rows := 80, []string(nil)
	if file, _ := a.Out.(*os.File); cli.IsTerminal(a.Out) {
		if columns, _, err := term.GetSize(int(file.Fd())); err == nil {
			width = min(columns, widest)
		}
		code := scan.Encode(styles, says)
		rows = []string{a.Texts.Doctor.Scan.With(says), code.SetSize(code.Needs()).View(), ""}
	}
	return styles.Encode(strings.Join(append(rows, doctor.Rows(a.Texts, found, styles, width)...), "\n"))
}
