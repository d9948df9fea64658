import { type Permission, permissions } from '../../access/permissions';

/** What the older role manager offers, to the letter (spec 000, section 6). */
export const features = [
  'Assign User Roles',
  'Analytics Dashboard',
  'Guest Post Approvals',
  'User Settings Access',
  'Manage Blog',
  'Upload Guest Post Websites',
  'Purchase Guest Posts',
] as const;

export type Feature = (typeof features)[number];

/**
 * What a feature lets somebody do besides their role. Every account can buy, and the product has no blog: these two give
 * nothing more, and the screen says so.
 */
const grants: Record<Feature, readonly Permission[]> = {
  'Assign User Roles': ['AdminDashboard', 'ManageRoles'],
  'Analytics Dashboard': ['AdminDashboard'],
  'Guest Post Approvals': ['AdminDashboard', 'ManageSites'],
  'User Settings Access': ['AdminDashboard', 'ManageUsers'],
  'Manage Blog': [],
  'Upload Guest Post Websites': ['AdminDashboard', 'ManageSites'],
  'Purchase Guest Posts': [],
};

const opens: Record<Feature, string> = {
  'Assign User Roles': 'Access Control and Role Manager.',
  'Analytics Dashboard': 'The welcome page of the console with its figures.',
  'Guest Post Approvals': 'Guest Post Manager: review, prices, niches and types.',
  'User Settings Access': 'Manage Users: people, their status and role.',
  'Manage Blog': 'Nothing: this marketplace has no blog.',
  'Upload Guest Post Websites': 'Guest Post Manager, with its CSV upload.',
  'Purchase Guest Posts': 'Nothing more: every account can buy.',
};

/** What a feature opens, in a few words. */
export function describeFeature(feature: Feature): string {
  return opens[feature];
}

/** Everything that these features let somebody do, each once, in the catalogue's order. */
export function permissionsOfFeatures(chosen: readonly Feature[]): Permission[] {
  const granted = new Set(chosen.flatMap((feature) => grants[feature]));
  return permissions.filter((permission) => granted.has(permission));
}

/** Rows of a feature that was since removed are ignored. */
export function isFeature(value: string): value is Feature {
  return features.some((known) => known === value);
}
