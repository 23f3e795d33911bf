/**
 * kinemorph as a library. Numbers are in m, kg, s and rad; a pose is 16 numbers, the matrix X_AB row by row (p_A = X_AB p_B);
 * quaternions are w, x, y, z. Functions throw an Error whose message says why; one with `trapped` is a defect of kinemorph, after
 * which every robot is gone and the next `open` starts anew.
 */

/** Files by their paths as the robot names them: 'robot.urdf', 'meshes/arm.stl'. */
export type Files = Record<string, string | Uint8Array | ArrayBuffer>;

/** X_AB, row by row. */
export type Pose = number[];

export interface OpenOptions {
  /** The format, when the content does not tell: 'urdf', 'urdf+', 'sdf', 'mjcf', 'mbs', 'usda'. */
  from?: string;
  /** Side-cars among the files; 'frames': links whose names close loops; 'none': not the one beside the robot either. */
  with?: string | string[];
  /** Expand the file as xacro, whatever its name; a .xacro file is expanded anyway. */
  xacro?: boolean;
  /** Values of $(arg NAME). */
  'xacro-arg'?: Record<string, string>;
}

/** Opens the robot in the file `name` (the first one when absent). A robot with errors is returned too: see `ok`. */
export function open(files: Files, name?: string, options?: OpenOptions): Promise<Robot>;

/** The formats and the capability table. */
export function formats(): Promise<Formats>;

/** What the code of a message means; throws for an unknown one, with the nearest. */
export function explain(code: string): Promise<{ code: string; meaning: string; example: string; remedy: string; area: string; why: string; ignore: string }>;

/** Gives the module's bytes where they cannot be read beside this file (a browser). They are kinemorph.wasm.br, decompressed. */
export function initialise(source: WebAssembly.Module | BufferSource | Promise<BufferSource>): Promise<void>;

export interface Message {
  severity: 'error' | 'warning' | 'note';
  /** Stable and kebab-case: `explain` knows it. */
  code: string;
  file: string;
  /** From 1; 0 where it is about no line. */
  line: number;
  element: string;
  message: string;
  /** How `message` begins: "joint 'knee'". */
  subject?: string;
  /** The name that was probably meant. */
  suggestion?: string;
  /** The numbers of `message` in full, by name: { mass: { value: 20000, unit: "kg" } }. */
  quantities?: Record<string, { value: number; unit?: string }>;
  notes?: unknown[];
}

export interface Robot {
  /** What reading had to say. */
  readonly messages: Message[];
  /** No message is an error: the functions below can be used. */
  readonly ok: boolean;

  /** Links, joints, loops, mobility: what `kinemorph inspect --json` prints. */
  inspect(options?: InspectionOptions): Inspection;
  /** What is drawn: links with shapes in their frames, joints with their frames and axes. */
  scene(): Scene;
  /** The connectivity graph, the constraint dependency digraph or the loop-aggregated graph. */
  graph(kind?: 'cg' | 'cdd' | 'lacg'): Graph;

  /** The coordinates and where they stand. At first: the closed posture nearest to zero. */
  posture(): Posture & { coordinates: Coordinate[] };
  /**
   * Sets coordinates by name, all at once, the loops kept closed on the way: radians and metres, or texts with a unit ('20deg', '3cm').
   * Throws, and says how far the loops could follow, where that cannot be: then nothing has moved.
   */
  set(values: Record<string, number | string>): Posture;
  /** Back to the closed posture nearest to zero. */
  reset(): Posture;
  /** Keeps a coordinate where it is while others are set, or frees it. */
  hold(name: string, held?: boolean): void;

  /** Converts to 'urdf', 'urdf+', 'sdf', 'sdf@1.9', 'mjcf', 'mbs', 'usda'. */
  convert(to: string, options?: ConversionOptions): Conversion;
  /** The same without the files. */
  check(to: string, options?: ConversionOptions): Omit<Conversion, 'text' | 'files'>;
  /** Whether the other robot is the same mechanism. */
  verify(other: Robot, options?: VerifyOptions): Verdict & { line: string; differences: string[]; messages: Message[] };
  /** What a colleague would point at; with `fix` ('certain' codes are always fixed) the mended URDF text. */
  lint(options?: { fix?: string[] }): { messages: Message[]; text?: string; fixed?: string[] };
  /** Moves the robot. The table is CSV with a header line. */
  simulate(options?: SimulationOptions): { done: boolean; table: string; summary: unknown; messages: Message[] };

  /** Gives the memory back. The robot cannot be used afterwards. */
  free(): void;
}

/** The long options of `kinemorph convert`, but for `to`. */
export interface ConversionOptions {
  // options of convert
}

