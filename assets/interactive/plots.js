"use strict";
// Curves over time; a click goes to the instant.

const CONSTANT = 1e-6; // of its size: what changes by less is drawn as the constant that it is
const FRAME = { left: 58, right: 10, top: 6, bottom: 20 }; // px around the curves

class Plot {
  constructor(plot, begin, end, seek) {
    Object.assign(this, plot, { begin, end });
    [this.low, this.high] = rangeOf(this.curves.map((curve) => curve.values));
    this.node = document.createElement("figure");
    const head = document.createElement("figcaption");
    const name = document.createElement("span");
    name.textContent = this.unit ? `${this.title} [${this.unit}]` : this.title;
    head.append(name, ...this.curves.map((curve) => this._entry(curve)));
    this.canvas = document.createElement("canvas");
    this.node.append(head, this.canvas);
    const go = (event) => {
      const box = this.canvas.getBoundingClientRect();
      const share = (event.clientX - box.left - FRAME.left) / Math.max(box.width - FRAME.left - FRAME.right, 1);
      seek(begin + Math.min(Math.max(share, 0), 1) * (end - begin));
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      go(event);
    });
    this.canvas.addEventListener("pointermove", (event) => { if (event.buttons & 1) go(event); });
  }

  // name, where there are several, and the value now
  _entry(curve) {
    const entry = document.createElement("span"), dot = document.createElement("i");
    dot.style.background = curve.color;
    curve.told = document.createElement("output");
    entry.append(dot, this.curves.length > 1 ? `${curve.name.split(".").pop()} ` : "", curve.told);
    entry.title = curve.meaning;
    return entry;
  }

  draw(t) {
    const canvas = this.canvas, ratio = window.devicePixelRatio || 1, pen = canvas.getContext("2d");
    const shape = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
    if (canvas.width !== shape[0] || canvas.height !== shape[1]) [canvas.width, canvas.height] = shape;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
    const left = FRAME.left, right = canvas.clientWidth - FRAME.right;
    const top = FRAME.top, bottom = canvas.clientHeight - FRAME.bottom;
    const X = (x) => left + ((x - this.begin) / (this.end - this.begin || 1)) * (right - left);
    const Y = (y) => bottom - ((y - this.low) / (this.high - this.low)) * (bottom - top);
    this._drawAxes(pen, X, Y, left, right, bottom);
    for (const curve of this.curves) drawCurve(pen, curve, X, Y);
    pen.strokeStyle = colorOf("--text");
    pen.lineWidth = 1;
    drawLine(pen, X(t), top, X(t), bottom);
    for (const curve of this.curves) {
      const value = valueAt(curve.t, curve.values, t);
      curve.told.textContent = Number.isFinite(value) ? written(value, this.high - this.low) : "–";
      if (!Number.isFinite(value)) continue;
      pen.fillStyle = curve.color;
      pen.beginPath();
      pen.arc(X(t), Y(value), 3.5, 0, 2 * Math.PI);
      pen.fill();
    }
  }

  _drawAxes(pen, X, Y, left, right, bottom) {
    pen.font = "11px system-ui, sans-serif";
    pen.lineWidth = 1;
    pen.strokeStyle = colorOf("--line");
    pen.fillStyle = colorOf("--muted");
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (const y of roundNumbers(this.low, this.high, 4)) {
      drawLine(pen, left, Y(y), right, Y(y));
      pen.fillText(written(y, this.high - this.low), left - 6, Y(y));
    }
    pen.textBaseline = "top";
    for (const x of roundNumbers(this.begin, this.end, Math.max((right - left) / 90, 2))) {
      const last = X(x) > right - 12;
      pen.textAlign = last ? "right" : "center";
      pen.fillText(written(x, this.end - this.begin) + (last ? " s" : ""), X(x) + (last ? 8 : 0), bottom + 5);
    }
  }
}

// low and high with room around; what is constant lies in the middle
function rangeOf(columns) {
  let low = Infinity, high = -Infinity;
  for (const values of columns) {
    for (const value of values) {
      if (Number.isFinite(value)) [low, high] = [Math.min(low, value), Math.max(high, value)];
    }
  }
  if (!(low <= high)) return [0, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  const room = high - low > CONSTANT * size ? 0.06 * (high - low) : 0.5 * size || 1;
  return [low - room, high + room];
}

function drawCurve(pen, curve, X, Y) {
  pen.strokeStyle = curve.color;
  pen.lineWidth = 1.6;
  pen.lineJoin = "round";
  pen.beginPath();
  let drawing = false;
  for (let i = 0; i < curve.t.length; i++) {
    const known = Number.isFinite(curve.values[i]);
    if (known && drawing) pen.lineTo(X(curve.t[i]), Y(curve.values[i]));
    else if (known) pen.moveTo(X(curve.t[i]), Y(curve.values[i]));
    drawing = known;
  }
  pen.stroke();
}

function drawLine(pen, x, y, u, v) {
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(u, v);
  pen.stroke();
}

const colorOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name);
