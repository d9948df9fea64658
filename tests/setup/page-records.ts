import type postgres from 'postgres';

/** The queries of a record behind each page with a parameter: $1 is the buyer's id, $2 the seller's. */
const queries: Readonly<Record<string, string>> = {
  '/user/projects/[id]': `select projects.id from projects left join orders on orders.project_id = projects.id
    where projects.account_id = $1 and projects.deleted_at is null group by projects.id order by count(orders.id) desc, projects.id`,
  '/user/orders/[id]': 'select id from orders where account_id = $1 order by id desc',
  '/user/orders/[id]/invoice': 'select id from orders where account_id = $1 order by id desc',
  '/user/requests/[id]': 'select id from order_requests where account_id = $1 order by id desc',
  '/user/wallet/wechat/[id]': `select id from topups where account_id = $1 and provider = 'wechat' order by id desc`,
  '/user/wallet/bank/[reference]':
    'select reference from bank_transfer_requests where account_id = $1 order by id desc',
  '/user/webhooks/[id]': 'select id from webhook_endpoints where owner_id = $1 and not is_installation order by id',
  '/seller/orders/[id]': 'select order_id from placements where seller_id = $2 order by order_id desc',
  '/seller/webhooks/[id]': 'select id from webhook_endpoints where owner_id = $2 and not is_installation order by id',
  '/dashboard/features/webhooks/[id]': 'select id from webhook_endpoints where is_installation order by id',
  '/dashboard/features/users/[id]': 'select id from users where id = $1',
  '/dashboard/features/wallet-manager/[id]': 'select id from accounts where id = $1',
  '/dashboard/features/orders/[id]': 'select order_id from placements where seller_id = $2 order by order_id desc',
};

/** Finds the address of a record for each page with a parameter; pages of which there is no record are left out. */
export async function findRecords(
  sql: postgres.Sql,
  people: { buyerId: string; sellerId: string },
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const [path, query] of Object.entries(queries)) {
    // Each query gets both parameters.
    const [row] = await sql.unsafe(`with people as (select $1::text, $2::text) ${query} limit 1`, [
      people.buyerId,
      people.sellerId,
    ]);
    if (row) found.set(path, path.replace(/\[\w+\]/, String(Object.values(row)[0])));
  }
  return found;
}
