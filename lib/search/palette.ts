import { z } from 'zod';
import type { Actor } from '@/lib/access/actor';
import { hasPermission } from '@/lib/access/authorize';
import { normalizeSearch } from '@/lib/network/search-words';
import { type AdminOrderRow, adminOrderView, buyerOrderView } from '@/lib/orders/contract';
import { describeOrderStatus, type StatusFacts } from '@/lib/orders/describe-status';
import { listLinkStandings } from '@/lib/orders/link-checks/queries';
import { findOrders } from '@/lib/orders/order/desk-queries';
import { listOrders } from '@/lib/orders/order/queries';
import { listSellerOrders, sellerOrderView } from '@/lib/orders/order/seller-queries';
import { listProjects } from '@/lib/projects/projects';
import { findManagedSites } from '@/lib/sites/managed-queries';
import { listSellerSites } from '@/lib/sites/seller-queries';
import { findTeamAccounts } from '@/lib/users/accounts';
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

/** Searches users, teams, orders and sites, restricted to the kinds that the actor may view. */
export async function searchPalette(actor: Actor, { q }: z.output<typeof paletteInput>): Promise<PaletteHit[]> {
  const found = await Promise.all([
    hasPermission(actor, 'ManageUsers') ? findPeople(q, hasPermission(actor, 'ManageWallets')) : [],
    hasPermission(actor, 'ManageWallets') ? findTeams(q) : [],
    hasPermission(actor, 'ManageOrders') ? findOrderHits(q) : [],
    hasPermission(actor, 'ManageSites') ? findSites(q) : [],
  ]);
  return found.flat();
}

/** Searches the orders and projects of a buyer. */
export async function searchBuyerRecords(actor: Actor, { q }: z.output<typeof paletteInput>): Promise<PaletteHit[]> {
  const [{ rows }, { rows: projects }] = await Promise.all([
    listOrders(actor, { q, limit: maxPerKind, offset: 0 }),
    listProjects(actor, { limit: 1_000, offset: 0 }),
  ]);
  const verdicts = await listLinkStandings(rows.map(({ id }) => id));
  const requested = normalizeSearch(q).toLowerCase();
  const isFound = (text: string) => text.toLowerCase().includes(requested);
  return [
    ...rows.map((order) => ({
      kind: 'order' as const,
      id: String(order.id),
      label: `#${order.id} ${order.website || order.packageName}`,
      detail: describeOrderStatus({ ...buyerOrderView(order), verdict: verdicts.get(order.id) ?? null }, 'buyer').label,
      href: `/user/orders?order=${order.id}`,
    })),
    ...projects
      .filter(({ domain, keywords }) => isFound(domain) || isFound(keywords))
      .slice(0, maxPerKind)
      .map(({ id, domain, keywords }) => ({
        kind: 'project' as const,
        id,
        label: domain,
        detail: keywords,
        href: `/user/projects/${id}`,
      })),
  ];
}

/** Searches the orders and sites of a seller. */
export async function searchSellerRecords(actor: Actor, { q }: z.output<typeof paletteInput>): Promise<PaletteHit[]> {
  const page = { q, limit: maxPerKind, offset: 0 };
  const [orders, sites] = await Promise.all([listSellerOrders(actor, page), listSellerSites(actor.userId, page)]);
  return [
    ...orders.rows.map(sellerOrderView).map((placement) => ({
      kind: 'order' as const,
      id: String(placement.id),
      label: `#${placement.id} ${placement.website}`,
      detail: describeOrderStatus({ status: null, placement, verdict: placement.check?.verdict ?? null }, 'seller')
        .label,
      href: `/seller/orders/${placement.id}`,
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

async function findTeams(q: string): Promise<PaletteHit[]> {
  const teams = await findTeamAccounts(q, maxPerKind);
  return teams.map(({ id, name, email }) => ({
    kind: 'user',
    id,
    label: name,
    detail: `${email} · Team`,
    href: `/dashboard/features/wallet-manager/${id}`,
    act: {
      verb: 'top up',
      label: `Top up ${name}`,
      href: `/dashboard/features/wallet-manager?topup=${id}`,
    },
  }));
}

async function findOrderHits(q: string): Promise<PaletteHit[]> {
  const found = await findOrders(q, maxPerKind);
  const verdicts = await listLinkStandings(found.map(({ id }) => id));
  return found.map((order) => ({
    kind: 'order',
    id: String(order.id),
    label: `#${order.id} ${order.website || order.packageName}`,
    detail: describeOrder(order, verdicts.get(order.id) ?? null),
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

/** Describes an order in one line: "Late · buyer@example.com · Ada Stone". */
function describeOrder(order: AdminOrderRow, verdict: StatusFacts['verdict']): string {
  const { label } = describeOrderStatus({ ...adminOrderView(order), verdict }, 'staff');
  const { userEmail, isFulfilledBySeller, sellerName, sellerEmail } = order;
  return [label, userEmail, isFulfilledBySeller && (sellerName || sellerEmail)].filter(Boolean).join(' · ');
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
