import { newId } from '../ids';

/** What is learnt of a request on its way, for its line in the log. */
type RequestFacts = { actorId?: string };

// On globalThis, as the instrumentation that opens a request and the pages that serve it are bundled apart.
const holder: typeof globalThis & { linkmarketRequests?: Map<string, RequestFacts> } = globalThis;

function openRequests(): Map<string, RequestFacts> {
  holder.linkmarketRequests ??= new Map();
  return holder.linkmarketRequests;
}

/** Notes a request that begins. @returns its id, one for everything that it causes */
export function beginRequest(): string {
  const id = newId();
  openRequests().set(id, {});
  return id;
}

/** @returns what was learnt of it */
export function endRequest(id: string): RequestFacts {
  const facts = openRequests().get(id) ?? {};
  openRequests().delete(id);
  return facts;
}

/** The id that `beginRequest` gave; a new one where nobody did (a platform's own server) or a caller made one up. */
export function requestIdOf(headers: Pick<Headers, 'get'>): string {
  const given = headers.get('x-request-id') ?? '';
  return openRequests().has(given) ? given : newId();
}

/** Whose request it is. */
export function noteActor(requestId: string, actorId: string): void {
  const facts = openRequests().get(requestId);
  if (facts) facts.actorId = actorId;
}
