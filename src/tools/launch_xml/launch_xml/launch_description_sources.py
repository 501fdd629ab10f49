"""Launch files in XML as a source."""

from launch.launch_description_sources import FrontendLaunchDescriptionSource
from launch.utilities import alias_modules

from .parser import Parser


class XMLLaunchDescriptionSource(FrontendLaunchDescriptionSource):
    def __init__(self, launch_file_path):
        super().__init__(launch_file_path, method='interpreted XML launch file', parser=Parser)


__all__ = ['XMLLaunchDescriptionSource']
alias_modules(__name__, __all__)
