import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { projectRoot } from '@/scripts/process/root';
import { type Installation, type MeasuredRequest, type Person, streamedLists } from './scale-measure';

const far = (table: string) => [`rows=25&page=2000&cursor=next.{${table}Middle}`, 'rows=25&page=-1&cursor=last'];

/** Filters, searches and far pages of lists. Each list is also requested without parameters. */
const lists: readonly MeasuredRequest[] = [
  ...list('admin', '/dashboard/features/orders', {
    filters: [
      ...[
        'status=Pending',
        'status=Processing',
        'status=Refunded',
        'userId={buyerId}',
        'userId={ordinaryBuyerId}',
        'order={orderId}',
      ],
      ...['fulfilledBy=staff', 'fulfilledBy=seller', 'fulfilledBy={sellerId}', 'state=offered', 'state=delivered'],
      ...['due=today', 'due=week', 'mark=late', 'mark=disputed', 'mark=contact', 'fulfilledBy={sellerId}&mark=late'],
    ],
    slower: ['q=garden', 'q=nosuchword', 'q=person7%20', 'q=%23{orderId}', ...far('order')],
  }),
  ...list('admin', '/dashboard/features/wallet-manager?tab=transactions', {
    filters: ['userId={ordinaryBuyerId}', 'userId={buyerId}'],
    slower: ['q=order', 'q=nosuchword', 'q=Stone', ...far('transfer')],
  }),
  ...list('admin', '/dashboard/features/wallet-manager?tab=users', {
    filters: ['sort=balance&order=desc'],
    slower: ['q=Stone', 'rows=25&page=300'],
  }),
  ...list('admin', '/dashboard/features/wallet-manager?tab=review'),
  ...list('admin', '/dashboard/features/wallet-manager?tab=books'),
  ...list('admin', '/dashboard/features/audit-logs', {
    filters: ['action=order.created', 'entity=site', 'user={buyerId}', 'source=web', 'from=2026-01-01&to=2026-01-31'],
    slower: ['q=order', 'q=nosuchword', ...far('audit')],
  }),
  ...list('admin', '/dashboard/features/users', {
    filters: ['sort=seen&order=desc', 'sort=joined&order=desc', 'sort=role', 'role=Seller', 'status=Suspended'],
    slower: ['q=Stone', 'q=nosuchword', 'rows=25&page=300'],
  }),
  ...list('admin', '/dashboard/features/guest-posts', {
    filters: ['status=Pending', 'country=Denmark', 'sort=name', 'sort=price&order=desc'],
    slower: ['q=garden', 'q=nosuchword', 'rows=25&page=300'],
  }),
  ...list('large buyer', '/user/orders', {
    filters: ['status=Live', 'project={projectId}', 'waiting=1'],
    slower: ['q=garden', ...far('order')],
  }),
  ...list('large buyer', '/user/wallet', { slower: ['q=order', ...far('transfer')] }),
  ...list('large buyer', '/user/projects/{projectId}'),
  ...list('large seller', '/seller/my-sites', {
    filters: ['status=Pending', 'sort=name'],
    slower: ['q=garden', 'rows=25&page=300'],
  }),
  ...list('large seller', '/seller/orders', {
    filters: ['tab=publish', 'tab=review', 'tab=guarantee', 'tab=closed'],
    slower: ['tab=closed&q=garden', 'tab=closed&q=nosuchword', 'tab=closed&rows=25&page=-1&cursor=last'],
  }),
  ...list('large seller', '/seller/earnings'),
  ...list('large seller', '/api/seller/orders?limit=25', { filters: ['state=offered', 'state=closed'] }),
  ...list('admin', '/dashboard/features/disputes', {
    filters: ['state=open', 'state=ended', 'sort=amount', 'reason=other', 'openedBy=buyer', 'openedBy=seller'],
  }),
  // A room with 500 messages.
  ...list('admin', '/dashboard/features/orders/{roomId}'),
  ...list('admin', '/api/admin/orders/{roomId}/messages'),
  ...list('admin', '/api/admin/orders?limit=25', {
    filters: ['status=Pending'],
    slower: ['q=garden', 'offset=9000', 'cursor=last'],
  }),
  ...list('admin', '/api/admin/wallet/transactions?limit=25', {
    filters: ['userId={ordinaryBuyerId}', 'userId={buyerId}'],
    slower: ['q=nosuchword', 'offset=9000', 'cursor=last'],
  }),
  ...list('large buyer', '/api/wallet/transactions?limit=5', { slower: ['offset=9000'] }),
  ...list('large seller', '/api/seller/sites?limit=25'),
  ...list('admin', '/api/users?limit=25'),
  ...list('large buyer', '/api/orders?limit=25'),
];

function list(
  person: Person,
  path: string,
  { filters = [], slower = [] }: { filters?: string[]; slower?: string[] } = {},
): MeasuredRequest[] {
  const to = (parameters: string, maxRatio: MeasuredRequest['maxRatio']): MeasuredRequest => ({
    person,
    path: parameters === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${parameters}`,
    maxRatio,
  });
  return [to('', 1.5), ...filters.map((one) => to(one, 1.5)), ...slower.map((one) => to(one, 3))];
}

const document = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });

/**
 * Lists what is measured: the lists above, every page, and every GET endpoint of the OpenAPI document that has no
 * parameter in its path and is not streamed.
 */
export async function listRequests({ app, cookies }: Installation): Promise<MeasuredRequest[]> {
  const pages = readdirSync(join(projectRoot, 'app'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('/page.tsx') && !file.includes('['))
    .map((file) => `/${file}`.replace(/\/\([^/]+\)/g, '').replace(/\/page\.tsx$/, ''));
  const response = await fetch(`${app.origin}/api/openapi.json`, { headers: { cookie: cookies.admin } });
  const { paths } = document.parse(await response.json());
  const endpoints = Object.entries(paths).flatMap(([path, methods]) =>
    'get' in methods && !path.includes('{') ? [path] : [],
  );
  const isStreamed = (person: Person, path: string) =>
    streamedLists.some((one) => one.path === path && one.person.replace('large ', '') === person.replace('large ', ''));
  const all = [...pages, ...endpoints]
    .filter((path) => path !== '')
    .sort()
    .flatMap((path) => peopleOf(path).map((person) => ({ person, path, maxRatio: 1.5 as const })))
    .filter(({ person, path }) => !isStreamed(person, path));
  const known = new Set<string>();
  return [...lists, ...all].filter(({ person, path }) => {
    const isNew = !known.has(`${person} ${path}`);
    known.add(`${person} ${path}`);
    return isNew;
  });
}

/** Returns the people who open a path: staff for the console, both sizes of buyers and sellers for theirs. */
function peopleOf(path: string): Person[] {
  if (path.startsWith('/dashboard') || /^\/api\/(admin|acl|users|roles|audit|licenses)/.test(path)) return ['admin'];
  if (path.startsWith('/seller') || path.startsWith('/api/seller')) return ['seller', 'large seller'];
  if (path.startsWith('/user') || path.startsWith('/api')) return ['buyer', 'large buyer'];
  return [];
}
