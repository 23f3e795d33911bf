// One robot as it is drawn: links with their shapes, a skeleton where there are none, joints, and layers of what a file says.
import * as THREE from 'three';
import { barOf, matrixOf, objectOf, pointOf, standing } from './shapes.mjs';

export const layerNames = ['visuals', 'skeleton', 'joints', 'axes', 'collisions', 'frames', 'masses', 'inertias'];

/** The colour of an aggregate: of one link none. */
export const aggregateColour = (index) => `hsl(${Math.round((index * 137.5 + 190) % 360)} 62% 52%)`;

export class Figure {
  constructor(scene, facts, colours, shown) {
    this.scene = scene, this.colours = colours, this.shown = shown;
    this.group = new THREE.Group();
    this.layers = Object.fromEntries(layerNames.map((name) => [name, []]));
    this.missing = [];
    const aggregates = facts.aggregate_links ?? [];
    this.aggregate = scene.links.map((link) => aggregates.findIndex((names) => names.includes(link.name)));
    this.alone = aggregates.map((names) => names.length === 1);
    this.links = scene.links.map(() => {
      const group = new THREE.Group();
      group.matrixAutoUpdate = false;
      this.group.add(group);
      return group;
    });
    this.lit = { links: new Set(), joints: new Set() };
    this.slides = [];
    this.box = new THREE.Box3();
  }

  /** Draws it standing at the poses; done when its meshes are read. */
  async build(poses, files) {
    this.place(poses);
    const points = this.scene.links.map(() => []);
    for (const joint of this.scene.joints) {
      points[joint.predecessor].push(pointOf(joint.pose_on_predecessor));
      points[joint.successor].push(pointOf(joint.pose_on_successor));
    }
    this.group.updateMatrixWorld(true);
    points.forEach((list, i) => { if (i > 0) list.forEach((point) => this.box.expandByPoint(point.clone().applyMatrix4(this.links[i].matrix))); });
    await Promise.all(this.scene.links.flatMap((link, i) => [
      ...link.visuals.map((visual) => this.addShape('visuals', i, visual, files, this.missing)),
      ...link.collisions.map((collision) => this.addShape('collisions', i, collision, files, [])),
    ]));
    this.measure();
    this.scene.links.forEach((link, i) => { if (i > 0) this.addBones(i, link, points[i]); });
    this.scene.links.forEach((link, i) => { if (i > 0) this.addMarks(i, link); });
    this.scene.joints.forEach((joint, i) => this.addJoint(joint, i));
  }

  // Where every link can be seen, places that only hold frames do not count.
  measure() {
    this.group.updateMatrixWorld(true);
    const solid = new THREE.Box3();
    for (const object of this.layers.visuals) solid.expandByObject(object);
    if (!solid.isEmpty() && this.scene.links.every((link, i) => i === 0 || link.visuals.length > 0)) this.box.copy(solid);
    else this.box.union(solid);
    if (this.box.isEmpty()) this.box.expandByPoint(new THREE.Vector3(-0.5, -0.5, 0)).expandByPoint(new THREE.Vector3(0.5, 0.5, 1));
    this.size = this.box.getSize(new THREE.Vector3()).length() || 1;
  }

  add(layer, parent, object, of) {
    object.visible = this.shown[layer];
    object.traverse((part) => { if (part.isMesh) part.userData = { ...of, layer, own: part.material }; });
    this.layers[layer].push(object);
    parent.add(object);
  }

  held(pose, object) {
    const holder = new THREE.Group();
    holder.matrixAutoUpdate = false;
    holder.matrix.copy(matrixOf(pose));
    holder.add(object);
    return holder;
  }

  async addShape(layer, link, item, files, missing) {
    const collision = layer === 'collisions';
    const [r, g, b, a] = item.color ?? [];
    const material = new THREE.MeshStandardMaterial({
      color: item.color && !collision ? new THREE.Color().setRGB(r, g, b, THREE.SRGBColorSpace) : collision ? this.colours.loop : this.colours.link,
      roughness: 0.62, metalness: 0.05, wireframe: collision, transparent: a < 1, opacity: a > 0 ? a : 1, side: THREE.DoubleSide,
    });
    const object = await objectOf(item.shape, material, files, missing);
    if (object) this.add(layer, this.links[link], this.held(item.pose, object), { link });
  }

  // From a link's middle to each of its joints: how it hangs together. Of a link without visuals it is the shape.
  addBones(i, link, points) {
    if (points.length === 0) return;
    const hub = points.reduce((sum, point) => sum.add(point), new THREE.Vector3()).divideScalar(points.length);
    if (points.length === 1) {
      if (link.visuals.length > 0 || !link.inertial) return;
      hub.set(...link.inertial.center_of_mass);
    }
    const bare = link.visuals.length === 0;
    const material = new THREE.MeshStandardMaterial({ color: this.colours.link, roughness: 0.7 });
    for (const point of points)
      if (point.distanceTo(hub) > this.size * 1e-4)
        this.add(bare ? 'visuals' : 'skeleton', this.links[i], barOf(hub, point, this.size * (bare ? 0.009 : 0.004), material), { link: i });
  }

