// The page: fields and the address on one side, answers of workers on the other.
//
//   state: the part that is shown, and its fields; the address holds both: #layout&text=f32[2,3]
//   a change of a field: the address, and a request to the worker; only the newest one is shown
const $ = (query, parent = document) => parent.querySelector(query);
const $$ = (query, parent = document) => [...parent.querySelectorAll(query)];
const PARTS = ["layout", "compare", "algebra", "module"];
const [errors, working, answer, said] = ["errors", "working", "answer", "said"].map((id) => document.getElementById(id));
// Longer than a shared link can be.
const LONGEST_LINK = 30000;
const LARGE_PICTURE = 400000;

function element(name, parent, text, properties = {}) {
  const made = document.createElement(name);
  if (text !== undefined && text !== null) made.textContent = text;
  for (const [key, value] of Object.entries(properties)) made.setAttribute(key, value);
  parent?.append(made);
  return made;
}

function button(parent, text, action, properties = {}) {
  const made = element("button", parent, text, { type: "button", ...properties });
  made.addEventListener("click", action);
  return made;
}

function copyButton(parent, text, what) {
  const made = button(parent, "Copy", async () => {
    try {
      await navigator.clipboard.writeText(text());
    } catch {
      // Without the permission, as in a file: the browser's older way.
      const area = element("textarea", document.body, text());
      area.select();
      document.execCommand("copy");
      area.remove();
      made.focus();
    }
    made.textContent = "Copied";
    said.textContent = `${what} is copied`;
    setTimeout(() => { made.textContent = "Copy"; }, 1500);
  }, { "aria-label": `Copy ${what}`, class: "copy" });
  return made;
}

// The program, and the workers that run it.

const wrong = (message, help) => ({ errors: [{ message, help }] });
const unable = (error) => (typeof WebAssembly === "object"
  ? wrong(`this browser does not run the page: ${error.message}`, "use the newest Chrome, Edge, Firefox or Safari, or the program `xlayout`")
  : wrong("this browser has no WebAssembly, or it is turned off: the page computes with it", "turn it on for this page, or use another browser, or the program `xlayout`"));
const workerAddress = URL.createObjectURL(new Blob([$("#engine").textContent], { type: "text/javascript" }));
function decoded(id) {
  const text = atob(document.getElementById(id).textContent), bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
  return bytes;
}

// A small program, packed as browsers unpack, unpacks the large one.
let program = (async () => {
  const stream = new Blob([decoded("unpacker")]).stream().pipeThrough(new DecompressionStream("deflate"));
  const { memory, unpack_input, unpack_run } = (await WebAssembly.instantiate(await new Response(stream).arrayBuffer())).instance.exports;
  const packed = decoded("program"), { parts, size } = document.getElementById("program").dataset;
  const at = unpack_input(packed.length) >>> 0;
  new Uint8Array(memory.buffer, at).set(packed);
  const to = unpack_run(Number(parts), Number(size)) >>> 0;
  return WebAssembly.compile(new Uint8Array(memory.buffer, to, Number(size)));
})();

// A worker that answers the newest of the requests. It is stopped where an answer takes longer than `seconds`.
function engine(seconds) {
  let worker, running, waiting, timer;
  const end = (answered) => {
    const { done } = running;
    clearTimeout(timer);
    running = undefined;
    if (waiting) [waiting, running] = [undefined, waiting];
    if (running) send();
    done(answered);
  };
  const stop = () => {
    worker?.terminate();
    worker = undefined;
  };
  async function begin() {
    const module = await program;
    worker = new Worker(workerAddress);
    worker.onmessage = ({ data }) => end(data);
    worker.onerror = (event) => {
      event.preventDefault();
      stop();
      end(wrong(`this is a mistake of the page: ${event.message}`, "please report it with the text; the page goes on"));
    };
    worker.postMessage({ module });
  }
  async function send() {
    try {
      if (!worker) await begin();
      worker.postMessage(running.message, running.message.bytes.length ? [running.message.bytes.buffer] : []);
    } catch (error) {
      return end(unable(error));
    }
    timer = setTimeout(() => {
      stop();
      end(wrong(`this takes longer than ${seconds} seconds, and was stopped`, "give a smaller text, or ask the program `xlayout`, which has no limit"));
    }, 1000 * seconds);
  }
  return {
    stop,
    // Nothing is answered to a request that a newer one replaced.
    ask(request, bytes = new Uint8Array()) {
      return new Promise((done) => {
        const job = { message: { request, bytes }, done };
        if (running) {
          waiting?.done(undefined);
          waiting = job;
        } else {
          running = job;
          send();
        }
      });
    },
    cancel() {
      if (!running) return;
      stop();
      end(undefined);
    },
  };
}

