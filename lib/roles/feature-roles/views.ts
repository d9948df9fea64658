import type { z } from 'zod';
import { isFeature } from './features';
import type { featureRoleResponse } from './schemas';

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
