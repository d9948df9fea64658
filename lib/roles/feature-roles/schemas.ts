import { z } from 'zod';
import { roleName } from '@/lib/roles/schemas';
import { features } from './features';

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
