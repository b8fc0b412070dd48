"use strict";
// Numbers and matrices; nothing here needs a browser. Matrices are column by column, as WebGL takes them.

function decoded(text, Kind) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Kind(bytes.buffer);
}

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const scaled = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const sum = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const unit = (a) => scaled(a, 1 / (Math.sqrt(dot(a, a)) || 1));

// the last place whose number is not above x; -1 when all are
function placeOf(numbers, x) {
  let low = 0, high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function valueAt(t, values, x) {
  const i = Math.min(Math.max(placeOf(t, x), 0), t.length - 1);
  if (i + 1 >= t.length || x <= t[i] || t[i + 1] === t[i]) return values[i];
  const share = (x - t[i]) / (t[i + 1] - t[i]);
  return values[i] + share * (values[i + 1] - values[i]);
}

// a track between two of its frames, as a matrix; rigid ones stay so
function poseAt(track, frame, share) {
  const next = share > 0 ? frame + 1 : frame;
  if (track.rigid) return rigidPose(track.numbers, 7 * frame, 7 * next, share);
  const X = new Float32Array(16);
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 4; column++) {
      const k = 4 * row + column;
      const a = track.numbers[12 * frame + k], b = track.numbers[12 * next + k];
      X[4 * column + row] = a + share * (b - a);
    }
  }
  X[15] = 1;
  return X;
}

function rigidPose(numbers, a, b, share) {
  const p = [0, 1, 2].map((k) => numbers[a + k] + share * (numbers[b + k] - numbers[a + k]));
  let same = 0;
  for (let k = 3; k < 7; k++) same += numbers[a + k] * numbers[b + k];
  const sign = same < 0 ? -1 : 1; // q and -q are one turn
  const q = [3, 4, 5, 6].map((k) => (1 - share) * numbers[a + k] + share * sign * numbers[b + k]);
  const size = Math.sqrt(q.reduce((total, x) => total + x * x, 0)) || 1;
  const [x, y, z, w] = q.map((each) => each / size);
  return new Float32Array([
    1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y), 0,
    2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x), 0,
    2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y), 0,
    p[0], p[1], p[2], 1,
  ]);
}

function product(A, B) {
  const C = new Float32Array(16);
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      let total = 0;
      for (let k = 0; k < 4; k++) total += A[4 * k + row] * B[4 * column + k];
      C[4 * column + row] = total;
    }
  }
  return C;
}

// from an eye that looks along `back` reversed; `right` and `up` are the axes of the picture
function viewMatrix(eye, right, up, back) {
  return new Float32Array([
    right[0], up[0], back[0], 0,
    right[1], up[1], back[1], 0,
    right[2], up[2], back[2], 0,
    -dot(right, eye), -dot(up, eye), -dot(back, eye), 1,
  ]);
}

function perspective(angle, aspect, near, far) {
  const f = 1 / Math.tan(angle / 2);
  return new Float32Array([
    f / aspect, 0, 0, 0, 0, f, 0, 0,
    0, 0, (far + near) / (near - far), -1, 0, 0, (2 * far * near) / (near - far), 0,
  ]);
}

function orthographic(height, aspect, near, far) {
  return new Float32Array([
    2 / (height * aspect), 0, 0, 0, 0, 2 / height, 0, 0,
    0, 0, 2 / (near - far), 0, 0, 0, (far + near) / (near - far), 1,
  ]);
}

// round numbers inside a span, about so many
function roundNumbers(low, high, count) {
  if (!(high > low)) return [low];
  const rough = (high - low) / count;
  const power = Math.pow(10, Math.floor(Math.log(rough) / Math.LN10));
  const step = [1, 2, 5, 10].map((k) => k * power).find((k) => k >= rough * (1 - 1e-9));
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) found.push(i * step);
  return found;
}

function written(number, span) {
  if (number === 0 || Math.abs(number) < 1e-9 * span) return "0";
  const size = Math.abs(number);
  if (size >= 1e5 || size < 1e-3) {
    return number.toExponential(2).replace(/\.?0+e/, "e").replace("e+", "e");
  }
  return String(Number(number.toPrecision(6)));
}
