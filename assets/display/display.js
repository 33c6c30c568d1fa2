// Shows each scene as the stream tells it, and counts the time of a link down.
// The browser connects again by itself, but not after an answer that is no
// stream: then this does. Until then the page is pale, for what it shows may be
// over.
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
  const connect = () => {
    const stream = new EventSource("/scenes");
    stream.onmessage = (event) => {
      document.documentElement.classList.remove("lost");
      main.innerHTML = JSON.parse(event.data);
      tick();
    };
    stream.onerror = () => {
      document.documentElement.classList.add("lost");
      if (stream.readyState === EventSource.CLOSED) {
        setTimeout(connect, 2000);
      }
    };
  };
  connect();
  setInterval(tick, 250);
  tick();
})();
