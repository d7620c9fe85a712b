"""The guest images of Isolette. The package `isolette` uses the files of this one where they are installed."""
