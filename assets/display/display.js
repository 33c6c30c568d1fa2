// Shows the scene, which it asks for once a second, and counts the time of a link
// down. While nothing answers the page is pale, for what it shows may be over.
"use strict";
(() => {
  const main = document.querySelector("main");
  const tick = () => {
    const now = Date.now() / 1000;
    for (const bar of document.querySelectorAll("[data-ends]")) {
      bar.value = Math.max(0, Number(bar.dataset.ends) - now);
    }
    for (const text of document.querySelectorAll("[data-left]")) {
      const left = Math.max(0, Math.ceil(Number(text.dataset.left) - now));
      text.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    }
  };
  let shown = "";
  const poll = async () => {
    let lost = true;
    try {
      const answer = await fetch("/scene", { signal: AbortSignal.timeout(5000) });
      const scene = await answer.text();
      lost = !answer.ok;
      if (!lost && scene !== shown) {
        main.innerHTML = shown = scene;
        tick();
      }
    } catch {
      // The next one may be answered.
    }
    document.documentElement.classList.toggle("lost", lost);
    setTimeout(poll, 1000);
  };
  poll();
  setInterval(tick, 250);
  tick();
})();
