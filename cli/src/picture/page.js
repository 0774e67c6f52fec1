const svg = document.querySelector("svg");
const words = document.getElementById("words");
for (const cell of svg.querySelectorAll(".cell")) {
  // The browser's own box with the title would stand beside ours.
  const title = cell.querySelector("title");
  cell.setAttribute("aria-label", title.textContent);
  title.remove();
}
let marked = [];
function clear() {
  for (const cell of marked) cell.classList.remove("same");
  marked = [];
  svg.classList.remove("hover");
  words.style.display = "none";
}
svg.addEventListener("pointermove", (event) => {
  const cell = event.target.closest(".cell");
  if (!cell) return clear();
  if (!cell.classList.contains("same")) {
    clear();
    marked = [...svg.querySelectorAll(`[data-k="${cell.dataset.k}"]`)];
    for (const same of marked) same.classList.add("same");
    svg.classList.add("hover");
    words.textContent = cell.getAttribute("aria-label").split(" · ").join("\n");
    words.style.display = "block";
  }
  const box = words.getBoundingClientRect();
  const x = Math.min(event.clientX + 14, innerWidth - box.width - 8);
  const y = event.clientY + 18 + box.height > innerHeight ? event.clientY - box.height - 10 : event.clientY + 18;
  words.style.left = `${x}px`;
  words.style.top = `${y}px`;
});
svg.addEventListener("pointerleave", clear);
