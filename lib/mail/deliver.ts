import { setTimeout } from 'node:timers/promises';
import { and, eq, inArray, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { extendStatementTimeout } from '../../db/extend-statement-timeout';
import { mails } from '../../db/schema/mails';
import { systemActor } from '../access/actor';
import { env } from '../env';
import { recordAudit } from '../platform/audit/record';
import { UnreadableSecret } from '../platform/secrets';
import { openBody, sealClearBodies } from './sealed-body';
import { type SendResult, sendMail } from './send';

/** Seconds until the next try after the 1st, 2nd… failure; then the mail is given up. */
const backOffSeconds = [30, 120, 600, 3_600, 6 * 3_600, 12 * 3_600];

/** Resend takes a few requests a second. */
const parallelSends = 2;
const batchSize = 10;
/**
 * How long an instance may take for one batch before another one tries the same mails: more than `batchSize` sends,
 * `parallelSends` at a time, each as slow as `sendTimeoutMs` allows.
 */
const leaseSeconds = 120;
/** A provider that is asked too often is waited for this long, and so often without success; then it is the next run's. */
const longestPauseSeconds = 5;
const mostFruitlessPauses = 3;

export type Delivery = { sent: number; failed: number; postponed: number; expired: number };

/**
 * Sends what is due, a batch at a time, until nothing is. Any number of instances may run it: claiming moves a mail's
 * due time forward, so two never hold the same one, and the idempotency key covers an instance that dies in between.
 * @returns how many were sent; how many attempts failed; how many the provider had no time for, which costs them no
 * attempt; and how many it was too late for
 */
export async function deliverMails(): Promise<Delivery> {
  await sealClearBodies();
  const done: Delivery = { sent: 0, failed: 0, postponed: 0, expired: await giveUpLateMails() };
  // Nobody to hand them to: they wait, and no attempt is used up.
  if (!env().RESEND_API_KEY) return done;
  let fruitless = 0;
  for (let batch = await claim(); batch.length > 0; batch = await claim()) {
    const sentBefore = done.sent;
    const pauseSeconds = await sendBatch(batch, done);
    if (pauseSeconds === 0) continue;
    fruitless = done.sent > sentBefore ? 0 : fruitless + 1;
    if (pauseSeconds > longestPauseSeconds || fruitless === mostFruitlessPauses) break;
    await setTimeout(pauseSeconds * 1000);
  }
  return done;
}

type Claimed = Awaited<ReturnType<typeof claim>>[number];

/**
 * Tells the trigger `mails_leave_sealed` that this version opens sealed bodies. It keeps them from the version before,
 * which runs beside this one during an update and would send them empty.
 */
const opensSealed = sql`set_config('linkmarket.opens_sealed_mails', 'on', true) = 'on'`;

async function claim() {
  const due = db()
    .select({ id: mails.id })
    .from(mails)
    .where(and(isNull(mails.sentAt), isNull(mails.failedAt), lte(mails.nextAttemptAt, sql`now()`), opensSealed))
    // Who asked for a link waits for it; what may come at any time comes after.
    .orderBy(sql`${mails.expiresAt} is null`, mails.nextAttemptAt)
    .limit(batchSize)
    .for('update', { skipLocked: true });
  return db()
    .update(mails)
    .set({
      attempts: sql`${mails.attempts} + 1`,
      firstTriedAt: sql`coalesce(${mails.firstTriedAt}, now())`,
      nextAttemptAt: sql`now() + make_interval(secs => ${leaseSeconds})`,
    })
    .where(inArray(mails.id, due))
    .returning({
      id: mails.id,
      to: mails.recipient,
      subject: mails.subject,
      sealedBody: mails.sealedBody,
      html: mails.html,
      text: mails.text,
      attempts: mails.attempts,
    });
}

/**
 * A few at a time. Once the provider is asked too often, the rest of the batch waits as well.
 * @returns how long the provider wants to be left alone, in seconds; mostly 0
 */
async function sendBatch(batch: Claimed[], done: Delivery): Promise<number> {
  const waiting = [...batch];
  let refusal: Extract<SendResult, { outcome: 'postponed' }> | undefined;
  const sendNext = async (): Promise<void> => {
    for (let mail = waiting.shift(); mail; mail = waiting.shift()) {
      const result = refusal ?? (await send(mail));
      if (result.outcome === 'postponed') refusal = result;
      await conclude(mail, result);
      done[result.outcome === 'impossible' ? 'failed' : result.outcome] += 1;
    }
  };
  await Promise.all(Array.from({ length: parallelSends }, sendNext));
  return refusal?.waitSeconds ?? 0;
}

/** A body that does not open is a failure that another try repeats: its key is missing from SECRET_KEYS. */
async function send({ id, to, subject, sealedBody, html, text }: Claimed): Promise<SendResult> {
  try {
    const body = sealedBody === null ? { html, text } : openBody(id, sealedBody);
    return await sendMail({ id, to, subject, ...body });
  } catch (thrown) {
    if (!(thrown instanceof UnreadableSecret)) throw thrown;
    return { outcome: 'impossible', error: thrown.message };
  }
}

async function conclude({ id, attempts }: Claimed, result: SendResult): Promise<void> {
  await db().update(mails).set(changeAfter(result, attempts)).where(eq(mails.id, id));
}

function changeAfter(result: SendResult, attempts: number) {
  if (result.outcome === 'sent') return { ...forgotten, sentAt: sql`now()`, error: null };
  const { error } = result;
  const dueIn = (seconds: number) => sql`now() + make_interval(secs => ${seconds})`;
  if (result.outcome === 'postponed') {
    // The first try of all was none: the key was not used.
    const firstTriedAt = attempts === 1 ? { firstTriedAt: null } : {};
    return { attempts: attempts - 1, ...firstTriedAt, nextAttemptAt: dueIn(result.waitSeconds), error };
  }
  const wait = backOffSeconds[attempts - 1];
  if (result.outcome === 'impossible' || wait === undefined) return { ...forgotten, failedAt: sql`now()`, error };
  return { nextAttemptAt: dueIn(wait), error };
}

/** Resend keeps an idempotency key 24 hours from its first use; a try must end before. */
const keySeconds = 23 * 60 * 60;

/** What is left of a mail that needs no further try: not its body, which may hold a link that opens an account. */
export const forgotten = { html: '', text: '', sealedBody: null };

/**
 * Gives up the mails that it is too late for: their link has run out, or the first try was so long ago that another one
 * might send them twice. The audit log tells.
 * @returns how many there were
 */
async function giveUpLateMails(): Promise<number> {
  return db().transaction(async (tx) => {
    // After a long while without a way to send mail there may be any number.
    await extendStatementTimeout(tx);
    const late = await tx
      .update(mails)
      .set({
        ...forgotten,
        failedAt: sql`now()`,
        error: sql`case when ${mails.expiresAt} <= now() then 'Expired before it could be sent.'
          else 'Given up a day after the first try.' end || coalesce(' Last: ' || ${mails.error}, '')`,
      })
      .where(
        and(
          isNull(mails.sentAt),
          isNull(mails.failedAt),
          // Not one that an instance is sending at this moment: that moves it forward.
          lte(mails.nextAttemptAt, sql`now()`),
          or(
            lte(mails.expiresAt, sql`now()`),
            and(
              isNotNull(mails.firstTriedAt),
              lt(mails.firstTriedAt, sql`now() - make_interval(secs => ${keySeconds})`),
            ),
          ),
        ),
      )
      .returning({ id: mails.id, to: mails.recipient, subject: mails.subject, error: mails.error });
    await recordAudit(
      tx,
      systemActor('Mail', 'job'),
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
