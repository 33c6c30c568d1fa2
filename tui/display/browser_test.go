package display_test

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"checkout/till/tui/tuitest"
)

// browse opens the page in a browser. The function until waits until a JavaScript expression is
// true; resize changes the size of the browser's window.
func (p *page) browse() (until func(expression string), resize func(width, height int64)) {
	p.t.Helper()
	if testing.Short() {
		p.t.Skip("starts a browser: skipped with -short")
	}
	path, err := exec.LookPath("chromium")
	switch {
	case err != nil && os.Getenv("TILL_TEST_REQUIRE") != "":
		p.t.Fatal(err)
	case err != nil:
		p.t.Skip("chromium is not on the PATH")
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(path), chromedp.DisableGPU)
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	ctx, cancel := chromedp.NewExecAllocator(p.t.Context(), options...)
	p.t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	p.t.Cleanup(cancel)
	tuitest.Must(p.t, chromedp.Do(ctx, chromedp.Navigate(p.url)))
	resize = func(width, height int64) {
		p.t.Helper()
		tuitest.Must(p.t, chromedp.Do(ctx, chromedp.EmulateViewport(width, height)))
	}
	until = func(expression string) {
		p.t.Helper()
		for start := time.Now(); time.Since(start) < 20*time.Second; {
			if is, err := chromedp.Run(ctx, chromedp.Evaluate[bool](expression)); err == nil && is {
				return
			}
			<-time.After(20 * time.Millisecond)
		}
		p.t.Fatalf("timed out waiting for %s", expression)
	}
	return until, resize
}

func TestALargeCodeAndTheTimeLeftFitEveryWindow(t *testing.T) {
	t.Parallel()
	p := serve(t)
	p.Charge("S1")
	until, resize := p.browse()
	until(`document.querySelector("progress") !== null`)
	for _, size := range [][2]int64{{1024, 768}, {1280, 800}, {1920, 1080}, {390, 844}, {768, 1024}, {800, 1280}} {
		resize(size[0], size[1])
		until(fmt.Sprintf(`innerWidth == %d && [".qr", ".total", ".time", "progress"].every(part => {
			const at = document.querySelector(part).getBoundingClientRect(), end = document.querySelector("footer").getBoundingClientRect()
			const least = part === ".qr" ? 0.85 * Math.min(innerWidth, innerHeight) - 1 : 1
			return Math.min(at.width, at.height) >= least && at.left >= 0 && at.right <= innerWidth && at.top >= 0 && at.bottom <= end.top
		})`, size[0]))
	}
}

// The shop's clock and the browser's clock differ by days.
func TestTheTimeLeftDoesNotDependOnTheBrowsersClock(t *testing.T) {
	t.Parallel()
	p := serve(t)
	p.Charge("S1")
	until, _ := p.browse()
	until(`/^9:5\d$/.test(document.querySelector(".time")?.textContent)`)
	p.Counter.Advance(9 * time.Minute)
	until(`/^0:5\d$/.test(document.querySelector(".time")?.textContent)`)
}

func TestALongSaleKeepsItsTotalInTheWindow(t *testing.T) {
	t.Parallel()
	p := serve(t)
	enter(t, p.Counter, longSale())
	until, resize := p.browse()
	resize(1024, 768)
	until(`["tr:last-child", ".total", "footer"].every(part => {
		const at = document.querySelector(part)?.getBoundingClientRect()
		return at && at.top > 0 && at.bottom <= innerHeight && at.right <= innerWidth
	})`)
}

func TestThePageFadesWhileTheServerFails(t *testing.T) {
	t.Parallel()
	p := serve(t)
	until, _ := p.browse()
	const lost = `document.documentElement.classList.contains("lost")`
	until("!" + lost)
	p.down.Store(true)
	until(lost)
	p.down.Store(false)
	p.Charge("S1")
	until("!" + lost)
	until(`document.querySelector("main").innerText.includes("Scan to pay")`)
}
