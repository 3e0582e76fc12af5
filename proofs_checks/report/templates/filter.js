(() => {
  const form = document.querySelector("form.filter");
  const told = form.querySelector("output");
  const items = document.querySelectorAll("[data-verdict]");
  const rows = document.querySelectorAll("tr[data-verdict]").length;
  const apply = () => {
    const verdict = form.elements.verdict.value;
    const topic = form.elements.topic ? form.elements.topic.value : "";
    let shown = 0;
    for (const item of items) {
      const fits = (!verdict || item.dataset.verdict === verdict) && (!topic || item.dataset.topic === topic);
      item.hidden = !fits;
      shown += fits && item.tagName === "TR";
    }
    for (const group of document.querySelectorAll("section.paper, .claims tbody, .contents > li:has(ol)"))
      group.hidden = !group.querySelector("[data-verdict]:not([hidden])");
    told.textContent = shown === rows ? "" : `${shown} of ${rows} claims`;
    try {
      sessionStorage.setItem("filter", JSON.stringify([verdict, topic]));
    } catch { /* a browser that keeps nothing filters all the same */ }
  };
  form.hidden = false;
  form.addEventListener("change", apply);
  form.addEventListener("submit", event => event.preventDefault());
  try { // the page renews itself while a run goes on: keep the reader's choice
    const [verdict, topic] = JSON.parse(sessionStorage.getItem("filter"));
    for (const [select, value] of [[form.elements.verdict, verdict], [form.elements.topic, topic]])
      if (select && [...select.options].some(option => option.value === value)) select.value = value;
  } catch { /* nothing was kept */ }
  apply();
  for (const code of document.querySelectorAll(".commands code")) {
    if (!navigator.clipboard) break;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "copy";
    button.setAttribute("aria-label", `copy ${code.textContent}`);
    button.addEventListener("click", () => navigator.clipboard.writeText(code.textContent).then(
      () => { button.textContent = "copied"; setTimeout(() => { button.textContent = "copy"; }, 1500); },
      () => { button.textContent = "select and copy by hand"; }));
    code.after(button);
  }
})();
