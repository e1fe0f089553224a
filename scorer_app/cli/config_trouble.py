"""What is wrong with a configuration, as a code with a sentence in the texts."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from scorer_app.texts.languages import Language
from scorer_app.texts.translator import translator


class ConfigTrouble(StrEnum):
    """Each has its sentence (`config.VALUE`)."""

    # the file
    UNREADABLE = "unreadable"
    TOO_LARGE = "too_large"
    NOT_UTF8 = "not_utf8"
    NOT_TOML = "not_toml"
    # a key, and the kind of its value
    NO_SUCH_KEY = "no_such_key"
    ONE_OF = "one_of"
    INT = "int"
    STR = "str"
    ARRAY = "array"
    OBJECT = "object"
    AT_LEAST = "at_least"
    AT_MOST = "at_most"
    WRONG_VALUE = "wrong_value"
    # a value that names a place
    DATABASE = "database"
    DATABASE_SECRET = "database_secret"  # it may hold a password, and is not shown
    DATABASE_PORT = "database_port"
    NO_CLUSTER = "no_cluster"
    PHOTOS = "photos"
    ENDPOINT = "endpoint"
    NETWORK = "network"
    # what does not go together
    ONE_PROCESS = "one_process"
    ENDPOINT_ALONE = "endpoint_alone"
    DATABASE_IN_FILE = "database_in_file"
    # what is to come from elsewhere
    NO_KEY_PUBLIC = "no_key_public"
    NO_KEY_CLUSTER = "no_key_cluster"
    NO_STORE_KEY = "no_store_key"
    SHORT_SECRET = "short_secret"
    NO_LIBRARY = "no_library"


class ConfigError(Exception):
    """A configuration that cannot be used. `where` names what is wrong, such as the file and its
    key, and `values` fill the blanks of the sentence.
    """

    def __init__(self, trouble: ConfigTrouble, *where: object, **values: object) -> None:
        super().__init__(trouble, where, values)
        self.trouble, self.where, self.values = trouble, where, values

    def within(self, path: Path) -> ConfigError:
        """Return the error as one of the configuration file at `path`."""
        return ConfigError(self.trouble, path, *self.where, **self.values)


def explain_config(error: ConfigError, language: Language) -> str:
    """Return one sentence that says what is wrong with a configuration, and where."""
    told = translator(language)(f"config.{error.trouble}", **error.values)
    return ": ".join([*map(str, error.where), told])
