import { db, type Executor } from '@/db/client';
import { mayApprove } from '@/lib/access/account-roles';
import type { Actor, AnyActor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { notifyRequester } from '@/lib/orders/notices/notify-request';
import { closeRequest, describeClosed, lockOpenRequest } from './close';
import type { DeclineRequestInput, RequestView } from './contract';
import { findRequest, getRequest } from './queries';

/**
 * Declines a request: by a member who may approve it, or by its requester, who withdraws it.
 * @throws AppError not_found; forbidden for another member; conflict for a request that is not open
 */
export async function declineRequest(actor: Actor, id: string, { reason }: DeclineRequestInput): Promise<RequestView> {
  const request = await findRequest(actor, id);
  if (!mayApprove(actor, request) && request.requestedBy !== actor.userId) {
    const message = 'Your role in this account does not answer requests. Ask an owner or a manager.';
    throw new AppError('forbidden', message);
  }
  await db().transaction((tx) => declineLocked(tx, actor, id, { decidedBy: actor.userId, note: reason }));
  return getRequest(actor, id);
}

/**
 * Declines a request, without checking who may.
 * @param decidedBy null for the client behind the link
 * @throws AppError conflict for a request that is not open
 */
export async function declineLocked(
  tx: Executor,
  by: AnyActor,
  id: string,
  { decidedBy, note = '' }: { decidedBy: string | null; note?: string | undefined },
): Promise<void> {
  const request = await lockOpenRequest(tx, id);
  await closeRequest(tx, by, request, { state: 'declined', decidedBy, note });
  await notifyRequester(tx, by, request, {
    kind: 'request.declined',
    heading: `Your order for ${request.projectDomain} was declined`,
    lines: [{ text: describeClosed(request) }, ...(note === '' ? [] : [{ text: 'Reason:', quote: note }])],
  });
}
