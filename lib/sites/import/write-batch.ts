import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Executor } from '../../../db/client';
import type { SiteDraft } from './site-draft';

const counted = z.tuple([z.object({ written: z.number() })]);

/**
 * Inserts sites of one owner in one statement; one that the owner already lists for that post type, or that stands
 * earlier in the same batch, is left out (decision 16).
 * @returns how many were inserted
 */
export async function writeBatch(tx: Executor, ownerId: string, batch: readonly SiteDraft[]): Promise<number> {
  if (batch.length === 0) return 0;
  const rows = await tx.execute(sql`
    with written as (
      insert into sites (
        owner_id, url, url_key, name, niche, post_type, country, language, follow_type,
        dr, da, authority_score, spam, traffic, keywords_count, ref_domains, words, tat, tat_days,
        seller_price_cents, admin_price_cents, public_price_cents, public_currency, public_price_usd_cents, status
      )
      select ${ownerId}::text, url, url_key, name, niche, post_type, country, language, follow_type,
        dr, da, authority_score, spam, traffic, keywords_count, ref_domains, words, tat, tat_days,
        seller_price_cents, admin_price_cents, public_price_cents, public_currency, public_price_usd_cents, status
      from json_to_recordset(${JSON.stringify(batch)}::text::json) as draft(
        url text, url_key text, name text, niche text, post_type text, country text, language text, follow_type text,
        dr double precision, da double precision, authority_score double precision, spam double precision,
        traffic bigint, keywords_count integer, ref_domains integer, words integer, tat text, tat_days integer,
        seller_price_cents bigint, admin_price_cents bigint, public_price_cents bigint, public_currency text,
        public_price_usd_cents bigint, status text
      )
      on conflict (owner_id, url_key, post_type) where deleted_at is null do nothing
      returning 1
    )
    select count(*)::integer as written from written`);
  return counted.parse([...rows])[0].written;
}
