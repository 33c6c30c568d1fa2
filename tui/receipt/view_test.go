package receipt_test

import (
	"strings"
	"testing"

	"checkout/till/tui/receipt"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

func short(t *testing.T) *receipt.Paper {
	return of(t, "fr", receipt.Shop{Name: "Épicerie Tantely"}, cash(5000, item("Mofo gasy", 300, 10)), 32)
}

func TestAReceiptLooksLikePaper(t *testing.T) {
	const want = `
▟▙▟▙▟▙▟▙▟▙▟▙▟▙▟▙▟▙▟▙▟▙▟▙▟▙▟▙▟▙▟▙▟▙
         ÉPICERIE TANTELY
 --------------------------------
 Ticket T1-GT-000412
 Caisse T1 · Fara  25/11/26 11:41
 --------------------------------
 Mofo gasy        10 × 300  3 000
 --------------------------------
 TOTAL                   3 000 Ar
 ESPÈCES 11:41           5 000 Ar
 Rendu                   2 000 Ar
 T1-GT-C-000001
 --------------------------------
    Misaotra tompoko · Merci !
▜▛▜▛▜▛▜▛▜▛▜▛▜▛▜▛▜▛▜▛▜▛▜▛▜▛▜▛▜▛▜▛▜▛`
	// In ASCII, the same picture has other signs.
	ascii := strings.NewReplacer("▟", "/", "▙", `\`, "▜", `\`, "▛", "/", "É", "E", "È", "E", "·", "|", "×", "x")
	for charset, want := range map[theme.Charset]string{theme.Unicode: want, theme.ASCII: ascii.Replace(want)} {
		styles := theme.Plain()
		styles.Charset = charset
		rows := short(t).View(styles, styles.Text)
		for _, row := range rows {
			tuitest.Equal(t, theme.Width(row), 34, "the width of %q", row)
		}
		got := tuitest.Render(styles.Encode(strings.Join(rows, "\n")), 40, len(rows)).String()
		tuitest.Equal(t, got, want[1:], "the picture")
	}
}

// The torn edge of the paper consists of teeth in the colour of the paper and gaps in the colour of
// the screen.
func TestThePaperIsVisibleInEveryPalette(t *testing.T) {
	for _, mode := range []theme.Mode{theme.Auto, theme.Dark, theme.Light, theme.Contrast} {
		styles := theme.Full(mode)
		for name, around := range map[string]theme.Style{"the window": styles.Text, "the outcome": styles.PaidBlock} {
			rows := short(t).View(styles, around)
			screen := tuitest.Render(strings.Join(rows, "\n")+around.Render(" "), 40, len(rows))
			edge, paper, outside := screen.Cell(0, 0), screen.Cell(0, 1), screen.Cell(34, len(rows)-1)
			if edge.Text != paper.Ground || edge.Ground != outside.Ground || edge.Reversed == paper.Reversed && mode == theme.Contrast {
				t.Errorf("in %s on %s: the edge is %+v, the paper %+v, the screen %+v", mode, name, edge, paper, outside)
			}
			tuitest.Equal(t, screen.Cell(10, 1).Bold, !paper.Reversed, "in %s on %s, the shop's name is bold", mode, name)
		}
	}
}
