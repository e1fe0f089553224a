"""Chooses where the files of photographs lie."""

from __future__ import annotations

from scorer_app.config import AppConfig
from scorer_app.services.photo_files import FolderPhotos, PhotoFiles


def photo_files(config: AppConfig) -> PhotoFiles:
    """Return the folder or the S3 store for photographs that the configuration names."""
    if config.photos_are_remote:
        from scorer_app.services.s3_photos import S3Photos  # its library is an extra

        return S3Photos(config)
    return FolderPhotos(config.photo_dir)
