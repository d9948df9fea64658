import { z } from 'zod';
import type { Actor } from '@/lib/access/actor';
import { hasPermission } from '@/lib/access/authorize';
import { normalizeSearch } from '@/lib/network/search-words';
import { type AdminOrderRow, formatState, isLate, toBuyerStatus } from '@/lib/orders/contract';
import { findOrders } from '@/lib/orders/order/desk-queries';
import { listOrders } from '@/lib/orders/order/queries';
import { listSellerOrders } from '@/lib/orders/order/seller-queries';
import { listProjectChoices } from '@/lib/projects/projects';
import { findManagedSites } from '@/lib/sites/managed-queries';
import { listSellerSites } from '@/lib/sites/seller-queries';
import { getPeople } from '@/lib/users/queries';

/** The maximum number of results of each kind. */
const maxPerKind = 5;

export const paletteInput = z.object({ q: z.string().trim().min(2).max(2_048) });

export type PaletteHit = {
  kind: 'user' | 'order' | 'site' | 'project';
  id: string;
  label: string;
  detail: string;
  href: string;
  /** What the user may do with the record. The address opens its form. */
  act?: { verb: 'top up' | 'refund'; label: string; href: string };
};

/** Searches users, orders and sites, restricted to the kinds that the actor may view. */
export async function searchPalette(actor: Actor, { q }: z.output<typeof paletteInput>): Promise<PaletteHit[]> {
  const found = await Promise.all([
    hasPermission(actor, 'ManageUsers') ? findPeople(q, hasPermission(actor, 'ManageWallets')) : [],
    hasPermission(actor, 'ManageOrders') ? findOrderHits(q) : [],
    hasPermission(actor, 'ManageSites') ? findSites(q) : [],
  ]);
  return found.flat();
}

/** Searches the orders and projects of a buyer. */
export async function searchBuyerRecords(actor: Actor, { q }: z.output<typeof paletteInput>): Promise<PaletteHit[]> {
  const [{ rows }, projects] = await Promise.all([
    listOrders(actor, { q, limit: maxPerKind, offset: 0 }),
    listProjectChoices(actor),
  ]);
  const requested = normalizeSearch(q).toLowerCase();
  const isFound = (text: string) => text.toLowerCase().includes(requested);
  return [
    ...rows.map(({ id, website, packageName, status }) => ({
      kind: 'order' as const,
      id: String(id),
      label: `#${id} ${website || packageName}`,
      detail: toBuyerStatus(status),
      href: `/user/orders?order=${id}`,
    })),
    ...projects
      .filter(({ domain, keyword }) => isFound(domain) || isFound(keyword))
      .slice(0, maxPerKind)
      .map(({ id, domain, keyword }) => ({
        kind: 'project' as const,
        id,
        label: domain,
        detail: keyword,
        href: `/user/projects/${id}`,
      })),
  ];
}

/** Searches the orders and sites of a seller. */
export async function searchSellerRecords(actor: Actor, { q }: z.output<typeof paletteInput>): Promise<PaletteHit[]> {
  const page = { q, limit: maxPerKind, offset: 0 };
  const [orders, sites] = await Promise.all([listSellerOrders(actor, page), listSellerSites(actor.userId, page)]);
  return [
    ...orders.rows.map(({ id, website, placement }) => ({
      kind: 'order' as const,
      id: String(id),
      label: `#${id} ${website}`,
      detail: formatState(placement.state),
      href: `/seller/orders/${id}`,
    })),
    ...sites.rows.map(({ id, name, url, status }) => ({
      kind: 'site' as const,
      id: String(id),
      label: name,
      detail: `${status} · ${url}`,
      href: `/seller/my-sites?site=${id}`,
    })),
  ];
}

async function findPeople(q: string, mayTopUp: boolean): Promise<PaletteHit[]> {
  const { rows } = await getPeople({ q, limit: maxPerKind });
  return rows.map(({ id, name, email, role }) => ({
    kind: 'user',
    id,
    label: name || email,
    detail: name ? `${email} · ${role}` : role,
    href: `/dashboard/features/users?user=${id}`,
    ...(mayTopUp && {
      act: {
        verb: 'top up' as const,
        label: `Top up ${name || email}`,
        href: `/dashboard/features/wallet-manager?topup=${id}`,
      },
    }),
  }));
}

async function findOrderHits(q: string): Promise<PaletteHit[]> {
  return (await findOrders(q, maxPerKind)).map((order) => ({
    kind: 'order',
    id: String(order.id),
    label: `#${order.id} ${order.website || order.packageName}`,
    detail: describeOrder(order),
    href: `/dashboard/features/orders?order=${order.id}`,
    ...(order.status !== 'Refunded' && {
      act: {
        verb: 'refund' as const,
        label: `Refund #${order.id}`,
        href: `/dashboard/features/orders?order=${order.id}&refund=1`,
      },
    }),
  }));
}

/** Describes an order in one line: "Processing, late · buyer@example.com · Ada Stone". */
function describeOrder(order: AdminOrderRow): string {
  const { placement, status, userEmail, isFulfilledBySeller, sellerName, sellerEmail } = order;
  const isOverdue = placement !== null && isLate(placement, new Date());
  const mark = isOverdue ? 'late' : placement?.state === 'disputed' ? 'disputed' : '';
  const seller = isFulfilledBySeller ? sellerName || sellerEmail : '';
  return [mark ? `${status}, ${mark}` : status, userEmail, seller].filter(Boolean).join(' · ');
}

async function findSites(q: string): Promise<PaletteHit[]> {
  return (await findManagedSites(q, maxPerKind)).map(({ id, name, url, status }) => ({
    kind: 'site',
    id: String(id),
    label: name,
    detail: `${status} · ${url}`,
    href: `/dashboard/features/guest-posts?site=${id}`,
  }));
}
