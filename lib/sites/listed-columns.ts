import { sites } from '../../db/schema/sites';

/** What a buyer may read; the seller's price, the margin price and the owner do not leave the database. */
export const listedColumns = {
  id: sites.id,
  name: sites.name,
  url: sites.url,
  niche: sites.niche,
  postType: sites.postType,
  country: sites.country,
  language: sites.language,
  followType: sites.followType,
  dr: sites.dr,
  da: sites.da,
  authorityScore: sites.authorityScore,
  spam: sites.spam,
  traffic: sites.traffic,
  keywordsCount: sites.keywordsCount,
  refDomains: sites.refDomains,
  words: sites.words,
  tat: sites.tat,
  tatDays: sites.tatDays,
  publicPriceCents: sites.publicPriceCents,
  publicCurrency: sites.publicCurrency,
  publicPriceUsdCents: sites.publicPriceUsdCents,
  status: sites.status,
};
