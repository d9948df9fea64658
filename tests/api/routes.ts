import { z } from 'zod';
import { accountRights } from '@/lib/access/account-roles';
import { permissions } from '@/lib/access/permissions';
import snapshot from './access.snapshot.json';

/**
 * All routes and pages with the users that they admit, as the reviewed snapshot lists them. The tests expect what the
 * snapshot says and not what the code declares, so that a wrong declaration fails them or shows in a diff.
 * tests/unit/access-snapshot.test.ts compares the snapshot with the code.
 */

const permission = z.enum(permissions);
const access = z
  .string()
  .transform((text) => text.split(' | '))
  .pipe(
    z.union([
      z
        .tuple([
          z.enum([
            'public',
            'session',
            ...accountRights,
            'seller',
            'signature',
            'cron secret',
            'metrics token',
            ...permissions,
          ]),
        ])
        .transform(([only]) => only),
      z.array(permission),
    ]),
  );
const list = z
  .string()
  .default('')
  .transform((text) => text.split(', ').filter(Boolean));
const fieldNames = list.transform((fields) => fields.map((field) => field.replace(/\?$/, '')));

const routeShape = z.strictObject({
  /**
   * `signature`: authenticated by the provider's signature. `cron secret`: by CRON_SECRET. `metrics token`: by
   * METRICS_TOKEN or the address.
   */
  access,
  /** The scopes of which an API token needs one; `none` for a route that accepts no token. */
  scope: z
    .string()
    .default('none')
    .transform((text) => (text === 'none' ? [] : text.split(' | '))),
  options: list,
  query: fieldNames,
  /** The fields of the JSON body, `*` for any; empty for a route that reads none. */
  body: fieldNames,
  /** The field of the multipart form that contains the file. */
  upload: z.string().optional(),
});
const pageShape = z.strictObject({ access, portal: z.enum(['user', 'seller', 'admin']).optional(), options: list });

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const methodAndPath = z.tuple([z.enum(methods), z.string()]);

/** All route handlers, including those outside of the specification. */
export const routes = Object.entries(snapshot.routes).map(([name, row]) => {
  const [method, path] = methodAndPath.parse(name.split(' '));
  return { method, path, ...routeShape.parse(row) };
});
export type Route = (typeof routes)[number];

/** Whether a route needs a session. */
export const isGuarded = ({ access: admitted }: Pick<Route, 'access'>): boolean =>
  !['public', 'signature', 'cron secret', 'metrics token'].includes(String(admitted));

const pages = Object.entries(snapshot.pages).map(([path, row]) => ({ path, ...pageShape.parse(row) }));

/**
 * Pages without a session: sign-in, registration, and the pages that mailed links open. Without the setup page, which is
 * not found as soon as there is an admin, and the page of a view, which redirects without one.
 */
export const publicPages = pages
  .filter((page) => !isGuarded(page) && !['/setup', '/viewing'].includes(page.path))
  .map(({ path }) => path);

/** Pages of the portals, with a text that only the page contains: neither the sign-in page nor its loading state. */
export const portalPages = pages.filter(isGuarded).map(({ path, portal, access: admitted, options }) => {
  const text = pageTexts()[path];
  if (!portal || text === undefined) throw new Error(`Add a text of ${path} to pageTexts.`);
  return { path, portal, access: admitted, options, text };
});

/** Segments that have no record behind them. Other parameters are replaced with an id that does not exist. */
const exampleSegments: Readonly<Record<string, string>> = {
  provider: 'stripe',
  '...nextauth': 'session',
  '...rest': 'nothing/here',
};

/** Replaces the parameters of a path with examples. The default id is valid and does not exist. */
export function examplePath(path: string, id = '999999999'): string {
  return path.replace(/\[([^\]]+)\]/g, (_, name: string) => exampleSegments[name] ?? id);
}

