import { and, desc, eq, isNull, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { prepared } from '../../db/prepared';
import { accounts } from '../../db/schema/ledger';
import { checkouts } from '../../db/schema/orders';
import { packages } from '../../db/schema/packages';
import { projects } from '../../db/schema/projects';
import { exchangeRates, settings } from '../../db/schema/settings';
import { sites } from '../../db/schema/sites';
import { flagKey } from '../flags/flags';
import { selectStaffReaders } from '../mail/readers';
import { currencies, rateCurrencies, walletCurrency } from '../money';
import { isOffered } from '../packages/queries';
import { isListed } from '../sites/listed';
import type { CreateOrderInput } from './schemas';

const offer = z.object({
  /** What the buyer ordered with this Idempotency-Key before. */
  known: z.object({ requestHash: z.string(), answer: z.unknown() }).nullable(),
  project: z.object({ id: z.string(), domain: z.string(), targetUrl: z.string(), keywords: z.string() }).nullable(),
  /** An admin turned off what is ordered. */
  isTurnedOff: z.boolean(),
  /** Millionths of a USD for one unit (decision 8). */
  rates: z.partialRecord(z.enum(rateCurrencies), z.number()),
  /** Those that are listed. Prices in minor units of `currency`. */
  sites: z.array(
    z.object({
      id: z.number(),
      url: z.string(),
      postType: z.string(),
      priceCents: z.number().nullable(),
      currency: z.enum(currencies),
    }),
  ),
  /** For one. */
  package: z
    .object({
      id: z.number(),
      name: z.string(),
      description: z.string(),
      priceCents: z.number(),
      currency: z.enum(currencies),
    })
    .nullable(),
  /** USD cents. */
  balanceCents: z.number(),
  /** Addresses of those who work on orders and want mail about new ones. */
  staff: z.array(z.string()),
});

/** What an order is decided by, as it is in the database at one moment. */
export type Offer = z.output<typeof offer>;

/** Everything that decides an order, by one prepared statement: of several round trips each would cost as much. */
export async function readOffer(
  buyerId: string,
  input: CreateOrderInput,
  idempotencyKey: string | null = null,
): Promise<Offer> {
  const [row] = await statement().execute({
    buyerId,
    idempotencyKey,
    projectId: input.projectId,
    flag: flagKey(input.kind === 'package' ? 'packages' : 'marketplace'),
    packageId: input.kind === 'package' ? input.packageId : null,
    siteIds: input.kind === 'package' ? '' : input.siteIds.join(),
  });
  return offer.parse(row?.offer);
}

const statement = prepared((on) => {
  const asked = (name: string): Placeholder => sql.placeholder(name);
  const known = sql`select json_build_object('requestHash', ${checkouts.requestHash}, 'answer', ${checkouts.answer})
    from ${checkouts}
    where ${and(eq(checkouts.userId, asked('buyerId')), eq(checkouts.idempotencyKey, asked('idempotencyKey')))}`;
  const project = sql`select json_build_object('id', ${projects.id}, 'domain', ${projects.domain},
      'targetUrl', ${projects.targetUrl}, 'keywords', ${projects.keywords})
    from ${projects}
    where ${and(eq(projects.id, asked('projectId')), eq(projects.userId, asked('buyerId')), isNull(projects.deletedAt))}`;
  const turnedOff = sql`select from ${settings}
    where ${settings.key} = ${asked('flag')} and ${settings.value} = 'false'::jsonb`;
  const rates = on
    .selectDistinctOn([exchangeRates.currency], {
      currency: exchangeRates.currency,
      rate: sql`${exchangeRates.usdMicrosPerUnit}`.as('rate'),
    })
    .from(exchangeRates)
    .orderBy(exchangeRates.currency, desc(exchangeRates.effectiveAt), desc(exchangeRates.id));
  const listed = sql`select json_agg(json_build_object('id', ${sites.id}, 'url', ${sites.url}, 'postType', ${sites.postType},
      'priceCents', ${sites.publicPriceCents}, 'currency', ${sites.publicCurrency}))
    from ${sites}
    where ${sites.id} = any(string_to_array(${asked('siteIds')}, ',')::int[]) and ${isListed}`;
  const offered = sql`select json_build_object('id', ${packages.id}, 'name', ${packages.name},
      'description', ${packages.description}, 'priceCents', ${packages.priceCents}, 'currency', ${packages.currency})
    from ${packages}
    where ${packages.id} = ${asked('packageId')}::int and ${isOffered}`;
  const balance = sql`select ${accounts.balanceCents} from ${accounts}
    where ${accounts.kind} = 'wallet' and ${accounts.owner} = ${asked('buyerId')} and ${accounts.currency} = ${walletCurrency}`;
  const staff = selectStaffReaders(on, 'ManageOrders', 'new-order', asked('buyerId'));
  const everything: SQL = sql`json_build_object(
    'known', (${known}),
    'project', (${project}),
    'isTurnedOff', exists (${turnedOff}),
    'rates', (select coalesce(json_object_agg(currency, rate), '{}') from ${rates} as in_force),
    'sites', coalesce((${listed}), '[]'),
    'package', (${offered}),
    'balanceCents', coalesce((${balance}), 0),
    'staff', array(${staff}))`;
  // Within another piece of SQL, so that Drizzle leaves the columns their tables' names.
  return on
    .select({ offer: sql`${everything}`.as('offer') })
    .from(sql`(select) as one`)
    .prepare('offer');
});
