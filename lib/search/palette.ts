import { z } from 'zod';
import type { Actor } from '../access/actor';
import { hasPermission } from '../access/authorize';
import { findOrders } from '../orders/desk-queries';
import { isLate } from '../orders/placements/states';
import type { AdminOrderRow } from '../orders/views';
import { findManagedSites } from '../sites/managed-queries';
import { readPeople } from '../users/directory-queries';

/** The maximum number of results of each kind. */
const maxPerKind = 5;

export const paletteInput = z.object({ q: z.string().trim().min(2).max(100) });

export type PaletteHit = { kind: 'user' | 'order' | 'site'; id: string; label: string; detail: string; href: string };

/** Searches users, orders and sites, restricted to the kinds that the actor may view. */
export async function searchPalette(actor: Actor, { q }: z.output<typeof paletteInput>): Promise<PaletteHit[]> {
  const found = await Promise.all([
    hasPermission(actor, 'ManageUsers') ? findPeople(q) : [],
    hasPermission(actor, 'ManageOrders') ? findOrderHits(q) : [],
    hasPermission(actor, 'ManageSites') ? findSites(q) : [],
  ]);
  return found.flat();
}

async function findPeople(q: string): Promise<PaletteHit[]> {
  const { rows } = await readPeople({ q, limit: maxPerKind });
  return rows.map(({ id, name, email, role }) => ({
    kind: 'user',
    id,
    label: name || email,
    detail: name ? `${email} · ${role}` : role,
    href: `/dashboard/features/users?user=${id}`,
  }));
}

async function findOrderHits(q: string): Promise<PaletteHit[]> {
  return (await findOrders(q, maxPerKind)).map((order) => ({
    kind: 'order',
    id: String(order.id),
    label: `#${order.id} ${order.website || order.packageName}`,
    detail: describeOrder(order),
    href: `/dashboard/features/orders?order=${order.id}`,
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
