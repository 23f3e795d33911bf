// A link that is pulled: damped least squares over the free coordinates, the Jacobian by differences, every posture closed by the core.
const step = 1e-5, rounds = 3, longest = 0.2;

/** Where a point of a link is. */
function pointAt({ poses }, link, point) {
  const pose = poses[link];
  return [0, 4, 8].map((row) => pose[row] * point[0] + pose[row + 1] * point[1] + pose[row + 2] * point[2] + pose[row + 3]);
}

/** x of A x = b for a small matrix that is positive definite, by elimination. */
function solved(A, b) {
  const n = b.length, M = A.map((row, i) => [...row, b[i]]);
  for (let k = 0; k < n; ++k)
    for (let i = k + 1; i < n; ++i) {
      const factor = M[i][k] / M[k][k];
      for (let j = k; j <= n; ++j) M[i][j] -= factor * M[k][j];
    }
  const x = new Array(n).fill(0);
  for (let i = n - 1; i >= 0; --i) x[i] = (M[i][n] - x.reduce((sum, value, j) => (j > i ? sum + M[i][j] * value : sum), 0)) / M[i][i];
  return x;
}

/** Brings a point of a link nearer to a target: the posture, and in `moving` the coordinates that count. `put` sets values by name,
    the loops closed, and throws where they cannot be; `stand` puts all back. */
export function dragged(posture, put, stand, { link, point, target, free }) {
  let indices = posture.coordinates.map((each, i) => i).filter((i) => free.includes(posture.coordinates[i].name));
  const nameOf = (i) => posture.coordinates[i].name;
  const valuesOf = (from, change = {}) => Object.fromEntries(indices.map((i) => [nameOf(i), from[i] + (change[i] ?? 0)]));
  for (let round = 0; round < rounds; ++round) {
    const start = posture.values, at = pointAt(posture, link, point);
    const error = target.map((value, axis) => value - at[axis]);
    const columns = new Map();
    for (const i of indices) {
      try {
        const moved = pointAt(put(valuesOf(start, { [i]: step })), link, point).map((value, axis) => (value - at[axis]) / step);
        if (Math.hypot(...moved) > 1e-7) columns.set(i, moved);
      } catch (error) {
        if (error.trapped) throw error;  // else a dead centre: it does not help
      }
    }
    indices = [...columns.keys()];
    if (indices.length === 0) { stand(start); break; }
    const J = [...columns.values()], scale = Math.max(...J.map((column) => Math.hypot(...column)));
    const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    const change = solved(J.map((a, i) => J.map((b, j) => dot(a, b) + (i === j ? 1e-3 * scale * scale : 0))), J.map((a) => dot(a, error)));
    const slower = Math.max(1, ...change.map((value) => Math.abs(value) / longest));
    const wanted = Object.fromEntries(indices.map((i, k) => {
      const { lower, upper } = posture.coordinates[i];
      return [nameOf(i), Math.min(upper ?? Infinity, Math.max(lower ?? -Infinity, start[i] + change[k] / slower))];
    }));
    try {
      posture = { ...posture, ...put(wanted) };
    } catch (error) {
      if (error.trapped) throw error;
      stand(start);
      break;
    }
  }
  return { values: posture.values, residual: posture.residual, poses: posture.poses, moving: indices.map(nameOf) };
}
