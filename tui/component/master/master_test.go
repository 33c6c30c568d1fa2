package master_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"

	"checkout/till/assets/i18n"
	"checkout/till/tui/component/master"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

// view returns a list of letters with details of nine rows.
func view() master.View {
	return master.View{
		Title: "Letters", Head: []string{"Find: "}, Columns: "Name", Empty: "No letters yet.", More: "+",
		Row:    func(i int) string { return "letter " + string(rune('a'+i)) },
		Foot:   []string{"a remark"},
		Detail: master.Detail{Title: "Whole", Rows: strings.Split("one two three four five six seven eight nine", " "), Foot: []string{"a question"}},
	}
}

// press presses keys, and returns the drawn list of count letters.
func press(t *testing.T, width, height, count int, inside bool, keys ...string) string {
	t.Helper()
	m := master.New(theme.Plain(), i18n.Load("en")).SetSize(width, height)
	m.List, m.Inside = m.List.SetRows(make([]string, count)), inside
	m = m.Fit(view())
	for _, name := range keys {
		msg, err := tuitest.Key(name)
		tuitest.Must(t, err)
		m, _ = m.Update(msg)
	}
	return m.Draw(view())
}

func TestAnEmptyListShowsWhatItsRowsAreLike(t *testing.T) {
	m := master.New(theme.Plain(), i18n.Load("en")).SetSize(80, 20)
	empty := view()
	empty.Example = "letter x"
	for height, shows := range map[int]bool{20: true, 9: true, 8: false} {
		drawn := m.SetHeight(height).Draw(empty)
		if got := strings.Contains(drawn, "Name") && strings.Contains(drawn, "letter x"); got != shows || !strings.Contains(drawn, "No letters yet.") {
			t.Errorf("%d rows: the example is shown: %t\n%s", height, got, drawn)
		}
	}
}

func TestWhatIsSaidAboutARowIsDirectlyBelowTheList(t *testing.T) {
	m := master.New(theme.Plain(), i18n.Load("en")).SetSize(80, 20)
	m.List = m.List.SetRows([]string{""})
	said := view()
	said.About = []string{"about a"}
	drawn := strings.Split(m.Fit(said).Draw(said), "\n")
	for i, row := range drawn {
		if strings.Contains(row, "letter a") && !strings.Contains(drawn[i+1], "about a") {
			t.Errorf("the row below the list is %q", drawn[i+1])
		}
	}
}

func TestARemarkAboutAnEmptyListIsBelowItsText(t *testing.T) {
	drawn := strings.Split(press(t, 80, 20, 0, false), "\n")
	for i, row := range drawn {
		if strings.Contains(row, "No letters yet.") && !strings.Contains(drawn[i+2], "a remark") {
			t.Errorf("two rows below the text is %q, want the remark", drawn[i+2])
		}
	}
}

func TestTheDetailHasTheFocusWhileItAsks(t *testing.T) {
	styles := theme.Full(theme.Auto)
	m := master.New(styles, i18n.Load("en")).SetSize(120, 20)
	asks := view()
	asks.Detail.Asks = true
	rows := strings.Split(m.Fit(asks).Draw(asks), "\n")
	list, detail := styles.Rule.Render("╭─"), styles.Line.Render("╭─")
	if !strings.HasPrefix(rows[0], list[:strings.Index(list, "╭")]) || !strings.Contains(rows[0], detail) {
		t.Errorf("the upper border is %q", rows[0])
	}
}

func TestTheListAndTheDetailFitTheWindow(t *testing.T) {
	for name, tt := range map[string]struct {
		width, height, count int
		inside               bool
		keys                 []string
		sees, lacks          string // Comma-separated texts.
	}{
		"side by side":                  {120, 20, 3, false, []string{"down"}, "Letters,Whole,Name,› letter b,nine,a remark,a question", ""},
		"only the list":                 {80, 20, 3, false, nil, "Letters,Name,› letter a,a remark", "Whole,nine,a question"},
		"only the detail":               {80, 20, 3, true, nil, "Whole,one,nine,a question", "Letters,letter a,a remark"},
		"a list that scrolls":           {80, 20, 26, false, []string{"end"}, "› letter z,26 of 26+,a remark", "letter a"},
		"a detail that scrolls":         {80, 8, 3, true, []string{"end"}, "nine,a question", "one"},
		"a position without a border":   {60, 10, 26, false, nil, "Name,1 of 26+", "Letters"},
		"an empty list":                 {80, 20, 0, false, nil, "Find:,No letters yet.,a remark", "Name"},
		"a head that gives way to rows": {40, 3, 26, false, []string{"down"}, "› letter b", "Find:"},
	} {
		t.Run(name, func(t *testing.T) {
			drawn := press(t, tt.width, tt.height, tt.count, tt.inside, tt.keys...)
			for text := range strings.SplitSeq(tt.sees, ",") {
				tuitest.Contains(t, drawn, text)
			}
			for text := range strings.SplitSeq(tt.lacks, ",") {
				if text != "" && strings.Contains(drawn, text) {
					t.Errorf("%q is shown:\n%s", text, drawn)
				}
			}
			if theme.Width(drawn) != tt.width || lipgloss.Height(drawn) != tt.height {
				t.Errorf("got %d×%d:\n%s", theme.Width(drawn), lipgloss.Height(drawn), drawn)
			}
		})
	}
}