export interface Conversion {
  /** The exit code of the command: 0 done, 1 errors or not proved, 2 wrong use, 3 something would be lost, 4 internal error. */
  end: 0 | 1 | 2 | 3 | 4;
  source: Facts;
  target: Facts;
  /** Empty unless `end` is 0. */
  text: string;
  /** What goes beside the text. */
  files: { name: string; text: string }[];
  /** Losses, rewritings, names, re-based frames: what --loss-report FILE.json holds. */
  report: { losses: unknown[] } & Record<string, unknown>;
  /** Losses that `strict` forbids. */
  forbidden: number;
  /** With `verify`, where the target can be read back. */
  proof: Verdict | null;
  messages: Message[];
}

export interface Facts { format: string; name: string; links: number; joints: number; loops: number; couplings: number }

/** The long options of `kinemorph verify` that name no file. */
export interface VerifyOptions {
  // options of verify
}

export interface Verdict {
  equivalent: boolean;
  verdict: 'equivalent' | 'except' | 'not proved' | 'different';
  checks: { what: string; max_error: number; tolerance: number; worst?: string }[];
  exceptions: { feature: string; weight: 'motion' | 'interface' | 'looks'; count: number; subjects: string[]; asked?: true }[];
  skipped: string[];
}

export interface Inspection {
  name: string;
  format: string;
  root: string;
  links: number;
  joints: number;
  loops: number;
  couplings: number;
  spanning_dof: number;
  constraint_rows: number;
  rank: number;
  mobility: number;
  independent_declared: number;
  independent_ok: boolean;
  aggregate_links: string[][];
  aggregate_parents: (number | null)[];
  total_mass: number;
  loop_joints: { name: string; type: string; predecessor: string; successor: string; nca: string }[];
  /** Seen from the joint; null: none, or unlimited. */
  drives: { joint: string; kind: 'position' | 'velocity' | 'effort' | 'other'; kp: number | null; kd: number | null;
            effort: number | null; target: number | null }[];
  /** Where joints start (rad, m), as the file says it. */
  start: Record<string, number[]>;
  diagnostics: Message[];
  [more: string]: unknown;
}

export interface Coordinate {
  /** 'elbow'; 'wrist.1' where a joint has several. */
  name: string;
  joint: string;
  /** Metres, else radians (or a number of a quaternion). */
  length: boolean;
  quaternion: boolean;
  /** The loops leave it free. */
  independent: boolean;
  /** Null: no limit. */
  lower: number | null;
  upper: number | null;
}

export interface Posture {
  /** By coordinate. */
  values: number[];
  /** Largest closure error (m, rad; lengths over the robot's size). */
  residual: number;
  /** Coordinates that stand beyond their limits. */
  beyond_limits: string[];
  /** X_WL by link of `scene().links`. */
  poses: Pose[];
}

export interface Scene {
  name: string;
  format: string;
  /** The world first. */
  links: {
    name: string;
    /** Not of the file: made by kinemorph. */
    synthetic: boolean;
    line: number;
    /** The ellipsoid of even density turns as the link does; null where there is none. */
    inertial?: { mass: number; center_of_mass: [number, number, number]; ellipsoid: { pose: Pose; radii: [number, number, number] } | null };
    visuals: { name: string; pose: Pose; shape: Shape; color?: [number, number, number, number]; texture?: string }[];
    collisions: { name: string; pose: Pose; shape: Shape }[];
  }[];
  /** Poses of the joint's frames: X_PF on the predecessor, X_SM on the successor. Axes are in F. */
  joints: {
    name: string;
    type: string;
    predecessor: number;
    successor: number;
    loop: boolean;
    line: number;
    pose_on_predecessor: Pose;
    pose_on_successor: Pose;
    axes: [number, number, number][];
  }[];
  frames: { name: string; link: number; pose: Pose }[];
}

/** Cylinders, capsules and cones stand along z, centred. */
export type Shape =
  | { type: 'box'; size: [number, number, number] }
  | { type: 'sphere'; radius: number }
  | { type: 'cylinder' | 'capsule' | 'cone'; radius: number; length: number }
  | { type: 'ellipsoid'; radii: [number, number, number] }
  | { type: 'plane'; normal: [number, number, number]; size: [number, number] }
  | { type: 'mesh'; uri: string; name?: string; scale: [number, number, number]; submesh?: string; centered?: boolean }
  | { type: 'polyline'; height: number; outlines?: [number, number][][] }
  | { type: 'native'; native_type: string };

export interface Graph {
  nodes: { name: string; links: string[]; mobility: number }[];
  /** Indices of nodes; `loop`: a loop joint, or a dependency that a loop makes. */
  edges: { from: number; to: number; name: string; type: string; loop: boolean }[];
}

/** The long options of `kinemorph simulate` that name no file; `controller` is the text of one. */
export interface SimulationOptions {
  // options of simulate
}

/** The long options of `kinemorph inspect` that choose coordinates, or how closely they are looked at. */
export interface InspectionOptions {
  // options of inspect
}

export interface Formats {
  formats: { name: string; title: string; extensions: string[]; versions: string[]; read: boolean }[];
  capabilities: Record<string, Record<string, { support: 'native' | 'lowered' | 'partial' | 'lost' | 'refused'; pass: string; note: string }>>;
}
