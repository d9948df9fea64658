import type { z } from 'zod';
import { isFeature } from './features';
import type { featureRoleAnswer } from './schemas';

/** An older role record, as `queries.ts` reads it. */
export type FeatureRoleRow = {
  id: string;
  name: string;
  userId: string;
  userName: string;
  userEmail: string;
  features: string[];
  version: number;
};

/** What /api/roles answers of each (spec 000, section 3: older role record). `userName` is the e-mail of somebody without one. */
export type FeatureRoleView = z.output<typeof featureRoleAnswer>;

export function featureRoleView({ features, userName, ...row }: FeatureRoleRow): FeatureRoleView {
  return { ...row, userName: userName || row.userEmail, features: features.filter(isFeature) };
}
