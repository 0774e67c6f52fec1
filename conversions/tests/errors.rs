//! Errors are shown in the form of all errors of xlayout: what was found; what to do.

use xlayout_conversions::ConversionError;

#[test]
fn every_error_says_what_and_what_to_do() {
    let shape = "f32[4,6]{1,0:T(2,2)}".to_owned();
    let library = "candle";
    let errors = [
        ConversionError::Layout(xlayout::LayoutError::NotStrided),
        ConversionError::Tiled {
            library,
            shape: shape.clone(),
        },
        ConversionError::Reversed {
            library,
            dimension: 1,
        },
        ConversionError::Sequence {
            library,
            needed: "rows",
            shape,
            strides: vec![7, 2],
        },
        ConversionError::ElementType {
            expected: xlayout::ElementType::F32,
            found: "u32".to_owned(),
        },
        ConversionError::Device { found: "CUDA" },
        candle_core::Error::Msg("no".to_owned()).into(),
    ];
    for error in errors {
        let [message, help] = [error.message().to_string(), error.help().to_string()];
        let whole = format!("{message}; {help}");
        assert_eq!(
            [error.to_string(), format!("{error:?}")],
            [whole.clone(), whole.clone()]
        );
        assert!(
            !whole.contains('\n') && !message.ends_with('.') && !help.ends_with('.'),
            "{whole}"
        );
        assert_eq!(xlayout::LayoutError::from(error).to_string(), whole);
    }
}
