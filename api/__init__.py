"""The HTTP surface."""

from api.application import create_app, openapi_document
from api.settings import Settings

__all__ = ["Settings", "create_app", "openapi_document"]
