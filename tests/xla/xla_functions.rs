//! The tables that map XLA's functions to ours: complete and correct. That the links on the right
//! resolve is checked where the documentation is built; here it is checked that the documentation's
//! search finds every C++ name on the left.
#![allow(missing_docs)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{read_dir, read_to_string};
use std::path::Path;

/// The public functions and types that XLA's headers declare (those of TensorFlow 2.21, and of
/// older versions what has gone since).
const OF_XLA: &[&str] = &[
    // index_util.h
    "MultidimensionalIndexToLinearIndex LinearIndexToMultidimensionalIndex BumpIndices",
    "GetDimensionStride IndexInBounds CompareIndices",
    // layout_util.h
    "MakeLayout MakeLayoutFromMajorToMinor MakeDescendingLayout MakeAscendingLayout",
    "HasDescendingLayout HasAscendingLayout GetDefaultLayoutForShape GetDefaultLayoutForRank",
    "GetDefaultLayoutForR2 GetDefaultLayoutForR3 GetDefaultLayoutForR4 SetToDefaultLayout",
    "GetWithDefaultLayout ValidateLayoutInShape ValidateLayoutForShape ClearLayout ClearTiles",
    "IsDenseArray IsMonotonicWithDim0Minor IsMonotonicWithDim0Major HasLayout HasAnyLayout",
    "HasCustomElementSizeInBits Equal MinorToMajor Major Minor MakeLogicalToPhysical",
    "PrintHumanString HumanString CopyLayoutBetweenShapes LayoutsInShapesEqual",
    "AreDimensionsConsecutive MoveDimToMajor MoveDimToMinor LinearIndex MemorySpace",
    "ByteStridesIsMajorToMinor MaxSplitSize MaxElementsInPerSplit GetSplitConfig IsUntiledLayout",
    "IsDense IsSparse IsCOO IsCSR IsCSC IsSparseArray GetDimLevelType DimUnique DimOrdered",
    "ValidateDimLevel",
    // tile.h, layout.h
    "Tile dimension dimensions add_dimensions clear_dimensions Print ToString kCombineDimension",
    "FromProto CreateFromProto ToProto",
    "SplitConfig set_dimension split_indices add_split_indices clear_split_indices",
    "Layout AbslHashValue Swap Clear IgnoreTiles IgnoreTailPaddingAlignmentInElements",
    "IgnoreIndexPrimitiveType IgnorePointerPrimitiveType IgnoreMemorySpace IgnoreSplitConfigs",
    "IgnorePhysicalShape IgnoreElementSize MinorToMajorOnly minor_to_major minor_to_major_size",
    "set_minor_to_major add_minor_to_major clear_minor_to_major mutable_minor_to_major",
    "DeleteDimension tiles tiles_size add_tiles mutable_tiles clear_tiles element_size_in_bits",
    "set_element_size_in_bits tail_padding_alignment_in_elements memory_space set_memory_space",
    "set_tail_padding_alignment_in_elements split_configs add_split_configs",
    "mutable_split_configs clear_split_configs index_primitive_type pointer_primitive_type",
    "physical_shape dynamic_shape_metadata_prefix_bytes set_dynamic_shape_metadata_prefix_bytes",
    "kDefaultMemorySpace kGenericFastMemorySpace kHostMemorySpace",
    // shape.h
    "IsValidDimensionSize Shape IsArray IsArrayExcludingBuffer IsTuple IsBuffer IsToken IsOpaque",
    "AreAllLeavesIntegers is_static is_dynamic is_unbounded_dynamic is_bounded_dynamic",
    "is_unbounded_dynamic_dimension is_bounded_dynamic_dimension is_dynamic_dimension",
    "is_static_dimension dynamic_dimensions set_dynamic_dimension clear_dynamic_dimensions",
    "set_unbounded_dynamic_dimension DeleteDimensions element_type element_type_including_buffer",
    "set_element_type dimensions_minor dimensions_size set_dimensions set_dimensions_minor",
    "tuple_shapes mutable_tuple_shapes add_tuple_shapes clear_tuple_shapes tuple_shapes_size",
    "buffer_shape has_layout layout mutable_layout clear_layout Hash IgnoreLayout",
    "IgnoreTilesInLayout IgnoreElementSizeInLayout IgnoreMemorySpaceInLayout",
    "MinorToMajorOnlyInLayout IgnoreElementType IgnoreFpPrecision IgnoreDynamicDimension",
    "IgnoreDimensions IgnoreSplitConfigInLayout IgnoreBuffer kUnboundedSize",
    "ProgramShape parameters AddParameter result parameter_names",
    // shape_layout.h
    "ShapeLayout AssignLayoutToShape MatchesLayoutInShape CopyLayoutFromShape ClearDynamicShape",
    "LayoutIsSet AnyLayoutIsSet ResetLayout shape",
    // shape_util.h
    "ShapeIndex push_front pop_front ExtentProduct StaticExtentProduct ElementsIn",
    "ElementsInRecursive HasPrimitiveType IsZeroElementArray ByteSizeOf ByteSizeOfPrimitiveType",
    "ByteSizeOfTupleIndexTable ByteSizeOfElements SerializedSize SerializedSizeWithProto",
    "HumanStringWithLayout PrintHumanStringWithLayout SameDimensions SameRank SameElementType",
    "SameElementTypeIgnoringFpPrecision HigherPrecisionElementType ElementCanUpcast Compatible",
    "CompatibleIgnoringElementType CompatibleIgnoringFpPrecision CompatibleKind",
    "EqualIgnoringElementType EqualIgnoringFpPrecision EqualStructure TrueNumDimensions",
    "MakeProgramShape IsScalar IsEffectiveScalar IsScalarWithElementType",
    "CreateDimensionVectorFromShape GetDimension GetDimensionNumber ChangeElementType",
    "MakeStaticShape MakeShapeWithStaticDimensions MakeTupleShape MakeValidatedTupleShape",
    "MakeTupleShapeWithPtrs MakeValidatedTupleShapeWithPtrs MakeMaybeTupleShape",
    "MakeValidatedMaybeTupleShape MakeOpaqueShape MakeTokenShape MakeNil AppendShapeToTuple",
    "UpdateTupleShape UpdateDynamicDimension AppendMajorDimension PrependMajorDimension",
    "AppendMinorDimension InsertDimensionAtIndex InsertDimensionsAtIndex CopyDynamicDimensions",
    "IsEffectivelyMostMajorDimension GetNormalizedLogicalTransposeShape IsInitialized MakeShape",
    "MakeValidatedShape MakeScalarShape MakeValidatedScalarShape MakeShapeWithType",
    "MakeValidatedShapeWithType MakeValidatedBufferShape MakeShapeWithDenseLayout",
    "MakeValidatedShapeWithDenseLayout MakeValidatedShapeWithSparseLayout",
    "MakeShapeWithDescendingLayout MakeValidatedShapeWithDescendingLayout",
    "MakeShapeWithDescendingLayoutAndSamePhysicalLayout",
    "MakeValidatedShapeWithDescendingLayoutAndSamePhysicalLayout PopulateShape ValidateShape",
    "ValidateShapeWithOptionalLayout ElementIsIntegral ElementIsFloating ElementIsComplex",
    "ElementIsSigned ElementHasBitWidth ElementIsIntegralWithBits IsNestedTuple IsEmptyTuple",
    "TupleElementCount GetTupleElementShape SliceTuple SubshapeCount GetLeafCount",
    "GetLeafCountTuple GetLeafShapes IsLeafIndex ComplexComponentShape IndexIsValid GetSubshape",
    "TryGetSubshape GetMutableSubshape ForEachSubshape ForEachSubshapeWithStatus",
    "ForEachSubshapePostOrder ForEachSubshapePostOrderWithStatus ForEachMutableSubshape",
    "ForEachMutableSubshapeWithStatus ForEachMutableSubshapePostOrder",
    "ForEachMutableSubshapePostOrderWithStatus ForEachLeafShape ForEachLeafShapeWithStatus",
    "ForEachMutableLeafShape ForEachMutableLeafShapeWithStatus HasDegenerateDimensions",
    "DropDegenerateDimensions PackedFactorFor1DInterleavedArray PermuteDimensions",
    "PermuteDimensionsIgnoringLayout InsertedOrDeleted1SizedDimensions",
    "DimensionsUnmodifiedByReshape ReshapeLeavesDimensionsUnmodified TransposeIsBitcast",
    "ReshapeIsBitcast IsReshapeOrTransposeBitcast DeduceTransposeDimensionsForBitcast",
    "IsDecomposableBitcast DecomposeBitcast DecomposeBitcastToTrt BitcastDecomposition",
    "BitcastDecompositionTrt BitcastDecompositionReshape BitcastDecompositionTranspose",
    "IsTranspose1Identity IsTranspose2Identity AlignLayouts ReorderLogicalDimensions",
    "FilterDimensions DynamicArrayShapeIsCompatible DynamicShapeIsCompatible ForEachIndex",
    "ForEachIndexWithStatus ForEachIndexNoStatus ForEachIndexParallel",
    "ForEachIndexParallelWithStatus GetForEachIndexParallelThreadCount DeviceShapeIsHostShape",
    "DeviceShapeToHostShape UnpackedByteStrides ByteStrides ElementSizeInBits ArraySize",
    "ArrayDataSize UpdateElementSizeInBits FlattenTupleShape LastDimIsMinorMost",
    "GetNormalizedTransposeShape",
];

