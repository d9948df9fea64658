import { sql } from 'drizzle-orm';
import { asJsonRows } from '../../db/as-json-rows';
import { prepared } from '../../db/prepared';
import type { checkouts, orders } from '../../db/schema/orders';
import type { auditLines } from '../audit/lines';
import type { ComposedMail } from '../mail/compose';
import { asTransferRecords, ledgerError, type Transfer } from '../wallet/post-transfer';

export type Placement = {
  checkout: typeof checkouts.$inferInsert;
  /** Whole rows, numbered by `takeOrderNumbers`. */
  orders: readonly (typeof orders.$inferSelect)[];
  audit: ReturnType<typeof auditLines>;
  mails: readonly ComposedMail[];
  transfers: readonly Transfer[];
};

/**
 * Writes orders and what goes with them, and takes their price from the wallet: all or nothing, in one call of the
 * database's `place_orders` (db/migrations/0029_orders-by-column.sql), which posts the transfers last.
 * @returns false when the buyer used the idempotency key before: nothing was written
 * @throws AppError insufficient_funds when the wallet holds less
 */
export async function placeOrders({ checkout, orders, audit, mails, transfers }: Placement): Promise<boolean> {
  const [row] = await place()
    .execute({
      checkout: asJsonRows([checkout]),
      orders: asJsonRows(orders),
      audit: asJsonRows(audit),
      mails: asJsonRows(mails),
      transfers: asTransferRecords(transfers),
    })
    .catch((thrown: unknown) => {
      throw ledgerError(thrown);
    });
  return row?.isPlaced === true;
}

/** The next order numbers and the database's time. A number that is not used stays unused. */
export async function takeOrderNumbers(count: number): Promise<{ id: number; at: Date }[]> {
  const rows = await number().execute({ count });
  return rows.map(({ id, at }) => ({ id, at: new Date(at) }));
}

const json = (name: string) => sql`${sql.placeholder(name)}::text::jsonb`;

const place = prepared((on) =>
  on
    .select({ isPlaced: sql<boolean>`is_placed` })
    .from(
      sql`public.place_orders(${json('checkout')} -> 0, ${json('orders')}, ${json('audit')}, ${json('mails')},
        ${json('transfers')}) as is_placed`,
    )
    .prepare('place_orders'),
);

const number = prepared((on) =>
  on
    .select({
      id: sql<number>`nextval(pg_get_serial_sequence('public.orders', 'id'))::int`,
      at: sql<number>`(extract(epoch from now()) * 1000)::float`,
    })
    .from(sql`generate_series(1, ${sql.placeholder('count')}::int)`)
    .prepare('order_numbers'),
);
