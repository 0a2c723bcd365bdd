// Shows the clauses that hold every word that is typed; without it the other filters work as well.
(() => {
  const few = 50, pause = 150;
  const box = document.getElementById("filter-text");
  const told = document.getElementById("filter-told");
  const groups = [...document.querySelectorAll(".group")].map((group) => ({
    group, open: group.open, clauses: [...group.querySelectorAll(".clause")],
  }));
  const holds = (clause, words) => {
    const text = `${clause.dataset.clause} ${clause.textContent}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const filter = () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0, all = 0;
    for (const each of groups) {
      const kept = each.clauses.filter((clause) => !words.length || holds(clause, words));
      const names = new Set(kept);
      for (const clause of each.clauses) clause.classList.toggle("unmatched", !names.has(clause));
      each.group.classList.toggle("unmatched", words.length > 0 && kept.length === 0);
      each.kept = kept.length;
      found += kept.length;
      all += each.clauses.length;
    }
    for (const { group, open, kept } of groups)
      group.open = words.length && found <= few ? kept > 0 : open;
    told.textContent = words.length ? `${found} of ${all} clauses` : "";
  };
  let waiting;
  box.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(filter, pause);
  });
  box.closest("fieldset").hidden = false;
  if (box.value) filter();
})();
