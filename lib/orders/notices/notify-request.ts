import { createElement } from 'react';
import type { Executor } from '@/db/client';
import type { RequestNoticeKind } from '@/db/schema/notices';
import type { orderRequests } from '@/db/schema/order-requests';
import { mayApprove } from '@/lib/access/account-roles';
import type { AnyActor } from '@/lib/access/actor';
import { queueMail } from '@/lib/mail/compose';
import { listAccountRecipients } from '@/lib/mail/recipients';
import { type NoticeLine, RequestMail } from '@/lib/mail/templates/orders';
import { formatUsd } from '@/lib/money';
import { createNotification } from '@/lib/notifications/notifications';

/** A request as its notices name it. */
type ToldRequest = Pick<
  typeof orderRequests.$inferSelect,
  'id' | 'accountId' | 'projectId' | 'requestedBy' | 'totalCents'
> & { projectDomain: string };

/** What of a request an entry or a mail names: a client does not read what the agency pays. */
const nameRequest = ({ projectDomain, totalCents }: ToldRequest, { role }: Reader) => ({
  subject: role === 'client' ? projectDomain : `${projectDomain}, ${formatUsd(totalCents)}`,
  what: `An order for ${projectDomain}${role === 'client' ? '' : ` of ${formatUsd(totalCents)}`}`,
});

type RequestNews = { kind: RequestNoticeKind; heading: string; lines: NoticeLine[] };

/** Lists the members who see a request. */
const listReaders = (tx: Executor, { accountId, projectId }: ToldRequest) =>
  listAccountRecipients(tx, { accountId, projectId, right: 'account:requests' });

/** Notifies the members who may approve a request, by bell and mail, except the one who caused it. */
export async function notifyApprovers(
  tx: Executor,
  actor: AnyActor,
  request: ToldRequest,
  news: RequestNews,
): Promise<void> {
  for (const member of await listReaders(tx, request))
    if (member.userId !== actor.userId && mayApprove({ userId: member.userId, accountRole: member.role }, request))
      await notifyMember(tx, actor, request, { ...news, member });
}

/** Notifies the members with the role Client who see the project, by bell and mail. */
export async function notifyClients(
  tx: Executor,
  actor: AnyActor,
  request: ToldRequest,
  news: RequestNews,
): Promise<void> {
  for (const member of await listReaders(tx, request))
    if (member.role === 'client') await notifyMember(tx, actor, request, { ...news, member });
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
  const member = (await listReaders(tx, request)).find(({ userId }) => userId === request.requestedBy);
  if (member && member.role !== 'client' && member.userId !== actor.userId)
    await notifyMember(tx, actor, request, { ...news, member });
}

type Reader = Awaited<ReturnType<typeof listReaders>>[number];

async function notifyMember(
  tx: Executor,
  actor: AnyActor,
  request: ToldRequest,
  { member, kind, heading, lines }: RequestNews & { member: Reader },
): Promise<void> {
  const { id, accountId } = request;
  const { userId, email, off, account } = member;
  const { subject, what } = nameRequest(request, member);
  await createNotification(tx, actor, {
    ...{ userId, kind, subject },
    accountId: userId === accountId ? null : accountId,
  });
  if (off.has('order-request')) return;
  const path = `/user/requests/${id}`;
  await queueMail(tx, {
    kind: 'order-request',
    to: email,
    account,
    subject: heading,
    news: { userId, text: heading, path },
    body: (context) =>
      createElement(RequestMail, {
        ...context,
        ...{ heading, what, lines },
        url: `${context.appUrl}${path}`,
      }),
  });
}
