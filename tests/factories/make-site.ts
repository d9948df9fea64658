import { db } from '@/db/client';
import { sites } from '@/db/schema/sites';
import { newId } from '@/lib/ids';

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
    .values({
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
    })
    .returning({ id: sites.id });
  if (!made) throw new Error('The site was not inserted.');
  return made.id;
}
