package browsertest_test

import (
	"bytes"
	"fmt"
	"image/png"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"
)

// scanned reads the QR code that a window shows, if it shows one.
func (w *window) scanned() string {
	w.t.Helper()
	shot, err := w.picture()
	w.try(err)
	decoded, err := png.Decode(bytes.NewReader(shot))
	w.try(err)
	bitmap, err := gozxing.NewBinaryBitmapFromImage(decoded)
	w.try(err)
	hints := map[gozxing.DecodeHintType]any{gozxing.DecodeHintType_TRY_HARDER: true}
	code, err := qrcode.NewQRCodeReader().Decode(bitmap, hints)
	if err != nil {
		return ""
	}
	return code.GetText()
}

// film opens the README's film as a page of its own, where a script can wind
// it.
func film(t *testing.T, who visitor) *window {
	t.Helper()
	server := httptest.NewServer(http.FileServer(http.Dir("../../../assets/pictures")))
	t.Cleanup(server.Close)
	who.width, who.height = 738, 450
	w := open(t, who)
	w.visit(server.URL + "/film.svg")
	return w
}

func TestTheFilmInTheReadmePlaysASale(t *testing.T) {
	w := film(t, visitor{})
	w.until(`document.getAnimations().length === 1 && document.getAnimations()[0].playState === "running"`)
	length := value[float64](w, `document.getAnimations()[0].effect.getTiming().duration`)
	const moments = 40
	var links, tops []string
	for n := range moments {
		top := value[string](w, fmt.Sprintf(`(() => {
			const [film] = document.getAnimations();
			film.pause();
			film.currentTime = %g;
			return getComputedStyle(document.querySelector(".film")).transform;
		})()`, length*float64(n)/moments))
		if len(tops) == 0 || tops[len(tops)-1] != top {
			tops = append(tops, top)
		}
		if n%5 != 0 && len(links) != 0 {
			continue
		}
		if link := w.scanned(); link != "" {
			links = append(links, link)
		}
	}
	if len(tops) < 15 {
		t.Errorf("it shows %d frames in %g ms: %q", len(tops), length, tops)
	}
	if len(links) == 0 {
		t.Fatal("no moment of it has a code that can be read")
	}
	if link, err := url.Parse(links[0]); err != nil || link.Hostname() != "127.0.0.1" {
		t.Errorf("the code says %q, which is no link of the demo", links[0])
	}
}

func TestTheFilmStandsStillAtTheCodeForWhoWantsLessMotion(t *testing.T) {
	w := film(t, visitor{still: true})
	w.until(`document.readyState === "complete"`)
	if running := value[int](w, `document.getAnimations().length`); running != 0 {
		t.Errorf("%d animations run", running)
	}
	if w.scanned() == "" {
		t.Error("there is no code to be seen")
	}
}
