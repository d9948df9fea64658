import type { Actor } from '@/lib/access/actor';
import type { CursorPage } from '@/lib/id-cursor';
import { type RequestsQuery, type RequestView, requestNotFoundError } from './contract';

/** Lists a page of the requests of the account that the actor sees, newest first. */
export async function listRequests(
  _actor: Actor,
  _query: RequestsQuery,
): Promise<CursorPage<RequestView> & { total: number; isCapped: boolean }> {
  return { rows: [], next: null, previous: null, total: 0, isCapped: false };
}

/** Returns a request. @throws AppError not_found, also for one of a project that the actor does not see */
export async function getRequest(_actor: Actor, _id: string): Promise<RequestView> {
  throw requestNotFoundError();
}
