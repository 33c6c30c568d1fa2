package tui

import (
	"slices"

	"checkout/till/payments"
	"checkout/till/tui/doctor"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
)

// alarms draws the findings about the till at one moment.
type alarms struct {
	live.Console
	findings []doctor.Finding // The first one is about reach.
	reach    payments.Reach   // Whether the till would see a payment.
	route    route            // The open screen.
	keys     keyMap
}

func (m model) alarms() alarms {
	state := m.counter.Picture()
	reach := m.counter.ReachNow()
	return alarms{Console: m.Console, reach: reach, route: m.route, keys: m.keys, findings: doctor.Findings(m.Texts, doctor.Picture{
		Health: m.Health(), Reach: reach, Now: state.Now, Zone: m.Zone, Orphans: payments.SumOf(state.Orphans()),
	})}
}

func (a alarms) light() doctor.Finding { return doctor.Headline(a.findings, a.reach) }

// text returns the text of a finding. For a problem, it adds the key that opens the screen with the
// details, unless that screen is open.
func (a alarms) text(finding doctor.Finding) string {
	details := routeHealth
	if finding.Code == doctor.NoOrder {
		details = routeOrders
	}
	if !finding.Bad() || details == a.route {
		return finding.Brief()
	}
	return finding.Brief() + " · " + a.keys.Opens[details].Help().Key
}

// rows returns a row for each problem that has a short text. It leaves out the problem that the
// header shows, unless all is true.
func (a alarms) rows(all bool) (rows []string) {
	for _, finding := range a.findings {
		if finding.Short == "" || !finding.Bad() || !all && finding == a.light() {
			continue
		}
		sign, _ := finding.State.Mark(a.Theme)
		rows = append(rows, a.block(finding).Render(" "+sign+" "+a.text(finding)+" "))
	}
	return rows
}

func (a alarms) block(finding doctor.Finding) theme.Style {
	if finding.State == doctor.Fail {
		return a.Theme.DangerBlock
	}
	return a.Theme.WarningBlock
}

// refusal returns a row that says why the till refuses the service's events, or that events may be
// forged; nil if neither is so.
func (a alarms) refusal() []string {
	refusal, is := doctor.Refusal(a.findings, a.reach)
	if !is {
		return nil
	}
	return []string{" " + a.Theme.Danger.Render("✗ "+refusal.Text)}
}

// besides returns the rows that the payment screen draws next to its order: the alarms, and the
// oldest unseen outcome of another order. Rows above the screen would move the QR code.
func (m model) besides() []string {
	over := m.pay.FullWindow()
	return slices.Concat(m.alarms().rows(over), m.news().rows(over))
}
