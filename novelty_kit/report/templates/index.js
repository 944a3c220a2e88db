(function () {
  "use strict";
  var table = document.getElementById("reports"), body = table.tBodies[0];
  var rows = Array.prototype.slice.call(body.rows), given = rows.slice();
  var find = document.getElementById("find"), verdict = document.getElementById("verdict");
  var status = document.getElementById("status"), shown = document.getElementById("shown");
  var texts = rows.map(function (row) { return row.textContent.toLowerCase(); });
  function filter() {
    var words = find.value.trim().toLowerCase(), n = 0;
    given.forEach(function (row, at) {
      var fits = texts[at].indexOf(words) >= 0 &&
        (!verdict.value || row.getAttribute("data-verdict") === verdict.value) &&
        (!status.value || row.getAttribute("data-status") === status.value);
      row.hidden = !fits;
      if (fits) { n += 1; }
    });
    shown.textContent = n + " of " + rows.length + " shown";
  }
  function value(row, at) {
    var cell = row.cells[at], number = cell.getAttribute("data-sort");
    return number === null ? cell.textContent.trim() : Number(number);
  }
  Array.prototype.forEach.call(table.tHead.rows[0].cells, function (cell, at) {
    var button = document.createElement("button");
    button.type = "button";
    button.textContent = cell.textContent;
    cell.textContent = "";
    cell.appendChild(button);
    button.addEventListener("click", function () {
      var up = cell.getAttribute("aria-sort") !== "ascending";
      Array.prototype.forEach.call(table.tHead.rows[0].cells, function (other) { other.removeAttribute("aria-sort"); });
      cell.setAttribute("aria-sort", up ? "ascending" : "descending");
      rows.sort(function (a, b) {
        var x = value(a, at), y = value(b, at);
        var order = typeof x === "number" ? x - y : x.localeCompare(y, "en", { numeric: true });
        return up ? order : -order;
      });
      rows.forEach(function (row) { body.appendChild(row); });
    });
  });
  find.addEventListener("input", filter);
  verdict.addEventListener("change", filter);
  status.addEventListener("change", filter);
  document.querySelector("form.tools").addEventListener("submit", function (event) { event.preventDefault(); });
  document.querySelector("form.tools").hidden = false;
  filter();
}());
