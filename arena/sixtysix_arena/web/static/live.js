// Keeps the page of a running tournament fresh: small things come with the events, the board is
// fetched anew when a round is complete. The browser reconnects by itself.
const DEALS_SHOWN = 8;
const progress = document.getElementById("progress");
const stream = new EventSource(progress.dataset.events);

function parsed(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

stream.addEventListener("progress", (event) => {
  progress.replaceChildren(parsed(event.data));
});

stream.addEventListener("deals", (event) => {
  const deals = document.getElementById("deals");
  document.getElementById("live").hidden = false;
  deals.prepend(parsed(event.data));
  while (deals.children.length > DEALS_SHOWN) deals.lastElementChild.remove();
});

stream.addEventListener("board", async () => {
  const response = await fetch(location.href);
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  document.getElementById("standing").replaceWith(page.getElementById("standing"));
  document.querySelector(".facts").replaceWith(page.querySelector(".facts"));
  if (!page.getElementById("progress").dataset.events) stream.close();
});
