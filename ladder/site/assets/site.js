// Sorting of tables and the filter of the list of matches. Everything is readable without it.
(function () {
  "use strict";

  function value(row, column) {
    var cell = row.cells[column];
    return cell.dataset.v === undefined ? cell.textContent.trim() : cell.dataset.v;
  }

  // Cells without a value stand last, whichever way the table is sorted.
  function sortBy(table, column, kind, descending) {
    var body = table.tBodies[0];
    var rows = Array.prototype.slice.call(body.rows);
    rows.sort(function (a, b) {
      var x = value(a, column), y = value(b, column), order;
      if (x === "" || y === "") return (x === "") - (y === "");
      order = kind === "text" ? x.localeCompare(y) : parseFloat(x) - parseFloat(y);
      return descending ? -order : order;
    });
    rows.forEach(function (row) { body.appendChild(row); });
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (head, index) {
      if (index === column) head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
  }

  document.querySelectorAll("table.sortable").forEach(function (table) {
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (head, column) {
      var kind = head.dataset.sort;
      if (!kind) return;
      var button = document.createElement("button");
      button.type = "button";
      while (head.firstChild) button.appendChild(head.firstChild);
      head.appendChild(button);
      button.addEventListener("click", function () {
        var now = head.getAttribute("aria-sort");
        sortBy(table, column, kind, now ? now === "ascending" : kind === "down");
      });
    });
  });

  var form = document.getElementById("filter");
  if (!form) return;
  var rows = Array.prototype.slice.call(document.querySelector("table.matches").tBodies[0].rows);
  var names = rows.map(function (row) {
    return Array.prototype.map.call(row.querySelectorAll("td"), function (cell) {
      return cell.firstChild ? cell.firstChild.textContent.trim() : "";
    });
  });

  function filter() {
    var bot = form.elements.bot.value, against = form.elements.against.value, shown = 0;
    rows.forEach(function (row, index) {
      var fits = (!bot || names[index].indexOf(bot) >= 0) &&
        (!against || names[index].indexOf(against) >= 0) &&
        (!form.elements.faults.checked || row.classList.contains("f"));
      row.hidden = !fits;
      shown += fits;
    });
    form.querySelector("output").textContent = shown + (shown === 1 ? " match" : " matches");
  }

  function fromHash() {
    location.hash.slice(1).split("&").forEach(function (part) {
      var pair = part.split("=");
      if (pair.length !== 2) return;
      var value = decodeURIComponent(pair[1]);
      if (pair[0] === "bot" || pair[0] === "against") form.elements[pair[0]].value = value;
      if (pair[0] === "faults") form.elements.faults.checked = value === "1";
    });
    filter();
  }

  form.hidden = false;
  form.addEventListener("change", filter);
  form.addEventListener("submit", function (event) { event.preventDefault(); });
  window.addEventListener("hashchange", fromHash);
  fromHash();
})();
