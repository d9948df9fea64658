import { z } from 'zod';
import { roleName } from '../acl/schemas';
import { features } from './features';

/**
 * POST /api/roles and PUT /api/roles/{id}. `userName`, which the contract sends along, is read from the account instead.
 * `version` is the one the edit started from.
 */
export const featureRoleBody = z.object({
  name: roleName,
  userId: z
    .string({ error: 'Please select a valid user.' })
    .trim()
    .min(1, 'Please select a valid user.')
    .max(64, 'Please select a valid user.'),
  features: z
    .array(z.enum(features, `Use features of this list: ${features.join(', ')}.`))
    .max(features.length)
    .transform((chosen) => features.filter((feature) => chosen.includes(feature)))
    .default([]),
  version: z.number().int().min(1).optional(),
});
export type FeatureRoleInput = z.output<typeof featureRoleBody>;

export const featureRoleParams = z.object({ id: z.string().trim().min(1).max(64) });
