import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import type { Reading } from '@/db/replicas';
import { payoutMethods } from '@/db/schema/payouts';
import { placements } from '@/db/schema/placements';
import { sites } from '@/db/schema/sites';
import type { Actor } from '@/lib/access/actor';

/** The days whose offers `getOfferFigures` covers. */
export const offerDays = 90;
/** The newest offers of a seller that it reads. */
const newestOffers = 1_000;

const offerRow = z.tuple([
  z.object({
    offers: z.int(),
    accepted: z.int(),
    declined: z.int(),
    expired: z.int(),
    medianSeconds: z.coerce.number().nullable(),
    isCapped: z.boolean().nullable(),
  }),
]);

/** The offers of a seller in the last 90 days, of the newest 1,000 at most. */
export type OfferFigures = Omit<z.output<typeof offerRow>[0], 'isCapped'> & {
  /** Whether the seller had more offers. */
  isCapped: boolean;
};

/**
 * Counts a seller's offers of the last 90 days by what became of them. `accepted` and `declined` are the answers of the
 * seller, and `medianSeconds` is the median time from the offer to them; null without any. Steps of staff are not
 * answers of the seller. Reads the newest 1,000 offers at most.
 */
export async function getOfferFigures(sellerId: string, on: Reading = db()): Promise<OfferFigures> {
  const start = sql`now() - make_interval(days => ${offerDays})`;
  const [figures] = offerRow.parse([
    ...(await on.execute(sql`
      select ${offerColumns},
        (select created_at from ${placements} where seller_id = ${sellerId} order by order_id desc
          limit 1 offset ${newestOffers}) >= ${start} as "isCapped"
      from (
        select created_at, answer, answer_role, answered_at from ${placements} where seller_id = ${sellerId}
        order by order_id desc limit ${newestOffers}
      ) as offers
      where offers.created_at >= ${start}`)),
  ]);
  return { ...figures, isCapped: figures.isCapped ?? false };
}

const countOf = (action: string) =>
  sql`count(*) filter (where offers.answer = ${action} and offers.answer_role = 'seller')::int`;

/** The figures of placements, as `offers`. */
export const offerColumns = sql`count(*)::int as offers, ${countOf('accepted')} as accepted,
  ${countOf('declined')} as declined, count(*) filter (where offers.answer = 'expired')::int as expired,
  extract(epoch from percentile_cont(0.5) within group (order by offers.answered_at - offers.created_at)
    filter (where offers.answer in ('accepted', 'declined') and offers.answer_role = 'seller')) as "medianSeconds"`;

const stepsRow = z.tuple([
  z.object({
    hasSite: z.boolean(),
    hasApprovedSite: z.boolean(),
    hasPayoutMethod: z.boolean(),
    hasAccepted: z.boolean(),
  }),
]);

/** Which first steps a seller has taken. */
export type SellerSteps = z.output<typeof stepsRow>[0] & { hasVerifiedEmail: boolean };

/** The newest sites of a seller among which an approved one is looked for. */
const newestSites = 10_000;

/** Finds which first steps a seller has taken, in one statement that stops at the first row of each. */
export async function getSellerSteps({ userId, status }: Pick<Actor, 'userId' | 'status'>): Promise<SellerSteps> {
  const own = sql`from ${sites} where owner_id = ${userId} and deleted_at is null`;
  const [row] = stepsRow.parse([
    ...(await db().execute(sql`
      select exists (select ${own}) as "hasSite",
        exists (
          select from (select status ${own} order by id desc limit ${newestSites}) as newest where status = 'Approved'
        ) as "hasApprovedSite",
        exists (select from ${payoutMethods} where seller_id = ${userId} and replaced_at is null) as "hasPayoutMethod",
        exists (
          select from ${placements} where seller_id = ${userId} and state in
            ('accepted', 'in_revision', 'delivered', 'disputed', 'approved', 'closed', 'lost', 'settled')
        ) as "hasAccepted"`)),
  ]);
  // Pending is the status before the verification.
  return { ...row, hasVerifiedEmail: status !== 'Pending' };
}
