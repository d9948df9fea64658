import { and, eq, exists, isNull, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { extendStatementTimeout } from '@/db/extend-statement-timeout';
import { domainRatingChecks } from '@/db/schema/domain-ratings';
import { sites } from '@/db/schema/sites';
import type { Transaction } from '@/db/transaction';
import { isDue, processLeased, secondsFromNow } from '@/lib/platform/leases';
import { findKeyService, getApiKey } from '@/lib/settings/api-keys';
import { recordAnswer, type Service } from '@/lib/settings/service-answers';
import { recordFigures } from '@/lib/sites/domain-figures/record';
import { refreshSiteFigures } from '@/lib/sites/domain-figures/refresh';
import { askAhrefs, type RatingAnswer, unknownRating } from './ask-ahrefs';
import { readRatingBudget } from './budget';
import { countRequest, isAnswered, lockUse, recordRatingRun, settleUse } from './rating-use';

/** The days after which a domain is asked for again, also one that Ahrefs does not know. */
const refreshDays = 30;
/** Requests at the same time, and in one run, which jobs.ts starts once a minute over all instances. */
const workers = 2;
const requestsPerRun = 40;
/** The run ends before its next turn. */
const runMs = 45_000;
/** Longer than a request. */
const leaseSeconds = 300;
/** How long a domain waits whose request failed, so that one that always fails does not hold up the others. */
const failedSeconds = 6 * 3_600;

/** Returns whether domain ratings are refreshed: a key is stored, and the budget is not 0. */
export async function areRatingsOn(): Promise<boolean> {
  const [stored, { requestsPerDay }] = await Promise.all([findKeyService('Ahrefs'), readRatingBudget()]);
  return stored !== null && requestsPerDay > 0;
}

/** The domains that one call adds to the queue: more than a day's budget in a few calls. */
const queuedAtOnce = 20_000;

/**
 * Adds new domains of the catalog to the queue, removes those without a listing, and records which are on sale. Rows that
 * are unchanged are only read.
 */
export async function queueDomainRatings(): Promise<void> {
  const listings = sql`
    select domain, bool_or(status = 'Approved' and public_price_usd_cents is not null and paused_at is null) as is_listed
    from ${sites} where deleted_at is null`;
  await db().transaction(async (tx) => {
    await extendStatementTimeout(tx);
    await tx.execute(sql`
      insert into ${domainRatingChecks} (domain, is_listed, next_check_at)
      select domain, is_listed, 'epoch' from (
        ${listings} and not exists (select from ${domainRatingChecks} queued where queued.domain = sites.domain) group by domain
      ) as added
      order by is_listed desc limit ${queuedAtOnce}
      on conflict do nothing`);
    await tx.execute(sql`
      update ${domainRatingChecks} set is_listed = current.is_listed
      from (${listings} group by domain) as current
      where current.domain = ${domainRatingChecks.domain} and current.is_listed <> ${domainRatingChecks.isListed}`);
    await tx.execute(sql`
      delete from ${domainRatingChecks} where not exists (
        select from ${sites} where ${sites.domain} = ${domainRatingChecks.domain} and ${isNull(sites.deletedAt)})`);
  });
}

type Counts = Record<RatingAnswer['outcome'], number>;

/**
 * Asks Ahrefs for the Domain Rating of the domains that are due: first those on sale, and of these first those that were
 * never asked for, then the oldest. Every domain is taken in a transaction that counts the request, so that several
 * instances keep within the budget; the domain of a process that died is due again after its lease.
 * @returns the number of answers by outcome
 */
export async function refreshDomainRatings(): Promise<Counts> {
  const counts: Counts = { rated: 0, unknown: 0, refused: 0, limited: 0, failed: 0 };
  let isServed = false;
  /** A denied request says that Ahrefs does not know the domain, unless it denies the one about its own as well. */
  const explain = async (answer: RatingAnswer): Promise<RatingAnswer> => {
    if (answer.outcome !== 'failed' || !answer.isDenied) return answer;
    if (isServed) return unknownRating;
    const control = await askAboutAhrefs();
    // Without a request about its own domain, as in a pause that another worker's answer began, nothing is known.
    if (!isServed && !(control && isAnswered(control))) return control ?? answer;
    isServed = true;
    return unknownRating;
  };
  let sent = 0;
  const lease = async () => {
    sent += 1;
    if (sent > requestsPerRun) return null;
    return takeRequest(async (tx) => (await leaseDomain(tx, true)) ?? leaseDomain(tx, false));
  };
  await processLeased({ workers, endsAt: Date.now() + runMs }, lease, async (taken) => {
    const answer = await explain(await askAhrefs(taken.key, taken.domain));
    isServed ||= answer.outcome === 'rated';
    await settle(taken, answer);
    counts[answer.outcome] += 1;
  });
  await recordRatingRun();
  return counts;
}

/** A domain to ask for, with the key in use. */
type TakenDomain = { domain: string; key: string; service: Service };

/** Takes a domain, and counts its request. @returns null if `take` finds none, or no request may be sent now */
async function takeRequest(take: (tx: Transaction) => Promise<string | null>): Promise<TakenDomain | null> {
  const stored = await getApiKey('Ahrefs');
  if (!stored) return null;
  return db().transaction(async (tx) => {
    const used = await lockUse(tx, stored.service);
    const { requestsPerDay } = await readRatingBudget(tx);
    if (used.isRefused || used.isPaused || used.requests >= requestsPerDay) return null;
    const domain = await take(tx);
    if (domain === null) return null;
    await countRequest(tx);
    return { domain, ...stored };
  });
}

/** Leases the domain that is due longest. @returns null if none is due */
async function leaseDomain(tx: Transaction, isListed: boolean): Promise<string | null> {
  const { domain, nextCheckAt } = domainRatingChecks;
  const hasListing = exists(
    db()
      .select({ one: sql`1` })
      .from(sites)
      .where(and(eq(sites.domain, domain), isNull(sites.deletedAt))),
  );
  const where = and(eq(domainRatingChecks.isListed, isListed), hasListing);
  const [leased] = await tx
    .update(domainRatingChecks)
    .set({ nextCheckAt: secondsFromNow(leaseSeconds) })
    .where(isDue({ id: domain, dueAt: nextCheckAt, where, limit: 1 }))
    .returning({ domain });
  return leased?.domain ?? null;
}

/** The former place of a domain in the queue: a refused key and a limit say nothing about it. */
const formerPlace = sql`coalesce(${domainRatingChecks.checkedAt} + make_interval(days => ${refreshDays}), 'epoch')`;

/** Stores an answer, with the rating if there is one. */
async function settle(taken: TakenDomain, answer: RatingAnswer): Promise<void> {
  await db().transaction(async (tx) => {
    const { domain } = taken;
    if (answer.outcome === 'rated') {
      const asOf = new Date().toISOString().slice(0, 10);
      await recordFigures(tx, [{ domain, metric: 'dr', value: answer.value, source: 'ahrefs', asOf }]);
      await refreshSiteFigures(tx, [domain]);
    }
    await tx
      .update(domainRatingChecks)
      .set(
        isAnswered(answer)
          ? {
              checkedAt: sql`now()`,
              nextCheckAt: secondsFromNow(refreshDays * 86_400),
              isUnknown: answer.outcome === 'unknown',
            }
          : { nextCheckAt: answer.outcome === 'failed' ? secondsFromNow(failedSeconds) : formerPlace },
      )
      .where(eq(domainRatingChecks.domain, domain));
    await settleUse(tx, taken.service, answer);
  });
  await recordAnswer(taken.service, { ok: isAnswered(answer), message: answer.message });
}

const ownDomain = 'ahrefs.com';

/** Asks for the rating of Ahrefs' own domain, within the budget. @returns null if no request may be sent now */
async function askAboutAhrefs(): Promise<RatingAnswer | null> {
  const taken = await takeRequest(() => Promise.resolve(ownDomain));
  return taken && askAhrefs(taken.key, taken.domain);
}

/** Asks for the rating of Ahrefs' own domain. An accepted key is used again. */
export async function testAhrefsKey({ key, service: tested }: { key: string; service: Service }) {
  const answer = await askAhrefs(key, ownDomain);
  await db().transaction(async (tx) => {
    await lockUse(tx, tested);
    await settleUse(tx, tested, answer);
  });
  return { ok: isAnswered(answer), message: answer.message };
}
