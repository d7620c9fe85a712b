"""Templates of jinja2 that are files of a package: a sandbox has no disk, so they come from the image."""

import posixpath


def adapt(module):
    """Called after the import of `jinja2.loaders`."""
    from isolette.importer import store

    from_disk = module.FileSystemLoader.get_source

    def get_source(self, environment, template):
        for folder in self.searchpath:
            path = posixpath.join(folder, *module.split_template_path(template))
            try:
                return store.get_data(path).decode(self.encoding), path, lambda: True
            except FileNotFoundError:
                continue
        return from_disk(self, environment, template)

    module.FileSystemLoader.get_source = get_source
