package layout_test

import (
	"fmt"
	"testing"

	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/pane"
)

func TestTheGridFollowsTheWindow(t *testing.T) {
	for _, tt := range []struct {
		width, height int
		want          layout.Layout
	}{
		{40, 15, layout.Layout{Main: 40, List: 40, Frame: pane.Bare, Figures: 1}},
		{50, 30, layout.Layout{Main: 50, List: 50, Frame: pane.Open, Figures: 5, Air: 1, Part: 2, Tiles: 3, Strip: true}},
		{80, 24, layout.Layout{Main: 80, List: 80, Figures: 3, Part: 1, Strip: true}},
		{100, 28, layout.Layout{Main: 57, Side: 42, List: 100, Figures: 5, Air: 1, Part: 2, Tiles: 3}},
		{120, 36, layout.Layout{Main: 77, Side: 42, List: 72, Detail: 47, Figures: 5, Air: 1, Part: 2, Tiles: 3}},
		{160, 45, layout.Layout{Main: 76, Favourites: 34, Side: 48, List: 96, Detail: 63, Figures: 5, Air: 1, Part: 2, Roomy: true, Tiles: 3}},
		{200, 60, layout.Layout{Left: 7, Main: 90, Favourites: 34, Side: 60, List: 120, Detail: 79, Figures: 5, Air: 1, Part: 2, Roomy: true, Tiles: 3}},
	} {
		t.Run(fmt.Sprintf("%dx%d", tt.width, tt.height), func(t *testing.T) {
			if got := layout.Of(tt.width, tt.height); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}
