"""Every public name has a docstring, and every public function says what it takes and returns."""

import inspect
import typing

import drystone as dry
import pytest


def members():
    for name in dry.__all__:
        thing = getattr(dry, name)
        yield name, thing
        if inspect.isclass(thing):
            for own, member in vars(thing).items():
                if own.startswith("_") and own != "__getitem__":
                    continue
                if isinstance(member, property):
                    yield f"{name}.{own}", member.fget
                elif inspect.isfunction(member):
                    yield f"{name}.{own}", member


@pytest.mark.parametrize("name, thing", members(), ids=[name for name, _ in members()])
def test_it_is_documented_and_typed(name, thing):
    assert inspect.getdoc(thing), f"{name} has no docstring"
    function = thing.__init__ if inspect.isclass(thing) else thing
    if not inspect.isfunction(function) or (inspect.isclass(thing) and "__init__" not in vars(thing)):
        return
    signature = inspect.signature(function)
    for parameter in list(signature.parameters.values()):
        if parameter.name != "self":
            assert parameter.annotation is not inspect.Parameter.empty, f"{name}: {parameter.name} has no type"
    assert signature.return_annotation is not inspect.Signature.empty, f"{name} has no type of its result"


def test_all_has_every_public_name():
    public = {name for name, thing in vars(dry).items() if not name.startswith("_") and not inspect.ismodule(thing)}
    assert public == set(dry.__all__)
    assert typing.get_type_hints(dry.Expectation)["value"] is float
