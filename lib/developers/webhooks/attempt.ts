import { and, eq, inArray, isNotNull, ne, sql } from 'drizzle-orm';
import { createElement } from 'react';
import { db, type Executor } from '@/db/client';
import { events } from '@/db/schema/events';
import { users } from '@/db/schema/users';
import {
  type EndpointOffReason,
  webhookAttempts,
  webhookDeliveries,
  webhookEndpoints,
} from '@/db/schema/webhook-endpoints';
import { systemActor } from '@/lib/access/actor';
import { isSellerRole } from '@/lib/access/permissions';
import { systemActors } from '@/lib/access/system-actors';
import { env } from '@/lib/env';
import { newId } from '@/lib/ids';
import { describeReason } from '@/lib/links/describe-reason';
import { postToAddress } from '@/lib/links/fetch-page';
import { queueMail } from '@/lib/mail/compose';
import { findMailRecipient } from '@/lib/mail/recipients';
import { WebhookOffMail } from '@/lib/mail/templates/account';
import { groupedKinds } from '@/lib/notifications/notice-words';
import { createNotification } from '@/lib/notifications/notifications';
import { recordAudit } from '@/lib/platform/audit/record';
import { getBackoffSeconds, secondsFromNow } from '@/lib/platform/leases';
import { UnreadableSecret } from '@/lib/platform/secrets';
import { getBranding } from '@/lib/settings/branding/get-branding';
import { type ChatResult, chatNames } from './chats/chat-result';
import { formatNotices } from './chats/notice-message';
import { sendToChat } from './chats/send';
import { eventView } from './contract';
import { mayReceive, personOf } from './rights';
import { signMessage } from './secrets';

/** A delivery that a worker took. */
export type TakenDelivery = Pick<typeof webhookDeliveries.$inferSelect, 'id' | 'endpointId' | 'eventId' | 'attempts'>;
/** What became of an attempt; `unanswered` is a failure without an answer in time. */
export type AttemptOutcome = 'delivered' | 'failed' | 'unanswered' | 'canceled';

/** For names, connection and answer together. */
const timeoutMs = 10_000;
/** The part of the answer's body that the log keeps. */
const answerBytes = 1_000;
/** An endpoint whose answers take longer is served by few workers. */
const slowMs = 2_000;

/** The pauses of a delivery between its attempts, and of an endpoint that does not answer. */
const deliveryBackoff = { firstSeconds: 30, maxSeconds: 4 * 3_600 };
const endpointBackoff = { firstSeconds: 10, maxSeconds: 300 };

/** An endpoint is turned off after days without a success, if there were enough attempts. */
const offAfterDays = 3;
const offAfterFailures = 10;

const gone = 410;

/**
 * Sends an event to its endpoint once, and records the result. The connection is made outside of a transaction.
 * @param isManual whether a user requested it, also for an endpoint that is turned off
 */
export async function attemptDelivery(claimed: TakenDelivery, isManual: boolean): Promise<AttemptOutcome> {
  const [found] = await db()
    .select({ event: events, endpoint: webhookEndpoints, role: users.role, mayReceive })
    .from(webhookDeliveries)
    .innerJoin(events, eq(events.id, webhookDeliveries.eventId))
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .innerJoin(users, eq(users.id, personOf))
    .where(eq(webhookDeliveries.id, claimed.id));
  if (!found) return 'canceled';
  const { event, endpoint } = found;
  if (!found.mayReceive) return cancelDelivery(claimed, 'The owner of the endpoint may no longer receive this event.');
  if (!endpoint.isEnabled && !isManual) return cancelDelivery(claimed, 'The endpoint was turned off.');
  if (endpoint.channel !== 'webhook') {
    const [{ siteName }, equal] = await Promise.all([getBranding(), listEqual(claimed, event)]);
    const text = formatNotices([event.data, ...equal.map(({ data }) => data)], { siteName, role: found.role });
    const started = performance.now();
    const sent = await sendToChat(endpoint, text);
    const durationMs = Math.round(performance.now() - started);
    // The address and the answer identify the chat, so the log has neither.
    const shown = { url: endpoint.url, headers: {}, answer: '', isAnswered: sent.status !== null };
    return recordAttempt(claimed, { ...shown, ...sent, durationMs, equalIds: equal.map(({ id }) => id) });
  }
  const body = JSON.stringify(eventView(event));
  const at = new Date();
  const unsigned = {
    'user-agent': `LinkMarket-Webhooks/1.0 (+${new URL(env().APP_URL).origin})`,
    'content-type': 'application/json',
  };
  let headers: Record<string, string> = unsigned;
  try {
    headers = { ...unsigned, ...signMessage(endpoint, event.id, body, at) };
  } catch (thrown) {
    if (!(thrown instanceof UnreadableSecret)) throw thrown;
    const error = 'The signing secret cannot be decrypted. Rotate it.';
    const failed = { url: endpoint.url, headers, status: null, answer: '', error, durationMs: 0, isAnswered: true };
    return recordAttempt(claimed, failed);
  }
  const started = performance.now();
  const response = await postToAddress(
    endpoint.url,
    { headers, body },
    { timeoutMs, maxBytes: answerBytes, whenLonger: 'cut' },
  );
  const durationMs = Math.round(performance.now() - started);
  if (!response.ok) {
    const isPrivate = response.refusal === 'private_address' || response.refusal === 'local_name';
    const error = isPrivate ? 'The address belongs to a private network.' : describeReason(response.failure);
    const failed = { status: null, answer: '', error, durationMs, isAnswered: false };
    return recordAttempt(claimed, { url: endpoint.url, headers, ...failed });
  }
  const { status } = response;
  const isSuccess = status >= 200 && status < 300;
  // PostgreSQL stores no NUL.
  const answer = response.body.toString('utf8').replaceAll('\0', '');
  const error = isSuccess ? '' : status >= 300 && status < 400 ? redirectError : `The endpoint answered ${status}.`;
  return recordAttempt(claimed, { url: endpoint.url, headers, status, answer, error, durationMs, isAnswered: true });
}

