"use strict";
// Puts the page together: data, picture, plots, and what mouse, fingers and keys do.

(function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const canvas = byId("view"), slider = byId("time"), play = byId("play"), speed = byId("speed");
  for (const section of data.sections) {
    for (const track of section.tracks) track.numbers = decoded(track.numbers, Float32Array);
    for (const mesh of [...section.solids, ...section.flexibles]) {
      mesh.points = decoded(mesh.points, mesh.step ? Uint16Array : Float32Array);
      mesh.colors = decoded(mesh.colors, Uint8Array);
      mesh.triangles = decoded(mesh.triangles, Uint32Array);
      mesh.lines = decoded(mesh.lines, Uint32Array);
      if (mesh.normals) mesh.normals = decoded(mesh.normals, Int8Array);
      if (mesh.visible) mesh.visible = decoded(mesh.visible, Uint8Array);
    }
  }
  for (const path of data.paths) {
    path.t = decoded(path.t, Float32Array);
    path.points = decoded(path.points, Float32Array);
  }
  for (const curve of data.plots.flatMap((plot) => plot.curves)) {
    curve.t = decoded(curve.t, Float32Array);
    curve.values = decoded(curve.values, Float64Array);
  }

  let t = data.begin, playing = false, last = 0, stale = true;
  let drawing = null;
  byId("stage").style.background = `linear-gradient(${data.sky}, ${data.floor})`;
  try {
    drawing = new Drawing(canvas, data);
  } catch (error) {
    byId("problem").hidden = false;
  }
  const plots = data.plots.map((plot) => new Plot(plot, data.begin, data.end, seek));
  byId("plots").append(...plots.map((plot) => plot.node));
  byId("plots").hidden = !plots.length;

  const span = data.end - data.begin;
  const usual = span > 0 && span * 1 < 2 ? [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1] : [0.1, 0.2, 0.5, 1, 2, 5, 10];
  const rates = [...new Set([...usual, data.speed])].sort((a, b) => a - b);
  for (const rate of rates) speed.add(new Option(`${written(rate, 1)}×`, rate));
  const suited = span > 0 && span / data.speed < 1 ? rates.find((rate) => span / rate <= 6) || data.speed : data.speed;
  speed.value = String(suited);
  [slider.min, slider.max] = [data.begin, data.end];

  function seek(instant) {
    t = Math.min(Math.max(instant, data.begin), data.end);
    stale = true;
  }

  function setPlaying(on) {
    playing = on && span > 0;
    if (playing && t >= data.end) t = data.begin;
    play.textContent = playing ? "❚❚" : "▶";
    last = 0;
    stale = true;
  }

  function tick(now) {
    if (playing) {
      if (last) seek(t + (Number(speed.value) * Math.min(now - last, 100)) / 1000);
      last = now;
      if (t >= data.end) setPlaying(false);
    }
    if (stale) {
      stale = false;
      slider.value = t;
      byId("clock").textContent = `${t.toFixed(span < 0.1 ? 5 : 3)} s`;
      const frame = span > 0 ? ((t - data.begin) / span) * (data.frames - 1) : 0;
      if (drawing) drawing.draw(frame, t);
      for (const plot of plots) plot.draw(t);
    }
    requestAnimationFrame(tick);
  }

  play.addEventListener("click", () => setPlaying(!playing));
  slider.addEventListener("input", () => { setPlaying(false); seek(Number(slider.value)); });
  byId("fit").addEventListener("click", fit);
  window.addEventListener("resize", () => { stale = true; });
  window.addEventListener("keydown", (event) => {
    if (event.target === speed || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = span / Math.max(data.frames - 1, 1);
    const keys = {
      " ": () => setPlaying(!playing),
      ArrowLeft: () => { setPlaying(false); seek(t - step); },
      ArrowRight: () => { setPlaying(false); seek(t + step); },
      Home: () => seek(data.begin),
      End: () => seek(data.end),
      f: fit,
      F: fit,
    };
    if (!(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  });

  function fit() {
    if (drawing) drawing.camera.fit(data.box);
    stale = true;
  }

  // one finger or the left button turns (in the plane: shifts), two fingers or another button shift and zoom
  const fingers = new Map();
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
  });
  for (const kind of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(kind, (event) => fingers.delete(event.pointerId));
  }
  canvas.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before || !drawing) return;
    const [dx, dy] = [event.clientX - before[0], event.clientY - before[1]];
    const height = canvas.clientHeight || 1, camera = drawing.camera;
    const other = [...fingers].find(([id]) => id !== event.pointerId);
    if (other) {
      const far = (p) => Math.hypot(p[0] - other[1][0], p[1] - other[1][1]) || 1;
      camera.zoom(far(before) / far([event.clientX, event.clientY]));
      camera.shift(dx / (2 * height), dy / (2 * height));
    } else {
      const turns = (event.buttons & 1 && !event.shiftKey) !== data.planar;
      if (turns) camera.turn((3 * dx) / height, (3 * dy) / height);
      else camera.shift(dx / height, dy / height);
    }
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    stale = true;
  });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    if (drawing) drawing.camera.zoom(Math.exp(0.0012 * Math.max(Math.min(event.deltaY, 200), -200)));
    stale = true;
  }, { passive: false });

  setPlaying(true);
  requestAnimationFrame(tick);
})();
