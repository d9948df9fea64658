'use client';

import Link from 'next/link';
import { ChargedAmount } from '@/components/orders/charged-amount';
import { formatUrl } from '@/components/orders/format-url';
import { OrderStatusBadge } from '@/components/orders/order-status-badge';
import { TimeAgo } from '@/components/ui/time-ago';
import { type OrderListItem, type PackedOrder, unpackOrder } from './order-list-item';
import styles from './orders-table.module.css';

const headers = ['Order', 'Buyer', 'Website or package', 'Project', 'Charged', 'Status', 'Delivery'];

type OrdersTableProps = {
  rows: readonly PackedOrder[];
  /** The URL that opens an order's dialog, without the id at its end. */
  editPrefix: string;
  /** The id of the open order, as received in the URL. */
  openId: string;
};

/**
 * The order desk's table, which is a list of cards on phones. It is a client component because rows sent as data are a
 * third of the size of rendered elements.
 */
export function OrdersTable({ rows, editPrefix, openId }: OrdersTableProps) {
  return (
    <div className={styles.frame}>
      <table className={`data-table ${styles.table}`}>
        <caption className="sr-only">Orders</caption>
        <thead>
          <tr>
            {headers.map((header) => (
              <th key={header} scope="col">
                {header}
              </th>
            ))}
            <th scope="col">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((packed) => {
            const order = unpackOrder(packed);
            const { id } = order;
            return (
              <tr key={id} data-selected={String(id) === openId ? '' : undefined}>
                <Cells order={order} />
                <td>
                  <Link
                    prefetch={false}
                    href={editPrefix + id}
                    scroll={false}
                    aria-label={`View / Edit order #${id}`}
                    className="btn btn-sm"
                  >
                    View / Edit
                  </Link>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Cells({ order }: { order: OrderListItem }) {
  const { id, createdAt, userName, userEmail, website, postType, packageName, quantity } = order;
  return (
    <>
      <td>
        <b>#{id}</b>
        <small>
          <TimeAgo at={createdAt} />
        </small>
      </td>
      <td>
        <b>{userName || userEmail}</b>
        {userName ? <small>{userEmail}</small> : null}
      </td>
      <td>
        <b>{website ? formatUrl(website) : packageName}</b>
        <small>{website ? postType : quantity === 1 ? 'Package' : `Package × ${quantity}`}</small>
      </td>
      <td>
        <span>{order.projectDomain}</span>
      </td>
      <td>
        <ChargedAmount order={order} />
      </td>
      <td>
        <OrderStatusBadge status={order.status} />
      </td>
      <td>
        <Delivery {...order} />
      </td>
    </>
  );
}

function Delivery({ linkUrl, contentFileName }: Pick<OrderListItem, 'linkUrl' | 'contentFileName'>) {
  if (!linkUrl && contentFileName === null) return <i>Nothing yet</i>;
  return (
    <>
      {linkUrl ? (
        <a href={linkUrl} target="_blank" rel="noopener noreferrer" title={linkUrl}>
          <span>{formatUrl(linkUrl)}</span>
          <span className="sr-only">(opens in a new tab)</span>
        </a>
      ) : null}
      {contentFileName === null ? null : <small title={contentFileName}>{contentFileName}</small>}
    </>
  );
}
