// Shapes and meshes as three.js draws them.
import * as THREE from 'three';
import { STLLoader } from 'three/examples/jsm/loaders/STLLoader.js';
import { OBJLoader } from 'three/examples/jsm/loaders/OBJLoader.js';
import { ColladaLoader } from 'three/examples/jsm/loaders/ColladaLoader.js';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';

const decoder = new TextDecoder();
export const matrixOf = (pose) => new THREE.Matrix4().fromArray(pose).transpose();
export const pointOf = (pose) => new THREE.Vector3(pose[3], pose[7], pose[11]);

export function standing(geometry) { return geometry.rotateX(Math.PI / 2); }  // three's y axis to z

/** A bar between two points. */
export function barOf(from, to, radius, material) {
  const along = to.clone().sub(from), length = along.length();
  const bar = new THREE.Mesh(new THREE.CylinderGeometry(radius, radius, length, 12), material);
  bar.position.copy(from).addScaledVector(along, 0.5);
  bar.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.normalize());
  return bar;
}

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

/** A shape as an object; nothing where it cannot be drawn: then a mesh's address is in `missing`. */
export async function objectOf(shape, material, files, missing) {
  if (shape.type !== 'mesh') {
    const geometry = geometryOf(shape);
    return geometry && new THREE.Mesh(geometry, material);
  }
  const name = fileNamed(files, shape.uri);
  let object = null;
  try {
    object = name && await meshOf(name, files[name], material);
  } catch { /* a broken mesh is as one that is not there */ }
  if (object) object.scale.multiply(new THREE.Vector3(...shape.scale));
  else missing.push(shape.uri);
  return object;
}
