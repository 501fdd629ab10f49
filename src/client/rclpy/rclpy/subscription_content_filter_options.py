"""Which messages a subscription wants."""

from typing import List, NamedTuple


class ContentFilterOptions(NamedTuple):
    """An expression over fields, and the values of its %0, %1, ..."""

    filter_expression: str
    expression_parameters: List[str]
