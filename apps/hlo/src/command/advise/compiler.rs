//! A Python process (`driver.py`) that compiles the program with given layouts.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::copies::{Entry, Found, examine};
use crate::diff::Side;
use serde_json::{Value, json};

use super::arguments::Arguments;
use xlayout_command::{Failure, Outcome};

/// The requested layouts, as `major_to_minor`.
pub(super) type Layouts = BTreeMap<Entry, Vec<usize>>;

/// What chooses the layouts that are not requested.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Others {
    /// JAX: the first dimension is the most major one.
    AsNow,
    /// The compiler: `Layout.AUTO` of JAX.
    Chosen,
}

pub(super) struct Compiler {
    process: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    folder: tempfile::TempDir,
    compiled: usize,
}

/// A compiled module.
pub(super) struct Compiled {
    pub(super) found: Found,
    pub(super) side: Side,
}

impl Compiler {
    /// Starts the process, which loads the program.
    ///
    /// # Errors
    /// When there is no Python, or when it cannot load the program.
    pub(super) fn start(arguments: &Arguments) -> Outcome<Self> {
        let python = &arguments.python;
        let platform = if arguments.cpu { "cpu" } else { "tpu" };
        let mut command = Command::new(python);
        command.args(["-c", include_str!("driver.py")]);
        command
            .arg(&arguments.file)
            .args([&*arguments.function, &*arguments.arguments]);
        command.arg(platform).args(arguments.device.as_deref());
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| {
                let message = format_args!("cannot start `{}`: {error}", python.display());
                Failure::file(message).help("`--python` names one that has the package jax")
            })?;
        let (Some(requests), Some(answers)) = (process.stdin.take(), process.stdout.take()) else {
            unreachable!("both are pipes");
        };
        let folder = tempfile::tempdir()
            .map_err(|error| Failure::file(format_args!("cannot make a folder: {error}")))?;
        let mut compiler = Self {
            process,
            requests,
            answers: BufReader::new(answers),
            folder,
            compiled: 0,
        };
        match compiler.answer()? {
            Ok(_) => Ok(compiler),
            Err(error) => {
                let file = arguments.file.display();
                let failure = Failure::file(format_args!("cannot load `{file}`: {error}"));
                Err(failure.help(
                    "the file defines `f`, a function, `args`, a tuple of its arguments, and where it takes arguments \
                     by name `kwargs`, a dict; `--function` and `--arguments` give other names, and `--python` names a \
                     Python that has the package jax",
                ))
            }
        }
    }

    /// Compiles the module with these layouts. Returns the compiler's message if it refuses them.
    pub(super) fn compile(
        &mut self,
        layouts: &Layouts,
        others: Others,
    ) -> Outcome<Result<Compiled, String>> {
        self.compiled += 1;
        let path: PathBuf = self.folder.path().join(format!("{}.hlo", self.compiled));
        let mut request = request(layouts);
        request["to"] = json!(path);
        if others == Others::Chosen {
            request["auto"] = json!(true);
        }
        if let Err(error) = self.ask(&request)? {
            return Ok(Err(error));
        }
        let module = File::open(&path).map_err(|error| Failure::of_file("read", &path, &error))?;
        let all = crate::read_all(module, &path, |path, module, tally| Compiled {
            found: examine(path, &module, tally, 0),
            side: Side::new(path, module, tally),
        })?;
        let [compiled] = <[_; 1]>::try_from(all).map_err(|all| {
            Failure::file(format_args!(
                "the compiler wrote {} modules, not one",
                all.len()
            ))
        })?;
        Ok(Ok(compiled))
    }

    /// The lines that give these layouts to `jax.jit`, as the arguments of the program are written.
    pub(super) fn pasted(&mut self, layouts: &Layouts) -> Outcome<Vec<String>> {
        let mut request = request(layouts);
        request["paste"] = json!(true);
        let answer = self.ask(&request)?.map_err(Failure::file)?;
        let lines = answer["paste"].as_array().into_iter().flatten();
        Ok(lines.filter_map(Value::as_str).map(str::to_owned).collect())
    }

    /// Sends a request, and returns its answer.
    fn ask(&mut self, request: &Value) -> Outcome<Result<Value, String>> {
        // An error is ignored: if the process has ended, reading its answer fails.
        let _ = writeln!(self.requests, "{request}").and_then(|()| self.requests.flush());
        self.answer()
    }

    /// Reads an answer of the process; the compiler's message if the compilation failed.
    fn answer(&mut self) -> Outcome<Result<Value, String>> {
        let mut line = String::new();
        let read = self.answers.read_line(&mut line);
        let answer = read
            .ok()
            .and_then(|_| serde_json::from_str::<Value>(&line).ok());
        match answer {
            Some(answer) => Ok(match answer["error"].as_str() {
                Some(error) => Err(error.to_owned()),
                None => Ok(answer),
            }),
            None => {
                let status = self
                    .process
                    .wait()
                    .map_or(String::new(), |status| format!(", {status}"));
                Err(Failure::file(format_args!(
                    "Python ended without an answer{status}"
                )))
            }
        }
    }
}

/// The layouts as `driver.py` reads them.
fn request(layouts: &Layouts) -> Value {
    let mut parameters = json!({});
    let mut results = json!({});
    for (entry, order) in layouts {
        match entry {
            Entry::Parameter(number) => parameters[number.to_string()] = json!(order),
            Entry::Result(Some(item)) => results[item.to_string()] = json!(order),
            // The one result of a program that returns no tuple: JAX counts it as the first.
            Entry::Result(None) => results["0"] = json!(order),
        }
    }
    json!({ "in": parameters, "out": results })
}

impl Drop for Compiler {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
