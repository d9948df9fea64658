import { z } from 'zod';
import { figureMetrics, figureSources, ownershipStates, rejectionReasons } from '@/db/enums';
import { ownershipMethods } from '@/db/schema/ownership-proofs';
import { linkedToProject } from '@/db/schema/project-domains';
import { followTypes, siteStatuses } from '@/db/schema/sites';
import { currencies } from '@/lib/money';

const figure = z.number().nullable();

const sourceName = z.enum(figureSources).nullable();

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
  priceUsd: figure.describe('The current price from the wallet, in USD; null while the site has no public price.'),
  figureSources: z
    .object({
      dr: sourceName,
      da: sourceName,
      as: sourceName,
      traffic: sourceName,
      keywords: sourceName,
      ref_domains: sourceName,
      spam: sourceName,
    })
    .describe('The source of each figure; null for an unknown figure.'),
  ownership: z
    .enum(ownershipStates)
    .nullable()
    .describe('`owner` if the seller proved the domain, `contributor` if only another seller did.'),
});

const rejection = {
  rejectionReason: z.enum(rejectionReasons).optional().describe('Why the site is rejected.'),
  rejectionNote: z.string().optional().describe('What staff wrote to the seller about the rejection.'),
};

const details = {
  samplePosts: z.array(z.string()).optional().describe('URLs of posts on the site. Omitted if there are none.'),
  rules: z.string().optional().describe('What the site accepts, for buyers. Omitted if it is empty.'),
};

/** Whether a site links to a project: it does, it did, or a link is ordered. */
export const linkedResponse = z.enum(linkedToProject).nullable();
export type Linked = z.output<typeof linkedResponse>;
const linkedField = linkedResponse
  .optional()
  .describe('Whether the site links to the project of `projectId`; omitted without that parameter.');

/** A site as buyers see it. */
export const publicSiteResponse = facts
  .extend({
    follow: z.boolean(),
    price: figure.describe("The public price, in `currency`'s major units."),
    currency: z.enum(currencies),
    linked: linkedField,
  })
  .meta({ title: 'Site' });

/** A figure of a domain, as an API returns it. */
const figureResponse = z.object({
  metric: z.enum(figureMetrics),
  value: z.number(),
  source: z.enum(figureSources),
  asOf: z.iso.date().describe('The day of the measurement, or of the entry.'),
});
export type Figure = z.output<typeof figureResponse>;

const share = z.number().min(0).max(1);
const alive = z.object({ share, links: z.int() }).nullable();

/** How orders were fulfilled in the last 12 months, as an API returns it. */
export const recordResponse = z.object({
  orders: z.int(),
  acceptedInTime: share,
  deliveredInTime: share,
  medianDays: z.number().nullable().describe('The median of the days from acceptance to delivery.'),
  revisionsPerOrder: z.number(),
  disputesLost: z.int(),
  alive: z
    .object({ '30': alive, '90': alive, '365': alive })
    .describe('The share of links that are live after so many days; null below five links.'),
});
export type FulfilmentRecord = z.output<typeof recordResponse>;

/** What a site's response has in detail. */
const siteFacts = {
  figures: z.array(figureResponse).describe('The best known figure of each metric; none for an unknown one.'),
  record: recordResponse.nullable().describe('The record of this listing; null below five orders.'),
};

/** A site as buyers see it in detail. */
export const siteDetailResponse = publicSiteResponse.extend(siteFacts).meta({ title: 'SiteDetail' });

/** Whether the seller takes no orders for a site at present. */
const pause = {
  isPaused: z
    .literal(true)
    .optional()
    .describe('Present while the seller takes no orders: buyers do not find the site.'),
  pausedUntil: z.iso.datetime().optional().describe('When a paused site is for sale again by itself.'),
};

/** A site as administrators edit it. */
export const adminSiteResponse = facts
  .extend({
    price: figure.describe("The seller's price, in `publicCurrency`'s major units, like the other two."),
    adminPrice: figure,
    publicPrice: figure,
    publicCurrency: z.enum(currencies),
    userId: z.string().describe('The owner.'),
    userName: z.string(),
    linked: linkedField,
    ...details,
    ...rejection,
    isFulfilledByStaff: z
      .literal(true)
      .optional()
      .describe('Present if staff fulfill the orders instead of the owner.'),
    ...pause,
    version: z.int().describe('The version to send with an update, so that concurrent changes are detected.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ title: 'AdminSite' });

/** A site as administrators edit it, in detail. */
export const adminSiteDetailResponse = adminSiteResponse.extend(siteFacts).meta({ title: 'AdminSiteDetail' });

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
    figureSources: true,
    ownership: true,
  })
  .extend({
    currency: z.enum(currencies),
    price: figure.describe("The seller's price, in `currency`'s major units."),
    ...details,
    ...rejection,
    ownershipMethod: z
      .enum(ownershipMethods)
      .nullable()
      .describe('How the seller proved the domain; null while it is not proved.'),
    isAwaitingPrice: z
      .literal(true)
      .optional()
      .describe('Present if the site is approved, and not on sale because its public price is not set yet.'),
    ...pause,
  })
  .meta({ title: 'SellerSite' });

/** GET /api/seller/sites/stats. */
export const sellerStatsResponse = z.object({
  approved: z.int(),
  pending: z.int(),
  rejected: z.int(),
  avgPrice: z.number().describe("The average seller's price of approved sites, in USD."),
  paused: z.int().optional().describe('Of the approved sites, those that the seller paused; omitted for none.'),
  isCapped: z.literal(true).optional().describe('Present if the figures are of the newest 10,000 sites only.'),
});
