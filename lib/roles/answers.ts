import { z } from 'zod';
import { features } from './features';

/** An older role record (spec 000, section 3). */
export const featureRoleAnswer = z
  .object({
    id: z.string(),
    name: z.string(),
    userId: z.string(),
    userName: z.string().describe('The e-mail of somebody without a name.'),
    userEmail: z.string(),
    version: z.int().describe('What an edit names, so that a stale one is told.'),
    features: z.array(z.enum(features)),
  })
  .meta({ title: 'FeatureRole' });