  addMarks(i, link) {
    this.add('frames', this.links[i], new THREE.AxesHelper(this.size * 0.08), { link: i });
    if (!link.inertial) return;
    const mass = new THREE.Mesh(new THREE.SphereGeometry(this.size * 0.012, 16, 10), new THREE.MeshBasicMaterial({ color: this.colours.loop }));
    mass.position.set(...link.inertial.center_of_mass);
    this.add('masses', this.links[i], mass, { link: i });
    const ellipsoid = link.inertial.ellipsoid;
    if (!ellipsoid) return;
    const least = Math.max(...ellipsoid.radii) * 1e-3;  // one that is flat can still be scaled
    const solid = new THREE.Mesh(new THREE.SphereGeometry(1, 24, 16).scale(...ellipsoid.radii.map((radius) => Math.max(radius, least))),
      new THREE.MeshStandardMaterial({ color: this.colours.inertia, transparent: true, opacity: 0.45, depthWrite: false, roughness: 0.9 }));
    this.add('inertias', this.links[i], this.held(ellipsoid.pose, solid), { link: i });
  }

  addJoint(joint, index) {
    if (joint.type === 'fixed' || joint.type === 'free') return;
    const { size } = this;
    const material = new THREE.MeshStandardMaterial({ color: joint.loop ? this.colours.loop : this.colours.joint, roughness: 0.4 });
    const up = new THREE.Vector3(0, 0, 1);
    const ring = joint.loop ? new THREE.TorusGeometry(size * 0.02, size * 0.005, 12, 32)
      : joint.axes.length === 1 ? standing(new THREE.CylinderGeometry(size * 0.011, size * 0.011, size * 0.05, 20))
        : new THREE.SphereGeometry(size * 0.014, 20, 12);
    const mark = new THREE.Mesh(ring, material);
    const axes = joint.axes.map((axis) => new THREE.Vector3(...axis).normalize());
    mark.quaternion.setFromUnitVectors(up, axes[0] ?? up);
    this.add('joints', this.links[joint.predecessor], this.held(joint.pose_on_predecessor, mark), { joint: index });
    if (joint.type === 'prismatic' || joint.type === 'cylindrical') this.addSlide(joint, index);
    for (const axis of axes) {
      const half = axis.clone().multiplyScalar(size * 0.11);
      this.add('axes', this.links[joint.predecessor], this.held(joint.pose_on_predecessor, barOf(half.clone().negate(), half, size * 0.0025, material)), { joint: index });
    }
  }

  // What slides leaves a gap between its two links: a rod fills it.
  addSlide(joint, index) {
    const rod = new THREE.Mesh(new THREE.CylinderGeometry(this.size * 0.006, this.size * 0.006, 1, 16), new THREE.MeshStandardMaterial({ color: this.colours.link, roughness: 0.5 }));
    this.add('joints', this.group, rod, { joint: index });
    this.slides.push({ joint, rod });
    this.stretch();
  }

  stretch() {
    for (const { joint, rod } of this.slides) {
      const from = pointOf(joint.pose_on_predecessor).applyMatrix4(this.links[joint.predecessor].matrix);
      const way = pointOf(joint.pose_on_successor).applyMatrix4(this.links[joint.successor].matrix).sub(from), length = way.length();
      rod.scale.y = Math.max(length, 1e-9);
      rod.position.copy(from).addScaledVector(way, 0.5);
      if (length > 0) rod.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), way.normalize());
    }
  }

  place(poses) {
    poses.forEach((pose, i) => {
      this.links[i].matrix.copy(matrixOf(pose));
      this.links[i].matrixWorldNeedsUpdate = true;
    });
    this.stretch();
  }

  /** Where the base is: the first link behind the world. */
  base() { return new THREE.Vector3().setFromMatrixPosition((this.links[1] ?? this.links[0]).matrix); }

  show(layer, on) { for (const object of this.layers[layer] ?? []) object.visible = on; }

  /** Names of links and joints to stand out. */
  light({ links = [], joints = [] }) {
    this.lit = {
      links: new Set(links.map((name) => this.scene.links.findIndex((link) => link.name === name))),
      joints: new Set(joints.map((name) => this.scene.joints.findIndex((joint) => joint.name === name))),
    };
    this.paint();
  }

  // What stands out before the colour of the aggregate, before the own one.
  paint() {
    this.bright ??= new THREE.MeshStandardMaterial({ color: this.colours.lit, emissive: this.colours.lit, emissiveIntensity: 0.35, roughness: 0.5, side: THREE.DoubleSide });
    this.tints ??= this.alone.map((alone, index) => new THREE.MeshStandardMaterial({
      color: alone ? this.colours.link : new THREE.Color().setStyle(aggregateColour(index)), roughness: 0.62, side: THREE.DoubleSide }));
    this.group.traverse((part) => {
      const { own, layer, link, joint } = part.userData;
      if (!own || layer === 'collisions' || layer === 'inertias') return;
      const lit = link === undefined ? this.lit.joints.has(joint) : this.lit.links.has(link);
      const tinted = this.shown.aggregates && link !== undefined && (layer === 'visuals' || layer === 'skeleton');
      part.material = lit ? this.bright : tinted ? this.tints[this.aggregate[link]] ?? own : own;
    });
  }

  /** Gives back what the graphics card holds. */
  remove() {
    this.group.removeFromParent();
    this.group.traverse((part) => { part.geometry?.dispose(); [part.material].flat().forEach((material) => material?.dispose()); });
  }
}
