// Answers requests in a worker, with an instance of the program. An instance that stopped is replaced.
let module, instance;

function start() {
  instance = new WebAssembly.Instance(module, {});
}

function output() {
  const { memory, xlayout_output, xlayout_length } = instance.exports;
  return new Uint8Array(memory.buffer, xlayout_output() >>> 0, xlayout_length() >>> 0);
}

const decoded = (bytes) => new TextDecoder().decode(bytes);

const tooLarge = {
  message: "this needs more memory than a page has",
  help: "the program takes as much as the computer has: `xlayout hlo FILE`",
};

function stopped(error) {
  let panic = "";
  try { panic = decoded(output()); } catch { /* Its memory is full. */ }
  if (error instanceof RangeError && !panic) return tooLarge;
  if (!panic && instance.exports.memory.buffer.byteLength > 1e9) return tooLarge;
  return {
    message: `this is a mistake of the page: ${panic || error.message}`,
    help: "please report it with the text; the page goes on",
  };
}

function answer({ request, bytes }) {
  const head = new TextEncoder().encode(`${JSON.stringify(request)}\n`), length = head.length + bytes.length;
  const at = instance.exports.xlayout_input(length) >>> 0;
  if (at === 0) return { errors: [tooLarge] };
  const memory = new Uint8Array(instance.exports.memory.buffer, at, length);
  memory.set(head);
  memory.set(bytes, head.length);
  instance.exports.xlayout_run();
  const written = output(), end = written.indexOf(10);
  const found = JSON.parse(decoded(end < 0 ? written : written.subarray(0, end)));
  // It is long: the page has it without a copy, and reads it when it is drawn.
  if (found.behind) found.answer[found.behind] = written.slice(end + 1);
  return found;
}

onmessage = ({ data }) => {
  if (data.module) {
    module = data.module;
    start();
    return;
  }
  let answered;
  try {
    answered = answer(data);
  } catch (error) {
    answered = { errors: [stopped(error)] };
    start();
  }
  const { answer: found, behind } = answered;
  postMessage(answered, behind ? [found[behind].buffer] : []);
};
