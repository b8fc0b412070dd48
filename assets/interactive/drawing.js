"use strict";
// The mechanism: WebGL 2, surfaces lit from the viewer's left shoulder, paths as ribbons of constant width.

const ANGLE = 0.5; // rad, of the picture's height
const NEAR_POLE = 1.55; // rad above the horizon, where up still means something
const RIBBON = 2.2; // px
const ROOM = 1.12; // that much more than all is seen at first

const SURFACE_VERTEX = `#version 300 es
in vec3 point; in vec3 normal; in vec3 color;
uniform mat4 pose, view, projection;
out vec3 tone, seen;
void main() {
  tone = color; seen = mat3(view) * mat3(pose) * normal;
  gl_Position = projection * view * pose * vec4(point, 1.0);
}`;
const SURFACE_FRAGMENT = `#version 300 es
precision mediump float;
in vec3 tone, seen; uniform float lit, opacity; out vec4 shown;
void main() {
  vec3 n = normalize(seen); if (n.z < 0.0) n = -n;
  float light = 0.36 + 0.68 * max(dot(n, normalize(vec3(-0.35, 0.5, 1.0))), 0.0);
  shown = vec4(tone * mix(1.0, min(light, 1.08), lit), opacity);
}`;
const PATH_VERTEX = `#version 300 es
in vec3 point, before, behind; in float side;
uniform mat4 view, projection; uniform vec2 size; uniform float width;
void main() {
  mat4 all = projection * view;
  vec4 here = all * vec4(point, 1.0), a = all * vec4(before, 1.0), b = all * vec4(behind, 1.0);
  vec2 along = (b.xy / b.w - a.xy / a.w) * size;
  vec2 across = length(along) > 0.0 ? normalize(vec2(-along.y, along.x)) : vec2(0.0);
  here.xy += across * side * width / size * here.w;
  gl_Position = here;
}`;
const PATH_FRAGMENT = `#version 300 es
precision mediump float;
uniform vec3 color; out vec4 shown;
void main() { shown = vec4(color, 1.0); }`;

class Camera {
  constructor(box, up, planar) {
    this.up = unit(up);
    this.planar = planar;
    // toward the viewer: z in the plane; in space in front, to the right, and a little above
    const first = planar ? [0, 0, 1] : Math.abs(this.up[1]) < 0.9 ? [0, -1, 0] : [0, 0, 1];
    this.front = unit(sum(first, scaled(this.up, -dot(first, this.up))));
    this.fit(box);
  }

  fit(box) {
    this.target = scaled(sum(box[0], box[1]), 0.5);
    this.shifted = [0, 0, 0];
    const span = sum(box[1], scaled(box[0], -1));
    this.radius = Math.max(0.5 * Math.sqrt(dot(span, span)), 1e-6);
    this.span = span;
    this.yaw = this.planar ? 0 : 0.555;
    this.pitch = this.planar ? 0 : 0.42;
    this.share = 1; // of all, that is seen
    this.height = 1; // of what is seen at the target; known when the picture's shape is
  }

  get axes() {
    const side = cross(this.up, this.front);
    const level = sum(scaled(this.front, Math.cos(this.yaw)), scaled(side, Math.sin(this.yaw)));
    const back = sum(scaled(level, Math.cos(this.pitch)), scaled(this.up, Math.sin(this.pitch)));
    const right = unit(cross(this.up, level));
    return { right, up: cross(back, right), back };
  }

  // matrices for a picture of this shape
  look(aspect) {
    const { right, up, back } = this.axes;
    const reach = (axis) => axis.reduce((total, x, k) => total + Math.abs(x * this.span[k]), 0);
    this.height = this.share * ROOM * Math.max(reach(up), reach(right) / aspect, 0.05 * this.radius);
    const far = this.height / (2 * Math.tan(ANGLE / 2));
    const eye = sum(this.target, scaled(back, far));
    const deep = 4 * this.radius + Math.sqrt(dot(this.shifted, this.shifted));
    const projection = this.planar
      ? orthographic(this.height, aspect, far - deep, far + deep)
      : perspective(ANGLE, aspect, Math.max(0.01 * far, far - deep), far + deep);
    return { view: viewMatrix(eye, right, up, back), projection };
  }

  turn(right, down) {
    this.yaw -= right;
    this.pitch = Math.min(Math.max(this.pitch + down, -NEAR_POLE), NEAR_POLE);
  }

  // by shares of the picture's height
  shift(right, down) {
    const axes = this.axes;
    const way = sum(scaled(axes.right, -right * this.height), scaled(axes.up, down * this.height));
    this.target = sum(this.target, way);
    this.shifted = sum(this.shifted, way);
  }

