import type { AdminOrderView } from '@/lib/orders/views';

/** The fields of an order that the table displays. */
export type OrderListItem = Pick<
  AdminOrderView,
  | 'id'
  | 'createdAt'
  | 'status'
  | 'userName'
  | 'userEmail'
  | 'website'
  | 'postType'
  | 'packageName'
  | 'quantity'
  | 'projectDomain'
  | 'chargedCents'
  | 'price'
  | 'currency'
  | 'linkUrl'
  | 'contentFileName'
>;

/** A row as sent to the browser: a tuple, because repeated property names enlarge the payload of a hundred rows. */
export type PackedOrder = readonly [
  id: number,
  createdAt: string,
  status: OrderListItem['status'],
  userName: string,
  userEmail: string,
  website: string,
  postType: string,
  packageName: string,
  quantity: number,
  projectDomain: string,
  chargedCents: number,
  linkUrl: string,
  contentFileName: string | null,
  /** Present only if the price is not in the wallet's currency. */
  price?: number,
  currency?: OrderListItem['currency'],
];

export function packOrder(order: OrderListItem): PackedOrder {
  const packed = [
    order.id,
    order.createdAt,
    order.status,
    order.userName,
    order.userEmail,
    order.website,
    order.website ? order.postType : '',
    order.packageName,
    order.quantity,
    order.projectDomain,
    order.chargedCents,
    order.linkUrl,
    order.contentFileName,
  ] as const;
  return order.currency === 'USD' ? packed : [...packed, order.price, order.currency];
}

export function unpackOrder(packed: PackedOrder): OrderListItem {
  const [id, createdAt, status, userName, userEmail, website, postType, packageName, quantity, ...rest] = packed;
  const [projectDomain, chargedCents, linkUrl, contentFileName, price = chargedCents / 100, currency = 'USD'] = rest;
  const item = { website, postType, packageName, quantity, projectDomain };
  return {
    id,
    createdAt,
    status,
    userName,
    userEmail,
    ...item,
    chargedCents,
    linkUrl,
    contentFileName,
    price,
    currency,
  };
}
