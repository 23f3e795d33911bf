// Draws a robot as kinemorph has it: links with their shapes, a skeleton where there are none, joints, loop joints.
import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { STLLoader } from 'three/examples/jsm/loaders/STLLoader.js';
import { OBJLoader } from 'three/examples/jsm/loaders/OBJLoader.js';
import { ColladaLoader } from 'three/examples/jsm/loaders/ColladaLoader.js';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';

const decoder = new TextDecoder();
const matrixOf = (pose) => new THREE.Matrix4().fromArray(pose).transpose();
const pointOf = (pose) => new THREE.Vector3(pose[3], pose[7], pose[11]);

function standing(geometry) { return geometry.rotateX(Math.PI / 2); }  // three's y axis to z

function geometryOf(shape) {
  switch (shape.type) {
    case 'box': return new THREE.BoxGeometry(...shape.size);
    case 'sphere': return new THREE.SphereGeometry(shape.radius, 32, 20);
    case 'cylinder': return standing(new THREE.CylinderGeometry(shape.radius, shape.radius, shape.length, 40));
    case 'capsule': return standing(new THREE.CapsuleGeometry(shape.radius, shape.length, 12, 28));
    case 'cone': return standing(new THREE.ConeGeometry(shape.radius, shape.length, 40));
    case 'ellipsoid': return new THREE.SphereGeometry(1, 32, 20).scale(...shape.radii);
    case 'plane': return new THREE.PlaneGeometry(shape.size[0] || 2, shape.size[1] || 2);
    default: return null;
  }
}