const layouts = engine(10), modules = engine(120);

// Fields and the address.

const form = (part) => document.getElementById(part);
const inputs = (part) => $$("[name]:not([type=file])", form(part));
let shown = "layout", typed = -Infinity;

function fields(part) {
  return Object.fromEntries(inputs(part).map((input) => [input.name, input.value]));
}

function grow(area) {
  if (area.tagName !== "TEXTAREA") return;
  area.style.height = "auto";
  area.style.height = `${Math.min(area.scrollHeight + 2, area.name === "module" ? 110 : 240)}px`;
}

function fill(part, values) {
  for (const input of inputs(part)) {
    input.value = values[input.name] ?? input.defaultValue ?? "";
    if (input.tagName === "SELECT") input.value = values[input.name] ?? input.options[0].value;
    grow(input);
  }
  const hidden = $("details", form(part));
  if (hidden && $$("input", hidden).some((input) => input.value)) hidden.open = true;
}

function address() {
  const values = inputs(shown).filter((input) => input.value !== (input.defaultValue ?? "") && !input.closest("[hidden] label, label[hidden]"));
  const text = values.map((input) => `&${input.name}=${encodeURIComponent(input.value)}`).join("");
  return text.length > LONGEST_LINK ? `#${shown}` : `#${shown}${text}`;
}

// Puts the state into the address. Some browsers refuse this after a hundred times in half a minute.
function note(hash) {
  try { history.replaceState(null, "", hash); } catch { /* The next one may do. */ }
}

