"""The folders of `tempfile`."""

_CANDIDATES = ["/tmp", "/output"]


def adapt(tempfile):
    """Called with `tempfile`."""

    def candidates():
        import os

        chosen = [os.environ[name] for name in ("TMPDIR", "TEMP", "TMP") if name in os.environ]
        return chosen + _CANDIDATES

    tempfile._candidate_tempdir_list = candidates
