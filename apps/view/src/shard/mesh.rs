//! The mesh of devices that a sharding names: as Python prints it or makes it, and as `--mesh`
//! gives it.

use xlayout::sharding::NamedSharding;

use super::python::{self, FORMS, SHARDING, Value, without_value, wrong};
use crate::error::{Error, Outcome, TextSpan};

/// The axes of a mesh.
#[derive(Clone, Debug, Default)]
pub(super) struct Mesh {
    pub(super) names: Vec<String>,
    pub(super) sizes: Vec<i64>,
    /// Row-major; empty where the text does not say them.
    pub(super) devices: Vec<i64>,
}

/// What prints a mesh, and what makes one; the last ones are given its sizes.
pub(super) const MESHES: [&str; 5] = [
    "Mesh",
    "AbstractMesh",
    "DeviceMesh",
    "make_mesh",
    "init_device_mesh",
];

/// The mesh as JAX or PyTorch print it.
pub(super) fn mesh_of_python(text: &str, printed: &Value<'_>) -> Outcome<Mesh> {
    let mut mesh = Mesh::default();
    let sized = |items: &[python::Item<'_>], mesh: &mut Mesh| {
        for item in items {
            if let (Some(name), Some(size)) = (item.key, item.value.number()) {
                mesh.names.push(name.to_owned());
                mesh.sizes.push(size);
            }
        }
    };
    // `Mesh('x': 2, 'y': 4)`, `DeviceMesh((dp=2, tp=4), 'cuda')`
    sized(printed.items(), &mut mesh);
    for item in printed.items() {
        if mesh.sizes.is_empty() && matches!(item.key, None | Some("mesh")) {
            sized(item.value.items(), &mut mesh);
        }
    }
    let words = |value: &Value<'_>| -> Vec<String> {
        value
            .items()
            .iter()
            .map(|item| item.value.word.to_owned())
            .collect()
    };
    let key = |names: &[&str]| {
        names
            .iter()
            .find_map(|name| printed.argument(name, usize::MAX))
    };
    if let Some(names) = key(&["axis_names", "mesh_dim_names"]) {
        mesh.names = words(names);
    }
    if let Some(sizes) = key(&["axis_sizes", "shape"]) {
        let size = |item: &python::Item<'_>| {
            let number = item.value.number();
            number.ok_or_else(|| without_value(text, &item.value))
        };
        mesh.sizes = sizes.items().iter().map(size).collect::<Outcome<_>>()?;
    }
    if let Some(grid) = key(&["device_mesh"]).and_then(|mesh| mesh.argument("mesh", usize::MAX)) {
        let mut own = Mesh::default();
        add_grid(grid, 0, &mut own);
        mesh.devices = own.devices;
    }
    let is_given = |item: &&python::Item<'_>| {
        matches!(item.key, None | Some("device_ids" | "devices" | "mesh"))
    };
    let given = printed.items().iter().filter(is_given);
    let given: Vec<&Value<'_>> = given.map(|item| &item.value).collect();
    let is_list = |value: &&&Value<'_>| !value.items().is_empty();
    let is_names = |value: &&&Value<'_>| value.items().iter().all(|item| item.value.is_text);
    let names = given.iter().filter(is_list).find(is_names);
    if let (Some(names), true) = (names, mesh.names.is_empty()) {
        mesh.names = words(names);
    }
    if mesh.sizes.is_empty() {
        let lists = given.iter().filter(is_list).filter(|list| !is_names(list));
        let numbers = |list: &Value<'_>| -> Option<Vec<i64>> {
            let items = list.items().iter().filter(|_| list.word.is_empty());
            let all: Option<Vec<i64>> = items.map(|item| item.value.number()).collect();
            all.filter(|all| !all.is_empty())
        };
        let is_made = matches!(printed.name(), "make_mesh" | "init_device_mesh");
        // Behind devices, `range(8)`, there are sizes; a list alone is one of devices, unless each
        // number has a name.
        let is_sizes = |list: &Value<'_>, sizes: &[i64]| {
            let is_first = given.first().is_some_and(|first| first.span == list.span);
            let is_named = sizes.len() > 1 && sizes.len() == mesh.names.len();
            is_made || is_named || !is_first && printed.name() == "Mesh"
        };
        let mut pairs = lists
            .clone()
            .filter_map(|list| Some((list, numbers(list)?)));
        let found = pairs.find(|(list, sizes)| is_sizes(list, sizes));
        let is_grid = |list: &&&Value<'_>| {
            let is_found = found
                .as_ref()
                .is_some_and(|found| found.0.span == list.span);
            let is_type = |item: &python::Item<'_>| item.value.word.contains("AxisType");
            let is_of_types = list.items().iter().any(is_type);
            !is_found && !is_of_types && matches!(list.name(), "" | "array" | "ndarray")
        };
        let grid = lists.clone().find(is_grid);
        // `array([[0, 1], [2, 3]])` holds the list.
        let grid = grid.map(|grid| match (grid.word, grid.items()) {
            ("", _) | (_, []) => *grid,
            (_, [first, ..]) => &first.value,
        });
        if grid.is_none() && found.is_none() {
            let help = "write it with sizes, or give them: `--mesh x=2,y=4`";
            return Err(wrong(text, printed, "the mesh has no sizes", help));
        }
        if let Some(grid) = grid
            && let Some(name) = add_grid(grid, 0, &mut mesh)
        {
            return Err(without_value(text, name));
        }
        if let Some((_, sizes)) = found {
            mesh.sizes = sizes;
        }
    }
    let count = mesh.devices_in_sizes();
    if count.is_none() || mesh.names.len() > mesh.sizes.len() {
        let help = "write a size above 0 for each axis: `Mesh('x': 2, 'y': 4)`";
        return Err(wrong(text, printed, "these are no axes of a mesh", help));
    }
    if !mesh.devices.is_empty() && Some(mesh.devices.len() as i64) != count {
        return Err(wrong(
            text,
            printed,
            "the rows of the mesh differ in length",
            FORMS,
        ));
    }
    Ok(mesh)
}

