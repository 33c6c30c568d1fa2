// Keeps the dashboard live. A stream names the version there is to see; when it
// is another one, the page is fetched anew and what differs is changed in place,
// so that focus, scrolling, open details and half-filled forms stay. Without
// this script the page works by reloading.
"use strict";
(() => {
  const main = document.querySelector("main");
  const state = document.getElementById("state");
  const done = document.getElementById("done");
  document.documentElement.classList.add("live");

  const say = (text, up) => {
    state.firstElementChild.textContent = text;
    state.classList.toggle("up", up);
  };

  // tell says what came of an action, and for how long when that is good news.
  let forgetting;
  const tell = (text, good) => {
    clearTimeout(forgetting);
    done.textContent = text;
    done.className = good ? "" : "bad";
    if (good) forgetting = setTimeout(() => { done.textContent = ""; }, 6000);
  };

  // change makes an element of the page equal to a fresh one. Elements with an
  // id are recognized by it, others by their place.
  const change = (old, fresh) => {
    for (const { name, value } of [...fresh.attributes]) {
      if (name !== "open" && old.getAttribute(name) !== value) old.setAttribute(name, value);
    }
    for (const { name } of [...old.attributes]) {
      if (name !== "open" && !fresh.hasAttribute(name)) old.removeAttribute(name);
    }
    const known = new Map([...old.children].filter((child) => child.id).map((child) => [child.id, child]));
    const coming = new Set([...fresh.children].map((child) => child.id));
    for (const [id, child] of known) {
      if (!coming.has(id)) child.remove();
    }
    let at = old.firstChild;
    for (const child of [...fresh.childNodes]) {
      const match = child.id ? known.get(child.id) : at;
      if (!match || match.id !== child.id || match.nodeName !== child.nodeName) {
        const made = document.importNode(child, true);
        if (made.nodeName === "LI") made.classList.add("new");
        old.insertBefore(made, at);
        continue;
      }
      if (match === at) at = at.nextSibling;
      else old.insertBefore(match, at);
      if (match.nodeType === Node.ELEMENT_NODE) change(match, child);
      else if (match.data !== child.data) match.data = child.data;
    }
    while (at) {
      const next = at.nextSibling;
      at.remove();
      at = next;
    }
  };

  const parse = (text) => new DOMParser().parseFromString(text, "text/html");

  const show = (text) => {
    const fresh = parse(text).querySelector("main");
    if (!fresh) return;
    const row = document.activeElement.closest("[id][tabindex='-1']");
    change(main, fresh);
    // What had the focus may be gone: its row takes it.
    if (row && row.isConnected && document.activeElement === document.body) row.focus({ preventScroll: true });
  };

  let busy = false;
  let again = false;
  const refresh = async () => {
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    do {
      again = false;
      try {
        const reply = await fetch(main.dataset.address, { cache: "no-store" });
        if (reply.ok) show(await reply.text());
      } catch {
        // The stream ends with the connection, says so, and comes back.
      }
    } while (again);
    busy = false;
  };

  // A page that nobody looks at does not listen: a browser has few connections
  // to one address. It catches up when it is looked at.
  let stream = null;
  const stop = () => {
    if (stream) stream.close();
    stream = null;
  };
  const listen = () => {
    if (stream || document.hidden) return;
    const made = new EventSource("/dashboard/live");
    stream = made;
    made.onopen = () => say("Live", true);
    made.onmessage = (event) => {
      if (event.data !== main.dataset.version) refresh();
    };
    made.onerror = () => {
      say("Not connected. Trying again…", false);
      if (made !== stream || made.readyState !== EventSource.CLOSED) return;
      stop();
      setTimeout(listen, 2000);
    };
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? stop() : listen()));
  window.addEventListener("pagehide", stop);
  window.addEventListener("pageshow", listen);
  say("Connecting…", false);
  listen();

  const sending = new WeakSet();
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (form.method !== "post") return;
    event.preventDefault();
    if (sending.has(form)) return;
    sending.add(form);
    const { submitter } = event;
    try {
      const reply = await fetch(form.action, {
        method: "POST", redirect: "manual", body: new URLSearchParams(new FormData(form, submitter)),
      });
      if (reply.type === "opaqueredirect") {
        tell("Done: " + (submitter.getAttribute("aria-label") || submitter.textContent), true);
        await refresh();
        form.reset(); // To what is set now.
      } else {
        const problem = parse(await reply.text()).querySelector("#problem span");
        tell("Not done: " + (problem ? problem.textContent : reply.status), false);
        refresh();
      }
    } catch {
      tell("Not done: the sandbox does not answer.", false);
    }
    sending.delete(form);
  });

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const text = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(text.textContent);
      tell("Copied.", true);
    } catch {
      getSelection().selectAllChildren(text);
      tell("Selected: copy it with the keyboard.", true);
    }
  });
})();
