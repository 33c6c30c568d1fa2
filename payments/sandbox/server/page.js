// Counts the time of the link down, and marks the operator of the number. The page works
// without this script.
"use strict";
(() => {
  const time = document.querySelector("[data-left]");
  const number = document.querySelector("#number");
  if (!time || !number) {
    return;
  }
  // The server sends seconds, because the phone's clock may be wrong.
  const ends = performance.now() / 1000 + Number(time.dataset.left);
  setInterval(() => {
    const left = Math.max(0, Math.ceil(ends - performance.now() / 1000));
    time.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    document.querySelector("progress").value = left;
  }, 1000);
  const operators = { 32: "Orange Money", 33: "Airtel Money", 34: "MVola", 37: "Orange Money", 38: "MVola" };
  const mark = () => {
    const prefix = /^(?:00)?(?:261)?0?(3\d)/.exec(number.value.replace(/\D/g, ""));
    const operator = operators[prefix?.[1]] ?? "";
    document.querySelector(".operator").textContent = operator;
    number.dataset.operator = operator;
  };
  number.addEventListener("input", mark);
  mark();
})();