/// Adds the devices of nested lists, and the sizes of the lists. Returns what is in a list and no
/// device.
fn add_grid<'v, 'a>(grid: &'v Value<'a>, depth: usize, mesh: &mut Mesh) -> Option<&'v Value<'a>> {
    let is_list = |value: &Value<'_>| value.word.is_empty() && value.items.is_some();
    if !is_list(grid) {
        let device = device_of(grid);
        mesh.devices.extend(device);
        return (depth > 0 && device.is_none()).then_some(grid);
    }
    if mesh.sizes.len() == depth {
        mesh.sizes.push(grid.items().len() as i64);
    }
    let items = grid.items().iter();
    items.fold(None, |name, item| {
        name.or(add_grid(&item.value, depth + 1, mesh))
    })
}

/// The number of a device: `3`, `CpuDevice(id=3)`, `TFRT_CPU_3`.
pub(super) fn device_of(value: &Value<'_>) -> Option<i64> {
    if let Some(id) = value.argument("id", usize::MAX) {
        return id.number();
    }
    let last = value.word.rsplit('_').next().unwrap_or(value.word);
    last.parse().ok()
}

/// `x=2,y=4`, `2,4` or `2x4`.
pub(super) fn mesh_of_option(text: &str) -> Outcome<Mesh> {
    let mut mesh = Mesh::default();
    let separator = if text.contains(',') || text.contains('=') {
        ','
    } else {
        'x'
    };
    for (number, axis) in text.split(separator).enumerate() {
        let (name, size) = match axis.split_once('=') {
            Some((name, size)) => (name.trim().trim_matches(['"', '\'']).to_owned(), size),
            None => (number.to_string(), axis),
        };
        let Some(size) = size.trim().parse().ok().filter(|&size: &i64| size > 0) else {
            return Err(
                Error::new(format_args!("`{}` is no axis of a mesh", axis.trim()))
                    .at(TextSpan::of_whole("--mesh", text))
                    .help("write the names and the sizes of its axes: `--mesh x=2,y=4`"),
            );
        };
        mesh.names.push(name);
        mesh.sizes.push(size);
    }
    if mesh.devices_in_sizes().is_none() {
        return Err(Error::new("the mesh has more devices than a number counts")
            .at(TextSpan::of_whole("--mesh", text))
            .help("write the sizes of its axes: `--mesh x=2,y=4`"));
    }
    Ok(mesh)
}

/// The mesh in an error of JAX's: `shape (2, 4) with corresponding axis names ('x', 'y')`.
pub(super) fn mesh_of_prose(text: &str) -> Option<Mesh> {
    let (before, names) = text.split_once("axis names (")?;
    let (_, sizes) = before.rsplit_once("shape (")?;
    let mut names = names.split_once(')')?.0.split(',');
    let mut axes = String::new();
    let sizes = sizes.split_once(')')?.0.split(',');
    for size in sizes.filter(|size| !size.trim().is_empty()) {
        let comma = if axes.is_empty() { "" } else { "," };
        axes += &format!("{comma}{}={size}", names.next()?);
    }
    let is_whole = names.all(|name| name.trim().is_empty());
    mesh_of_option(&axes).ok().filter(|_| is_whole)
}

pub(super) fn need_mesh(text: &str, mesh: Option<Mesh>) -> Outcome<Mesh> {
    mesh.ok_or_else(|| {
        Error::new("the text does not say the axes of the mesh")
            .at(TextSpan::of_whole(SHARDING, text))
            .help("give their names and sizes: `--mesh x=2,y=4`")
    })
}

impl Mesh {
    /// How many devices there are; `None` if a size is not above 0, or the product is too large.
    pub(super) fn devices_in_sizes(&self) -> Option<i64> {
        let mut sizes = self.sizes.iter();
        sizes.try_fold(1_i64, |all, &size| {
            all.checked_mul(size).filter(|_| size > 0)
        })
    }

    /// A sharding that cuts nothing.
    pub(super) fn sharding(&self) -> NamedSharding {
        NamedSharding {
            axis_names: self.names.clone(),
            axis_sizes: self.sizes.clone(),
            device_ids: self.devices.clone(),
            ..NamedSharding::default()
        }
    }
}
