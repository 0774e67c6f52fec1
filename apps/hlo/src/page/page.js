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

// As the terminal writes it.
const bytes = (count) => data.words[count] ?? `${count} B`;

function button(parent, text, action) {
  const made = element("button", parent, text);
  made.type = "button";
  made.addEventListener("click", action);
  return made;
}

function spaceName(space) {
  return { 0: "default memory", 1: "S(1), fast memory", 5: "S(5), host memory" }[space] ?? `S(${space})`;
}

// From blue, no padding, to orange, half of the bytes and more.
function colour(padding) {
  const part = Math.min(1, padding / 0.5), mix = (from, to) => Math.round(from + (to - from) * part);
  return `rgb(${mix(0xa6, 0xf2)} ${mix(0xce, 0x9b)} ${mix(0xe8, 0x4b)})`;
}

// The pictures of layouts by their shapes, unpacked: those of a page in a file are packed.
const pictures = (async () => {
  if (typeof data.pictures !== "string") return data.pictures;
  const packed = Uint8Array.from(atob(data.pictures), (digit) => digit.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
})().catch(() => ({}));

// An array has the same picture in each memory space.
const withoutSpace = (shape) => shape.replace(/S\(\d+\)/, "").replace(":}", "}").replace("{}", "");

async function draw(parent, shape) {
  const svg = (await pictures)[withoutSpace(shape)];
  if (svg) parent.append(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement);
  else element("p", parent, `This layout is not drawn here: xlayout draw '${shape}'`, "muted");
}

function show(what, facts, shape, fill) {
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
  if (shape) draw(element("div", picture), shape);
  if (fill) fill(picture);
  dialog.showModal();
  dialog.scrollTop = 0;
}

// A table that its heads sort. A column has a name, its cell of a row, and the value to sort by.
function drawTable(parent, label, columns, rows) {
  const scroll = element("div", parent, undefined, "scroll");
  scroll.tabIndex = 0;
  scroll.setAttribute("role", "region");
  scroll.setAttribute("aria-label", label);
  const table = element("table", scroll), head = element("tr", element("thead", table));
  const body = element("tbody", table);
  const made = rows.map((row) => {
    const line = element("tr", body);
    for (const [name, fill, , className] of columns) {
      const cell = element("td", line);
      // A narrow page shows the name of the column in each cell.
      cell.dataset.column = name;
      fill(element("div", cell, undefined, className), row);
    }
    return [row, line];
  });
  const heads = columns.map(([name, , value, className]) => {
    const cell = element("th", head, undefined, className);
    cell.scope = "col";
    button(cell, name, () => {
      // Numbers begin with the largest.
      const is = cell.ariaSort, numbers = rows.length > 0 && typeof value(rows[0]) === "number";
      const up = is === "descending" || (!is && !numbers);
      for (const other of heads) other.removeAttribute("aria-sort");
      cell.setAttribute("aria-sort", up ? "ascending" : "descending");
      const compare = (a, b) => (numbers ? value(a) - value(b) : String(value(a)).localeCompare(String(value(b)), undefined, { numeric: true }));
      made.sort(([a], [b]) => (up ? 1 : -1) * compare(a, b));
      body.append(...made.map(([, line]) => line));
    });
    return cell;
  });
}

const bytesColumn = (name, of) => [name, (cell, row) => { cell.textContent = bytes(of(row)); }, (row) => Number(of(row)), "number"];
const textColumn = (name, of) => [name, (cell, row) => { cell.textContent = of(row); }, of];
const instructionColumn = (name) => [name, (cell, row) => {
  element("code", cell, row.instruction);
  for (const more of [row.op_name, row.source]) if (more) element("p", cell, more, "muted mono");
}, (row) => row.instruction];
const layoutsColumn = (name, from, to) => [name, (cell, row) => {
  for (const shape of [from(row), to(row)]) {
    if (!shape) { element("p", cell, "missing", "muted"); continue; }
    button(cell, shape, () => show(row.instruction ?? row.place, [
      ["array", shape], ["operation", row.op_name], ["line", row.source], ["cause", row.cause],
    ], shape));
  }
}, from];

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

// Memory over the schedule. A click, or Enter at the cursor, which the arrows move, says what is alive there.
function drawTimeline(parent, space, module) {
  const ns = "http://www.w3.org/2000/svg", svg = document.createElementNS(ns, "svg");
  const count = space.timeline.length, top = Math.max(1, Number(space.top)) * 1.05, height = (value) => (100 * Number(value)) / top;
  const chart = element("div", parent, undefined, "chart"), scale = element("div", chart, undefined, "scale");
  const plot = element("div", chart, undefined, "plot");
  const line = (at, name) => {
    const made = element("i", plot, undefined, name);
    made.style.bottom = `${at}%`;
  };
  for (const tick of space.ticks) {
    element("span", scale, bytes(tick)).style.bottom = `${height(tick)}%`;
    line(height(tick), "tick");
  }
  svg.setAttribute("viewBox", `0 0 ${count} 100`);
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(ns, "path");
  path.setAttribute("d", `M0 100${space.timeline.map((value, k) => `L${k} ${100 - height(value)}H${k + 1}`).join("")}V100Z`);
  svg.append(path);
  plot.append(svg);
  const steps = element("div", chart, undefined, "steps");
  for (const part of [0, 0.5, 1]) element("span", steps, `step ${Math.round(part * module.steps)}`);
  if (data.limit && space.space === 0) {
    const fits = Number(data.limit) <= Number(space.top);
    if (fits) line(height(data.limit), "limit");
    element("p", parent, `The limit is ${bytes(data.limit)}${fits ? ": the red line" : ", far above this axis"}.`, "muted");
  }
  const cursor = element("i", plot, undefined, "cursor"), said = element("p", parent, "", "muted mono");
  plot.tabIndex = 0;
  plot.setAttribute("role", "slider");
  plot.setAttribute("aria-label", `Memory over the schedule of ${spaceName(space.space)}; Enter says what is alive`);
  plot.setAttribute("aria-valuemin", 0);
  plot.setAttribute("aria-valuemax", count - 1);
  let at = space.timeline.reduce((best, value, k) => (Number(value) > Number(space.timeline[best]) ? k : best), 0);
  const move = (to) => {
    at = Math.max(0, Math.min(count - 1, to));
    cursor.style.left = `${(100 * (at + 0.5)) / count}%`;
    const words = `${bytes(space.timeline[at])} at ${space.instructions[at]}`;
    plot.setAttribute("aria-valuenow", at);
    plot.setAttribute("aria-valuetext", words);
    said.textContent = `${words} (a click, or Enter: what is alive)`;
  };
  const open = () => {
    const alive = space.lasting.filter((one) => one.parts.some(([from, to]) => from <= at && at <= to)).map((one) => one.buffer);
    show(`Alive at ${space.instructions[at]}`, [["bytes", bytes(space.timeline[at])], ["memory", spaceName(space.space)]], undefined,
      (picture) => drawTable(picture, "Alive", [
        bytesColumn("bytes", (buffer) => buffer.bytes), textColumn("what", (buffer) => buffer.kind),
        instructionColumn("instruction"), textColumn("array", (buffer) => buffer.shape),
      ], alive));
  };
  const place = (event) => { const box = plot.getBoundingClientRect(); move(Math.floor((count * (event.clientX - box.x)) / box.width)); };
  plot.addEventListener("pointermove", place);
  plot.addEventListener("click", (event) => { if (event.detail) place(event); open(); });
  plot.addEventListener("keydown", (event) => {
    const to = { ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1, Home: 0, End: count - 1 }[event.key];
    if (to !== undefined) move(to);
    else if (event.key === "Enter" || event.key === " ") open();
    else return;
    event.preventDefault();
  });
  move(at);
}

const paddingWords = (buffer) => `${buffer.padding} padding`;

function showBuffer(buffer) {
  show(buffer.instruction, [
    ["what", buffer.kind], ["array", buffer.shape], ["bytes", `${bytes(buffer.bytes)}, ${paddingWords(buffer)}`],
    ["in", buffer.computation], ["operation", buffer.op_name], ["line", buffer.source],
  ], buffer.shape);
}

function drawTreemap(parent, space) {
  const box = element("div", parent, undefined, "treemap");
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", `Arrays alive at the peak of ${spaceName(space.space)}`);
  const buttons = space.buffers.map((buffer) => {
    const padding = buffer.bytes > 0 ? 1 - buffer.logical_bytes / buffer.bytes : 0;
    const percent = paddingWords(buffer);
    const made = button(box, undefined, () => showBuffer(buffer));
    const names = [buffer.op_name, buffer.source].filter((name) => name);
    made.style.background = colour(padding);
    made.title = [buffer.instruction, bytes(buffer.bytes), percent, ...names].join(" · ");
    made.setAttribute("aria-label", [`${buffer.kind} ${buffer.instruction}`, bytes(buffer.bytes), percent, buffer.shape, ...names].join(", "));
    for (const text of [buffer.instruction, bytes(buffer.bytes), ...names, buffer.shape]) element("span", made, text);
    return made;
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

function listed(parent, shown, all) {
  if (shown < all) element("p", parent, `The ${shown} largest of ${all} are listed.`, "muted");
}

function drawCopies(parent, title, copies, all) {
  element("h3", parent, `${title}: ${all}`);
  if (copies.length === 0) return;
  const columns = [
    bytesColumn("bytes moved", (copy) => copy.bytes), instructionColumn("instruction"), textColumn("kind", (copy) => copy.kind.replace("_", " ")),
    layoutsColumn("from and to", (copy) => copy.from, (copy) => copy.to),
  ];
  if (copies.some((copy) => copy.cause)) columns.push(textColumn("cause", (copy) => copy.cause));
  drawTable(parent, title, columns, copies);
  listed(parent, copies.length, all);
}

function drawAdvice(parent, advice) {
  if (advice.length === 0) return;
  element("h3", parent, "Advice");
  for (const { text, paste } of advice) {
    const piece = element("div", parent, undefined, "advice");
    element("pre", piece, text);
    // A line each, and what is to be pasted as a whole as a whole.
    for (const lines of text === "All of it" ? [paste.join("\n")] : paste) {
      const row = element("div", piece, undefined, "paste"), code = element("pre", row, lines);
      const made = button(row, "Copy", () => {
        getSelection().selectAllChildren(code);
        navigator.clipboard?.writeText(lines).then(() => { made.textContent = "Copied"; }, () => { made.textContent = "Selected"; });
      });
    }
  }
}

// Two compilations: sums, layouts, copies, and the memory of both on one axis.
function drawDiff(diff) {
  element("p", main, `A is ${diff.a}, B is ${diff.b}`, "muted");
  drawTable(main, "Sums", [
    textColumn("sum", (sum) => sum.what), bytesColumn("A", (sum) => sum.a), bytesColumn("B", (sum) => sum.b), textColumn("change", (sum) => sum.change),
  ], diff.sums);
  const peaks = diff.sums.find((sum) => sum.what === "memory at the peak");
  if (peaks) {
    element("h3", main, "Memory at the peak");
    for (const [side, value] of [["A", peaks.a], ["B", peaks.b]]) {
      const row = element("div", main, undefined, "peak");
      element("span", row, side);
      element("i", element("div", row)).style.width = `${(100 * Number(value)) / Math.max(1, Number(peaks.a), Number(peaks.b))}%`;
      element("span", row, bytes(value));
    }
  }
  element("h3", main, `Changed layouts: ${diff.layouts_in_all}`);
  if (diff.layouts.length) {
    drawTable(main, "Changed layouts", [textColumn("array", (one) => one.place), layoutsColumn("A and B", (one) => one.a, (one) => one.b)], diff.layouts);
    listed(main, diff.layouts.length, diff.layouts_in_all);
  }
  drawCopies(main, "Copies removed", diff.removed, diff.removed_in_all);
  drawCopies(main, "Copies added", diff.added, diff.added_in_all);
}

function isLarge(space, module) {
  return space.live_bytes * 1000 >= module.live_bytes && space.buffers.length > 0;
}

// The figures that matter, before the pictures and tables that explain them.
function drawHeadline(parent, module) {
  const figures = element("div", parent, undefined, "headline");
  const figure = (value, what) => {
    const one = element("p", figures);
    element("b", one, value);
    element("span", one, what, "muted");
  };
  figure(bytes(module.copied_bytes), `read and written by ${module.copied} ${module.copied === 1 ? "copy" : "copies"}`);
  if (module.saved_bytes !== null) figure(bytes(module.saved_bytes), "of that are saved by advice that is known to pay");
  figure(bytes(module.moved_bytes), "moved between memory spaces");
  figure(bytes(module.peak_bytes), "in all memory spaces at their peaks");
}

function drawMemory(section, module) {
  for (const space of module.spaces.filter((space) => isLarge(space, module))) {
    element("h3", section, `${spaceName(space.space)}: ${bytes(space.peak_bytes)} at the peak`);
    element("p", section, `at ${space.at} in ${space.computation}`, "muted mono");
    drawTimeline(section, space, module);
    if (data.diff) continue;
    drawTreemap(section, space);
    drawTable(section, "Arrays at the peak", [
      bytesColumn("bytes", (buffer) => buffer.bytes), bytesColumn("padding", (buffer) => buffer.padding_bytes),
      ["padding in %", (cell, buffer) => { cell.textContent = buffer.padding; }, (buffer) => parseFloat(buffer.padding.replace(/[<>]/, "")), "number"],
      ["array", (cell, buffer) => {
        if (buffer.shape) button(cell, buffer.shape, () => showBuffer(buffer));
        else cell.textContent = "no array";
      }, (buffer) => buffer.shape ?? ""], instructionColumn("instruction"),
    ], space.buffers);
    listed(section, space.buffers.length, space.alive);
  }
}

function drawAllCopies(section, module) {
  drawAdvice(section, module.advice);
  drawCopies(section, "Copies", module.copies, module.copies_in_all);
}

if (data.diff) drawDiff(data.diff);
data.modules.forEach((module, k) => {
  const section = element("section", main);
  const side = data.diff ? `${"AB"[k]}: ` : "";
  element("h2", section, side + (module.module || "module"));
  element("p", section, `${module.file}, ${module.steps} steps`, "muted");
  if (!data.diff) drawHeadline(section, module);
  if (data.copies_first) drawAllCopies(section, module);
  drawMemory(section, module);
  if (!data.diff && !data.copies_first) drawAllCopies(section, module);
});
dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
document.documentElement.dataset.ready = "1";
