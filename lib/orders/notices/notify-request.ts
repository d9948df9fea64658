import { createElement } from 'react';
import type { Executor } from '@/db/client';
import type { RequestNoticeKind } from '@/db/schema/notices';
import type { orderRequests } from '@/db/schema/order-requests';
import { mayApprove } from '@/lib/access/account-roles';
import { listConcerned } from '@/lib/access/accounts';
import type { AnyActor } from '@/lib/access/actor';
import { queueMail } from '@/lib/mail/compose';
import { findMailRecipient } from '@/lib/mail/recipients';
import { type NoticeLine, RequestMail } from '@/lib/mail/templates/orders';
import { formatUsd } from '@/lib/money';
import { createNotification } from '@/lib/notifications/notifications';

/** A request as its notices name it. */
type ToldRequest = Pick<
  typeof orderRequests.$inferSelect,
  'id' | 'accountId' | 'projectId' | 'requestedBy' | 'totalCents'
> & { projectDomain: string };

type RequestNews = { kind: RequestNoticeKind; heading: string; lines: NoticeLine[] };

/** Notifies the members who may approve a request, by bell and mail, except the one who caused it. */
export async function notifyApprovers(
  tx: Executor,
  actor: AnyActor,
  request: ToldRequest,
  news: RequestNews,
): Promise<void> {
  const { accountId, projectId } = request;
  const members = await listConcerned(tx, { accountId, projectId, right: 'account:requests' });
  for (const { userId, role } of members)
    if (userId !== actor.userId && mayApprove({ userId, accountRole: role }, request))
      await notifyMember(tx, actor, request, { ...news, userId });
}

/**
 * Notifies the requester of an answer by bell and mail, except of the own one; not one who left the account, or is a client
 * there now: the notice names what the agency pays.
 */
export async function notifyRequester(
  tx: Executor,
  actor: AnyActor,
  request: ToldRequest,
  news: RequestNews,
): Promise<void> {
  const { accountId, projectId, requestedBy: userId } = request;
  const members = await listConcerned(tx, { accountId, projectId, right: 'account:requests' });
  const isTold = members.some((member) => member.userId === userId && member.role !== 'client');
  if (isTold && userId !== actor.userId) await notifyMember(tx, actor, request, { ...news, userId });
}

async function notifyMember(
  tx: Executor,
  actor: AnyActor,
  request: ToldRequest,
  { userId, kind, heading, lines }: RequestNews & { userId: string },
): Promise<void> {
  const { accountId, projectDomain, totalCents } = request;
  await createNotification(tx, actor, {
    ...{ userId, kind, subject: `${projectDomain}, ${formatUsd(totalCents)}` },
    accountId: userId === accountId ? null : accountId,
  });
  const recipient = await findMailRecipient(tx, userId);
  if (!recipient || recipient.off.has('order-request')) return;
  const path = `/user/requests/${request.id}`;
  await queueMail(tx, {
    kind: 'order-request',
    to: recipient.email,
    subject: heading,
    news: { userId, text: heading, path },
    body: (context) =>
      createElement(RequestMail, {
        ...context,
        heading,
        what: `An order for ${projectDomain} of ${formatUsd(totalCents)}`,
        lines,
        url: `${context.appUrl}${path}`,
      }),
  });
}
