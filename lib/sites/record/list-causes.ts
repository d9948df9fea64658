import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { isToRepair, linkWatches } from '@/db/schema/links';
import { orders } from '@/db/schema/orders';
import { isLate, placementEvents, placements } from '@/db/schema/placements';

/** What lowers the record of a seller: first what the seller can still change, then what the next orders can do better. */
export const recordCauses = [
  'to answer',
  'overdue',
  'to deliver',
  'to repair',
  'late',
  'lost',
  'expired',
  'declined',
  'disputes',
  'revisions',
] as const;
export type RecordCause = (typeof recordCauses)[number];

/** The newest orders that are read, so that the page of a seller with many orders stays fast. */
const newestOrders = 1_000;
/** The orders that each cause names. */
const namedOrders = 5;

const causeRow = z.object({
  cause: z.enum(recordCauses),
  total: z.int(),
  orders: z.array(z.object({ id: z.int(), website: z.string() })),
});

/** The orders that lower a record: their number, and the newest of them. */
export type CausedBy = z.output<typeof causeRow>;

/** Lists what lowers the record of a seller, from the orders that it counts (lib/sites/record/compute.ts). */
export async function listRecordCauses(sellerId: string): Promise<CausedBy[]> {
  const rows = await db().execute(sql`
    with own as materialized (
      select p.*, o.website, w.is_to_repair, w.is_lost
      from (select * from ${placements} where seller_id = ${sellerId} order by order_id desc limit ${newestOrders}) as p
      join ${orders} o on o.id = p.order_id
      left join lateral (
        select ${isToRepair} as is_to_repair,
          coalesce(end_reason = 'lost' or (ended_at is not null and broken_confirmed_at is not null), false) as is_lost
        from ${linkWatches} where order_id = p.order_id
      ) as w on true
      where o.deleted_at is null and o.site_id is not null and p.state <> 'taken_over'
        and p.answer_role is distinct from 'staff' and not exists (
          select from ${placementEvents} event where event.order_id = p.order_id and event.role = 'staff'
            and (event.action = 'delivered' or event.to_state = 'cancelled'))
        and o.created_at >= ((now() at time zone 'UTC')::date - interval '12 months') at time zone 'UTC'
    )
    select cause, count(*)::int as total,
      to_jsonb((array_agg(jsonb_build_object('id', order_id, 'website', website) order by order_id desc))[1:${sql.raw(String(namedOrders))}]) as orders
    from own cross join lateral (values
      ('to answer', state = 'offered'),
      ('overdue', state in ('accepted', 'in_revision') and delivery_due_at < now()),
      ('to deliver', state in ('accepted', 'in_revision') and delivery_due_at >= now() and delivered_at is null),
      ('to repair', is_to_repair),
      ('late', state not in ('accepted', 'in_revision') and answer = 'accepted'
        and (${isLate(sql`own`)} or state = 'cancelled')),
      ('lost', is_lost),
      ('expired', answer = 'expired'),
      ('declined', answer = 'declined'),
      ('disputes', exists (select from disputes d
        where d.order_id = own.order_id and d.state = 'settled' and d.buyer_percent >= 50)),
      ('revisions', revisions_used > 0)
    ) as causes (cause, applies)
    where applies group by cause`);
  const found = new Map(
    z
      .array(causeRow)
      .parse([...rows])
      .map((row) => [row.cause, row]),
  );
  return recordCauses.flatMap((cause) => found.get(cause) ?? []);
}
