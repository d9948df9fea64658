import { setTimeout } from 'node:timers/promises';
import { and, eq, isNull, lt, lte, or, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { mails } from '@/db/schema/mails';
import { systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { recordAudit } from '@/lib/platform/audit/record';
import { isDue, secondsFromNow } from '@/lib/platform/leases';
import { runAfterResponse } from '@/lib/platform/lifecycle/run-after-response';
import { countProviderCall } from '@/lib/platform/metrics/process-metrics';
import { UnreadableSecret } from '@/lib/platform/secrets';
import { getMailService, recordAnswer } from '@/lib/settings/service-answers';
import { openBody } from './compose';
import { gatherMails } from './gather';
import { getMailProvider, sendMail } from './send';
import type { SendResult } from './smtp';

/** Seconds until the next attempt after the 1st, 2nd… failure; then the mail is abandoned. */
const backOffSeconds = [30, 120, 600, 3_600, 6 * 3_600, 12 * 3_600];
/** The same after an unknown outcome: each attempt may be another copy, so there are fewer. */
const unknownBackOffSeconds = [120, 3_600, 6 * 3_600];

/** Resend accepts a few requests per second, and SMTP servers a few connections of one client. */
export const parallelSends = 2;
/**
 * The mails that an instance claims at once, and how long it may process them before another one retries them: longer
 * than the sends, `parallelSends` at a time, each limited to `sendTimeoutMs` or `smtpTimeoutMs`.
 */
export const batches = {
  Resend: { size: 10, leaseSeconds: 120 },
  SMTP: { size: 4, leaseSeconds: 240 },
};
/** The longest pause, and the number of consecutive pauses without a sent mail, before the next run continues. */
const maxPauseSeconds = 5;
const maxFruitlessPauses = 3;

type Delivery = { sent: number; failed: number; postponed: number; expired: number };

/**
 * Sends all due mails in batches. Any number of instances may run it: claiming a mail advances its due time, so that
 * two instances never hold the same one. For an instance that dies in between, Resend has the idempotency key, and
 * receivers of SMTP mails have the Message-ID (docs/internals/mail.md).
 * @returns the number of sent mails, failed attempts, mails that the provider postponed (not counted as an attempt), and
 * expired mails
 */
export async function deliverMails(): Promise<Delivery> {
  const done: Delivery = { sent: 0, failed: 0, postponed: 0, expired: await abandonExpiredMails() };
  // Without a provider mails wait, and no attempt is counted.
  const provider = getMailProvider();
  if (!provider) return done;
  // A group that cannot be composed does not keep other mails, such as a password reset. The job reports it.
  const [gathered] = await Promise.allSettled([gatherMails()]);
  const claim = () => claimBatch(batches[provider]);
  let fruitless = 0;
  for (let batch = await claim(); batch.length > 0; batch = await claim()) {
    const sentBefore = done.sent;
    const pauseSeconds = await sendBatch(batch, done);
    if (pauseSeconds === 0) continue;
    fruitless = done.sent > sentBefore ? 0 : fruitless + 1;
    if (pauseSeconds > maxPauseSeconds || fruitless === maxFruitlessPauses) break;
    await setTimeout(pauseSeconds * 1000);
  }
  if (gathered.status === 'rejected') throw gathered.reason;
  return done;
}

type Claimed = Awaited<ReturnType<typeof claimBatch>>[number];

/** The condition of the indexes of mails that may be sent. */
const isOpen = and(isNull(mails.sentAt), isNull(mails.failedAt), isNull(mails.gathersFor));

async function claimBatch({ size, leaseSeconds }: { size: number; leaseSeconds: number }) {
  const due = isDue({
    id: mails.id,
    dueAt: mails.nextAttemptAt,
    where: isOpen,
    first: [mails.priority],
    limit: size,
  });
  return db()
    .update(mails)
    .set({
      attempts: sql`${mails.attempts} + 1`,
      firstTriedAt: sql`coalesce(${mails.firstTriedAt}, now())`,
      nextAttemptAt: secondsFromNow(leaseSeconds),
    })
    .where(due)
    .returning({
      id: mails.id,
      to: mails.recipient,
      subject: mails.subject,
      sealedBody: mails.sealedBody,
      createdAt: mails.createdAt,
      attempts: mails.attempts,
    });
}

/** Where an outcome is counted. */
const countedAs = {
  sent: 'sent',
  postponed: 'postponed',
  deferred: 'postponed',
  failed: 'failed',
  unknown: 'failed',
  impossible: 'failed',
} as const;

/**
 * Sends a batch with limited concurrency. When the provider accepts no mails for now, the rest of the batch is
 * postponed.
 * @returns the provider's wait time in seconds; usually 0
 */
async function sendBatch(batch: Claimed[], done: Delivery): Promise<number> {
  const waiting = [...batch];
  let refusal: Extract<SendResult, { outcome: 'postponed' }> | undefined;
  let answer: SendResult | undefined;
  const sendNext = async (): Promise<void> => {
    for (let mail = waiting.shift(); mail; mail = waiting.shift()) {
      const result = refusal ?? (await send(mail));
      // The rest of a postponed batch is not sent to the provider.
      if (!refusal) countProviderCall('mail', callOutcomes[result.outcome]);
      // A refused mail says nothing about the provider.
      if (callOutcomes[result.outcome] !== 'refused') answer = result;
      if (result.outcome === 'postponed') refusal = result;
      await recordResult(mail, result);
      done[countedAs[result.outcome]] += 1;
    }
  };
  await Promise.all(Array.from({ length: parallelSends }, sendNext));
  if (answer) {
    const message = answer.outcome === 'sent' ? 'An email was accepted.' : answer.error;
    await recordAnswer(getMailService(), { ok: answer.outcome === 'sent', message });
  }
  return refusal?.waitSeconds ?? 0;
}

/** For /api/metrics: failed if other mails would fail as well now, or without an answer. */
const callOutcomes = {
  sent: 'ok',
  postponed: 'failed',
  deferred: 'refused',
  failed: 'failed',
  unknown: 'failed',
  impossible: 'refused',
} as const;

/** Sends one mail. A body that cannot be decrypted fails permanently: its key is missing in SECRET_KEYS. */
async function send({ id, to, subject, sealedBody, createdAt }: Claimed): Promise<SendResult> {
  try {
    return await sendMail({ id, to, subject, ...openBody(id, sealedBody ?? ''), createdAt });
  } catch (thrown) {
    if (!(thrown instanceof UnreadableSecret)) throw thrown;
    return { outcome: 'impossible', error: thrown.message };
  }
}

async function recordResult({ id, attempts }: Claimed, result: SendResult): Promise<void> {
  await db().update(mails).set(getUpdate(result, attempts)).where(eq(mails.id, id));
}

function getUpdate(result: SendResult, attempts: number) {
  if (result.outcome === 'sent') return { sealedBody: null, sentAt: sql`now()`, error: null };
  const { error } = result;
  if (result.outcome === 'postponed') {
    // The rejected first attempt did not use the idempotency key.
    const firstTriedAt = attempts === 1 ? { firstTriedAt: null } : {};
    return { attempts: attempts - 1, ...firstTriedAt, nextAttemptAt: secondsFromNow(result.waitSeconds), error };
  }
  if (result.outcome === 'deferred') return { attempts: attempts - 1, nextAttemptAt: deferredUntil, error };
  const wait = (result.outcome === 'unknown' ? unknownBackOffSeconds : backOffSeconds)[attempts - 1];
  if (result.outcome === 'impossible' || wait === undefined) return { sealedBody: null, failedAt: sql`now()`, error };
  return { nextAttemptAt: secondsFromNow(wait), error };
}

/**
 * The next attempt for a mail that the server deferred: the wait doubles, as it is as long as the time since the first
 * attempt, between a minute and an hour. The mail is abandoned after `retrySeconds`.
 */
const deferredUntil = sql`now() + least(greatest(now() - ${mails.firstTriedAt}, interval '1 minute'), interval '1 hour')`;

/**
 * How long a mail is retried. Resend keeps an idempotency key for 24 hours from its first use; retries must end before.
 */
const retrySeconds = 23 * 60 * 60;

/** The number of mails that one transaction abandons, and of transactions in one run. */
const expiredBatchSize = 500;
const maxExpiredBatches = 20;

/**
 * Abandons mails whose link has expired, or whose first attempt is so old that a retry could send them twice. Records
 * them in the audit log.
 * @returns the number of abandoned mails
 */
async function abandonExpiredMails(): Promise<number> {
  let abandoned = 0;
  for (let batch = 0; batch < maxExpiredBatches; batch += 1) {
    const count = await abandonBatch();
    abandoned += count;
    if (count < expiredBatchSize) break;
  }
  return abandoned;
}

function abandonBatch(): Promise<number> {
  return db().transaction(async (tx) => {
    const expired = isDue({
      id: mails.id,
      dueAt: mails.nextAttemptAt,
      // Mails that an instance is sending have a due time in the future.
      where: and(
        isOpen,
        or(
          lte(mails.expiresAt, sql`now()`),
          lt(mails.firstTriedAt, sql`now() - make_interval(secs => ${retrySeconds})`),
        ),
      ),
      limit: expiredBatchSize,
    });
    const late = await tx
      .update(mails)
      .set({
        sealedBody: null,
        failedAt: sql`now()`,
        error: sql`case when ${mails.expiresAt} <= now() then 'Expired before it could be sent.'
          else 'Given up a day after the first try.' end || coalesce(' Last: ' || ${mails.error}, '')`,
      })
      .where(expired)
      .returning({ id: mails.id, to: mails.recipient, subject: mails.subject, error: mails.error });
    await recordAudit(
      tx,
      systemActor(systemActors.mail, 'job'),
      ...late.map(({ id, to, subject, error }) => ({
        action: 'mail.given_up',
        details: `“${subject}” to ${to} was not sent. ${error}`,
        entityType: 'mail',
        entityId: id,
      })),
    );
    return late.length;
  });
}

/** Sends queued mails after the response; the job retries failures. */
export function deliverAfterResponse(): void {
  runAfterResponse('mail', deliverMails);
}