function read(hash) {
  const [part, ...rest] = hash.replace(/^#/, "").split("&");
  const pair = (one) => {
    const at = one.indexOf("=");
    try { return [one.slice(0, at), decodeURIComponent(one.slice(at + 1))]; } catch { return [one.slice(0, at), one.slice(at + 1)]; }
  };
  return { part: PARTS.includes(part) ? part : "layout", values: Object.fromEntries(rest.filter((one) => one.includes("=")).map(pair)), isEmpty: !part };
}

function open(part, values) {
  shown = part;
  for (const name of PARTS) {
    const tab = document.getElementById(`tab-${name}`), is = name === part;
    tab.setAttribute("aria-selected", is);
    tab.tabIndex = is ? 0 : -1;
    form(name).hidden = !is;
  }
  if (values) fill(part, values);
  $$("textarea", form(part)).forEach(grow);
  update();
}

function load() {
  const { part, values, isEmpty } = read(location.hash);
  open(part, isEmpty ? EXAMPLES.layout[0][1] : values);
}

// Requests.

let number = 0;
async function update() {
  if (shown === "algebra") showOperands();
  note(address());
  const mine = ++number, part = shown, values = fields(part);
  if (part === "module") return readText(mine, values.module);
  const needed = { layout: ["text"], compare: ["a", "b"], algebra: ["a"] }[part];
  const empty = needed.filter((name) => values[name].trim() === "");
  if (empty.length) {
    const words = { layout: "Write or paste a layout above, or choose an example.", compare: "Write or paste two layouts above, or choose an example.",
      algebra: "Write or paste a map above, such as (4,8):(8,1), or choose an example." };
    return show({ hint: words[part] });
  }
  const answered = await layouts.ask({ ask: part, fields: values });
  if (answered && mine === number) show(answered, part);
}

async function readText(mine, text) {
  if (text.trim() === "") return show({ hint: "The answer comes here: arrays and their padding, copies with causes and advice, memory over time; or what took the memory that ran out." });
  await readModule(mine, new TextEncoder().encode(text), "the pasted text");
}

async function readModule(mine, bytes, name) {
  show({});
  working.textContent = `Reading ${name} … `;
  button(working, "Cancel", () => {
    modules.cancel();
    show({ hint: "The reading was stopped." });
  });
  const answered = await modules.ask({ ask: "module", fields: { name } }, bytes);
  if (answered && mine === number) show(answered, "module", name);
}

async function readFile(file) {
  const mine = ++number;
  fill("module", {});
  if (shown !== "module") open("module");
  number = mine;
  note("#module");
  let bytes;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch (error) {
    const isGone = error.name === "NotFoundError" || error.name === "NotReadableError";
    return show(isGone ? wrong(`cannot read \`${file.name}\`: ${error.message}`, "choose the file again; a folder is not read")
      : wrong(`\`${file.name}\` is too large for the memory of this page`, "the program reads modules of any size: `xlayout hlo FILE`"));
  }
  await readModule(mine, bytes, file.name);
}

// Answers.

// Empties the answer. To remove thousands of cells takes longer than to hide them: the words that come next do not wait for it.
function clear() {
  for (const child of [...answer.children]) {
    if (child.matches(".large")) {
      child.className = "gone";
      setTimeout(() => child.remove(), 50);
    } else if (!child.matches(".gone")) child.remove();
  }
}

function show(answered, part, name) {
  working.textContent = "";
  showErrors(answered.errors ?? [], part);
  for (const input of inputs(shown)) {
    const isWrong = (answered.errors ?? []).some((mistake) => mistake.places?.some((place) => place.field === input.name));
    input.setAttribute("aria-invalid", isWrong);
    if (isWrong) input.setAttribute("aria-describedby", "errors");
    else input.removeAttribute("aria-describedby");
  }
  const parts = { layout: showLayout, compare: showCompare, algebra: showAlgebra, module: showModule };
  if (answered.answer) {
    clear();
    parts[part](answered.answer, name);
  } else if (answered.hint || answer.dataset.part !== part || part === "module") {
    clear();
    if (answered.hint) element("p", answer, answered.hint, { class: "hint" });
  }
  // What is below a mistake is the answer to the text before it.
  answer.classList.toggle("old", Boolean(answered.errors && $(":scope > :not(.gone)", answer)));
  answer.dataset.part = part ?? "";
  answer.dataset.number = number;
}

function words(parent, text) {
  text.split(/(`[^`]+`)/).forEach((part) => {
    if (part.length > 2 && part.startsWith("`") && part.endsWith("`")) element("code", parent, part.slice(1, -1));
    else parent.append(part);
  });
}

function field(name) {
  return inputs(shown).find((input) => input.name === name);
}

function lead(name) {
  const input = field(name), hidden = input.closest("details");
  if (hidden) hidden.open = true;
  input.focus();
}

function showErrors(all, part) {
  errors.replaceChildren();
  if (part === "layout" && /\bHloModule\b|^\s*ENTRY\b|RESOURCE_EXHAUSTED|OutOfMemory|[Oo]ut of memory/m.test(field("text").value)) {
    const row = element("p", errors, "This looks like a module, or a report that memory ran out. ", { class: "row" });
    button(row, "Read it in Module", () => open("module", { module: field("text").value }));
  }
  for (const mistake of all) {
    const box = element("div", errors, undefined, { class: "mistake" });
    words(element("p", box, undefined, { class: "message" }), mistake.message);
    for (const { marked, label } of mistake.places ?? []) {
      const line = element("pre", box);
      line.append(marked[0]);
      element("mark", line, marked[1] || " ");
      line.append(marked[2]);
      if (label) element("p", box, label, { class: "muted" });
    }
    const remarks = mistake.remarks ?? (mistake.help ? [{ text: mistake.help }] : []);
    for (const remark of remarks) words(element("p", box), remark.text);
    const row = element("div", box, undefined, { class: "fixes" });
    for (const fix of mistake.fixes ?? []) {
      const input = field(fix.field);
      if (!input) continue;
      button(row, `${["text", "a", "b"].includes(fix.field) ? "Write" : `Write ${fix.name}`} ${fix.text || "nothing"}`, () => {
        input.value = fix.text;
        lead(fix.field);
        update();
      });
    }
    for (const { field: wanted, name } of mistake.fields ?? []) if (field(wanted)) button(row, `Go to ${name}`, () => lead(wanted));
  }
}

function copied(parent, text, what) {
  const row = element("div", parent, undefined, { class: "copied" });
  element("code", row, text);
  copyButton(row, () => text, what);
}

function showSection(parent, section, { level = "h3" } = {}) {
  const box = element("section", parent, undefined, { class: section.is_copied ? "card whole" : "card" });
  if (section.heading) {
    const heading = element(level, box, section.heading);
    if (section.remark) element("span", heading, section.remark, { class: "muted" });
  }
  for (const part of section.parts) {
    if (part.text !== undefined) words(element("p", box, undefined, part.is_note ? { class: "muted" } : {}), part.text);
    if (part.pairs) {
      const list = element("dl", box);
      for (const [name, value] of part.pairs) {
        element("dt", list, name);
        words(element("dd", list), value);
      }
    }
    if (part.rows && section.is_copied) {
      for (const [name, text] of part.rows) {
        element("h4", box, name);
        copied(box, text, `the text for ${name}`);
      }
    } else if (part.rows) {
      const table = element("table", element("div", box, undefined, { class: "scroll", tabindex: 0, role: "group", "aria-label": section.heading || "Table" }));
      if (part.head) {
        const head = element("tr", element("thead", table));
        part.head.forEach((name, k) => element("th", head, name, { scope: "col", class: part.right[k] ? "right" : "left" }));
      }
      const body = element("tbody", table);
      for (const row of part.rows) {
        const line = element("tr", body);
        row.forEach((text, k) => element("td", line, text, { class: part.right[k] ? "right" : "left" }));
      }
    }
  }
}

function save(name, content) {
  const link = element("a", document.body, undefined, { href: content, download: name });
  link.click();
  link.remove();
  said.textContent = `${name} is saved`;
}

const asText = (bytes) => new TextDecoder().decode(bytes);
const asAddress = (svg) => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;

async function savePng(svg, name) {
  const image = new Image();
  image.src = asAddress(svg);
  await image.decode();
  const canvas = document.createElement("canvas");
  // Twice the size, if the browser has canvases of that size.
  const scale = Math.min(2, 8000 / image.width, 8000 / image.height);
  [canvas.width, canvas.height] = [image.width * scale, image.height * scale];
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  save(name, canvas.toDataURL("image/png"));
}

// A picture, which is UTF-8.
function showPicture(parent, bytes, name) {
  const figure = element("figure", parent, undefined, { "aria-label": "Picture" });
  const picture = element("div", figure, undefined, { class: "picture" });
  // Until the picture is there, what is below it stays about where it was.
  picture.style.minHeight = "60vh";
  const row = element("figcaption", figure), hint = element("span", row, undefined, { class: "muted" });
  const svg = () => asText(bytes);
  const draw = () => {
    if (!picture.isConnected || figure.matches(".gone")) return;
    picture.style.minHeight = "";
    picture.innerHTML = svg();
    if ($(".cell", picture)) hint.textContent = "Point at a cell, or move with the arrows.";
    watch($("svg", picture), document.getElementById("words"));
  };
  // Thousands of cells take longer than a person types: the words come first, and the picture when no more is typed.
  figure.classList.toggle("large", bytes.length >= LARGE_PICTURE);
  if (bytes.length < LARGE_PICTURE) draw();
  else setTimeout(draw, performance.now() - typed < 1000 ? 400 : 50);
  requestAnimationFrame(() => performance.mark("first picture"));
  button(row, "Save SVG", () => save(`${name}.svg`, asAddress(svg())));
  button(row, "Save PNG", () => savePng(svg(), `${name}.png`).catch(() => { said.textContent = "this picture is too large for a PNG: save the SVG"; }));
  copyButton(row, () => location.href, "the link").textContent = "Copy link";
}

function showCode(parent, code) {
  const box = element("section", parent, undefined, { class: "card whole" });
  element("h3", box, "Index arithmetic");
  if (code.error) return words(element("p", box, undefined, { class: "muted" }), code.error);
  const row = element("div", box, undefined, { class: "languages", role: "group", "aria-label": "Language" });
  const pre = element("pre", box, undefined, { tabindex: 0, "aria-label": "Code" });
  let current;
  const choose = (one) => {
    current = one;
    pre.textContent = one.code ?? one.error;
    $$("[aria-pressed]", row).forEach((other) => other.setAttribute("aria-pressed", other.textContent === one.language));
    showCode.language = one.language;
  };
  for (const one of code.languages) button(row, one.language, () => choose(one), { "aria-pressed": false });
  copyButton(row, () => current.code ?? current.error, "the code");
  choose(code.languages.find((one) => one.language === showCode.language) ?? code.languages[0]);
}

function showLayout(found) {
  if (found.part) words(element("p", answer), `Of the text, this is read: \`${found.part}\``);
  const [first, ...others] = found.arrays;
  element("p", answer, `Read as ${["a sharding", "by name"].includes(found.notation) ? found.notation.replace("by name", "the name of a layout") : `the notation of ${found.notation}`}`, { class: "badge" });
  const head = element("h2", answer);
  element("code", head, first.title);
  // A map has a title that nothing reads.
  if (found.notation !== "a sharding" && !first.title.startsWith("[")) copyButton(head, () => first.title, "XLA's text");
  if (/^\w+\[/.test(first.title)) {
    button(head, "Compare", () => {
      open("compare", { a: fields("layout").text, sizes: fields("layout").sizes, type: fields("layout").type, axes: fields("layout").axes });
      lead("b");
    });
  }
  for (const remark of found.remarks ?? []) words(element("p", answer), remark);
  const [summary, ...rest] = first.sections ?? [];
  const sentence = summary?.parts.find((part) => part.text !== undefined);
  if (sentence) words(element("p", answer, undefined, { class: "summary" }), sentence.text);
  const asked = element("div", answer, undefined, { class: "cards" });
  for (const section of (found.asked ?? []).flat()) showSection(asked, section);
  if (found.svg) showPicture(answer, found.svg, "layout");
  else if (found.without_picture) words(element("p", answer, undefined, { class: "muted" }), found.without_picture);
  if (first.text) element("pre", answer, first.text, { class: "card" });
  const cards = element("div", answer, undefined, { class: "cards" });
  if (summary) showSection(cards, { ...summary, heading: "Layout", parts: summary.parts.filter((part) => part !== sentence) });
  for (const section of rest) showSection(cards, section);
  if (found.code) showCode(cards, found.code);
  for (const { title, sections } of others) {
    element("code", element("h2", answer), title);
    const more = element("div", answer, undefined, { class: "cards" });
    for (const section of sections) showSection(more, { ...section, heading: section.heading || "Layout" });
  }
}

function showCompare(found) {
  element("h2", answer, { equal: "A and B are the same", copy: "B needs a copy of A", bitcast: "B is A in the same memory" }[found.verdict] ?? found.verdict);
  for (const side of found.titles ? [0, 1] : []) {
    const line = element("pre", answer, `${"AB"[side]}  `, { class: "side" });
    const spans = found.differences.map((one) => one[["span_a", "span_b"][side]]).filter((span) => span).sort((x, y) => x[0] - y[0]);
    let at = 0;
    for (const [start, end] of spans) {
      if (start < at) continue;
      line.append(found.titles[side].slice(at, start));
      element("mark", line, found.titles[side].slice(start, end) || " ");
      at = end;
    }
    line.append(found.titles[side].slice(at));
  }
  if (found.differences?.length) {
    const list = element("ul", answer);
    for (const one of found.differences) element("li", list, one.difference);
  }
  if (found.text) element("pre", answer, found.text, { class: "card" });
  const cards = element("div", answer, undefined, { class: "cards" });
  for (const section of found.sections ?? []) showSection(cards, section);
  showPicture(answer, found.svg, "compared");
}

function showOperands() {
  const list = field("operation"), wanted = list.selectedOptions[0].dataset.fields.split(" ");
  for (const input of inputs("algebra")) if (input !== list) input.closest("label").hidden = !wanted.includes(input.name);
}

function showAlgebra(found) {
  for (const line of found.answer) words(element("h2", answer), line);
  const result = found.steps.filter((step) => ["result", "CuTe"].includes(step.name)).pop();
  if (result && !found.answer.length) copied(element("h2", answer), result.text, "the result");
  const box = element("section", answer, undefined, { class: "card" }), list = element("dl", box);
  element("h3", box, "Steps");
  box.prepend(box.lastChild);
  for (const { name, text } of found.steps) {
    element("dt", list, name);
    element("dd", list, text, { class: name ? "" : "muted" });
  }
  showPicture(answer, found.svg, "algebra");
}

// A page in a file has its pictures packed, as the program writes it: it is a seventh as long.
async function packed(page) {
  const key = '"pictures":', at = page.lastIndexOf(`${key}{`), end = page.indexOf("}\u003c/script>", at);
  if (at < 0) return page;
  const stream = new Blob([page.slice(at + key.length, end)]).stream().pipeThrough(new CompressionStream("deflate"));
  let digits = "";
  for (const byte of new Uint8Array(await new Response(stream).arrayBuffer())) digits += String.fromCharCode(byte);
  return `${page.slice(0, at)}${key}"${btoa(digits)}"${page.slice(end)}`;
}

function showModule(found, name) {
  const page = asText(found.page);
  const row = element("p", answer, undefined, { class: "row" });
  button(row, "Save as a page", async () => save("module.html", URL.createObjectURL(new Blob([await packed(page)], { type: "text/html" }))));
  element("span", row, `Read here, sent nowhere: ${name}`, { class: "muted" });
  if (found.mistakes_in_all) {
    const box = element("details", answer, undefined, { class: "card" });
    element("summary", box, `${found.mistakes_in_all} ${found.mistakes_in_all === 1 ? "place" : "places"} could not be read; the rest is counted`);
    for (const { line, column, message, help, marked } of found.mistakes) {
      words(element("p", box), `line ${line}, column ${column}: ${message}${help ? `; ${help}` : ""}`);
      const text = element("pre", box, marked[0]);
      element("mark", text, marked[1] || " ");
      text.append(marked[2]);
    }
  }
  for (const refused of found.refused) {
    const box = element("div", answer, undefined, { class: "mistake" });
    words(element("p", box, undefined, { class: "message" }), refused.message);
    for (const remark of refused.remarks) words(element("p", box), remark.text);
  }
  const frame = element("iframe", answer, undefined, { title: "Memory and copies of the module", sandbox: "allow-scripts", allow: "clipboard-write" });
  frame.srcdoc = page;
  said.textContent = `${name} is read`;
}

// Examples: a name, and the fields.
const EXAMPLES = {
  layout: [
    ["TPU tile", { text: "bf16[16,256]{1,0:T(8,128)(2,1)}" }],
    ["padding", { text: "bf16[5,6]{1,0:T(4,4)}" }],
    ["column-major", { text: "f32[4,6]{0,1}" }],
    ["oneDNN", { text: "nChw16c", sizes: "2,17,5,7", type: "f32" }],
    ["MLIR", { text: "memref<2x3xf32, strided<[1, 2]>>" }],
    ["PyTorch", { text: "torch.Size([2, 3, 4, 4]), stride=(48, 1, 12, 3), dtype=torch.float32" }],
    ["CuTe swizzle", { text: "Sw<3,3,3> o smem_ptr[16b](unset) o (8,64):(64,1)" }],
    ["Triton blocked", { text: "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>", sizes: "32,32" }],
    ["sharding", { text: "f32[1024,512], sharding={devices=[2,4]<=[8]}" }],
    ["a mistake", { text: "float32[2.3]{0,0}" }],
  ],
  compare: [
    ["NCHW to NHWC", { a: "f32[2,3,4,4]{3,2,1,0}", b: "f32[2,3,4,4]{1,3,2,0}" }],
    ["row- and column-major", { a: "f32[4,6]{1,0}", b: "f32[4,6]{0,1}" }],
    ["into tiles", { a: "bf16[8,12]{1,0}", b: "bf16[8,12]{1,0:T(4,4)(2,1)}" }],
    ["a transpose that moves nothing", { a: "f32[4,6]{1,0}", b: "f32[6,4]{0,1}" }],
    ["a swizzle", { a: "f16[8,64]{1,0}", b: "Sw<3,3,3> o 0 o (8,64):(64,1)" }],
    ["shardings", { a: "{devices=[2,1]<=[2]}", b: "{devices=[1,2]<=[2]}", sizes: "8,8", type: "f32" }],
  ],
  algebra: [
    ["compose", { operation: "compose", a: "(6,2):(8,2)", b: "(4,3):(3,1)" }],
    ["tiles of a layout", { operation: "divide", a: "24:3", b: "4:2" }],
    ["bank conflicts", { operation: "conflicts", a: "32:32" }],
    ["none with a swizzle", { operation: "conflicts", a: "32:32", swizzle: "5,0,5" }],
    ["the best swizzle", { operation: "swizzle", a: "32:1", b: "32:32" }],
    ["between", { operation: "between", a: "(8,64):(64,1)", b: "Sw<3,3,3> o 0 o (8,64):(64,1)" }],
  ],
  module: [
    ["a convolution on a TPU", { module: $("#example").textContent.trim() }],
    ["memory that ran out on a GPU", { module: $("#report").textContent.trim() }],
  ],
};

for (const part of PARTS) {
  const list = $(".examples", form(part));
  element("span", list, "Examples:", { class: "muted" });
  for (const [name, values] of EXAMPLES[part]) button(list, name, () => open(part, values));
  form(part).addEventListener("submit", (event) => event.preventDefault());
  for (const input of inputs(part)) {
    Object.assign(input, { spellcheck: false, autocapitalize: "off", autocomplete: "off" });
    input.addEventListener("input", ({ inputType }) => {
      if (/^(insertText|delete)/.test(inputType)) typed = performance.now();
      grow(input);
      update();
    });
  }
  document.getElementById(`tab-${part}`).addEventListener("click", () => open(part));
}
$("[role=tablist]").addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1, Home: -PARTS.indexOf(shown), End: -1 - PARTS.indexOf(shown) }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  open(PARTS[(PARTS.indexOf(shown) + step + PARTS.length) % PARTS.length]);
  document.getElementById(`tab-${shown}`).focus();
});
document.getElementById("swap").addEventListener("click", () => {
  const { a, b, ...rest } = fields("compare");
  open("compare", { ...rest, a: b, b: a });
});
$("[name=file]").addEventListener("change", (event) => {
  const [file] = event.target.files;
  if (file) readFile(file);
});
addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("over");
});
addEventListener("dragleave", (event) => { if (!event.relatedTarget) document.body.classList.remove("over"); });
addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("over");
  const [file] = event.dataTransfer.files;
  const text = event.dataTransfer.getData("text");
  if (file) readFile(file);
  else if (text) open("module", { module: text });
});
addEventListener("hashchange", load);
load();
// Also where nothing is asked yet.
program.catch((error) => show(unable(error)));
