import { z } from 'zod';
import { type Permission, permissions } from '@/lib/access/permissions';
import { roleName } from '@/lib/roles/contract';

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
  'Assign User Roles': 'Access Control and Roles.',
  'Analytics Dashboard': 'The admin dashboard and its metrics.',
  'Guest Post Approvals': 'Guest Posts: review, prices, niches and types.',
  'User Settings Access': 'Users: accounts, their status and role.',
  'Manage Blog': 'No effect: this marketplace has no blog.',
  'Upload Guest Post Websites': 'Guest Posts, with its CSV upload.',
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

/** Checks whether a feature is known. Stored features that were since removed are ignored. */
export function isFeature(value: string): value is Feature {
  return features.some((known) => known === value);
}

const user = z
  .string({ error: 'Please select a valid user.' })
  .trim()
  .min(1, 'Please select a valid user.')
  .max(64, 'Please select a valid user.');
const featureList = z
  .array(z.enum(features, `Use features from this list: ${features.join(', ')}.`))
  .max(100)
  .transform((chosen) => features.filter((feature) => chosen.includes(feature)));

/** POST /api/roles. `userName`, which clients send, is ignored and read from the account. */
export const featureRoleBody = z.object({ name: roleName, userId: user, features: featureList.default([]) });
export type FeatureRoleInput = z.output<typeof featureRoleBody>;

/** PUT /api/roles/{id}; omitted fields stay unchanged. `version` is the version on which the edit is based. */
export const updateFeatureRoleBody = z.object({
  name: roleName.optional(),
  userId: user.optional(),
  features: featureList.optional(),
  version: z.number().int().min(1).optional(),
});
export type UpdateFeatureRoleInput = z.output<typeof updateFeatureRoleBody>;

export const featureRoleParams = z.object({ id: z.string().trim().min(1).max(64) });

/** The schema of a legacy role record. */
export const featureRoleResponse = z
  .object({
    id: z.string(),
    name: z.string(),
    userId: z.string(),
    userName: z.string().describe('The email if the user has no name.'),
    userEmail: z.string(),
    version: z.int().describe('The version to send with an update, so that concurrent changes are detected.'),
    features: z.array(z.enum(features)),
  })
  .meta({ title: 'FeatureRole' });

/** A legacy role record, as `queries.ts` reads it. */
export type FeatureRoleRow = {
  id: string;
  name: string;
  userId: string;
  userName: string;
  userEmail: string;
  features: string[];
  version: number;
};

/** A legacy role record of /api/roles. `userName` is the email when the user has no name. */
export type FeatureRoleView = z.output<typeof featureRoleResponse>;

export function featureRoleView({ features, userName, ...row }: FeatureRoleRow): FeatureRoleView {
  return { ...row, userName: userName || row.userEmail, features: features.filter(isFeature) };
}
