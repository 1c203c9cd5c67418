const PREFIX = "/api/v1";

/** GET a resource as JSON; a problem becomes an Error with its detail. */
export async function get(path, { signal } = {}) {
  const response = await fetch(PREFIX + path, { headers: { Accept: "application/json" }, signal });
  const body = await response.json();
  if (!response.ok) throw new Error(body.detail ?? body.title ?? `status ${response.status}`);
  return body;
}

const games = new Map();

/** A game with its catalogue; asked for once. */
export function game(name) {
  if (!games.has(name)) games.set(name, get(`/games/${encodeURIComponent(name)}`));
  return games.get(name);
}

/** Follow a match's events from a version on; the browser reconnects and resumes by itself. */
export function follow(id, after, onEvent) {
  const source = new EventSource(`${PREFIX}/matches/${encodeURIComponent(id)}/events?after=${after}`);
  source.addEventListener("message", (message) => {
    const event = JSON.parse(message.data);
    onEvent(event);
    if (event.type === "ended") source.close();
  });
  return () => source.close();
}
