import type { ServerResponse } from 'node:http';
import { newId } from '@/lib/ids';

/** An open request, with the facts for its log entry. */
type OpenRequest = { response: ServerResponse; actor?: RequestActor; hasBegunAction?: true };

/** The user of a request, and the API token that it was made with. */
type RequestActor = { actorId: string; credentialId?: string; credentialName?: string };

// On globalThis, because the instrumentation and the pages are bundled separately.
const holder: typeof globalThis & { linkmarketRequests?: Map<string, OpenRequest> } = globalThis;

function openRequests(): Map<string, OpenRequest> {
  holder.linkmarketRequests ??= new Map();
  return holder.linkmarketRequests;
}

/** Registers a new request. @returns its id */
export function beginRequest(response: ServerResponse): string {
  const id = newId();
  openRequests().set(id, { response });
  return id;
}

/** Removes a request. @returns its user, if known */
export function endRequest(id: string): RequestActor | undefined {
  const actor = openRequests().get(id)?.actor;
  openRequests().delete(id);
  return actor;
}

/** Returns the id from `beginRequest`; a new one when none was assigned or the client sent an unknown id. */
export function getRequestId(headers: Pick<Headers, 'get'>): string {
  const input = headers.get('x-request-id') ?? '';
  return openRequests().has(input) ? input : newId();
}

/** Records the user of a request, and the API token that it was made with. */
export function setRequestActor(requestId: string, actor: RequestActor): void {
  const facts = openRequests().get(requestId);
  if (facts) facts.actor = actor;
}

/** Records that a server action received its input: later errors are server errors. */
export function markActionStarted(requestId: string): void {
  const facts = openRequests().get(requestId);
  if (facts) facts.hasBegunAction = true;
}

/** Checks whether no server action has started in a request of this process. */
export function hasNoStartedAction(requestId: string): boolean {
  const facts = openRequests().get(requestId);
  return facts !== undefined && !facts.hasBegunAction;
}

/** Closes the connection of a response that cannot be completed. */
export function abortResponse(requestId: string): void {
  openRequests().get(requestId)?.response.destroy();
}

/**
 * Answers a page that failed because the database is unavailable with 503 and Retry-After, which proxies and search
 * engines understand. Next.js always answers 500 for an error.
 */
export function respondUnavailable(requestId: string): void {
  const response = openRequests().get(requestId)?.response;
  if (!response || response.headersSent) return;
  response.setHeader('Retry-After', '5');
  Object.defineProperty(response, 'statusCode', { get: () => 503, set: () => undefined });
}
