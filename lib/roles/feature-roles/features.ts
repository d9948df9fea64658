import { type Permission, permissions } from '@/lib/access/permissions';

/** The features of the legacy role manager, with the exact names of its API. */
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
 * The permissions that each feature grants. Two features grant none, and the screen says so: every account can buy, and
 * the product has no blog.
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
  'Analytics Dashboard': 'The admin dashboard and its metrics.',
  'Guest Post Approvals': 'Guest Post Manager: review, prices, niches and types.',
  'User Settings Access': 'Manage Users: accounts, their status and role.',
  'Manage Blog': 'No effect: this marketplace has no blog.',
  'Upload Guest Post Websites': 'Guest Post Manager, with its CSV upload.',
  'Purchase Guest Posts': 'No effect: every account can buy.',
};

/** Describes what a feature gives access to. */
export function describeFeature(feature: Feature): string {
  return opens[feature];
}

/** Lists the permissions of the features, without duplicates, in the order of the catalogue. */
export function getFeaturePermissions(chosen: readonly Feature[]): Permission[] {
  const granted = new Set(chosen.flatMap((feature) => grants[feature]));
  return permissions.filter((permission) => granted.has(permission));
}

/** Stored features that were since removed are ignored. */
export function isFeature(value: string): value is Feature {
  return features.some((known) => known === value);
}
