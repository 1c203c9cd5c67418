import { el } from "./dom.js";
import { showLobby } from "./lobby.js";
import { showMatch } from "./match.js";

const main = document.getElementById("main");
let leave = () => {};

function route() {
  leave();
  const match = /^#\/matches\/([\w-]+)$/.exec(location.hash);
  const page = el("div");
  main.replaceChildren(page);
  leave = match ? showMatch(page, match[1]) : showLobby(page);
}

addEventListener("hashchange", route);
route();
