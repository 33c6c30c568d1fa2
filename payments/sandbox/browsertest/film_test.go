package browsertest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestTheFilmInTheReadmePlaysUnlessLessMotionIsWanted(t *testing.T) {
	server := httptest.NewServer(http.FileServer(http.Dir("../../../assets/pictures")))
	t.Cleanup(server.Close)
	for _, who := range []visitor{{}, {still: true}} {
		w := open(t, who)
		w.visit(server.URL + "/film.svg")
		if who.still {
			w.until(`document.readyState === "complete" && document.getAnimations().length === 0`)
			continue
		}
		w.until(`document.getAnimations().length === 1 && document.getAnimations()[0].playState === "running"`)
		const moments = 40
		frames := make(map[string]bool)
		for n := range moments {
			frames[value[string](w, fmt.Sprintf(`(() => {
				const [film] = document.getAnimations();
				film.pause();
				film.currentTime = film.effect.getTiming().duration * %d / %d;
				return getComputedStyle(document.querySelector(".film")).transform;
			})()`, n, moments))] = true
		}
		if len(frames) < 15 {
			t.Errorf("it shows %d frames", len(frames))
		}
	}
}
