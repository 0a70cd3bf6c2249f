// A click on a table's head sorts by that column, numbers from the highest; a second one the other
// way round.
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    if (!head.textContent.trim() || head.querySelector("a")) return;
    const button = document.createElement("button");
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const key = (row) => {
        const { value } = row.cells[column].dataset;
        return value === undefined ? row.cells[column].textContent : Number(value);
      };
      const rows = [...table.tBodies[0].rows];
      const areNumbers = rows.every((row) => typeof key(row) === "number");
      rows.sort(areNumbers ? (a, b) => key(b) - key(a) : (a, b) => `${key(a)}`.localeCompare(key(b)));
      const orders = ["ascending", "descending"];
      if (areNumbers) orders.reverse();
      const isSorted = head.getAttribute("aria-sort") === orders[0];
      if (isSorted) rows.reverse();
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", orders[Number(isSorted)]);
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