const redirectError = 'The endpoint answered with a redirect, which is not followed.';

/** The notices that a message contains at most besides its own. */
const maxEqual = 1_000;

/** Lists the deliveries to a chat that wait and are equal, so that one message tells of all, as one entry of the bell does. */
async function listEqual({ id, endpointId }: TakenDelivery, { data: { kind } }: typeof events.$inferSelect) {
  if (!groupedKinds.some((grouped) => grouped === kind)) return [];
  return db()
    .select({ id: webhookDeliveries.id, data: events.data })
    .from(webhookDeliveries)
    .innerJoin(events, eq(events.id, webhookDeliveries.eventId))
    .where(
      and(
        eq(webhookDeliveries.endpointId, endpointId),
        isNotNull(webhookDeliveries.nextAttemptAt),
        ne(webhookDeliveries.id, id),
        sql`${events.data} ->> 'kind' = ${kind}`,
      ),
    )
    .limit(maxEqual);
}

async function cancelDelivery({ id, attempts }: TakenDelivery, lastError: string): Promise<'canceled'> {
  await db()
    .update(webhookDeliveries)
    .set({ state: 'canceled', nextAttemptAt: null, finishedAt: sql`now()`, lastError, attempts: attempts - 1 })
    .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.attempts, attempts)));
  return 'canceled';
}

type Result = Pick<typeof webhookAttempts.$inferSelect, 'url' | 'status' | 'answer' | 'error' | 'durationMs'> & {
  headers: Record<string, string>;
  isAnswered: boolean;
  /** Further deliveries that the message contained. */
  equalIds?: string[];
} & Pick<ChatResult, 'isGone' | 'retryAfterSeconds' | 'isOurs'>;

/** Records an attempt, and when the delivery and its endpoint have their next turn. Locks the endpoint first. */
function recordAttempt(claimed: TakenDelivery, result: Result): Promise<AttemptOutcome> {
  const { url, headers, status, answer, error, durationMs, isAnswered } = result;
  const { isGone, retryAfterSeconds, isOurs, equalIds = [] } = result;
  return db().transaction(async (tx) => {
    const [endpoint] = await tx
      .select()
      .from(webhookEndpoints)
      .where(eq(webhookEndpoints.id, claimed.endpointId))
      .for('no key update');
    // It was deleted during the attempt.
    if (!endpoint) return 'canceled';
    await tx
      .insert(webhookAttempts)
      .values({ id: newId(), deliveryId: claimed.id, url, requestHeaders: headers, status, answer, error, durationMs });
    const isDelivered = error === '';
    const outcome = { lastStatus: status, lastError: error };
    await tx
      .update(webhookDeliveries)
      .set({ ...outcome, ...(isDelivered ? delivered : failedOnce(retryAfterSeconds)) })
      // Another worker has it if this one was suspended for longer than its lease.
      .where(and(eq(webhookDeliveries.id, claimed.id), eq(webhookDeliveries.attempts, claimed.attempts)));
    if (isDelivered && equalIds.length > 0) {
      await tx
        .update(webhookDeliveries)
        .set({ ...outcome, ...delivered })
        .where(and(inArray(webhookDeliveries.id, equalIds), isNotNull(webhookDeliveries.nextAttemptAt)));
    }
    // A pause that the service asks for, and a fault of the installation, say nothing about the receiver.
    const isItsFault = !isOurs && retryAfterSeconds === undefined;
    const failures = endpoint.failures + Number(isItsFault);
    const pauseSeconds = retryAfterSeconds ?? (isAnswered ? 0 : getBackoffSeconds(endpoint.failures, endpointBackoff));
    await tx
      .update(webhookEndpoints)
      .set({
        ...outcome,
        lastAttemptAt: sql`now()`,
        isSlow: !isAnswered || durationMs > slowMs,
        pausedUntil: secondsFromNow(pauseSeconds),
        ...(isDelivered && { failingSince: null }),
        ...(!isDelivered && isItsFault && { failingSince: sql`coalesce(${webhookEndpoints.failingSince}, now())` }),
        failures: isDelivered ? 0 : failures,
      })
      .where(eq(webhookEndpoints.id, endpoint.id));
    if (isDelivered) return 'delivered';
    const reason = isGone ? 'gone' : isItsFault ? getOffReason(endpoint, failures, status) : null;
    if (endpoint.isEnabled && reason) await turnOff(tx, endpoint, reason);
    return isAnswered && retryAfterSeconds === undefined ? 'failed' : 'unanswered';
  });
}