/** The file that a mesh's address means: the longest end of it that is the end of a name. */
export function fileNamed(files, uri) {
  const parts = uri.replace(/^[a-z]+:\/\//, '').split('/').filter((part) => part && part !== '.' && part !== '..');
  for (let from = 0; from < parts.length; ++from) {
    const end = parts.slice(from).join('/');
    const found = Object.keys(files).find((name) => name === end || name.endsWith(`/${end}`));
    if (found) return found;
  }
  return null;
}

async function meshOf(name, bytes, material) {
  const kind = name.toLowerCase().split('.').pop();
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  if (kind === 'stl') return new THREE.Mesh(new STLLoader().parse(buffer), material);
  if (kind === 'obj') {
    const group = new OBJLoader().parse(decoder.decode(bytes));
    group.traverse((part) => { if (part.isMesh) part.material = material; });
    return group;
  }
  if (kind === 'dae') return new ColladaLoader().parse(decoder.decode(bytes), '').scene;
  if (kind === 'glb' || kind === 'gltf') return (await new GLTFLoader().parseAsync(buffer, '')).scene;
  return null;
}

export class Viewer {
  constructor(canvas) {
    this.canvas = canvas;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(35, 1, 0.001, 1000);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener('change', () => this.draw());
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x8a8f98, 2.2));
    const sun = new THREE.DirectionalLight(0xffffff, 1.8);
    sun.position.set(2, -3, 5);
    this.scene.add(sun);
    this.layers = { visuals: [], collisions: [], skeleton: [], joints: [], frames: [], masses: [] };
    this.shown = { visuals: true, collisions: false, skeleton: false, joints: true, frames: false, masses: false };
    new ResizeObserver(() => this.fit()).observe(canvas.parentElement);
  }

  fit() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (!width || !height) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  draw() { this.renderer.render(this.scene, this.camera); }

  show(layer, on) {
    this.shown[layer] = on;
    for (const object of this.layers[layer]) object.visible = on;
    this.draw();
  }

  add(layer, parent, object) {
    object.visible = this.shown[layer];
    this.layers[layer].push(object);
    parent.add(object);
  }

  colours() {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => new THREE.Color(style.getPropertyValue(name).trim());
    return { link: colour('--link'), joint: colour('--joint'), loop: colour('--loop'), grid: colour('--grid') };
  }

  async open(scene, poses, files) {
    this.robot?.removeFromParent();
    this.grid?.removeFromParent();
    for (const layer of Object.keys(this.layers)) this.layers[layer] = [];
    this.robot = new THREE.Group();
    this.scene.add(this.robot);
    const colours = this.colours();
    this.links = scene.links.map(() => {
      const group = new THREE.Group();
      group.matrixAutoUpdate = false;
      this.robot.add(group);
      return group;
    });
    this.place(poses, false);
    const points = scene.links.map(() => []);
    for (const joint of scene.joints) {
      points[joint.predecessor].push(pointOf(joint.pose_on_predecessor));
      points[joint.successor].push(pointOf(joint.pose_on_successor));
    }
    const box = new THREE.Box3();
    this.robot.updateMatrixWorld(true);
    points.forEach((list, i) => { if (i > 0) list.forEach((point) => box.expandByPoint(point.clone().applyMatrix4(this.links[i].matrix))); });
    const missing = [], loads = [];
    scene.links.forEach((link, i) => {
      for (const visual of link.visuals) loads.push(this.addShape('visuals', i, visual, files, missing, colours));
      for (const collision of link.collisions) loads.push(this.addShape('collisions', i, collision, files, [], colours));
    });
    await Promise.all(loads);
    this.robot.updateMatrixWorld(true);
    const solid = new THREE.Box3();
    for (const object of this.layers.visuals) solid.expandByObject(object);
    // Where every link can be seen, places that only hold frames do not count.
    if (!solid.isEmpty() && scene.links.every((link, i) => i === 0 || link.visuals.length > 0)) box.copy(solid);
    else box.union(solid);
    if (box.isEmpty()) box.expandByPoint(new THREE.Vector3(-0.5, -0.5, 0)).expandByPoint(new THREE.Vector3(0.5, 0.5, 1));
    const size = box.getSize(new THREE.Vector3()).length() || 1;
    scene.links.forEach((link, i) => this.addBones(i, link, points[i], size, colours));
    scene.joints.forEach((joint) => this.addJoint(joint, size, colours));
    this.grid = new THREE.GridHelper(size * 4, 40, colours.grid, colours.grid);
    this.grid.rotateX(Math.PI / 2);
    this.grid.position.z = box.min.z;
    this.scene.add(this.grid);
    const centre = box.getCenter(new THREE.Vector3());
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).add(new THREE.Vector3(0.75, -1.25, 0.65).multiplyScalar(size * 1.15));
    this.camera.near = size / 500, this.camera.far = size * 50;
    this.controls.update();
    this.fit();
    return [...new Set(missing)];
  }

  async addShape(layer, link, item, files, missing, colours) {
    const collision = layer === 'collisions';
    const [r, g, b, a] = item.color ?? [];
    const material = new THREE.MeshStandardMaterial({
      color: item.color && !collision ? new THREE.Color().setRGB(r, g, b, THREE.SRGBColorSpace) : collision ? colours.loop : colours.link,
      roughness: 0.62, metalness: 0.05, wireframe: collision, transparent: a < 1, opacity: a > 0 ? a : 1, side: THREE.DoubleSide,
    });
    let object = null;
    if (item.shape.type === 'mesh') {
      const name = fileNamed(files, item.shape.uri);
      try {
        object = name && await meshOf(name, files[name], material);
      } catch { object = null; }
      if (!object) return void missing.push(item.shape.uri);
      object.scale.multiply(new THREE.Vector3(...item.shape.scale));
    } else {
      const geometry = geometryOf(item.shape);
      if (!geometry) return;
      object = new THREE.Mesh(geometry, material);
    }
    const holder = new THREE.Group();
    holder.matrixAutoUpdate = false;
    holder.matrix.copy(matrixOf(item.pose));
    holder.add(object);
    this.add(layer, this.links[link], holder);
  }

  // From a link's middle to each of its joints: how it hangs together. Of a link without visuals it is the shape.
  addBones(i, link, points, size, colours) {
    if (link.inertial && i > 0) {
      const mass = new THREE.Mesh(new THREE.SphereGeometry(size * 0.012, 16, 10), new THREE.MeshBasicMaterial({ color: colours.loop }));
      mass.position.set(...link.inertial.center_of_mass);
      this.add('masses', this.links[i], mass);
    }
    const axes = new THREE.AxesHelper(size * 0.08);
    if (i > 0) this.add('frames', this.links[i], axes);
    if (i === 0 || points.length === 0) return;
    const hub = points.reduce((sum, point) => sum.add(point), new THREE.Vector3()).divideScalar(points.length);
    if (points.length === 1) {
      if (link.visuals.length > 0 || !link.inertial) return;
      hub.set(...link.inertial.center_of_mass);
    }
    const bare = link.visuals.length === 0;
    const material = new THREE.MeshStandardMaterial({ color: colours.link, roughness: 0.7 });
    for (const point of points) {
      const along = point.clone().sub(hub), length = along.length();
      if (length < size * 1e-4) continue;
      const radius = size * (bare ? 0.009 : 0.004);
      const bone = new THREE.Mesh(new THREE.CylinderGeometry(radius, radius, length, 12), material);
      bone.position.copy(hub).addScaledVector(along, 0.5);
      bone.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.normalize());
      this.add(bare ? 'visuals' : 'skeleton', this.links[i], bone);
    }
  }

  addJoint(joint, size, colours) {
    if (joint.type === 'fixed' || joint.type === 'free') return;
    const material = new THREE.MeshStandardMaterial({ color: joint.loop ? colours.loop : colours.joint, roughness: 0.4 });
    const axis = new THREE.Vector3(...(joint.axes[0] ?? [0, 0, 1])).normalize();
    const ring = joint.loop ? new THREE.TorusGeometry(size * 0.02, size * 0.005, 12, 32)
      : joint.axes.length === 1 ? standing(new THREE.CylinderGeometry(size * 0.011, size * 0.011, size * 0.05, 20))
        : new THREE.SphereGeometry(size * 0.014, 20, 12);
    const holder = new THREE.Group();
    holder.matrixAutoUpdate = false;
    holder.matrix.copy(matrixOf(joint.pose_on_predecessor));
    const mark = new THREE.Mesh(ring, material);
    mark.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), axis);
    holder.add(mark);
    this.add('joints', this.links[joint.predecessor], holder);
  }

  place(poses, draw = true) {
    poses.forEach((pose, i) => {
      this.links[i].matrix.copy(matrixOf(pose));
      this.links[i].matrixWorldNeedsUpdate = true;
    });
    if (draw) this.draw();
  }
}