  zoom(factor) {
    this.share = Math.min(Math.max(this.share * factor, 1e-4), 50);
  }
}

class Drawing {
  constructor(canvas, data) {
    const gl = canvas.getContext("webgl2", { antialias: true, alpha: true, premultipliedAlpha: false });
    if (!gl) throw new Error("no WebGL 2");
    this.gl = gl;
    this.canvas = canvas;
    this.camera = new Camera(data.box, data.up, data.planar);
    this.surface = this._program(SURFACE_VERTEX, SURFACE_FRAGMENT);
    this.ribbon = this._program(PATH_VERTEX, PATH_FRAGMENT);
    this.sections = data.sections.map((section) => this._section(section));
    this.paths = data.paths.filter((path) => path.t.length > 1).map((path) => this._path(path));
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.polygonOffset(1, 1);
  }

  // `frame` may lie between two
  draw(frame, t) {
    const gl = this.gl, canvas = this.canvas, ratio = window.devicePixelRatio || 1;
    const width = Math.max(Math.round(canvas.clientWidth * ratio), 1);
    const height = Math.max(Math.round(canvas.clientHeight * ratio), 1);
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const { view, projection } = this.camera.look(width / height);
    this._drawPaths(view, projection, [width, height], t, ratio);
    const section = this.sections.find((each) => frame < each.last) || this.sections[this.sections.length - 1];
    if (!section) return;
    const inside = Math.min(Math.max(frame - section.first, 0), section.last - section.first - 1);
    const place = Math.floor(inside), share = inside - place;
    const poses = section.tracks.map((track) => poseAt(track, place, share));
    gl.useProgram(this.surface.program);
    gl.uniformMatrix4fv(this.surface.at.view, false, view);
    gl.uniformMatrix4fv(this.surface.at.projection, false, projection);
    for (const clear of [false, true]) {
      (clear ? gl.enable : gl.disable).call(gl, gl.BLEND);
      gl.depthMask(!clear);
      for (const mesh of section.meshes) {
        if (mesh.opacity < 1 === clear && (!mesh.visible || mesh.visible[Math.round(inside)])) {
          this._drawMesh(mesh, poses, place, share);
        }
      }
    }
    gl.depthMask(true);
  }

