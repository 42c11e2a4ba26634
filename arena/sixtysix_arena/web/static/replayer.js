// Steps through a deal without loading the page anew. Every moment has an address, and what
// is shown there is made by the server alone: this fetches it and puts it in its place.
const STEP_MS = 900;
const TOLD_MS = 2_500;
const moments = new Map();
let playing = 0;
let telling = 0;

const replay = () => document.getElementById("replay");
const at = () => Number(replay().dataset.ply);
const last = () => Number(replay().dataset.last);

function addressOf(ply) {
  const url = new URL(location.href);
  url.hash = "";
  url.searchParams.set("ply", String(ply));
  return url;
}

function moment(url) {
  const key = url.href;
  if (!moments.has(key)) {
    const shown = fetch(url).then(async (response) => {
      if (!response.ok) throw new Error(`${response.status}`);
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      return page.getElementById("replay");
    });
    shown.catch(() => moments.delete(key));
    moments.set(key, shown);
  }
  return moments.get(key);
}

async function show(url) {
  let next;
  try {
    next = await moment(url);
  } catch {
    location.href = url.href;
    return;
  }
  const focused = document.activeElement?.id;
  const keysOpen = document.getElementById("keys").open;
  const copy = next.cloneNode(true);
  replay().replaceWith(copy);
  history.replaceState(null, "", url);
  document.getElementById("keys").open = keysOpen;
  prepare();
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  for (const ply of [at() + 1, at() + 2, at() - 1]) {
    if (ply >= 0 && ply <= last()) moment(addressOf(ply)).catch(() => {});
  }
}

const go = (ply) => show(addressOf(Math.min(Math.max(ply, 0), last())));

function stop() {
  clearInterval(playing);
  playing = 0;
  document.getElementById("play").setAttribute("aria-pressed", "false");
}

function togglePlay() {
  if (playing) {
    stop();
    return;
  }
  if (at() === last()) go(0);
  playing = setInterval(() => (at() === last() ? stop() : go(at() + 1)), STEP_MS);
  document.getElementById("play").setAttribute("aria-pressed", "true");
}

// Says whether it went well: without TLS, for one, browsers let no page write to the clipboard.
async function copy(text) {
  let said = "copied";
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    said = "failed";
  }
  const told = document.getElementById("told");
  told.textContent = told.dataset[said];
  clearTimeout(telling);
  telling = setTimeout(() => (document.getElementById("told").textContent = ""), TOLD_MS);
}

function prepare() {
  const play = document.getElementById("play");
  play.hidden = false;
  play.setAttribute("aria-pressed", String(playing !== 0));
  document.getElementById("show").hidden = true;
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("#replay a[href]");
  const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey; // In a tab of its own.
  if (event.target.closest("#play")) togglePlay();
  else if (link?.id === "link" && !isElsewhere) {
    event.preventDefault();
    if (playing) stop();
    copy(link.href);
  } else if (link && new URL(link.href).pathname === location.pathname && !isElsewhere) {
    event.preventDefault();
    if (playing) stop();
    const url = new URL(link.href);
    url.hash = ""; // It is for those who load every moment as a page of its own.
    show(url);
  }
});

document.addEventListener("input", (event) => {
  if (event.target.id === "slide") go(Number(event.target.value));
});

const KEYS = {
  ArrowLeft: () => go(at() - 1),
  ArrowRight: () => go(at() + 1),
  Home: () => go(0),
  End: () => go(last()),
  " ": togglePlay,
  h: () => document.getElementById("hands").click(),
  f: () => document.getElementById("flip").click(),
  "?": () => {
    const keys = document.getElementById("keys");
    keys.open = !keys.open;
  },
};

document.addEventListener("keydown", (event) => {
  const act = KEYS[event.key];
  if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
  const on = document.activeElement;
  // A slider has its own arrows; a space presses what has the focus.
  if (on?.id === "slide" && event.key !== "h" && event.key !== "f" && event.key !== "?") return;
  if (event.key === " " && on && ["A", "BUTTON", "SUMMARY", "INPUT"].includes(on.tagName)) return;
  event.preventDefault();
  if (event.key !== " " && playing) stop();
  act();
});

prepare();
