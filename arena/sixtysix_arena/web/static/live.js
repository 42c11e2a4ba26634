// Keeps the page of a tournament fresh until that is over: small things come with the events, the
// board is fetched anew when a round is complete. A stream that breaks is opened again, by the
// browser where it does that, else from here.
const DEALS_SHOWN = 8;
const LOST_AFTER_MS = 1_500;
const FETCH_AGAIN_MS = 3_000;
const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 60_000;
const progress = document.getElementById("progress");
const lost = document.getElementById("lost");
let stream;
let lastId = "";
let waitMs = FIRST_WAIT_MS;
let losing = 0;
let fetching = 0;

function parsed(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

// Where an element is, in words that also hold in a page that was fetched anew.
function placeOf(element) {
  if (element.id) return { selector: `#${CSS.escape(element.id)}`, index: 0 };
  const name = ["href", "aria-label"].find((each) => element.hasAttribute(each));
  const said = name ? `[${name}="${CSS.escape(element.getAttribute(name))}"]` : "";
  const selector = `main ${element.localName}${said}`;
  return { selector, index: [...document.querySelectorAll(selector)].indexOf(element) };
}

// Changes the page; what had the focus, was scrolled aside or unfolded is so again.
function keeping(change) {
  const focused = document.activeElement;
  const place = focused && focused !== document.body ? placeOf(focused) : null;
  const scrolled = [...document.querySelectorAll("#standing .scroll")].map((each) => each.scrollLeft);
  const open = [...document.querySelectorAll("#standing details")].map((each) => each.open);
  change();
  document.querySelectorAll("#standing .scroll").forEach((each, index) => {
    each.scrollLeft = scrolled[index] ?? 0;
  });
  document.querySelectorAll("#standing details").forEach((each, index) => {
    each.open = open[index] ?? each.open;
  });
  if (place && !focused.isConnected) {
    const found = document.querySelectorAll(place.selector);
    (found[place.index] ?? found[0])?.focus({ preventScroll: true });
  }
}

async function refresh() {
  const turn = ++fetching;
  let page;
  try {
    const response = await fetch(location.href);
    if (!response.ok) throw new Error(`${response.status}`);
    page = new DOMParser().parseFromString(await response.text(), "text/html");
  } catch {
    setTimeout(() => turn === fetching && refresh(), FETCH_AGAIN_MS * (1 + Math.random()));
    return;
  }
  if (turn !== fetching) return;
  keeping(() => {
    document.getElementById("standing").replaceWith(page.getElementById("standing"));
    document.querySelector(".facts").replaceWith(page.querySelector(".facts"));
  });
  if (!page.getElementById("progress").dataset.events) {
    stream.close();
    reached();
  }
}

// What is the same stays in its place: whoever reads or marks something there is not disturbed.
function renewSoFar(fresh) {
  const place = document.getElementById("so-far");
  if (!place) return;
  const cells = [...place.querySelectorAll("td")];
  const columns = [place, fresh].map((each) => each.querySelector("thead")?.textContent);
  const fresher = [...fresh.querySelectorAll("td")];
  if (columns[0] !== columns[1] || cells.length !== fresher.length) {
    place.replaceChildren(fresh);
    return;
  }
  cells.forEach((cell, index) => {
    if (cell.innerHTML !== fresher[index].innerHTML) cell.replaceWith(fresher[index]);
  });
}

const ACTS = {
  progress: (event) => keeping(() => progress.replaceChildren(parsed(event.data))),
  deals: (event) => {
    const ended = parsed(event.data);
    for (const each of ended.querySelectorAll("li")) document.getElementById(each.id)?.remove();
    const list = document.getElementById("deals");
    document.getElementById("live").hidden = false;
    list.prepend(ended);
    while (list.children.length > DEALS_SHOWN) list.lastElementChild.remove();
  },
  "so-far": (event) => keeping(() => renewSoFar(parsed(event.data))),
  board: refresh,
};

function reached() {
  clearTimeout(losing);
  losing = 0;
  waitMs = FIRST_WAIT_MS;
  lost.textContent = "";
  progress.classList.remove("stale");
}

function unreached() {
  losing ||= setTimeout(() => {
    lost.textContent = lost.dataset.text;
    progress.classList.add("stale");
  }, LOST_AFTER_MS);
  // After anything but a broken connection the browser gives up.
  if (stream.readyState !== EventSource.CLOSED) return;
  setTimeout(open, waitMs * (1 + Math.random()));
  waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS / 2);
}

function open() {
  const address = new URL(progress.dataset.events, location.href);
  if (lastId) address.searchParams.set("last", lastId);
  stream = new EventSource(address);
  stream.addEventListener("open", reached);
  stream.addEventListener("error", unreached);
  for (const [name, act] of Object.entries(ACTS)) {
    stream.addEventListener(name, (event) => {
      lastId = event.lastEventId;
      act(event);
    });
  }
}

open();