#[test]
fn every_function_stands_in_a_table() {
    let left: BTreeSet<String> = rows().into_iter().flat_map(|row| row.0).collect();
    let of_xla: BTreeSet<&str> = OF_XLA.iter().flat_map(|line| line.split(' ')).collect();
    assert!(of_xla.len() > 280, "{} names", of_xla.len());
    let missing: Vec<_> = of_xla
        .iter()
        .filter(|name| !left.contains(**name))
        .collect();
    assert!(missing.is_empty(), "in no table: {missing:?}");
}

/// All sources below a folder.
pub(crate) fn sources(folder: &Path, all: &mut String) {
    for entry in read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            sources(&path, all);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            all.push_str(&read_to_string(&path).expect("it is text"));
        }
    }
}

/// Everything that the documentation's search finds by exactly this name.
fn found_by_search() -> BTreeSet<String> {
    let mut text = String::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in ["shape", "core", "xla", "sharding", "interop"] {
        sources(&root.join(folder).join("src"), &mut text);
    }
    let name = |text: &str| -> String {
        let ends = |c: char| !c.is_alphanumeric() && c != '_';
        text.split(ends).next().unwrap_or("").to_owned()
    };
    let mut found = BTreeSet::new();
    let quoted = |text: &str| -> Vec<String> {
        let parts = text.split('"').skip(1).step_by(2);
        parts.map(str::to_owned).collect()
    };
    let mut lines = text.lines().map(str::trim_start);
    while let Some(line) = lines.next() {
        let attribute = line.strip_prefix("#![").or_else(|| line.strip_prefix("#["));
        if let Some(alias) = attribute.filter(|text| text.starts_with("doc(alias")) {
            // `alias = "A"` or `alias("A", "B")`, which may take several lines.
            let mut alias = alias.to_owned();
            while !alias.ends_with(")]") {
                alias += lines.next().expect("the attribute is closed");
            }
            found.extend(quoted(&alias));
        } else if let Some(item) = line.strip_prefix("pub ") {
            // A function, a type, a constant; the name of a field is first.
            let qualifiers = ["const ", "fn ", "struct ", "enum ", "trait ", "type "];
            let mut item = item;
            while let Some(rest) = qualifiers.iter().find_map(|q| item.strip_prefix(q)) {
                item = rest;
            }
            found.insert(name(item));
        } else if let Some((field, _)) = attribute_field(line) {
            found.insert(field.to_owned());
        } else if line.starts_with("ignore_") || line.starts_with("\"Ignore") {
            // The macro that makes the methods of `Compare` takes the aliases as literals.
            found.extend(quoted(line));
        }
    }
    found
}