function pageTexts(): Readonly<Record<string, string>> {
  return {
    '/user': 'at a glance',
    '/user/dashboard': 'at a glance',
    '/user/projects': 'your orders are for',
    '/user/marketplace': 'priced in USD and paid from your wallet',
    '/user/cart': 'No site selected.',
    '/user/projects/[id]': 'once they’re live',
    '/user/orders': 'No orders yet',
    '/user/orders/[id]': 'Order again',
    '/user/orders/[id]/invoice': 'Print or save as PDF',
    '/user/requests': 'No requests wait for an approval',
    '/user/requests/[id]': 'All requests',
    '/user/wallet': 'Search transactions (',
    '/user/wallet/refunds': 'No paid top-ups',
    '/user/billing': 'Save billing details',
    '/user/wallet/wechat/[id]': 'Scan the code with WeChat',
    '/user/wallet/bank/[reference]': 'Write the reference into the text',
    '/user/security': 'Manage your sessions',
    '/user/blocked-sites': 'No domains are blocked for all projects',
    '/user/people': 'Spent this month',
    '/user/webhooks': 'No endpoints yet',
    '/user/webhooks/[id]': 'All endpoints',
    '/seller': 'Site status and ways',
    '/seller/orders': 'Accept or decline each one before its time',
    '/seller/orders/[id]': 'Revisions left',
    '/seller/my-sites': 'All your sites',
    '/seller/record': 'No orders in the last 12 months',
    '/seller/earnings': 'No earnings yet',
    '/seller/payouts': 'No payout method',
    '/seller/earnings/statement': 'Closing balance',
    '/seller/earnings/self-billing': 'Agree to self-billing',
    '/seller/security': 'Manage your sessions',
    '/seller/webhooks': 'No endpoints yet',
    '/seller/webhooks/[id]': 'All endpoints',
    '/dashboard': 'Marketplace performance',
    '/dashboard/security': 'Manage your sessions',
    '/dashboard/confirm': 'To download this file',
    '/dashboard/features': 'View on the page',
    '/dashboard/features/api-manager': 'Add key',
    '/dashboard/features/api-reference': 'OpenAPI 3.1 document',
    '/dashboard/features/notifications': 'Add notification',
    '/dashboard/features/feature-flags': 'Payments in progress are still credited',
    '/dashboard/features/placement-rules': 'Time to answer, in hours',
    '/dashboard/features/figures': 'Measured by a service',
    '/dashboard/features/payouts': 'Search payouts by seller or id',
    '/dashboard/features/payouts/batches': 'Upload statement',
    '/dashboard/features/payout-rules': 'The smallest amount of a request',
    '/dashboard/features/sign-in': 'Grace period in days',
    '/dashboard/features/tax': 'Legal name',
    '/dashboard/features/webhooks': '/developers#webhooks',
    '/dashboard/features/webhooks/[id]': 'All endpoints',
    '/dashboard/features/integrations': 'Scans uploads for malware',
    '/dashboard/features/branding': 'Avatars, counts and the edge of emails',
    '/dashboard/profile': 'Your name, picture and sign-in',
    '/dashboard/features/users': 'Search name, email or role',
    '/dashboard/features/wallet-manager/[id]': 'Members, wallet and orders',
    '/dashboard/features/users/[id]': 'Account, sessions, wallet',
    '/dashboard/features/roles': 'Search role, user or feature',
    '/dashboard/features/access-control': 'Manage roles and their permissions',
    '/dashboard/features/orders': 'Search number, website',
    '/dashboard/features/orders/[id]': 'details-heading',
    '/dashboard/features/disputes': 'Search disputes by order number',
    '/dashboard/features/link-checks': 'All results',
    '/dashboard/features/approvals': 'Requests expire after',
    '/dashboard/features/audit-logs': 'Search details, users',
    '/dashboard/features/backup': 'Choose an archive or drop it here',
    '/dashboard/features/guest-posts': 'Search name or URL',
    '/dashboard/features/packages': 'Search name or description',
    '/dashboard/features/serp-preview': 'Rewrite Both (SEO)',
    '/dashboard/features/licenses': 'Search name, key or user',
    '/dashboard/features/niches-types': 'New niche',
    '/dashboard/features/sellers': 'Search sellers',
    '/dashboard/features/commission-rules': 'How a price is set',
    '/dashboard/features/payouts/statements': 'payouts/statements/export?year=',
    '/dashboard/features/payments': 'features/payments?tab=paypal',
    '/dashboard/features/payments/disputes': 'Won and lost',
    '/dashboard/features/payments/settlement': 'Settlement views',
    '/dashboard/features/money': 'Owed to others',
    '/dashboard/features/money/entries': 'At the beginning',
    '/dashboard/features/tax-reports': 'Tax in the books',
    '/dashboard/features/tax-reports/documents': 'credit notes subtracted',
    '/dashboard/features/payouts/tax-reports': 'is for goods only',
    '/dashboard/features/e-invoices': 'All channels',
    '/dashboard/features/e-invoices/providers': 'Save Peppol',
    '/dashboard/features/wallet-manager': 'Search name, email, role',
  };
}
