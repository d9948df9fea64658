import { and, asc, eq, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { orderRequests } from '@/db/schema/order-requests';
import { systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { notifyRequester } from '@/lib/orders/notices/notify-request';
import { closeRequest, describeClosed, describeEnd, lockRequest } from './close';

/** The number of requests that one run ends. */
const batchSize = 200;

/** Ends the requests that were not answered in time or whose project was deleted, and notifies their requesters. Several instances may run it at once. */
export async function expireRequests(): Promise<{ expired: number }> {
  const actor = systemActor(systemActors.orderDeadlines, 'job');
  const due = await db()
    .select({ id: orderRequests.id })
    .from(orderRequests)
    .where(and(eq(orderRequests.state, 'open'), sql`${orderRequests.expiresAt} <= now()`))
    .orderBy(asc(orderRequests.expiresAt))
    .limit(batchSize);
  for (const { id } of due)
    await db().transaction(async (tx) => {
      const request = await lockRequest(tx, id);
      if (request.state !== 'open') return;
      await closeRequest(tx, actor, request, { state: 'expired', decidedBy: null });
      await notifyRequester(tx, actor, request, {
        kind: 'request.expired',
        heading: `Your order for ${request.projectDomain} ${describeEnd(request)}`,
        lines: [
          {
            text: request.isProjectDeleted
              ? describeClosed(request)
              : `${describeClosed(request)} Place the order again if you still want it.`,
          },
        ],
      });
    });
  return { expired: due.length };
}
