// A click on a table's head sorts by that column, numbers from the highest; a second one turns it.
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    if (!head.textContent.trim()) return;
    const button = document.createElement("button");
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", (event) => {
      if (event.target.closest("a")) return;
      const turned = head.getAttribute("aria-sort") === "descending";
      const key = (row) => {
        const { value } = row.cells[column].dataset;
        return value === undefined ? row.cells[column].textContent : Number(value);
      };
      const rows = [...table.tBodies[0].rows].sort((one, other) => {
        const [a, b] = [key(one), key(other)];
        return typeof a === "number" && typeof b === "number" ? b - a : `${a}`.localeCompare(`${b}`);
      });
      if (turned) rows.reverse();
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", turned ? "ascending" : "descending");
      table.tBodies[0].append(...rows);
    });
  });
}

// A link to a game unfolds it.
function unfold() {
  const target = location.hash && document.querySelector(location.hash);
  if (target && target.tagName === "DETAILS") target.open = true;
}
addEventListener("hashchange", unfold);
unfold();
