const PREFIX = "/api/v1";
const PAUSE = 1000; // ms before a broken stream is taken up again

/** The service refused: `rule` and `status` as in its problem, the detail as message. */
export class Refused extends Error {
  constructor(problem, status) {
    super(problem.detail ?? problem.title ?? `status ${status}`);
    this.status = status;
    this.rule = problem.rule;
  }
}

async function ask(path, { token, ...request } = {}) {
  const headers = { Accept: "application/json", ...request.headers, ...bearer(token) };
  const response = await fetch(PREFIX + path, { ...request, headers });
  const body = await response.json();
  if (!response.ok) throw new Refused(body, response.status);
  return body;
}

const bearer = (token) => (token ? { Authorization: `Bearer ${token}` } : {});

/** GET a resource as JSON, as the holder of a seat's token sees it. */
export function get(path, { signal, token } = {}) {
  return ask(path, { signal, token });
}

/** POST; the same request goes out once more, under the same key, if its answer got lost. */
export function post(path, body, { token } = {}) {
  return sent("POST", path, body, token);
}

/** PUT, in the same way. */
export function put(path, body, { token } = {}) {
  return sent("PUT", path, body, token);
}

async function sent(method, path, body, token) {
  const key = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0"));
  const request = {
    method, token, body: JSON.stringify(body),
    headers: { "Content-Type": "application/json", "Idempotency-Key": key.join("") },
  };
  try {
    return await ask(path, request);
  } catch (error) {
    if (error instanceof Refused) throw error;
    return ask(path, request);
  }
}

const games = new Map();

/** The games there are, and one game with its catalogue; each asked for once. */
export const allGames = () => remembered("/games");
export const game = (name) => remembered(`/games/${encodeURIComponent(name)}`);

function remembered(path) {
  if (!games.has(path)) games.set(path, get(path).catch((error) => { games.delete(path); throw error; }));
  return games.get(path);
}

/** Follow a match's events from a version on; a stream that breaks is taken up where it was. Returns how to stop. */
export function follow(id, after, token, onEvent) {
  const aborter = new AbortController();
  const read = async () => {
    const response = await fetch(`${PREFIX}/matches/${encodeURIComponent(id)}/events?after=${after}`, {
      headers: { Accept: "text/event-stream", "Last-Event-ID": String(after), ...bearer(token) },
      signal: aborter.signal,
    });
    if (response.status === 204) aborter.abort(); // the match has ended and all was told
    if (response.status !== 200) return;
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ""; ; ) {
      const { value, done } = await reader.read();
      if (done) return;
      const messages = (text + value).split("\n\n");
      text = messages.pop();
      for (const message of messages) {
        const data = message.split("\n").find((line) => line.startsWith("data: "));
        if (!data) continue;
        const event = JSON.parse(data.slice(6));
        after = event.version;
        onEvent(event);
      }
    }
  };
  (async () => {
    while (!aborter.signal.aborted) {
      await read().catch(() => {});
      if (!aborter.signal.aborted) await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  })();
  return () => aborter.abort();
}
