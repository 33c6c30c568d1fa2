// Shows the scene, which it asks for once a second, and counts the time of a link
// down. While nothing answers the page is pale, for what it shows may be over.
"use strict";
(() => {
  const main = document.querySelector("main");
  // The server sends seconds, because the tablet's clock may be wrong.
  const secondsIn = (scene) => Number(/data-left="(\d+)"/.exec(scene)?.[1] ?? 0);
  const withoutTime = (scene) => scene.replace(/ data-left=.*/, "");
  const now = () => performance.now() / 1000;
  let shown = "";
  let ends = now() + secondsIn(main.innerHTML);
  const tick = () => {
    const text = main.querySelector(".time");
    if (text) {
      const left = Math.max(0, Math.ceil(ends - now()));
      text.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
      main.querySelector("progress").value = Math.max(0, ends - now());
    }
  };
  const poll = async () => {
    let lost = true;
    try {
      const answer = await fetch("/scene", { signal: AbortSignal.timeout(5000) });
      const scene = await answer.text();
      lost = !answer.ok;
      if (!lost) {
        const read = now() + secondsIn(scene);
        if (Math.abs(read - ends) > 2) {
          ends = read;
        }
        if (withoutTime(scene) !== shown) {
          main.innerHTML = scene;
          shown = withoutTime(scene);
        }
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
})();