  _drawMesh(mesh, poses, place, share) {
    const gl = this.gl, at = this.surface.at;
    if (mesh.frames) this._bend(mesh, place, share);
    gl.bindVertexArray(mesh.array);
    gl.uniformMatrix4fv(at.pose, false, mesh.track < 0 ? STILL : poses[mesh.track]);
    gl.uniform1f(at.opacity, mesh.opacity);
    if (mesh.triangles) {
      gl.enable(gl.POLYGON_OFFSET_FILL);
      gl.uniform1f(at.lit, 1);
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, mesh.triangleBuffer);
      gl.drawElements(gl.TRIANGLES, mesh.triangles, gl.UNSIGNED_INT, 0);
      gl.disable(gl.POLYGON_OFFSET_FILL);
    }
    if (mesh.lines) {
      gl.uniform1f(at.lit, 0);
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, mesh.lineBuffer);
      gl.drawElements(gl.LINES, mesh.lines, gl.UNSIGNED_INT, 0);
    }
    gl.bindVertexArray(null);
  }

  // points of a spring, a belt or a rope between two frames, and their normals
  _bend(mesh, place, share) {
    const gl = this.gl, size = 3 * mesh.count, points = new Float32Array(size);
    const a = size * place, b = share > 0 ? a + size : a;
    for (let k = 0; k < size; k++) {
      const steps = mesh.frames[a + k] + share * (mesh.frames[b + k] - mesh.frames[a + k]);
      points[k] = mesh.low[k % 3] + mesh.step[k % 3] * steps;
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, mesh.pointBuffer);
    gl.bufferData(gl.ARRAY_BUFFER, points, gl.DYNAMIC_DRAW);
    gl.bindBuffer(gl.ARRAY_BUFFER, mesh.normalBuffer);
    gl.bufferData(gl.ARRAY_BUFFER, normalsOf(points, mesh.corners), gl.DYNAMIC_DRAW);
  }

  _drawPaths(view, projection, size, t, ratio) {
    const gl = this.gl, at = this.ribbon.at;
    gl.disable(gl.BLEND);
    gl.useProgram(this.ribbon.program);
    gl.uniformMatrix4fv(at.view, false, view);
    gl.uniformMatrix4fv(at.projection, false, projection);
    gl.uniform2f(at.size, size[0], size[1]);
    gl.uniform1f(at.width, RIBBON * ratio);
    for (const path of this.paths) {
      const last = placeOf(path.t, t), first = path.length > 0 ? Math.max(placeOf(path.t, t - path.length), 0) : 0;
      if (last <= first) continue;
      gl.uniform3fv(at.color, path.color);
      gl.bindVertexArray(path.array);
      gl.drawArrays(gl.TRIANGLE_STRIP, 2 * first, 2 * (last - first + 1));
    }
    gl.bindVertexArray(null);
  }

  _section(section) {
    const meshes = [
      ...section.solids.map((solid) => this._mesh(solid, solid.points, solid.normals)),
      ...section.flexibles.map((each) => ({
        ...this._mesh(each, new Float32Array(3 * each.count), null),
        frames: each.points,
        low: each.low,
        step: each.step,
        corners: each.triangles,
        track: -1,
      })),
    ];
    return { first: section.first, last: section.last, tracks: section.tracks, meshes };
  }

  _mesh(surface, points, normals) {
    const gl = this.gl, array = gl.createVertexArray();
    gl.bindVertexArray(array);
    const pointBuffer = this._attribute("point", points, gl.FLOAT, false);
    const kind = normals ? gl.BYTE : gl.FLOAT;
    const normalBuffer = this._attribute("normal", normals || new Float32Array(points.length), kind, !!normals);
    this._attribute("color", surface.colors, gl.UNSIGNED_BYTE, true);
    gl.bindVertexArray(null);
    return {
      array, pointBuffer, normalBuffer,
      count: surface.count, opacity: surface.opacity, track: surface.track, visible: surface.visible,
      triangles: surface.triangles.length, triangleBuffer: this._indices(surface.triangles),
      lines: surface.lines.length, lineBuffer: this._indices(surface.lines),
    };
  }

  _path(path) {
    const gl = this.gl, n = path.t.length, P = path.points;
    const here = new Float32Array(6 * n), before = new Float32Array(6 * n), behind = new Float32Array(6 * n);
    const side = new Float32Array(2 * n);
    for (let i = 0; i < n; i++) {
      for (let k = 0; k < 6; k++) {
        here[6 * i + k] = P[3 * i + (k % 3)];
        before[6 * i + k] = P[3 * Math.max(i - 1, 0) + (k % 3)];
        behind[6 * i + k] = P[3 * Math.min(i + 1, n - 1) + (k % 3)];
      }
      side[2 * i] = 1;
      side[2 * i + 1] = -1;
    }
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    for (const [name, numbers, size] of [["point", here, 3], ["before", before, 3], ["behind", behind, 3], ["side", side, 1]]) {
      this._attribute(name, numbers, gl.FLOAT, false, size, this.ribbon.program);
    }
    gl.bindVertexArray(null);
    const color = [1, 3, 5].map((k) => parseInt(path.color.slice(k, k + 2), 16) / 255);
    return { array, t: path.t, length: path.length, color };
  }

  _attribute(name, numbers, kind, whole, size = 3, program = this.surface.program) {
    const gl = this.gl, buffer = gl.createBuffer(), at = gl.getAttribLocation(program, name);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, numbers, gl.STATIC_DRAW);
    if (at >= 0) {
      gl.enableVertexAttribArray(at);
      gl.vertexAttribPointer(at, size, kind, whole, 0, 0);
    }
    return buffer;
  }

  _indices(numbers) {
    const gl = this.gl, buffer = gl.createBuffer();
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, numbers, gl.STATIC_DRAW);
    return buffer;
  }

  _program(vertex, fragment) {
    const gl = this.gl, program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    const at = {};
    for (let i = 0; i < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); i++) {
      const { name } = gl.getActiveUniform(program, i);
      at[name] = gl.getUniformLocation(program, name);
    }
    return { program, at };
  }
}

const STILL = new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);

// of the corners of triangles, shared by those that meet there
function normalsOf(points, triangles) {
  const found = new Float32Array(points.length);
  const at = (i) => [points[3 * i], points[3 * i + 1], points[3 * i + 2]];
  for (let k = 0; k + 2 < triangles.length; k += 3) {
    const [a, b, c] = [triangles[k], triangles[k + 1], triangles[k + 2]];
    const away = scaled(at(a), -1), n = cross(sum(at(b), away), sum(at(c), away));
    for (const i of [a, b, c]) for (let j = 0; j < 3; j++) found[3 * i + j] += n[j];
  }
  return found;
}
