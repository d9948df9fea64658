import { and, eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { orderRequests } from '@/db/schema/order-requests';
import { isInScope } from '@/lib/access/account-roles';
import type { AccountScope } from '@/lib/access/actor';
import type { ClientRequest } from './client-contract';
import { getLinkState, isSentToClient, readForClient, type SentRequest, selectSent } from './client-read';
import { requestNotFoundError } from './contract';

/** Reads a request that was sent to the client, of a project that the member sees. @throws AppError not_found */
export async function findSentRequest(actor: AccountScope, id: string): Promise<SentRequest> {
  const [sent] = await selectSent(db()).where(
    and(eq(orderRequests.id, id), isInScope(actor, orderRequests), isSentToClient),
  );
  if (!sent) throw requestNotFoundError();
  return sent;
}

/** Returns what the screen of a request shows to a member with the role Client. @throws AppError not_found */
export async function getClientRequest(
  actor: AccountScope,
  id: string,
): Promise<{ request: ClientRequest; isOpen: boolean; agency: string }> {
  const sent = await findSentRequest(actor, id);
  const [request] = await readForClient([sent]);
  if (!request) throw requestNotFoundError();
  return { request, isOpen: getLinkState(sent) === 'open', agency: sent.accountName };
}