/// A number of a layout in the table that makes the fields: `MemorySpace: memory_space: i8 = 0, …`.
fn attribute_field(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.split_once(": ")?;
    let is_variant =
        name.starts_with(char::is_uppercase) && name.chars().all(char::is_alphanumeric);
    rest.split_once(": i").filter(|_| is_variant)
}

/// The rows of the tables: the C++ names on the left, and what is right of them.
fn rows() -> Vec<(Vec<String>, String)> {
    let files = [
        include_str!("../../xla/src/xla_functions/layouts.md"),
        include_str!("../../xla/src/xla_functions/shapes.md"),
        include_str!("../../xla/src/xla_functions/shardings.md"),
    ];
    let rows = files
        .iter()
        .flat_map(|file| file.lines())
        .filter_map(|line| {
            let (left, right) = line.strip_prefix("| ")?.split_once(" | ")?;
            // Between backquotes, without the class before a name, and without what follows it.
            let names = left.split('`').skip(1).step_by(2).filter_map(|code| {
                let name = code.split(['(', '<']).next().unwrap_or(code);
                let name = name.rsplit("::").next().unwrap_or(name);
                // No search takes the signs of an operator.
                let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
                    && !name.starts_with("operator");
                is_name.then(|| name.to_owned())
            });
            Some((names.collect(), right.to_owned()))
        });
    rows.collect()
}

