import { eq, lte, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { rateLimits } from '@/db/schema/limits';
import { secondsFromNow } from '@/lib/platform/leases';
import { beginWork } from '@/lib/platform/lifecycle/process-state';
import { log } from '@/lib/platform/log/log';
import { countJobRun } from '@/lib/platform/metrics/process-metrics';

type Job = {
  name: string;
  /** The interval at which the app runs the job, in seconds. */
  everySeconds: number;
  /** Processes what is due. Several instances may run it concurrently. @returns figures for the log, by name */
  run: () => Promise<Record<string, number>>;
};

const job = (name: string, everySeconds: number, run: Job['run']): Job => ({ name, everySeconds, run });

/** The interval over all instances. The job lists the whole store, so a few runs per day are enough. */
const orphansEverySeconds = 6 * 60 * 60;

/** The interval over all instances at which the providers' event lists are read. */
const catchUpEverySeconds = 10 * 60;

/** The interval over all instances at which the daily exchange rates are read: they appear in the afternoon. */
const ecbRatesEverySeconds = 3 * 60 * 60;

/** The interval over all instances at which VIES is asked again about VAT ids. */
const checkVatIdsEverySeconds = 4 * 60;

/** The interval over all instances at which listings with an old measured figure are refreshed. */
const oldFiguresEverySeconds = 24 * 60 * 60;
/** The intervals over all instances at which domains are added to the queue of ratings, and at which ratings are asked for. */
const queueRatingsEverySeconds = 10 * 60;
const refreshRatingsEverySeconds = 55;

/** The interval over all instances at which the messages of the Telegram bot are read while a code is open. */
const readCodesEverySeconds = 4;

/** The interval over all instances at which the head of the audit log is published outside the database. */
const auditHeadEverySeconds = 24 * 60 * 60;

/**
 * All background jobs. Each module is loaded at its first run, because together they import half of the code and would
 * delay the server's start.
 */
export const jobs: readonly Job[] = [
  job('deliver-mails', 20, async () => (await import('@/lib/mail/deliver')).deliverMails()),
  job('mail-unread-messages', 30, async () => (await import('@/lib/orders/messages/mail-unread')).mailUnreadMessages()),
  job('reconcile-topups', 60, async () => (await import('@/lib/payments/top-ups/reconcile')).reconcileTopups()),
  job('send-refunds', 15, async () => (await import('@/lib/payments/reversals/source-refunds/send')).sendRefunds()),
  job('retry-notifications', 60, async () =>
    (await import('@/lib/payments/webhooks/retry-notifications')).retryNotifications(),
  ),
  job('catch-up-events', 60, async () => {
    if (!(await claimJobTurn('catch-up-events', catchUpEverySeconds))) return {};
    return (await import('@/lib/payments/webhooks/catch-up')).catchUpEvents();
  }),
  // Programs wait for their events.
  job('deliver-webhooks', 5, async () => (await import('@/lib/developers/webhooks/deliver')).deliverWebhooks()),
  // A user waits for the chat being connected. Telegram refuses one of two readers at once.
  job('read-telegram-codes', 5, async () => {
    const { hasOpenCode, readTelegramCodes } = await import('@/lib/developers/webhooks/chats/read-codes');
    if (!(await hasOpenCode()) || !(await claimJobTurn('read-telegram-codes', readCodesEverySeconds))) return {};
    return readTelegramCodes();
  }),
  job('run-placement-clocks', 60, async () => ({
    ...(await (await import('@/lib/orders/placements/run-clocks')).runPlacementClocks()),
    ...(await (await import('@/lib/orders/placements/changes/run-clocks')).runChangeClocks()),
  })),
  job('expire-requests', 60, async () => (await import('@/lib/orders/requests/expire')).expireRequests()),
  // The first check of a delivery follows within seconds.
  job('run-link-checks', 5, async () => (await import('@/lib/orders/link-checks/run')).runLinkChecks()),
  job('deliver-posts', 60, async () => (await import('@/lib/orders/posts/deliver-posts')).deliverPosts()),
  job('recheck-ownership', 60, async () => (await import('@/lib/sites/ownership/recheck')).recheckOwnership()),
  job('refresh-ownership', 60 * 60, async () => (await import('@/lib/sites/ownership/recheck')).refreshListings()),
  job('resume-sites', 60, async () => (await import('@/lib/sites/own-bulk/resume')).resumeSites()),
  job('mail-link-digests', 10 * 60, async () => (await import('@/lib/orders/notices/link-digests')).mailLinkDigests()),
  job('mail-client-reports', 10 * 60, async () =>
    (await import('@/lib/orders/client-reports/monthly-mail')).mailClientReports(),
  ),
  job('settle-statements', 10 * 60, async () =>
    (await import('@/lib/payments/settlement/settle-statements')).settleStatements(),
  ),
  job('issue-invoices', 5, async () => (await import('@/lib/invoices/issue')).issueInvoices()),
  job('deliver-invoices', 20, async () => (await import('@/lib/invoices/delivery/deliver')).deliverInvoices()),
  job('issue-seller-statements', 10 * 60, async () =>
    (await import('@/lib/earnings/self-billing/issue')).issueSellerStatements(),
  ),
  job('settle-silent-disputes', 60, async () =>
    (await import('@/lib/orders/disputes/proposals')).settleSilentDisputes(),
  ),
  job('request-scheduled-payouts', 10 * 60, async () =>
    (await import('@/lib/payouts/schedule')).requestScheduledPayouts(),
  ),
  // Staff see within seconds whether PayPal accepted a batch.
  job('run-payout-batches', 5, async () => (await import('@/lib/payouts/paypal/run-batches')).runPayoutBatches()),
  job('record-failure-counts', 60, async () => (await import('@/lib/auth/sign-in-failures')).recordFailureCounts()),
  job('roll-up-ledger', 10, async () => (await import('@/lib/ledger/roll-up')).rollUpLedger()),
  // What buyers see of a publisher follows its orders within seconds.
  job('refresh-records', 10, async () => (await import('@/lib/sites/record/refresh')).refreshRecords()),
  job('prove-books', 5, async () => (await import('@/lib/ledger/prove-books')).runRequestedBooksProof()),
  job('verify-audit-log', 5, async () => (await import('@/lib/audit/prove-chain')).runRequestedChainProof()),
  job('seal-audit-log', 30, async () => (await import('@/lib/audit/seal')).sealAuditLogs()),
  job('publish-audit-head', 10 * 60, async () => {
    if (!(await claimJobTurn('publish-audit-head', auditHeadEverySeconds))) return {};
    try {
      return await (await import('@/lib/audit/head')).publishAuditHead();
    } catch (error) {
      // Releases the turn, otherwise a failure would skip a day.
      await releaseJobTurn('publish-audit-head');
      throw error;
    }
  }),
  job('take-ecb-rates', 10 * 60, async () => {
    if (!(await claimJobTurn('take-ecb-rates', ecbRatesEverySeconds))) return {};
    const isNeeded = await (await import('@/lib/tax/operator')).needsReferenceRates();
    return (await import('@/lib/approvals/take-ecb-rates')).takeEcbRates(isNeeded);
  }),
  job('check-vat-ids', 5 * 60, async () => {
    if (!(await claimJobTurn('check-vat-ids', checkVatIdsEverySeconds))) return {};
    return (await import('@/lib/tax/check-vat-ids')).checkVatIds();
  }),
  job('refresh-domain-ratings', 60, async () => {
    const ratings = await import('@/lib/sites/domain-figures/ahrefs/refresh-domain-ratings');
    if (!(await ratings.areRatingsOn())) return {};
    if (await claimJobTurn('queue-domain-ratings', queueRatingsEverySeconds)) await ratings.queueDomainRatings();
    if (!(await claimJobTurn('refresh-domain-ratings', refreshRatingsEverySeconds))) return {};
    return ratings.refreshDomainRatings();
  }),
  job('record-job-run', 15, async () => {
    const { jobRunner, recordAnswer } = await import('@/lib/settings/service-answers');
    await recordAnswer(jobRunner, { ok: true, message: 'The jobs ran.' });
    return {};
  }),
  job('remove-old-records', 60 * 60, async () => (await import('./remove-old-records')).removeOldRecords()),
  job('drop-niche-proposals', 60 * 60, async () => (await import('@/lib/taxonomy/proposals')).dropUnusedProposals()),
  // After a change of the order of their sources.
  job('refresh-figures', 15, async () => (await import('@/lib/sites/domain-figures/refresh-jobs')).refreshAllFigures()),
  job('refresh-old-figures', 60 * 60, async () => {
    if (!(await claimJobTurn('refresh-old-figures', oldFiguresEverySeconds))) return {};
    return (await import('@/lib/sites/domain-figures/refresh-jobs')).refreshOldFigures();
  }),
  job('remove-temp-folders', 60 * 60, async () => (await import('./remove-old-records')).removeTempFolders()),
  job('remove-orphaned-content', 60 * 60, async () => {
    if (!(await claimJobTurn('remove-orphaned-content', orphansEverySeconds))) return {};
    return (await import('@/lib/orders/deliverables/store-file')).removeOrphans();
  }),
  // The last, because a cron call runs the jobs one after another.
  job('run-scheduled-backup', 60, async () => (await import('@/lib/backup/schedule')).runScheduledBackup()),
];

/**
 * Claims the turn of a job that must run less often than its interval, over all instances and cron calls.
 * @param seconds the time until the turn can be claimed again
 * @returns whether the caller has the turn
 */
export async function claimJobTurn(job: string, seconds: number): Promise<boolean> {
  const resetsAt = secondsFromNow(seconds);
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

/** Releases a turn after a failure, so that the next `claimJobTurn` of any instance succeeds. */
async function releaseJobTurn(job: string): Promise<void> {
  await db()
    .delete(rateLimits)
    .where(eq(rateLimits.key, `job:${job}`));
}

type JobOutcome = { name: string; ok: boolean; figures: Record<string, number> };

/**
 * Runs jobs sequentially. A failure is logged, does not affect the other jobs, and is retried at the job's next interval.
 * A `figures.failed` above 0 is logged as well.
 */
export async function runJobs(due: readonly Job[]): Promise<JobOutcome[]> {
  const outcomes: JobOutcome[] = [];
  for (const job of due) outcomes.push(await runOne(job));
  return outcomes;
}

async function runOne({ name, run }: Job): Promise<JobOutcome> {
  try {
    const figures = await run();
    if (figures.failed) log().warn({ job: name, ...figures }, 'A part of a job failed.');
    countJobRun(name, figures.failed ? 'partly_failed' : 'ok');
    return { name, ok: true, figures };
  } catch (thrown) {
    log().error({ job: name, err: thrown }, 'A job failed.');
    countJobRun(name, 'failed');
    return { name, ok: false, figures: {} };
  }
}

/**
 * Runs every job at its interval until stopped, without keeping the process alive. Runs of one job never overlap.
 * @returns a function that stops the jobs
 */
export function startJobs(all: readonly Job[] = jobs): () => void {
  const timers = all.map((job) => {
    let isRunning = false;
    const turn = async () => {
      if (isRunning) return;
      isRunning = true;
      const done = beginWork();
      await runJobs([job]);
      done();
      isRunning = false;
    };
    return setInterval(turn, job.everySeconds * 1000).unref();
  });
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}
