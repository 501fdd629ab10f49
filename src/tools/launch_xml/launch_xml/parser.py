"""XML as elements of launch files, with the lines where they stand."""

import xml.parsers.expat

import launch.frontend
from launch.frontend import Entity, InvalidFrontendLaunchFileError


class Parser(launch.frontend.Parser):
    @classmethod
    def get_file_extensions(cls):
        return {'xml'}

    @classmethod
    def load_text(cls, text, name):
        """The root element and the parser. Entities and other documents are not read: they only hold attacks."""
        reader = xml.parsers.expat.ParserCreate()
        root = Entity('document')
        stack = [root]

        def begin(tag, attributes):
            entity = Entity(tag, attributes, parent=stack[-1], location=f'{name}:{reader.CurrentLineNumber}')
            stack[-1].nested.append(entity)
            stack.append(entity)

        def refuse(*_):
            raise InvalidFrontendLaunchFileError(f'{name}:{reader.CurrentLineNumber}: declares an XML entity')

        reader.StartElementHandler = begin
        reader.EndElementHandler = lambda tag: stack.pop()
        reader.EntityDeclHandler = refuse
        try:
            reader.Parse(text, True)
        except xml.parsers.expat.ExpatError as error:
            message = xml.parsers.expat.ErrorString(error.code)
            raise InvalidFrontendLaunchFileError(f'{name}:{error.lineno}: is no XML: {message}') from error
        return root.nested[0], cls()
