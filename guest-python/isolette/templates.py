"""Templates of jinja2 that are files of a package: a sandbox has no disk, so they come from the image."""

import posixpath


def adapt(module):
    """Called after the import of `jinja2.loaders`."""
    for loader in (module.FileSystemLoader, module.PackageLoader):
        loader.get_source = _from_image(loader.get_source, module.split_template_path)


def _from_image(get_source, pieces):
    from isolette.importer import store

    def read(self, environment, template):
        roots = self.searchpath if hasattr(self, "searchpath") else [self._template_root]
        for root in roots:
            path = posixpath.join(root, *pieces(template))
            try:
                return store.get_data(path).decode(self.encoding), path, lambda: True
            except FileNotFoundError:
                continue
        return get_source(self, environment, template)

    return read
