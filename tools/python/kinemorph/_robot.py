"""A robot: what it is made of, where it stands, how it moves, and what it becomes in other formats."""

from __future__ import annotations

import ast
import importlib
import json
import math
import os
import shutil
import subprocess
from typing import Any, Mapping, Sequence, Union

import numpy as np

from ._conversion import Conversion, ConversionRefused, Report, report_of, verdict_of
from ._elements import Array, Geometry
from ._errors import ClosureError, Diagnostic, UsageError, diagnostics_of, errors_in, words
from ._mechanics import Moved, Values
from ._options import options_json

PathLike = Union[str, "os.PathLike[str]"]

_OF_FILES = ("copy_assets", "mesh_uri", "convert_meshes", "judge")  # options that the door has not


class Robot(Moved):
    """A description that was read: ``kinemorph.load`` makes it, and nothing changes it.

    Arrays are float64. ``q`` (nq) holds positions in the order of ``coordinate_names``, as the file
    counts them (rad, m; MuJoCo's ``ref`` is in them; quaternions w first). ``v`` (nv), ``tau`` and
    accelerations are in the order of ``velocity_names`` (rad/s, m/s; N m, N); of a ball or free joint
    [omega; v] in axes of its body. Poses are 4 x 4; spatial vectors are stacked angular first.

    Where a function takes ``q``, it may also get a mapping of coordinates by name, for which the loops
    are closed, or None: the closed posture nearest to zero. Where it takes ``v``, a mapping of
    independent velocities by name gives the rest, and None means zero. ``link_pose`` takes a link; other
    functions take a frame or site in its place, too: its name, or one of ``frames``.

    Functions release the interpreter's lock, and any number of threads may ask one robot."""

    def convert(self, to: str = "", *, copy_assets: bool | str = False, mesh_uri: str = "", convert_meshes: bool = False,
                judge: bool = True, **options: Any) -> Conversion:  # keywords: convert
        """The robot in another format: "urdf", "urdf+", "sdf" or "sdf@1.9", "mjcf", "mbs", "usda".

        Options are those of ``kinemorph convert``. With ``verify``, the text is read back and proved
        equivalent (``proof``); then ``judge``: the format's reference library is asked too, where the
        program kinemorph-judge is installed. ``copy_assets``: the meshes go with it, as ``assets``; a text
        is the folder that their names have. ``mesh_uri``: what their names begin with instead,
        "package://NAME/meshes". ``convert_meshes``: those that the target cannot open become OBJ, by the
        program assimp. ``out``: name of the file to be, for messages, and from whose folder names of meshes
        are made relative.

        Nothing is written: ``save`` of the result does. Raises ConversionRefused with report, proof and
        diagnostics where the command would write nothing, UsageError for an option that makes no sense."""
        strict = options.get("strict", False)
        options = {**options, "to": to, "copy_assets": copy_assets, "mesh_uri": mesh_uri,
                   "convert_meshes": convert_meshes, "judge": judge}
        said = self._convert(options)
        data = json.loads(said["json"])
        report = report_of(data, said["markdown"], said["screen"])
        proof = verdict_of(data["proof"]) if data["proof"] else None
        if data["end"] != 0:
            if data["end"] == 2:
                raise UsageError(words(report.diagnostics, "makes no sense"), report.diagnostics)
            loses = f"{data['forbidden']} losses that strict={strict!r} forbids"
            error = ConversionRefused(words(report.diagnostics, loses), report.diagnostics)
            error.report, error.proof = report, proof
            raise error
        files = {name: text.decode("utf-8", "surrogateescape") for name, text in said["files"]}
        return Conversion(said["text"].decode("utf-8", "surrogateescape"), files, said["assets"],
                          data["target"]["format"], data["source"], data["target"], report, proof, self.read, self.convert,
                          options)

    def convert_all(self, to: str, **options: Any) -> dict[str, Conversion]:
        """Each model of a world, or of a file that holds several, by name; a robot alone under its own."""
        models = self.models
        return {name: self.convert(to, model=name, **options) for name in models} or {
            self.name: self.convert(to, **options)}

    @property
    def models(self) -> list[str]:
        """Names of the models of a world, or of a file that holds several; empty where it is one robot."""
        return list(self._core.models())

    def check(self, to: str, **options: Any) -> Report:
        """What ``convert`` with the same options would lose; also where it would be refused for that."""
        try:
            return self.convert(to, **options).report
        except ConversionRefused as refused:
            if refused.report is None or errors_in(refused.diagnostics):
                raise
            return refused.report

    def _convert(self, options: Mapping[str, Any]) -> dict[str, Any]:
        out = str(options.get("out") or "")
        asked = options_json("convert", {key: value for key, value in options.items() if key not in _OF_FILES})
        folder = options["copy_assets"]
        if folder is False and (options["mesh_uri"] or options["convert_meshes"]):
            raise UsageError("mesh_uri and convert_meshes are about copies: say copy_assets too")
        folder = options["mesh_uri"] or folder
        flat = None if folder is False else "" if folder is True else str(folder).rstrip("/") + "/"
        judge = _judge() if options.get("verify") and options["judge"] else None
        try:
            return self._core.convert(asked, out or "robot", flat, bool(options["convert_meshes"]), judge)
        except ValueError as error:
            raise UsageError(str(error)) from None

    def to_mjcf(self, **options: Any) -> str:
        """The text for ``mujoco.MjModel.from_xml_string(robot.to_mjcf(), robot.assets())``."""
        return self.convert("mjcf", copy_assets=True, **options).text

    def to_urdf(self, **options: Any) -> str:
        """The text as URDF+, which parsers of URDF read as a tree; ``convert("urdf")`` insists on one."""
        return self.convert("urdf+", **options).text

    def assets(self, to: str = "mjcf", **options: Any) -> dict[str, bytes]:
        """Meshes and textures that the conversion names, bytes by name: what MuJoCo takes."""
        return dict(self.convert(to, copy_assets=True, **options).assets)

    def lint(self) -> tuple[Diagnostic, ...]:
        """What a colleague would point at; messages of reading are among it."""
        return diagnostics_of(self._core.lint())

    def scene(self, q: Values = None, *, roles: Sequence[str] = ("visual",)) -> list[Geometry]:
        """Shapes as they stand in the world: what trimesh, viser and rerun draw. ``roles``: "visual",
        "collision". Poses are 4 x 4 (m); meshes come with the file that was found."""
        said = json.loads(self._core.scene())
        poses = dict(zip(self.links, self.link_poses(self._q(q))))
        poses["world"] = np.eye(4)
        shapes = []
        for link in said["links"]:
            for role in roles:
                for shape in link[role + "s"]:
                    in_link = np.array(shape["pose"], float).reshape(4, 4)
                    size = dict(shape["shape"])
                    kind = size.pop("type")
                    found = self._core.locate(size["uri"]) if kind == "mesh" else None
                    color: Any = tuple(shape["color"]) if "color" in shape else None
                    pose = poses.get(link["name"], np.eye(4)) @ in_link
                    shapes.append(Geometry(link["name"], shape["name"], role, kind, pose, in_link, size, color, found))
        return shapes

    def init_state(self, q: Values = None) -> dict[str, Any]:
        """A closed start for Isaac Lab's ``ArticulationCfg.InitialStateCfg(**robot.init_state())``: pos
        (m), rot (w, x, y, z), joint_pos by joint ("NAME:0" where it has several), joint_vel.

        Names and zeros of joints are those of the stage that ``convert("usda")`` makes. None: its start."""
        at = self._q(q)
        residual = self.residual(at)
        if not residual < 1e-6:
            raise ClosureError(f"the loops stand open by {residual:.3g} there")
        core = self._core if q is None else self._core.starting_at(at)
        said = core.convert(options_json("convert", {"to": "usda", "sidecar": "isaaclab"}), "robot.usda", None, False, None)
        report = report_of(json.loads(said["json"]), said["markdown"], said["screen"])
        if not said["files"]:
            raise ConversionRefused(words(report.diagnostics, "cannot be a stage"), report.diagnostics)
        lab = dict(said["files"])["robot_isaaclab.py"].decode("utf-8", "surrogateescape")
        start = lab.partition("START_POSITIONS = ")[2].partition("\n}\n")[0]
        state: dict[str, Any] = {"pos": (0.0, 0.0, 0.0), "rot": (1.0, 0.0, 0.0, 0.0),
                                 "joint_pos": {name: float(value) for name, value in ast.literal_eval(start + "}").items()},
                                 "joint_vel": {".*": 0.0}}
        for joint_ in self.joints.values():
            if joint_.type == "free" and joint_.parent == "world":
                pose = self.link_pose(joint_.child, at)
                state["pos"] = tuple(float(x) for x in pose[:3, 3])
                state["rot"] = _quaternion(pose[:3, :3])
                break
        return state

    def graph(self, kind: str = "lacg") -> Any:
        """One of the three graphs: "cg" links and joints, "cdd" the constraint dependency digraph,
        "lacg" the loop-aggregated connectivity graph. A networkx.MultiDiGraph where networkx is
        installed, its nodes and edges with the attributes of ``graph_data``; else that."""
        data = self.graph_data(kind)
        try:
            networkx = importlib.import_module("networkx")  # which has no types
        except ImportError:
            return data
        graph = networkx.MultiDiGraph(name=self.name, kind=kind)
        for node in data["nodes"]:
            graph.add_node(node["name"], links=tuple(node["links"]), mobility=node["mobility"])
        names = [node["name"] for node in data["nodes"]]
        for edge in data["edges"]:
            graph.add_edge(names[edge["from"]], names[edge["to"]], name=edge["name"], type=edge["type"],
                           loop=edge["loop"])
        return graph

    def graph_data(self, kind: str = "lacg") -> dict[str, Any]:
        """The same as nodes (name, links, mobility) and edges (from, to: indices; name, type, loop)."""
        text = self._core.graph(kind)
        if not text:
            raise UsageError(f"'{kind}' is none of cg, cdd, lacg")
        return dict(json.loads(text))

    def dot(self, kind: str = "cg") -> str:
        """The same as Graphviz text."""
        text = self._core.drawing(kind)
        if not text:
            raise UsageError(f"'{kind}' is none of cg, cdd, lacg")
        return text

    def svg(self, kind: str = "cg") -> str | None:
        """The same as a picture, drawn by Graphviz; None where its program ``dot`` is not installed."""
        text = self.dot(kind)
        program = shutil.which("dot")
        if program is None:
            return None
        done = subprocess.run([program, "-Tsvg"], input=text.encode(), capture_output=True, timeout=60, check=False)
        return done.stdout.decode() if done.returncode == 0 else None

    def _repr_svg_(self) -> str | None:
        """In notebooks: links and joints, loops dashed."""
        return self.svg("cg")


def _judge() -> str:
    """The program kinemorph-judge: on PATH, or where Debian puts it."""
    return shutil.which("kinemorph-judge", path=os.pathsep.join((os.environ.get("PATH", ""), "/usr/bin"))) or ""


def _quaternion(R: Array) -> tuple[float, float, float, float]:
    """(w, x, y, z) of a rotation, w >= 0."""
    w = math.sqrt(max(0.0, 1 + R[0, 0] + R[1, 1] + R[2, 2])) / 2
    if w > 1e-4:
        x, y, z = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]
        return (w, float(x) / (4 * w), float(y) / (4 * w), float(z) / (4 * w))
    axis = int(np.argmax(np.diag(R)))
    half = np.sqrt(np.maximum(0.0, (1 + np.diag(R)) / 2))
    signs = [1.0 if i == axis or R[axis, i] >= 0 else -1.0 for i in range(3)]
    x, y, z = (float(sign * part) for sign, part in zip(signs, half))
    return (w, x, y, z)
