// Describes the cell below the pointer in the element `words`, and marks the same element in all panels. Arrows move from cell to cell.
function watch(svg, words) {
  const cells = [...svg.querySelectorAll(".cell")];
  // What an image contains is not told to those who cannot see it; what a group contains is.
  svg.setAttribute("role", "group");
  // The words of a cell: the browser's own box with the title would stand beside ours. Only of the cells that are pointed at, since thousands take long.
  function wordsOf(cell) {
    const title = cell.querySelector("title");
    if (title) {
      cell.setAttribute("aria-label", title.textContent);
      cell.setAttribute("role", "img");
      title.remove();
    }
    return cell.getAttribute("aria-label");
  }
  // One cell takes the focus by Tab, and each one where it is clicked.
  let focused = cells[0];
  if (focused) focused.tabIndex = 0;
  let marked = [];
  function clear() {
    for (const cell of marked) cell.classList.remove("same");
    marked = [];
    words.style.display = "none";
  }
  // Marks the element wherever it is drawn, and says what it is, beside this point.
  function mark(cell, x, y) {
    const text = wordsOf(cell);
    if (!cell.classList.contains("same")) {
      clear();
      marked = [...svg.querySelectorAll(`[data-k="${cell.dataset.k}"]`)];
      for (const same of marked) same.classList.add("same");
      words.textContent = text.split(" · ").join("\n");
      words.style.display = "block";
    }
    const box = words.getBoundingClientRect();
    words.style.left = `${Math.min(x + 14, innerWidth - box.width - 8)}px`;
    words.style.top = `${y + 18 + box.height > innerHeight ? y - box.height - 10 : y + 18}px`;
  }
  svg.addEventListener("pointerdown", (event) => {
    const cell = event.target.closest(".cell");
    if (cell && cell !== focused) cell.tabIndex = -1;
  });
  svg.addEventListener("pointermove", (event) => {
    const cell = event.target.closest(".cell");
    if (cell) mark(cell, event.clientX, event.clientY);
    else clear();
  });
  svg.addEventListener("pointerleave", clear);
  const middle = (cell) => {
    const box = cell.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  // An arrow gives the focus to the nearest cell in its direction. Listeners of the focus would make the picture itself one that takes it, in Chromium.
  const box = svg.parentElement;
  box.addEventListener("focusin", (event) => {
    if (!event.target.matches(".cell")) return;
    focused.tabIndex = -1;
    focused = event.target;
    focused.tabIndex = 0;
    mark(event.target, ...middle(event.target));
  });
  box.addEventListener("focusout", clear);
  svg.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return clear();
    const [right, down] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [0, 0];
    if (event.key === "Enter" || event.key === " ") mark(event.target, ...middle(event.target));
    else if (!right && !down) return;
    event.preventDefault();
    const [x, y] = middle(event.target);
    let nearest, least = Infinity;
    for (const cell of right || down ? cells : []) {
      const [dx, dy] = ((at) => [at[0] - x, at[1] - y])(middle(cell));
      const along = dx * right + dy * down, distance = along + 4 * Math.abs(dx * down + dy * right);
      if (along > 1 && distance < least) [nearest, least] = [cell, distance];
    }
    if (!nearest) return;
    nearest.tabIndex = -1;
    nearest.focus();
  });
}
