"""Where the photographs of a configuration lie."""

from __future__ import annotations

from scorer_app.config import AppConfig
from scorer_app.services.photo_files import FolderPhotos, PhotoFiles


def photo_files(config: AppConfig) -> PhotoFiles:
    """Return the files of photographs where the configuration says that they lie."""
    if config.photos_are_remote:
        from scorer_app.services.s3_photos import S3Photos  # its library is an extra

        return S3Photos(config)
    return FolderPhotos(config.photo_dir)
