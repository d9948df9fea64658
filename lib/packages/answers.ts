import { z } from 'zod';
import { currencies } from '../money';

const facts = z.object({
  id: z.int(),
  name: z.string(),
  desc: z.string(),
  price: z.number().describe("Of one, in `currency`'s major units."),
  currency: z.enum(currencies),
});

/** A package as a buyer knows it (spec 001, section 3). */
export const packageAnswer = facts
  .extend({ priceUsd: z.number().describe('What the wallet would pay now for one, in USD.') })
  .meta({ title: 'Package' });

/** A package as staff edit it (spec 000, section 3). */
export const adminPackageAnswer = facts
  .extend({
    links: z.string().describe('CSV text or JSON, as it was written.'),
    isOnSale: z.boolean(),
    version: z.int().describe('What an edit names, so that a stale one is told.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ title: 'AdminPackage' });
