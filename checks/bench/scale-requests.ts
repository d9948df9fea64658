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
    filters: ['status=Live', 'project={projectId}', 'tab=waiting', 'tab=review', 'tab=repair'],
    slower: ['q=garden', ...far('order')],
  }),
  ...list('large buyer', '/user/wallet', { slower: ['q=order', ...far('transfer')] }),
  ...list('large buyer', '/user/projects/{projectId}', {
    filters: ['tab=links', 'tab=linked', 'tab=linked&state=lost', 'tab=anchors', 'tab=reports'],
    slower: ['tab=linked&q=garden'],
  }),
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
  // Documents, payments and payouts.
  ...list('large buyer', '/user/billing', { filters: ['rows=25&page=2'] }),
  ...list('large buyer', '/api/invoices?limit=25', {
    filters: ['month={month}'],
    slower: ['offset=9000', 'cursor=last'],
  }),
  ...list('admin', '/dashboard/features/tax-reports', { filters: ['from={month}&to={month}', 'by=quarter'] }),
  ...list('admin', '/dashboard/features/tax-reports?view=oss'),
  ...list('admin', '/dashboard/features/tax-reports/documents', { filters: ['from={month}&to={month}'] }),
  ...list('admin', '/dashboard/features/e-invoices', {
    filters: ['state=failed', 'state=delivered', 'channel=peppol'],
    slower: ['rows=25&page=-1&cursor=last'],
  }),
  ...list('admin', '/dashboard/features/payouts', {
    filters: ['state=requested', 'state=paid', 'state=sent'],
    slower: ['q=person7', 'q=nosuchword', 'rows=25&page=-1&cursor=last'],
  }),
  ...list('admin', '/dashboard/features/payouts/statements', { filters: ['year=2026', 'seller={sellerId}'] }),
  ...list('admin', '/api/admin/payouts?limit=25', { filters: ['state=paid'], slower: ['q=nosuchword', 'cursor=last'] }),
  ...list('large seller', '/seller/payouts', { slower: ['rows=25&page=-1&cursor=last'] }),
  ...list('large seller', '/api/seller/payouts?limit=25', { slower: ['cursor=last'] }),
  ...list('large seller', '/seller/earnings/statement', { filters: ['month={month}', 'account=available'] }),
  ...list('large seller', '/api/seller/statement?month={month}'),
  ...list('admin', '/dashboard/features/wallet-manager?tab=refunds', { slower: ['q=nosuchword'] }),
  ...list('admin', '/dashboard/features/wallet-manager?tab=bank', {
    filters: ['state=unmatched'],
    slower: ['q=nosuchword'],
  }),
  ...list('admin', '/api/admin/wallet/refunds?limit=25', { filters: ['state=declined'], slower: ['q=Stone'] }),
  ...list('admin', '/api/admin/bank-transfers?limit=25', { filters: ['state=unmatched'], slower: ['q=Shop'] }),
  ...list('large buyer', '/api/wallet/refund-requests?limit=25'),
  ...list('large buyer', '/user/wallet/bank/{reference}'),
  ...list('large buyer', '/api/wallet/topup/bank/{reference}'),
  ...list('admin', '/dashboard/features/payments/settlement', {
    filters: ['view=lines', 'view=lines&outcome=open', 'provider=stripe'],
  }),
  ...list('admin', '/dashboard/features/payments/disputes', { filters: ['state=ended'] }),
  // Links and figures.
  ...list('admin', '/dashboard/features/link-checks', {
    filters: ['verdict=broken', 'verdict=ok'],
    slower: ['rows=25&page=-1&cursor=last'],
  }),
  ...list('admin', '/api/admin/link-checks?limit=25', { filters: ['verdict=changed'], slower: ['cursor=last'] }),
  ...list('admin', '/dashboard/features/money', {
    filters: ['day=2026-03-04', 'view=marketplace'],
    slower: ['view=marketplace&from=2025-11-01&to=2026-10-31'],
  }),
  ...list('admin', '/dashboard/features/money/entries?figure=wallet'),
  ...list('admin', '/dashboard/features/sellers', {
    filters: ['sort=orders', 'sort=reliability'],
    slower: ['q=Stone'],
  }),
  ...list('admin', '/api/admin/sellers?limit=25', { slower: ['q=nosuchword'] }),
  ...list('admin', '/api/admin/users?limit=25', { filters: ['kind=team'], slower: ['q=Agency'] }),
  ...list('admin', '/api/audit-logs?limit=25', { slower: ['cursor=last'] }),
  ...list('admin', '/api/admin/reports/tax?from={month}&to={month}'),
  // What buyers and agencies keep.
  ...['large buyer' as const, 'agency' as const].flatMap((person) => [
    ...list(person, '/user/marketplace', {
      filters: ['show=favourites', 'show=hidden', 'country=Denmark'],
      slower: ['q=garden'],
    }),
    ...list(person, '/user/cart', {
      filters: person === 'agency' ? ['project={agencyProjectId}'] : ['project={projectId}'],
    }),
    ...list(person, '/user/blocked-sites'),
    ...list(person, '/user/dashboard', {
      filters: person === 'agency' ? ['project={agencyProjectId}'] : ['project={projectId}'],
    }),
  ]),
  ...list('large buyer', '/user/marketplace?projectId={projectId}', { slower: ['hideLinked=1'] }),
  ...list('large buyer', '/api/guest-posts?limit=25&projectId={projectId}', { slower: ['hideLinked=1'] }),
  ...list('large buyer', '/api/guest-posts/counts', { filters: ['projectId={projectId}'] }),
  ...list('large buyer', '/api/user/projects/{projectId}'),
  ...list('large buyer', '/api/user/projects/{projectId}/anchor-plan'),
  ...list('large buyer', '/api/user/projects/{projectId}/anchor-plan/next'),
  ...list('large buyer', '/api/user/projects/{projectId}/blocklist'),
  ...list('large buyer', '/api/user/projects/{projectId}/linked-domains?limit=25', {
    filters: ['state=lost', 'source=ahrefs'],
    slower: ['q=garden', 'offset=9000'],
  }),
  ...list('large buyer', '/api/user/projects/{projectId}/links?limit=25', { slower: ['cursor=last'] }),
  ...list('large buyer', '/api/user/projects/{projectId}/reports'),
  ...list('large buyer', '/api/user/carts/{cartId}'),
  ...list('large buyer', '/user/orders/{buyerOrderId}'),
  ...list('large buyer', '/user/orders/{buyerOrderId}/invoice'),
  ...['', '/changes', '/checks', '/messages'].flatMap((part) =>
    list('large buyer', `/api/orders/{buyerOrderId}${part}`),
  ),
  ...list('large buyer', '/user/webhooks/{buyerEndpointId}', { filters: ['state=failed'] }),
  ...list('large buyer', '/api/webhooks/{buyerEndpointId}/deliveries?limit=25', { filters: ['state=failed'] }),
  ...list('large buyer', '/api/events?limit=25'),
  ...list('agency', '/user/orders', { filters: ['status=Live', 'project={agencyProjectId}'], slower: ['q=garden'] }),
  ...list('agency', '/user/orders/{agencyOrderId}'),
  ...list('agency', '/user/projects/{agencyProjectId}', { filters: ['tab=links', 'tab=anchors', 'tab=reports'] }),
  ...list('agency', '/user/requests', {
    filters: ['state=open', 'state=approved'],
    slower: ['rows=25&page=-1&cursor=last'],
  }),
  ...list('agency', '/user/requests/{requestId}'),
  ...list('agency', '/api/user/requests?limit=25', {
    filters: ['state=approved', 'projectId={agencyProjectId}'],
    slower: ['cursor=last'],
  }),
  ...list('agency', '/api/user/requests/{requestId}'),
  ...list('agency', '/api/user/accounts/{agencyId}/members'),
  ...list('agency', '/api/user/accounts/{agencyId}/policy'),
  ...list('agency', '/user/wallet', { slower: ['q=order'] }),
  // One row of each person's lists.
  ...['users/{buyerId}', 'users/{sellerId}', 'users/{agencyOwnerId}', 'wallet-manager/{buyerId}'].flatMap((path) =>
    list('admin', `/dashboard/features/${path}`),
  ),
  ...[
    'wallet-manager/{agencyId}',
    'orders/{sellerOrderId}',
    'webhooks/{endpointId}',
    'webhooks/{endpointId}?state=failed',
  ].flatMap((path) => list('admin', `/dashboard/features/${path}`)),
  ...[
    '/api/users/{buyerId}',
    '/api/disputes/{disputeId}',
    '/api/admin/webhooks/{endpointId}/deliveries?limit=25',
  ].flatMap((path) => list('admin', path)),
  ...['', '/checks', '/messages'].flatMap((part) => list('admin', `/api/admin/orders/{sellerOrderId}${part}`)),
  ...list('large seller', '/seller/orders/{sellerOrderId}'),
  ...['', '/changes', '/messages'].flatMap((part) => list('large seller', `/api/seller/orders/{sellerOrderId}${part}`)),
  ...list('large seller', '/seller/webhooks/{sellerEndpointId}'),
  ...list('large seller', '/api/webhooks/{sellerEndpointId}/deliveries?limit=25'),
  ...list('large seller', '/api/seller/sites/{siteId}/options'),
  ...list('large seller', '/api/guest-posts/{siteId}'),
  ...list('buyer', '/proof/{proofId}'),
  ...list('buyer', '/api/proofs/{proofId}'),
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

