const data = JSON.parse(document.getElementById("data").textContent);
const main = document.getElementById("main");
const dialog = document.getElementById("dialog");

function element(name, parent, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  if (parent) parent.append(made);
  return made;
}

function bytes(count) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
  let value = Number(count), unit = 0;
  while (value >= 1024 && unit < units.length - 1) { value /= 1024; unit += 1; }
  const digits = unit === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${units[unit]}`;
}

function spaceName(space) {
  return { 0: "default memory", 1: "S(1), fast memory", 5: "S(5), host memory" }[space] ?? `S(${space})`;
}

// From blue, no padding, to orange, half of the bytes and more.
function colour(padding) {
  const part = Math.min(1, padding / 0.5), mix = (from, to) => Math.round(from + (to - from) * part);
  return `rgb(${mix(0xa6, 0xf2)} ${mix(0xce, 0x9b)} ${mix(0xe8, 0x4b)})`;
}

function show(what, facts, shape) {
  document.getElementById("what").textContent = what;
  const list = document.getElementById("facts");
  list.replaceChildren();
  for (const [name, value] of facts) {
    if (value === "" || value === null || value === undefined) continue;
    element("dt", list, name);
    element("dd", list, value, "mono");
  }
  const picture = document.getElementById("picture");
  picture.replaceChildren();
  const svg = data.pictures[shape];
  if (svg) picture.append(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement);
  else if (shape) element("p", picture, `This layout is not drawn here: xlayout draw '${shape}'`, "muted");
  dialog.showModal();
  dialog.scrollTop = 0;
}

// Rectangles in proportion to the values, as near to squares as rows and columns allow.
function treemap(values, x, y, width, height) {
  const all = [];
  let rest = values.slice(), total = rest.reduce((sum, value) => sum + value, 0);
  while (rest.length > 0 && total > 0) {
    const side = Math.min(width, height), scale = (width * height) / total;
    let row = [], sum = 0, worst = Infinity;
    for (const value of rest) {
      const next = sum + value, area = next * scale, thick = area / side;
      const ratio = Math.max(...[...row, value].map((one) => {
        const long = (one * scale) / thick;
        return Math.max(long / thick, thick / long);
      }));
      if (ratio > worst) break;
      row.push(value); sum = next; worst = ratio;
    }
    const thick = (sum * scale) / side;
    let at = 0;
    for (const value of row) {
      const long = (value * scale) / thick;
      all.push(width >= height ? [x, y + at, thick, long] : [x + at, y, long, thick]);
      at += long;
    }
    if (width >= height) { x += thick; width -= thick; } else { y += thick; height -= thick; }
    rest = rest.slice(row.length); total -= sum;
  }
  return all;
}

function drawTimeline(parent, space) {
  const ns = "http://www.w3.org/2000/svg", svg = document.createElementNS(ns, "svg");
  const most = Math.max(1, ...space.timeline.map(Number)), count = space.timeline.length;
  svg.setAttribute("class", "timeline");
  svg.setAttribute("viewBox", `0 0 ${count} 100`);
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `Memory over the schedule, ${bytes(space.live_bytes)} at most, at ${space.at}`);
  const path = document.createElementNS(ns, "path");
  path.setAttribute("d", `M0 100${space.timeline.map((value, k) => `L${k} ${100 - (95 * value) / most}H${k + 1}`).join("")}V100Z`);
  svg.append(path);
  const peak = space.timeline.findIndex((value) => Number(value) === most);
  const line = document.createElementNS(ns, "line");
  for (const [name, value] of [["x1", peak + 0.5], ["x2", peak + 0.5], ["y1", 0], ["y2", 100]]) line.setAttribute(name, value);
  line.setAttribute("vector-effect", "non-scaling-stroke");
  svg.append(line);
  parent.append(svg);
}

function drawTreemap(parent, space) {
  const box = element("div", parent, undefined, "treemap");
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", `Arrays alive at the peak of ${spaceName(space.space)}`);
  const buttons = space.buffers.map((buffer) => {
    const padding = buffer.bytes > 0 ? 1 - buffer.logical_bytes / buffer.bytes : 0;
    const percent = `${(100 * padding).toFixed(padding > 0 && padding < 0.1 ? 1 : 0)}% padding`;
    const button = element("button", box);
    button.type = "button";
    button.style.background = colour(padding);
    button.title = `${buffer.instruction} · ${bytes(buffer.bytes)} · ${percent}`;
    button.setAttribute("aria-label", `${buffer.kind} ${buffer.instruction}, ${bytes(buffer.bytes)}, ${percent}, ${buffer.shape}`);
    element("span", button, buffer.instruction);
    element("span", button, bytes(buffer.bytes));
    element("span", button, buffer.shape);
    button.addEventListener("click", () => show(buffer.instruction, [
      ["what", buffer.kind], ["array", buffer.shape], ["bytes", `${bytes(buffer.bytes)}, ${percent}`],
      ["in", buffer.computation], ["operation", buffer.op_name], ["line", buffer.source],
    ], buffer.shape));
    return button;
  });
  const place = () => {
    const width = box.clientWidth, height = box.clientHeight;
    const areas = treemap(space.buffers.map((buffer) => buffer.bytes), 0, 0, width, height);
    buttons.forEach((button, k) => {
      const area = areas[k];
      button.hidden = !area;
      if (!area) return;
      const [left, top, wide, high] = area;
      Object.assign(button.style, { left: `${left}px`, top: `${top}px`, width: `${wide}px`, height: `${high}px`,
        padding: wide > 30 && high > 16 ? "" : "0" });
      // As many lines as there is room for.
      [...button.children].forEach((span, line) => { span.style.display = wide > 30 && high > 16 * (line + 1) ? "" : "none"; });
    });
  };
  // The width also changes without a resized window: when the page gets a scroll bar.
  new ResizeObserver(place).observe(box);
  const legend = element("p", parent, undefined, "legend");
  element("span", legend, "area: bytes; colour: no padding");
  const bar = element("i", legend);
  bar.style.background = `linear-gradient(to right, ${[0, 0.125, 0.25, 0.375, 0.5].map(colour).join(", ")})`;
  element("span", legend, "half and more");
}

function drawCopies(parent, module) {
  element("h3", parent, `Copies: ${module.copies_in_all}`);
  if (module.copies.length === 0) return;
  const scroll = element("div", parent, undefined, "scroll");
  scroll.tabIndex = 0;
  scroll.setAttribute("role", "region");
  scroll.setAttribute("aria-label", "Copies");
  const table = element("table", scroll), head = element("tr", element("thead", table));
  for (const name of ["bytes moved", "instruction", "kind", "from and to", "cause", "remedy"]) element("th", head, name).scope = "col";
  const body = element("tbody", table);
  for (const copy of module.copies) {
    const row = element("tr", body);
    element("td", row, bytes(copy.bytes), "number");
    const what = element("td", row);
    element("code", what, copy.instruction);
    for (const more of [copy.op_name, copy.source]) if (more) element("p", what, more, "muted mono");
    element("td", row, copy.kind);
    const layouts = element("td", row);
    for (const shape of [copy.from, copy.to]) {
      const button = element("button", layouts, shape);
      button.type = "button";
      button.addEventListener("click", () => show(copy.instruction, [
        ["array", shape], ["operation", copy.op_name], ["line", copy.source], ["cause", copy.cause],
      ], shape));
    }
    element("td", row, copy.cause);
    const remedy = element("td", row);
    if (copy.remedy) element("pre", remedy, copy.remedy);
  }
  if (module.copies.length < module.copies_in_all) {
    element("p", parent, `The ${module.copies.length} largest are listed.`, "muted");
  }
}

for (const module of data.modules) {
  const section = element("section", main);
  element("h2", section, module.module || "module");
  element("p", section, `${module.file}: ${bytes(module.peak_bytes)} in all memory spaces, ${module.steps} steps`, "muted");
  for (const space of module.spaces) {
    if (space.live_bytes * 1000 < module.live_bytes || space.buffers.length === 0) continue;
    element("h3", section, `${spaceName(space.space)}: ${bytes(space.peak_bytes)} at the peak`);
    element("p", section, `at ${space.at} in ${space.computation}`, "muted mono");
    drawTimeline(section, space);
    drawTreemap(section, space);
    if (space.buffers.length < space.alive) {
      element("p", section, `The ${space.buffers.length} largest of ${space.alive} arrays are shown.`, "muted");
    }
  }
  drawCopies(section, module);
}
dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
document.documentElement.dataset.ready = "1";
