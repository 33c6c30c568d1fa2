// The page works without this. With it the time runs and the page follows what
// happens elsewhere: on the customer's phone, at the counter, in another window.
(() => {
  "use strict";
  const main = document.querySelector("main[data-watch]");
  const clock = document.getElementById("clock");
  const offline = document.getElementById("offline");
  const hurry = document.getElementById("hurry");
  const scripted = document.getElementById("script");
  const pause = 2000;
  const { state, address, watch } = main.dataset;
  let end = performance.now() + Number(clock.dataset.left);
  let silent = 0;
  let sent = -Infinity;

  // A page that a form brought must not be sent again: it is asked for anew.
  const leave = () => location.replace(address);
  const sending = () => performance.now() - sent < 3000;

  const say = (place, text) => {
    if (place.textContent !== text) place.textContent = text;
  };

  const tick = () => {
    const left = Math.max(0, Math.ceil((end - performance.now()) / 1000));
    const seconds = String(left % 60).padStart(2, "0");
    say(clock, clock.dataset.form.replace("{m}", Math.floor(left / 60)).replace("{s}", seconds));
    clock.classList.toggle("short", left < 60);
    if (left < 60) say(hurry, hurry.dataset.text);
    if (left === 0) look();
    setTimeout(tick, left > 0 ? Math.max(50, (end - performance.now()) % 1000) : pause);
  };

  const look = async () => {
    try {
      const answer = await fetch(watch, { cache: "no-store" });
      const now = await answer.json();
      silent = 0;
      if (now.state !== state && !sending()) leave();
      end = performance.now() + now.left_ms;
    } catch {
      silent++;
    }
    say(offline, silent > 1 ? offline.dataset.text : "");
  };

  const follow = async () => {
    await look();
    setTimeout(follow, pause);
  };

  // Pressed twice is pressed once.
  document.querySelector("form").addEventListener("submit", (event) => {
    if (sending()) event.preventDefault();
    else sent = performance.now();
  });
  addEventListener("pageshow", (event) => {
    if (event.persisted) leave();
  });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) look();
  });
  if (scripted) scripted.value = "1";
  tick();
  setTimeout(follow, pause);
})();
