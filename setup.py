"""Builds the package. pyproject.toml says how, but for one step: the list of equations is copied into the package."""

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class WithEquations(build_py):
    """Copies equations.toml, which is kept beside the package, to where an installed package reads it."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:  # an editable package reads the repository's own file
            self.copy_file("equations.toml", str(Path(self.build_lib, "lda_reference", "app", "equations.toml")))

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        copied = [] if self.editable_mode else [str(Path(self.build_lib, "lda_reference", "app", "equations.toml"))]
        return [*super().get_outputs(include_bytecode), *copied]


setup(cmdclass={"build_py": WithEquations})
