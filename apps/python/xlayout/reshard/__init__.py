"""Plans of ``xlayout reshard``, run on a cluster of dask or ray: ``python -m xlayout.reshard --help``."""
