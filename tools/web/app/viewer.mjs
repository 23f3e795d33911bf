// The view: camera, light, one robot or two beside each other, and what a pointer does with them.
import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { Figure } from './figure.mjs';

// Nothing where the browser has no WebGL: all but the picture works without.
function rendererOn(canvas) {
  try {
    const renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true, preserveDrawingBuffer: true });
    renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    return renderer;
  } catch {
    return null;
  }
}

export class Viewer {
  /** `told`: onPoint(what or null), onGrab(what), onPull(point in the robot's world), onLetGo(). */
  constructor(canvas, told = {}) {
    this.canvas = canvas, this.told = told;
    this.renderer = rendererOn(canvas);
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(35, 1, 0.001, 1000);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener('change', () => this.draw());
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x8a8f98, 2.2));
    const sun = new THREE.DirectionalLight(0xffffff, 1.8);
    sun.position.set(2, -3, 5);
    this.scene.add(sun);
    this.shown = { visuals: true, skeleton: false, joints: true, axes: false, collisions: false, frames: false, masses: false, inertias: false, aggregates: false };
    this.figures = {};
    new ResizeObserver(() => this.fit()).observe(canvas.parentElement);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.ground());
    this.listen();
  }

  fit() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (!width || !height) return;
    this.renderer?.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  draw() { this.renderer?.render(this.scene, this.camera); }

  show(layer, on) {
    this.shown[layer] = on;
    for (const figure of Object.values(this.figures)) layer === 'aggregates' ? figure.paint() : figure.show(layer, on);
    this.draw();
  }

  light(what) {
    for (const figure of Object.values(this.figures)) figure.light(what);
    this.draw();
  }

  colours() {
    const style = getComputedStyle(document.documentElement);
    return Object.fromEntries(['link', 'joint', 'loop', 'grid', 'inertia', 'lit'].map((name) => [name, new THREE.Color(style.getPropertyValue(`--${name}`).trim())]));
  }

  /** Draws a robot as 'main', or as 'other' beside it. With `keep` the camera stays. */
  async open({ scene, posture, facts }, files, { slot = 'main', keep = false } = {}) {
    const figure = new Figure(scene, facts, this.colours(), this.shown);
    await figure.build(posture.poses, files);
    if (slot === 'main') this.close('other');
    this.close(slot);
    this.figures[slot] = figure;
    this.scene.add(figure.group);
    if (this.shown.aggregates) figure.paint();
    if (slot === 'other') {
      const { box } = this.figures.main;
      figure.group.position.set(box.max.x - figure.box.min.x + 0.15 * Math.max(figure.size, this.figures.main.size), 0, 0);
    }
    this.ground();
    if (!keep) this.look();
    this.fit();
    return [...new Set(figure.missing)];
  }

  close(slot) {
    this.figures[slot]?.remove();
    delete this.figures[slot];
  }

  /** Nothing is shown: what was opened has no picture. */
  clear() {
    for (const slot of Object.keys(this.figures)) this.close(slot);
    this.grid?.removeFromParent();
    this.draw();
  }

  whole() {
    const box = new THREE.Box3();
    for (const figure of Object.values(this.figures)) box.union(figure.box.clone().translate(figure.group.position));
    return box;
  }

  ground() {
    this.grid?.removeFromParent();
    const box = this.whole();
    if (box.isEmpty()) return;
    const { grid } = this.colours();
    this.grid = new THREE.GridHelper(this.figures.main.size * 4, 40, grid, grid);
    this.grid.rotateX(Math.PI / 2);
    this.grid.position.z = box.min.z;
    this.scene.add(this.grid);
    this.draw();
  }

  /** The camera sees all. */
  look() {
    const box = this.whole(), size = box.getSize(new THREE.Vector3()).length() || 1, centre = box.getCenter(new THREE.Vector3());
    const far = this.canvas.clientWidth < this.canvas.clientHeight ? 1.15 * Math.min(2, this.canvas.clientHeight / this.canvas.clientWidth) : 1.15;
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).add(new THREE.Vector3(0.75, -1.25, 0.65).multiplyScalar(size * far));
    this.camera.near = size / 500, this.camera.far = size * 50;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.draw();
  }

  // A robot that goes away takes the camera along: both move as its base does.
  place(poses, slot = 'main') {
    const figure = this.figures[slot];
    if (slot === 'main' && figure) {
      const before = figure.base();
      figure.place(poses);
      const way = figure.base().sub(before);
      this.camera.position.add(way), this.controls.target.add(way);
      if (way.lengthSq() > 0) this.controls.update();
    } else figure?.place(poses);
    this.draw();
  }

  // The ray through the pointer.
  aim(event) {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2((event.clientX - left) / width * 2 - 1, 1 - (event.clientY - top) / height * 2), this.camera);
    return ray;
  }

  // What of the robots is under the pointer: { link or joint (names), index, point, slot }.
  under(event) {
    const ray = this.aim(event);
    const shown = (object) => { for (let each = object; each; each = each.parent) if (!each.visible) return false; return true; };
    for (const [slot, figure] of Object.entries(this.figures)) {
      const hit = ray.intersectObject(figure.group, true).find(({ object }) => object.isMesh && object.userData.layer && object.userData.layer !== 'collisions' && shown(object));
      if (!hit) continue;
      const { link, joint } = hit.object.userData;
      return { slot, index: link, link: figure.scene.links[link]?.name, joint: figure.scene.joints[joint]?.name, point: hit.point.clone().sub(figure.group.position) };
    }
    return null;
  }

  listen() {
    const { canvas } = this;
    let plane = null, waiting = false;
    const name = (what) => what && (what.link ?? what.joint);
    canvas.addEventListener('pointermove', (event) => {
      if (plane) {
        const point = this.aim(event).ray.intersectPlane(plane, new THREE.Vector3());
        if (point) this.told.onPull?.(point.toArray());
      } else if (event.buttons === 0 && event.pointerType !== 'touch' && !waiting) {
        waiting = true;
        requestAnimationFrame(() => {
          waiting = false;
          const what = this.under(event);
          if (name(what) !== name(this.pointed)) this.told.onPoint?.(what);
          this.pointed = what;
        });
      }
    });
    canvas.addEventListener('pointerleave', () => { if (this.pointed) this.told.onPoint?.(null); this.pointed = null; });
    canvas.addEventListener('pointerdown', (event) => {
      const what = event.button === 0 ? this.under(event) : null;
      if (!what?.index || what.slot !== 'main' || !this.told.onGrab?.({ ...what, point: what.point.toArray() })) return;
      plane = new THREE.Plane().setFromNormalAndCoplanarPoint(this.camera.getWorldDirection(new THREE.Vector3()), what.point);
      this.controls.enabled = false;
      canvas.setPointerCapture(event.pointerId);
      canvas.style.cursor = 'grabbing';
    }, { capture: true });
    const end = () => {
      if (!plane) return;
      plane = null;
      this.controls.enabled = true;
      canvas.style.cursor = '';
      this.told.onLetGo?.();
    };
    canvas.addEventListener('pointerup', end);
    canvas.addEventListener('pointercancel', end);
    canvas.addEventListener('keydown', (event) => this.key(event));
  }

  // Arrows turn, plus and minus come nearer and go away, Home sees all.
  key(event) {
    const turn = { ArrowLeft: [0, 0, -1], ArrowRight: [0, 0, 1], ArrowUp: 1, ArrowDown: -1 }[event.key], zoom = { '+': 0.9, '=': 0.9, '-': 1 / 0.9 }[event.key];
    if (event.key === 'Home') this.look();
    else if (zoom || turn) {
      const from = this.camera.position.clone().sub(this.controls.target);
      if (zoom) from.multiplyScalar(zoom);
      else if (Array.isArray(turn)) from.applyAxisAngle(new THREE.Vector3(...turn), 0.1);
      else {
        const round = new THREE.Spherical().setFromVector3(new THREE.Vector3(from.x, from.z, -from.y));
        round.phi = Math.min(Math.PI - 0.05, Math.max(0.05, round.phi - turn * 0.1));
        const up = new THREE.Vector3().setFromSpherical(round);
        from.set(up.x, -up.z, up.y);
      }
      this.camera.position.copy(this.controls.target).add(from);
      this.controls.update();
    } else return;
    event.preventDefault();
    this.draw();
  }
}
