import { eq, lte, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { rateLimits } from '../../db/schema/limits';

export type Job = {
  name: string;
  /** How often the app itself runs it, in seconds. */
  everySeconds: number;
  /** Does what is due. Any number of instances may do it at once. @returns figures for the log, by name */
  run: () => Promise<Record<string, number>>;
};

/** It lists the whole store: a few times a day is enough, over all instances and however often a cron calls. */
const orphansEverySeconds = 6 * 60 * 60;

/** The providers' lists of events are asked for this often, over all instances. */
const catchUpEverySeconds = 10 * 60;

/** The head of the audit log is written outside the database this often, over all instances. */
const auditHeadEverySeconds = 24 * 60 * 60;

/**
 * Everything that happens without a request. A new job is a line here. Its module is loaded at its first turn: together
 * they are half of the domain, and a server should answer before it loads that.
 */
export const jobs: readonly Job[] = [
  { name: 'deliver-mails', everySeconds: 20, run: async () => (await import('../mail/deliver')).deliverMails() },
  {
    name: 'reconcile-topups',
    everySeconds: 60,
    run: async () => (await import('../payments/top-ups/reconcile')).reconcileTopups(),
  },
  {
    name: 'retry-notifications',
    everySeconds: 60,
    run: async () => (await import('../payments/webhooks/retry-notifications')).retryNotifications(),
  },
  {
    name: 'catch-up-events',
    everySeconds: 60,
    run: async () => {
      if (!(await claimTurn('catch-up-events', catchUpEverySeconds))) return {};
      return (await import('../payments/webhooks/catch-up')).catchUpEvents();
    },
  },
  {
    name: 'settle-statements',
    everySeconds: 10 * 60,
    run: async () => (await import('../payments/settlement/settle-statements')).settleStatements(),
  },
  {
    name: 'record-failure-counts',
    everySeconds: 60,
    run: async () => (await import('../auth/sign-in-failures')).recordFailureCounts(),
  },
  { name: 'seal-audit-log', everySeconds: 30, run: async () => (await import('../audit/seal')).sealAuditLogs() },
  {
    name: 'publish-audit-head',
    everySeconds: 10 * 60,
    run: async () => {
      if (!(await claimTurn('publish-audit-head', auditHeadEverySeconds))) return {};
      try {
        return await (await import('../audit/head')).publishAuditHead();
      } catch (error) {
        // Otherwise a failure would leave a day without a head.
        await releaseTurn('publish-audit-head');
        throw error;
      }
    },
  },
  {
    name: 'remove-old-records',
    everySeconds: 60 * 60,
    run: async () => (await import('./remove-old-records')).removeOldRecords(),
  },
  {
    name: 'hash-older-recovery-codes',
    everySeconds: 60 * 60,
    run: async () => (await import('../auth/recovery-codes')).wrapLegacyRecoveryCodes(),
  },
  {
    name: 'remove-temp-folders',
    everySeconds: 60 * 60,
    run: async () => (await import('./remove-old-records')).removeTempFolders(),
  },
  {
    name: 'remove-orphaned-content',
    everySeconds: 60 * 60,
    run: async () => {
      if (!(await claimTurn('remove-orphaned-content', orphansEverySeconds))) return {};
      return (await import('../orders/deliverables/remove-orphans')).removeOrphans();
    },
  },
];

/**
 * Claims the turn of a job that is too costly for every instance, or for every call of a cron.
 * @param seconds how long nobody else gets a turn
 * @returns whether it is the caller's
 */
export async function claimTurn(job: string, seconds: number): Promise<boolean> {
  const resetsAt = sql`now() + make_interval(secs => ${seconds})`;
  const claimed = await db()
    .insert(rateLimits)
    .values({ key: `job:${job}`, count: 1, resetsAt })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: { count: 1, resetsAt },
      setWhere: lte(rateLimits.resetsAt, sql`now()`),
    })
    .returning({ key: rateLimits.key });
  return claimed.length > 0;
}

/** Gives a turn back after a failure: the next call of `claimTurn` gets it, whichever instance makes it. */
async function releaseTurn(job: string): Promise<void> {
  await db()
    .delete(rateLimits)
    .where(eq(rateLimits.key, `job:${job}`));
}