#[test]
fn every_name_is_found() {
    let found = found_by_search();
    let mut missing = Vec::new();
    let mut names = 0;
    // The tests of that crate look for these.
    let is_of_protos = |right: &str| right.contains("`xlayout_proto::");
    let of_protos = rows().into_iter().filter(|(_, right)| is_of_protos(right));
    let of_protos: BTreeSet<String> = of_protos.flat_map(|(left, _)| left).collect();
    for (left, right) in rows() {
        if let Some(reason) = right.strip_prefix("none") {
            // The search leads to the table, which gives the reason.
            assert!(reason.len() > 12, "{left:?}: give the reason");
        }
        names += left.len();
        let is_here = |name: &String| found.contains(name) || of_protos.contains(name);
        missing.extend(left.into_iter().filter(|name| !is_here(name)));
    }
    assert!(names > 280, "only {names} names were seen");
    assert!(missing.is_empty(), "not found by search: {missing:#?}");
}

/// A name without case and underscores.
fn letters(name: &str) -> String {
    name.replace('_', "").to_lowercase()
}

/// Each function has the C++ name in snake case, or stands in the README's table of those that have
/// not.
#[test]
fn functions_have_the_names_that_the_readme_says() {
    let mut of_xla: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (left, right) in rows() {
        for module in ["index_util", "layout_util", "primitive_util", "shape_util"] {
            for link in right.split(&format!("[`{module}::")).skip(1) {
                let function = link.split('`').next().expect("the link ends");
                // A constant is no function.
                if function.starts_with(char::is_uppercase) {
                    continue;
                }
                let names = of_xla.entry(format!("{module}::{function}")).or_default();
                names.extend(left.iter().cloned());
            }
        }
    }
    assert!(of_xla.len() > 90, "only {} functions", of_xla.len());
    let own: BTreeSet<String> = of_xla
        .iter()
        .filter(|(function, names)| {
            let name = function.rsplit("::").next().map(letters);
            !names.iter().any(|of| Some(letters(of)) == name)
        })
        .map(|(function, _)| function.clone())
        .collect();
    let readme = include_str!("../../xla/README.md");
    let (_, table) = readme
        .split_once("## Names of their own")
        .expect("the table is there");
    let listed: BTreeMap<String, String> = table
        .lines()
        .filter_map(|line| {
            let (ours, theirs) = line.strip_prefix("| `")?.split_once("` | `")?;
            Some((ours.to_owned(), theirs.trim_end_matches("` |").to_owned()))
        })
        .collect();
    assert_eq!(listed.keys().cloned().collect::<BTreeSet<_>>(), own);
    for (ours, theirs) in listed {
        assert!(
            of_xla[&ours].contains(&theirs),
            "`{theirs}` is not what `{ours}` stands for"
        );
    }
}
