//! The error of functions that read or write files.

use super::LayoutError;

impl From<LayoutError> for std::io::Error {
    /// What does not fit a layout is invalid data to a function that reads or writes a file.
    ///
    /// ```
    /// use xlayout_core::DynLayout;
    /// fn zeros() -> std::io::Result<()> {
    ///     let layout: DynLayout = "f32[2,3]".parse().map_err(std::io::Error::other)?;
    ///     xlayout_core::SliceView::new(layout, &[0.0_f32; 5][..])?;
    ///     Ok(())
    /// }
    /// let error = zeros().unwrap_err();
    /// assert_eq!(error.kind(), std::io::ErrorKind::InvalidData);
    /// assert!(error.to_string().contains("pass a slice of exactly that length"));
    /// ```
    fn from(error: LayoutError) -> Self {
        Self::new(std::io::ErrorKind::InvalidData, error)
    }
}
