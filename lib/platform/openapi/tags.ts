export type Tag = { name: string; description: string };

/** The tags of the document, in its order, with the path segments that belong to each. */
const tags: readonly (Tag & { segments: readonly string[] })[] = [
  {
    name: 'Sites',
    description: 'The catalog of sites, its niches and types, and the sites and the record of a seller.',
    segments: ['guest-posts', 'sites', 'my-sites', 'niches-types', 'record', 'blocklist'],
  },
  {
    name: 'Packages',
    description: 'Bundles of links for a fixed price.',
    segments: ['packages'],
  },
  {
    name: 'Projects',
    description: 'The websites that a buyer orders links for, with their link reports.',
    segments: ['projects'],
  },
  {
    name: 'Orders',
    description:
      'Carts and orders, requests that wait for an approval, briefs, deliverables and messages, and what buyers, sellers and staff do with them; large files.',
    segments: ['orders', 'carts', 'brief-articles', 'quotes', 'requests', 'uploads'],
  },
  {
    name: 'Disputes',
    description: 'Disagreements about an order, and how they end.',
    segments: ['disputes'],
  },
  {
    name: 'Link checks',
    description: 'Checks of published links, and the signed passports of their results.',
    segments: ['link-checks', 'proofs', 'linkmarket-keys'],
  },
  {
    name: 'Wallet',
    description: 'The prepaid balance of a buyer: balance, transactions and top-ups.',
    segments: ['wallet', 'payments', 'wallet-manager', 'money', 'bank-transfers'],
  },
  {
    name: 'Billing',
    description:
      'What the documents of a buyer are addressed to, the invoices, credit notes and receipts, and their reports; the identity of the operator and its tax.',
    segments: ['billing-profile', 'invoices', 'documents', 'operator', 'tax', 'reports'],
  },
  {
    name: 'Earnings',
    description: 'What a seller has earned: the statement, by month and by entry.',
    segments: ['earnings', 'statement'],
  },
  {
    name: 'Payouts',
    description: 'Payouts to sellers: methods, requests, approvals and bank files.',
    segments: ['payouts', 'payout-method'],
  },
  {
    name: 'Authentication',
    description: 'Sign-in, sign-out, registration and the session.',
    segments: ['auth'],
  },
  {
    name: 'Account',
    description: "The caller's own profile.",
    segments: ['profile', 'account'],
  },
  {
    name: 'Accounts',
    description: 'The accounts of a person, personal and of teams, with their members and invitations.',
    segments: ['accounts', 'invitations'],
  },
  {
    name: 'API tokens',
    description: 'Tokens that identify a program.',
    segments: ['tokens'],
  },
  {
    name: 'Webhooks',
    description: 'Endpoints that receive events, their deliveries, and the list of events.',
    segments: ['webhooks', 'events'],
  },
  {
    name: 'MCP',
    description: 'The Model Context Protocol server for AI agents.',
    segments: ['mcp', 'oauth-protected-resource'],
  },
  {
    name: 'Users',
    description: 'The accounts of an installation.',
    segments: ['users', 'sellers'],
  },
  {
    name: 'Access control',
    description: 'Roles, feature roles and their permissions.',
    segments: ['acl', 'roles'],
  },
  {
    name: 'Audit log',
    description: 'The log of all changes.',
    segments: ['audit-logs'],
  },
  {
    name: 'Licenses',
    description: 'License keys of the tools that staff use.',
    segments: ['licenses'],
  },
  {
    name: 'Tools',
    description: 'Tools for staff, such as the SERP preview.',
    segments: ['tools'],
  },
  {
    name: 'Backups',
    description: 'Encrypted archives of an installation.',
    segments: ['backup', 'backups'],
  },
  {
    name: 'Installation',
    description: 'Health, metrics, branding, background jobs, security contacts and this document.',
    segments: ['health', 'metrics', 'branding', 'jobs', 'csp-reports', 'security.txt', 'openapi.json'],
  },
];

/** Segments that say whose address it is, and not what it is about. */
const portals: ReadonlySet<string> = new Set([
  'api',
  'admin',
  'dashboard',
  'features',
  'seller',
  'user',
  '.well-known',
]);

/**
 * Returns the tag of a path by its first segment that names a domain. A segment without a tag is its own, which
 * tests/api/openapi.test.ts reports.
 */
export function getTag(path: string): string {
  const segment = path.split('/').find((part) => part !== '' && !portals.has(part)) ?? '';
  return tags.find(({ segments }) => segments.includes(segment))?.name ?? segment;
}

/** Lists the tags with these names, in the order of the document. */
export function describeTags(used: ReadonlySet<string>): Tag[] {
  return tags.filter(({ name }) => used.has(name)).map(({ name, description }) => ({ name, description }));
}
