package theme

import "strings"

const reset = "\x1b[0m"

// Compact removes escape sequences of a finished view that change nothing, such as a reset before
// the same style. It makes a frame about half as long, for slow lines. Each row still begins and
// ends without a style, because Bubble Tea writes only the rows that changed.
func Compact(view string) string {
	var out strings.Builder
	style := ""
	for n, row := range strings.Split(view, "\n") {
		if n > 0 {
			out.WriteByte('\n')
		}
		written := "" // The style that the terminal has.
		for row != "" {
			if size := styleSize(row); size > 0 {
				style += row[:size]
				if row[:size] == reset || row[:size] == "\x1b[m" {
					style = ""
				}
				row = row[size:]
				continue
			}
			added, extends := strings.CutPrefix(style, written)
			if !extends {
				out.WriteString(reset)
				added = style
			}
			written = style
			end := len(row)
			if next := strings.Index(row[1:], "\x1b["); next >= 0 {
				end = 1 + next
			}
			out.WriteString(added)
			out.WriteString(row[:end])
			row = row[end:]
		}
		if written != "" {
			out.WriteString(reset)
		}
	}
	return out.String()
}

// styleSize returns the length of the sequence at the beginning of the text if it sets a style
// (SGR), else 0.
func styleSize(text string) int {
	parameters, is := strings.CutPrefix(text, "\x1b[")
	end := strings.TrimLeft(parameters, "0123456789;:")
	if !is || !strings.HasPrefix(end, "m") {
		return 0
	}
	return len(text) - len(end) + len("m")
}
