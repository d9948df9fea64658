import { z } from 'zod';
import { followTypes, siteStatuses } from '../../db/schema/sites';
import { currencies } from '../money';

const figure = z.number().nullable();

const facts = z.object({
  id: z.int(),
  name: z.string(),
  url: z.string(),
  niche: z.string(),
  postType: z.string(),
  country: z.string(),
  language: z.string(),
  followType: z.enum(followTypes),
  dr: figure,
  da: figure,
  as: figure.describe('Authority score.'),
  spam: figure,
  traffic: figure,
  keywords: figure,
  keywords_count: figure,
  ref_domains: figure,
  words: z.int(),
  tat: z.string(),
  tat_days: z.int(),
  status: z.enum(siteStatuses),
  priceUsd: figure.describe('What the wallet would pay now, in USD; null while the site has no public price.'),
});

/** A site as buyers see it. */
export const publicSiteResponse = facts
  .extend({
    follow: z.boolean(),
    price: figure.describe("The public price, in `currency`'s major units."),
    currency: z.enum(currencies),
  })
  .meta({ title: 'Site' });

/** A site as administrators edit it. */
export const adminSiteResponse = facts
  .extend({
    price: figure.describe("The seller's, in `publicCurrency`'s major units, as the two others."),
    adminPrice: figure,
    publicPrice: figure,
    publicCurrency: z.enum(currencies),
    userId: z.string().describe('The owner.'),
    userName: z.string(),
    version: z.int().describe('What an edit names, so that a stale one is told.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ title: 'AdminSite' });

/** A site as its seller sees it. */
export const sellerSiteResponse = facts
  .pick({
    id: true,
    name: true,
    url: true,
    niche: true,
    postType: true,
    country: true,
    language: true,
    followType: true,
    dr: true,
    da: true,
    traffic: true,
    spam: true,
    tat: true,
    status: true,
  })
  .extend({
    currency: z.enum(currencies),
    price: figure.describe("What the seller asks, in `currency`'s major units."),
  })
  .meta({ title: 'SellerSite' });

/** GET /api/seller/sites/stats. */
export const sellerStatsResponse = z.object({
  approved: z.int(),
  pending: z.int(),
  rejected: z.int(),
  avgPrice: z.number().describe('What the seller asks on approved sites, on average, in USD.'),
});
