import type { FollowType, SiteStatus } from '../../../db/schema/sites';
import type { Currency } from '../../money';

/** A site read from a row, in the table's own column names; money in minor units of `public_currency`. */
export type SiteDraft = {
  url: string;
  url_key: string;
  name: string;
  niche: string;
  post_type: string;
  country: string;
  language: string;
  follow_type: FollowType;
  dr: number | null;
  da: number | null;
  authority_score: number | null;
  spam: number | null;
  traffic: number | null;
  keywords_count: number | null;
  ref_domains: number | null;
  words: number;
  tat: string;
  tat_days: number;
  seller_price_cents: number | null;
  admin_price_cents: number | null;
  public_price_cents: number | null;
  public_currency: Currency;
  public_price_usd_cents: number | null;
  status: SiteStatus;
};

/** Why a row was skipped. `column` is the header as the file spells it, '' for the row as a whole. */
export type RowProblem = { row: number; column: string; reason: string };
