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
    for (const paper of document.querySelectorAll("section.paper"))
      paper.hidden = !paper.querySelector("article:not([hidden])");
    told.textContent = shown === rows ? "" : `${shown} of ${rows} claims`;
    sessionStorage.setItem("filter", JSON.stringify([verdict, topic]));
  };
  form.hidden = false;
  form.addEventListener("change", apply);
  form.addEventListener("submit", event => event.preventDefault());
  try { // the page renews itself while a run goes on: keep the reader's choice
    const [verdict, topic] = JSON.parse(sessionStorage.getItem("filter"));
    form.elements.verdict.value = verdict;
    if (form.elements.verdict.selectedIndex < 0) form.elements.verdict.value = "";
    if (form.elements.topic) form.elements.topic.value = topic;
  } catch { /* nothing was kept */ }
  apply();
  for (const code of document.querySelectorAll(".commands code")) {
    if (!navigator.clipboard) break;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "copy";
    button.addEventListener("click", () => navigator.clipboard.writeText(code.textContent).then(
      () => { button.textContent = "copied"; setTimeout(() => { button.textContent = "copy"; }, 1500); }));
    code.after(button);
  }
})();