const delivered = { state: 'delivered' as const, nextAttemptAt: null, finishedAt: sql`now()` };

/**
 * Schedules the next attempt after a growing pause, with jitter; none after the end of the retries.
 * @param retryAfterSeconds the pause that the receiver asks for
 */
function failedOnce(retryAfterSeconds?: number) {
  const { retries, giveUpAt } = webhookDeliveries;
  const { firstSeconds, maxSeconds } = deliveryBackoff;
  const jitter = 0.8 + Math.random() * 0.4;
  const grown = sql`now() + make_interval(secs => least(${firstSeconds} * power(2, least(${retries}, 20)), ${maxSeconds}) * ${jitter}::float8)`;
  const next = retryAfterSeconds === undefined ? grown : secondsFromNow(retryAfterSeconds);
  const isOver = sql`${next} > ${giveUpAt}`;
  return {
    retries: sql`${retries} + 1`,
    state: sql`case when ${isOver} then 'failed' else 'pending' end`,
    nextAttemptAt: sql`case when ${isOver} then null else ${next} end`,
    finishedAt: sql`case when ${isOver} then now() end`,
  };
}

type Endpoint = typeof webhookEndpoints.$inferSelect;

function getOffReason(endpoint: Endpoint, failures: number, status: number | null): EndpointOffReason | null {
  // RFC 9110: the receiver wants no more requests.
  if (status === gone) return 'gone';
  const { failingSince } = endpoint;
  const isLong = failingSince !== null && Date.now() - failingSince.getTime() >= offAfterDays * 86_400_000;
  return isLong && failures >= offAfterFailures ? 'failing' : null;
}

/** Turns an endpoint off, cancels what it waits for, and mails its owner; of a chat, the bell tells it. */
async function turnOff(tx: Executor, endpoint: Endpoint, offReason: EndpointOffReason): Promise<void> {
  const { id, ownerId, savedBy, isInstallation, channel } = endpoint;
  const personId = savedBy ?? ownerId;
  const { host } = new URL(endpoint.url);
  const gonePart = channel === 'webhook' ? 'It answered 410 Gone.' : 'It accepts no messages of this site any more.';
  const why = offReason === 'gone' ? gonePart : `No webhook was delivered for ${offAfterDays} days.`;
  await tx
    .update(webhookEndpoints)
    .set({ isEnabled: false, offReason, disabledAt: sql`now()` })
    .where(eq(webhookEndpoints.id, id));
  await tx
    .update(webhookDeliveries)
    .set({ state: 'canceled', nextAttemptAt: null, finishedAt: sql`now()`, lastError: 'The endpoint was turned off.' })
    .where(and(eq(webhookDeliveries.endpointId, id), eq(webhookDeliveries.state, 'pending')));
  const actor = systemActor(systemActors.outgoingWebhooks, 'job');
  await recordAudit(tx, actor, {
    action: 'webhook.turned_off',
    details: `The webhook endpoint at ${host} was turned off. ${why}`,
    entityType: 'webhook_endpoint',
    entityId: id,
    before: { isEnabled: true },
    after: { isEnabled: false, offReason },
  });
  if (channel !== 'webhook') {
    return createNotification(tx, actor, { userId: ownerId, kind: 'chat.off', subject: chatNames[channel] });
  }
  const owner = await findMailRecipient(tx, personId);
  if (!owner) return;
  const [{ role } = { role: '' }] = await tx.select({ role: users.role }).from(users).where(eq(users.id, personId));
  const area = isInstallation ? '/dashboard/features' : savedBy === null && isSellerRole(role) ? '/seller' : '/user';
  const path = `${area}/webhooks`;
  await queueMail(tx, {
    kind: 'webhook-off',
    to: owner.email,
    subject: `The webhook endpoint at ${host} was turned off`,
    body: (context) => createElement(WebhookOffMail, { ...context, host, why, path }),
  });
}