/**
 * Addresses that are not measured: files and steps of a sign-in or a payment, whose cost does not depend on the size,
 * those of the streamed lists, the reports of all sellers, and pages behind a feature flag that is off.
 */
const unmeasured: readonly RegExp[] = [
  /\/(template|download|file|publish|wordpress)(\/|$)/,
  /\/(export|pdf|brief\/article|messages\/files\/\{fileId\}|files?\/\{[a-zA-Z]+\})$/,
  /^\/api\/(auth|jobs|backups|branding\/logo|packages|roles|licenses|invoices)\/(\{\w+\}|run)/,
  /^\/api\/admin\/(payments\/\{provider\}\/config|payouts\/\{id\}\/method)$/,
  /^\/api\/(metrics|admin\/reports\/(dac7|1099))$/,
  /^\/api\/(user\/auth\/verify|profile\/avatar|wallet\/refund-requests\/\{id\})$/,
  /^\/(explore|invitations|user\/wallet\/wechat)\//,
];

const document = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });

/**
 * Lists what is measured: the lists above, every page, and every GET endpoint of the OpenAPI document that has no
 * parameter in its path and is not streamed.
 */
export async function listRequests({ app, cookies }: Installation): Promise<MeasuredRequest[]> {
  const pages = readdirSync(join(projectRoot, 'app'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('/page.tsx'))
    .map((file) =>
      `/${file}`
        .replace(/\/\([^/]+\)/g, '')
        .replace(/\/page\.tsx$/, '')
        .replace(/\[(\w+)\]/g, '{$1}'),
    );
  const response = await fetch(`${app.origin}/api/openapi.json`, { headers: { cookie: cookies.admin } });
  const { paths } = document.parse(await response.json());
  const endpoints = Object.entries(paths).flatMap(([path, methods]) => ('get' in methods ? [path] : []));
  requireMeasured([...pages, ...endpoints]);
  const isStreamed = (person: Person, path: string) =>
    streamedLists.some((one) => one.path === path && (one.person === 'admin') === (person === 'admin'));
  const all = [...pages, ...endpoints]
    .filter((path) => path !== '' && !path.includes('{') && !unmeasured.some((one) => one.test(path)))
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

/** Requires that the lists have a row of every address with a parameter. @throws Error with those that are missing */
function requireMeasured(addresses: readonly string[]): void {
  const missing = addresses.filter((address) => {
    if (!address.includes('{') || unmeasured.some((one) => one.test(address))) return false;
    const parts = new RegExp(`^${address.replace(/\{\w+\}/g, '[^/?]+')}([?]|$)`);
    return ![...lists, ...streamedLists].some(({ path }) => parts.test(path));
  });
  if (missing.length > 0) throw new Error(`Add these addresses to the lists: ${missing.join(', ')}.`);
}

/** Returns the people who open a path: staff for the console, both sizes of buyers and sellers for theirs. */
function peopleOf(path: string): Person[] {
  if (path.startsWith('/dashboard') || /^\/api\/(admin|acl|users|roles|audit|licenses)/.test(path)) return ['admin'];
  if (path.startsWith('/seller') || path.startsWith('/api/seller')) return ['seller', 'large seller'];
  if (path.startsWith('/user') || path.startsWith('/api')) return ['buyer', 'large buyer', 'agency'];
  return ['buyer'];
}
