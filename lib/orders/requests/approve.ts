import type { Executor } from '@/db/client';
import type { Actor, AnyActor } from '@/lib/access/actor';
import { type ApproveRequestInput, type RequestView, requestNotFoundError } from './contract';

/**
 * Approves a request: orders the selected lines at the current prices for the requester, and declines the others.
 * @throws AppError not_found; forbidden for a member who may not approve it; conflict for a request that is not open, and
 * with the new total when it differs from the one shown; and those of `createOrder`. The request stays open then.
 */
export async function approveRequest(_actor: Actor, _id: string, _input: ApproveRequestInput): Promise<RequestView> {
  throw requestNotFoundError();
}

export type Answer = ApproveRequestInput & {
  /** The member who answers; null for the client behind the link. */
  decidedBy: string | null;
  /** Called in the transaction after the orders were created; throws to undo them. */
  record?: (tx: Executor) => Promise<void>;
};

/**
 * Orders the selected lines of an open request and declines the others, without checking who may.
 * @param by of the audit log: the approver, or a system actor for a client behind the link
 * @throws as `approveRequest`, except forbidden
 */
export async function orderRequest(_by: AnyActor, _id: string, _answer: Answer): Promise<void> {
  throw requestNotFoundError();
}
