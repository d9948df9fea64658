import { db } from '@/db/client';
import { listingMetrics } from '@/db/enums';
import { sites } from '@/db/schema/sites';
import { newId } from '@/lib/ids';
import { getSiteDomain } from '@/lib/network/registrable-domain';
import { recordFigures } from '@/lib/sites/domain-figures/record';
import { sourceFigures, splitFigures, toFigureRows } from '@/lib/sites/domain-figures/typed-figures';

/** Sources of all figures, as JSON, for sites that a test inserts by SQL. */
export const typedSources = JSON.stringify(
  Object.fromEntries(listingMetrics.map((metric) => [metric, { source: 'seller', asOf: '2026-01-01' }])),
);

type SiteValues = Omit<typeof sites.$inferInsert, 'domain'>;

/** Adds the domain of a site's URL and the sources of its figures, which its seller typed today. */
export const withFacts = <Values extends SiteValues>(values: Values) => ({
  ...values,
  domain: getSiteDomain(values.url),
  figureSources: values.figureSources ?? sourceFigures(values, 'seller'),
});

/**
 * Creates an approved site of a seller at a price in USD cents. Staff fulfill its orders, unless `isFulfilledByStaff` is
 * false. @returns its id
 */
export async function makeSite(
  ownerId: string,
  priceCents: number,
  values: Partial<typeof sites.$inferInsert> = {},
): Promise<number> {
  const host = `${newId()}.example.com`;
  const [made] = await db()
    .insert(sites)
    .values(
      withFacts({
        ownerId,
        name: host,
        url: `https://${host}`,
        urlKey: host,
        status: 'Approved',
        sellerPriceCents: Math.floor(priceCents / 2),
        adminPriceCents: priceCents,
        publicPriceCents: priceCents,
        publicPriceUsdCents: priceCents,
        isFulfilledByStaff: true,
        ...values,
      }),
    )
    .returning();
  if (!made) throw new Error('The site was not inserted.');
  await recordFigures(db(), toFigureRows(made, splitFigures(made).figures, 'seller'));
  return made.id;
}
