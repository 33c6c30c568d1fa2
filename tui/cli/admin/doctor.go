package admin

import (
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"checkout/till/tui"
	"checkout/till/tui/cli"
	"checkout/till/tui/component/qr"
	"checkout/till/tui/doctor"
)

func (a *app) doctorCommand() *cobra.Command {
	return a.JSON(&cobra.Command{
		Use:  "doctor",
		Args: a.Arguments(),
		RunE: func(command *cobra.Command, _ []string) error {
			found := doctor.Findings(a.Texts, a.Diagnose(command.Context())...)
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

// drawFindings sets findings for people. In a terminal a code to scan stands above.
func (a *app) drawFindings(found []doctor.Finding) string {
	const widest, unknown, says = 100, 80, "till"
	settings, _ := a.Settings() // What is wrong with them is among the findings.
	styles := tui.ThemeFor(a.Out, a.Env, settings.Counter.Theme)
	if !cli.IsTerminal(a.Out) {
		return styles.Encode(strings.Join(doctor.Rows(found, styles, unknown), "\n"))
	}
	width, _, err := term.GetSize(int(a.Out.(*os.File).Fd())) //nolint:forcetypeassert // A terminal is a file.
	if err != nil {
		width = unknown
	}
	rows := doctor.Rows(found, styles, min(width, widest))
	var form []qr.Option
	if styles.ASCII() {
		form = append(form, qr.WithBlanks())
	}
	if code, err := qr.New(says, form...); err == nil { // So short a text always fits into a code.
		// Above, so that a low window shows the findings.
		rows = append([]string{a.Texts.Doctor.Scan.With(says), code.SetSize(code.Needs()).View(), ""}, rows...)
	}
	return styles.Encode(strings.Join(rows, "\n"))
}
