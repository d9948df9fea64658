import type { ServerResponse } from 'node:http';
import { newId } from '../../ids';

/** A request on its way, with what its line in the log will tell. */
type RequestFacts = { response: ServerResponse; actorId?: string; hasBegunAction?: true };

// On globalThis, as the instrumentation that opens a request and the pages that serve it are bundled apart.
const holder: typeof globalThis & { linkmarketRequests?: Map<string, RequestFacts> } = globalThis;

function openRequests(): Map<string, RequestFacts> {
  holder.linkmarketRequests ??= new Map();
  return holder.linkmarketRequests;
}

/** Notes a request that begins. @returns its id, one for everything that it causes */
export function beginRequest(response: ServerResponse): string {
  const id = newId();
  openRequests().set(id, { response });
  return id;
}

/** @returns whose it was, as far as anybody noted */
export function endRequest(id: string): string | undefined {
  const actorId = openRequests().get(id)?.actorId;
  openRequests().delete(id);
  return actorId;
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

/** A server action of ours has its input: what fails from here on is our failure. */
export function noteAction(requestId: string): void {
  const facts = openRequests().get(requestId);
  if (facts) facts.hasBegunAction = true;
}

/** Whether none of our server actions began in a request of this process. */
export function isWithoutAction(requestId: string): boolean {
  const facts = openRequests().get(requestId);
  return facts !== undefined && !facts.hasBegunAction;
}

/** Closes the connection of an answer that cannot be finished. */
export function cutAnswer(requestId: string): void {
  openRequests().get(requestId)?.response.destroy();
}

/**
 * Lets a page that failed because the database is away be answered with 503 and when to come again, which proxies and
 * search engines understand; Next.js knows no status but 500 for a failure.
 */
export function answerUnavailable(requestId: string): void {
  const response = openRequests().get(requestId)?.response;
  if (!response || response.headersSent) return;
  response.setHeader('Retry-After', '5');
  Object.defineProperty(response, 'statusCode', { get: () => 503, set: () => undefined });
}
