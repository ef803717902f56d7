// SPDX-License-Identifier: LGPL-2.1-or-later
// Shapes of a run that can be turned and played, and diagrams that show them. What
// viewer.py packs is drawn with three.js. Without WebGL the page stays as it is.
"use strict";
(function () {
  const section = document.getElementById("viewer");
  const data = JSON.parse(document.getElementById("shapes").textContent);
  const canvas = section.querySelector("canvas");
  const find = (id) => document.getElementById(id);
  const SIDES = 12; // of a tube

  let renderer;
  try {
    renderer = new THREE.WebGLRenderer({
      canvas, antialias: true, alpha: true, preserveDrawingBuffer: true });
  } catch (problem) {
    return;
  }
  section.hidden = false;
  document.body.classList.add("live"); // where there is room, beside the first diagram

  // --- Numbers -------------------------------------------------------------

  const bytes = Uint8Array.from(atob(data.numbers), (c) => c.charCodeAt(0)).buffer;
  const bodyOf = (frame) => data.bodies[frame.body];

  function pointsOf(series, frame) {
    const whole = new Uint16Array(bytes, frame.at, 3 * bodyOf(frame).points);
    const result = new Float32Array(whole.length);
    for (let k = 0; k < whole.length; ++k)
      result[k] = series.low[k % 3] + series.step * whole[k];
    return result;
  }

  const palettes = data.colours.map((one) => one.palette.map((c) => new THREE.Color(c)));

  // Red, green and blue of each point.
  function coloursOf(frame, which) {
    const count = bodyOf(frame).points, result = new Float32Array(3 * count).fill(0.55);
    if (which < 0) return result;
    const parts = new Uint8Array(bytes, frame.colours[which], count);
    const palette = palettes[which], colour = new THREE.Color();
    for (let k = 0; k < count; ++k) {
      const place = (parts[k] / 255) * (palette.length - 1);
      const left = Math.min(Math.floor(place), palette.length - 2);
      colour.copy(palette[left]).lerp(palette[left + 1], place - left).toArray(result, 3 * k);
    }
    return result;
  }

  // --- Bodies --------------------------------------------------------------

  // Corners of a section: parts of its two axes, and of its normal, in pairs that share
  // a side.
  function sectionOf(frame) {
    if (frame.across === undefined) {
      const corner = (k) => {
        const angle = (2 * Math.PI * k) / SIDES, c = Math.cos(angle), s = Math.sin(angle);
        return [frame.radius * c, frame.radius * s, c, s];
      };
      return Array.from({ length: 2 * SIDES }, (_, k) => corner((k + 1) >> 1));
    }
    const a = frame.width / 2, b = frame.thickness / 2;
    return [[-a, b, 0, 1], [a, b, 0, 1], [a, b, 1, 0], [a, -b, 1, 0],
            [a, -b, 0, -1], [-a, -b, 0, -1], [-a, -b, -1, 0], [-a, b, -1, 0]];
  }

  // Rods: sections along lines. The first axis of a strip's section is given, that of a
  // tube is carried along. At either end a section without size closes it.
  function rods(series, frame, geometry, colours) {
    const points = pointsOf(series, frame), corners = sectionOf(frame), m = corners.length;
    const across = frame.across === undefined ? null
      : new Int8Array(bytes, frame.across, points.length);
    const positions = [], normals = [], shades = [], triangles = [];
    const at = (k) => new THREE.Vector3().fromArray(points, 3 * k);
    let first = 0;
    for (const count of bodyOf(frame).lines) {
      let carried = null;
      const start = positions.length / 3;
      for (let k = 0; k < count; ++k) {
        const middle = at(first + k);
        const tangent = at(first + Math.min(k + 1, count - 1))
          .sub(at(first + Math.max(k - 1, 0))).normalize();
        let axis = across ? new THREE.Vector3().fromArray(across, 3 * (first + k)) : carried;
        if (!axis) // any
          axis = Math.abs(tangent.z) < 0.9 ? new THREE.Vector3(0, 0, 1) : new THREE.Vector3(1, 0, 0);
        axis = axis.clone().addScaledVector(tangent, -axis.dot(tangent)).normalize();
        carried = axis;
        const other = new THREE.Vector3().crossVectors(tangent, axis);
        const sizes = k === 0 ? [0, 1] : k === count - 1 ? [1, 0] : [1];
        for (const size of count > 1 ? sizes : [0])
          for (const [a, b, na, nb] of corners) {
            for (const c of "xyz") {
              positions.push(middle[c] + size * (a * axis[c] + b * other[c]));
              normals.push(na * axis[c] + nb * other[c]);
            }
            for (let c = 0; c < 3; ++c) shades.push(colours[3 * (first + k) + c]);
          }
      }
      const rings = (positions.length / 3 - start) / m;
      for (let k = 0; k + 1 < rings; ++k)
        for (let i = 0; i < m; i += 2) {
          const a = start + k * m + i, b = a + m;
          triangles.push(a, b, a + 1, a + 1, b, b + 1);
        }
      first += count;
    }
    geometry.setIndex(triangles);
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
    geometry.setAttribute("normal", new THREE.Float32BufferAttribute(normals, 3));
    geometry.setAttribute("color", new THREE.Float32BufferAttribute(shades, 3));
  }

  function surface(series, frame, geometry, colours) {
    const body = bodyOf(frame);
    geometry.setIndex(new THREE.BufferAttribute(
      new Uint32Array(bytes, body.triangles, body.count), 1));
    geometry.setAttribute("position", new THREE.BufferAttribute(pointsOf(series, frame), 3));
    geometry.setAttribute("color", new THREE.BufferAttribute(colours, 3));
    geometry.computeVertexNormals();
  }

  // Edges that belong to one triangle only.
  function rimOf(body) {
    if (body.rim) return body.rim;
    const numbers = new Uint32Array(bytes, body.triangles, body.count), once = new Map();
    for (let k = 0; k < numbers.length; ++k) {
      const a = numbers[k], b = numbers[k % 3 === 2 ? k - 2 : k + 1];
      const key = Math.min(a, b) * body.points + Math.max(a, b);
      if (!once.delete(key)) once.set(key, [a, b]);
    }
    body.rim = [...once.values()].flat();
    return body.rim;
  }

  // --- Stage ---------------------------------------------------------------

  const scene = new THREE.Scene();
  const camera = new THREE.PerspectiveCamera(28, 1, 0.01, 100);
  scene.add(new THREE.HemisphereLight(0xffffff, 0x777788, 0.75), camera);
  const lamp = new THREE.DirectionalLight(0xffffff, 0.5);
  lamp.position.set(-0.6, 0.8, 1);
  camera.add(lamp);
  const skin = new THREE.MeshPhongMaterial({
    vertexColors: THREE.VertexColors, side: THREE.DoubleSide, shininess: 12, specular: 0x222222 });
  const ink = new THREE.LineBasicMaterial({ color: 0x8a919e });
  const mesh = new THREE.Mesh(new THREE.BufferGeometry(), skin);
  const rim = new THREE.LineSegments(new THREE.BufferGeometry(), ink);
  const box = new THREE.LineSegments(new THREE.BufferGeometry(), ink);
  for (const thing of [mesh, rim, box]) {
    thing.frustumCulled = false;
    scene.add(thing);
  }
  const letters = section.querySelectorAll(".axes b");

  const up = new THREE.Vector3(...data.up);
  const east = data.up[2] ? new THREE.Vector3(1, 0, 0) : new THREE.Vector3(0, 0, 1);
  const north = new THREE.Vector3().crossVectors(up, east);
  const home = (() => {
    const eye = new THREE.Vector3(...data.eye);
    return { turn: Math.atan2(eye.dot(north), eye.dot(east)), tilt: Math.asin(eye.dot(up)), zoom: 1 };
  })();
  let view = { ...home };
  let shown = { series: data.start[0], frame: data.start[1], colour: data.colours.length ? 0 : -1 };

  function middleOf(series) {
    return new THREE.Vector3(...series.low)
      .addScaledVector(new THREE.Vector3(...series.extent), 0.5);
  }

  function draw() {
    const series = data.series[shown.series], width = canvas.clientWidth;
    const height = canvas.clientHeight, middle = middleOf(series);
    if (!width || !height) return;
    renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    renderer.setSize(width, height, false);
    const reach = 0.5 * Math.hypot(...series.extent) || 1;
    const narrow = Math.min(1, width / height);
    const away = (1.04 * reach) / Math.sin((Math.PI / 360) * camera.fov) / narrow / view.zoom;
    camera.aspect = width / height;
    camera.near = Math.max(away - 2 * reach, 0.01 * away);
    camera.far = away + 2 * reach;
    const flat = Math.cos(view.tilt);
    camera.position.copy(middle)
      .addScaledVector(east, away * flat * Math.cos(view.turn))
      .addScaledVector(north, away * flat * Math.sin(view.turn))
      .addScaledVector(up, away * Math.sin(view.tilt));
    camera.up.copy(up);
    camera.lookAt(middle);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
    renderer.render(scene, camera);
    letters.forEach((letter, k) => {
      const end = new THREE.Vector3(...series.low);
      end.setComponent(k, end.getComponent(k) + series.extent[k] + 0.06 * reach);
      end.project(camera);
      letter.style.left = `${50 + 50 * end.x}%`;
      letter.style.top = `${50 - 50 * end.y}%`;
      letter.hidden = series.extent[k] < 1e-6 * reach;
    });
  }

  // The box that holds all shapes of a series.
  function drawBox(series) {
    const corners = [];
    for (let k = 0; k < 3; ++k)
      for (let i = 0; i < 4; ++i) {
        const parts = [0, 0, 0];
        parts[(k + 1) % 3] = i & 1;
        parts[(k + 2) % 3] = i >> 1;
        for (const part of [0, 1]) {
          parts[k] = part;
          for (let c = 0; c < 3; ++c) corners.push(series.low[c] + parts[c] * series.extent[c]);
        }
      }
    box.geometry.setAttribute("position", new THREE.Float32BufferAttribute(corners, 3));
  }

  function show(series, frame) {
    shown.series = series;
    shown.frame = frame;
    const part = data.series[series], one = part.frames[frame];
    for (const thing of [mesh, rim]) thing.geometry.dispose();
    mesh.geometry = new THREE.BufferGeometry();
    rim.geometry = new THREE.BufferGeometry();
    const colours = coloursOf(one, shown.colour);
    if (bodyOf(one).lines) rods(part, one, mesh.geometry, colours);
    else {
      surface(part, one, mesh.geometry, colours);
      rim.geometry.setIndex(rimOf(bodyOf(one)));
      rim.geometry.setAttribute("position", mesh.geometry.getAttribute("position"));
    }
    rim.visible = !bodyOf(one).lines;
    drawBox(part);
    find("series").value = series;
    slider.max = part.frames.length - 1;
    slider.value = frame;
    slider.disabled = find("play").disabled = part.frames.length < 2;
    const count = part.frames.length > 1 ? ` (${frame + 1} of ${part.frames.length})` : "";
    find("said").textContent = `${part.title}: ${one.words}${count}`;
    slider.setAttribute("aria-valuetext", one.words);
    ring(series, frame);
    draw();
  }

  // --- Slider, choices -----------------------------------------------------

  const slider = find("frame"), play = find("play");
  let playing = null;

  function stop() {
    if (playing) cancelAnimationFrame(playing.request);
    playing = null;
    play.setAttribute("aria-pressed", "false");
    play.textContent = "▶ Play";
    find("said").setAttribute("aria-live", "polite");
  }

  // A series takes six seconds, a short one less, and begins anew.
  function tick(now) {
    const count = data.series[shown.series].frames.length;
    const pace = Math.min(250, 6000 / count);
    const steps = Math.floor((now - playing.since) / pace);
    if (steps > 0) {
      playing.since += steps * pace;
      show(shown.series, (shown.frame + steps) % count);
    }
    playing.request = requestAnimationFrame(tick);
  }

  play.addEventListener("click", () => {
    if (playing) return stop();
    playing = { since: performance.now() };
    play.setAttribute("aria-pressed", "true");
    play.textContent = "❚❚ Pause";
    find("said").setAttribute("aria-live", "off"); // not every shape is read aloud
    playing.request = requestAnimationFrame(tick);
  });
  slider.addEventListener("input", () => { stop(); show(shown.series, Number(slider.value)); });
  find("series").append(...data.series.map((one, k) => new Option(one.title, k)));
  find("series").addEventListener("change", (event) => {
    stop();
    show(Number(event.target.value), 0);
  });
  find("series").parentElement.hidden = data.series.length < 2;
  find("colour").append(...data.colours.map((one, k) => new Option(one.label, k)));
  find("colour").addEventListener("change", (event) => colour(Number(event.target.value)));
  find("colour").parentElement.hidden = data.colours.length < 2;

  function colour(which) {
    shown.colour = which;
    const one = data.colours[which], bar = find("bar");
    bar.hidden = !one;
    if (one) {
      const [low, gradient, high] = bar.children;
      const text = (value) => Number(value.toPrecision(3)).toString();
      low.textContent = `${one.label} ${text(one.low)}`;
      high.textContent = text(one.high) + (one.is_cut ? " and beyond" : "");
      gradient.style.background = `linear-gradient(to right, ${one.palette.join()})`;
    }
    show(shown.series, shown.frame);
  }

  // --- Turning -------------------------------------------------------------

  function turn(across, upwards) {
    view.turn -= across;
    view.tilt = Math.max(-1.55, Math.min(1.55, view.tilt + upwards));
    draw();
  }

  function zoom(factor) {
    view.zoom = Math.max(0.3, Math.min(20, view.zoom * factor));
    draw();
  }

  const KEYS = {
    ArrowLeft: () => turn(-0.1, 0), ArrowRight: () => turn(0.1, 0),
    ArrowUp: () => turn(0, 0.1), ArrowDown: () => turn(0, -0.1),
    "+": () => zoom(1.15), "=": () => zoom(1.15), "-": () => zoom(1 / 1.15),
    Home: () => { view = { ...home }; draw(); },
  };
  canvas.addEventListener("keydown", (event) => {
    if (!KEYS[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    KEYS[event.key]();
  });
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    canvas.focus({ preventScroll: true });
  });
  canvas.addEventListener("pointermove", (event) => {
    if (canvas.hasPointerCapture(event.pointerId))
      turn(0.008 * event.movementX, 0.008 * event.movementY);
  });
  canvas.addEventListener("dblclick", KEYS.Home);
  // The wheel scrolls the page unless the shape has been clicked.
  canvas.addEventListener("wheel", (event) => {
    if (document.activeElement !== canvas) return;
    event.preventDefault();
    zoom(Math.exp(-0.001 * event.deltaY));
  }, { passive: false });
  new ResizeObserver(draw).observe(canvas);

  // --- Diagrams ------------------------------------------------------------

  const diagrams = [...document.querySelectorAll("figure[data-points]")].map((figure) => {
    const svg = figure.querySelector("svg"), points = JSON.parse(figure.dataset.points);
    const rings = document.createElementNS(svg.namespaceURI, "g");
    rings.setAttribute("class", "rings");
    svg.append(rings);
    svg.addEventListener("click", (event) => {
      const place = new DOMPoint(event.clientX, event.clientY)
        .matrixTransform(svg.getScreenCTM().inverse());
      let best = null, least = Infinity;
      for (const point of points) {
        const distance = Math.hypot(point[0] - place.x, point[1] - place.y);
        if (distance < least) [best, least] = [point, distance];
      }
      stop();
      show(best[2], best[3]);
      section.scrollIntoView({ block: "nearest" });
    });
    return { points, rings };
  });

  // Rings about the points of diagrams that belong to the shape.
  function ring(series, frame) {
    for (const { points, rings } of diagrams) {
      const circles = points.filter((p) => p[2] === series && p[3] === frame).map((p) => {
        const circle = document.createElementNS(rings.namespaceURI, "circle");
        circle.setAttribute("cx", p[0]);
        circle.setAttribute("cy", p[1]);
        circle.setAttribute("r", 8);
        return circle;
      });
      rings.replaceChildren(...circles);
    }
  }

  // Labels in the table of special points become buttons that show their shapes.
  for (const cell of document.querySelectorAll("td[data-frame]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.title = "show this shape";
    button.append(...cell.childNodes);
    cell.append(button);
    button.addEventListener("click", () => {
      stop();
      show(...cell.dataset.frame.split(" ").map(Number));
      section.scrollIntoView({ block: "nearest" });
    });
  }

  colour(shown.colour);
})();
