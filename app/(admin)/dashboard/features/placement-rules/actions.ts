'use server';

import { action } from '@/lib/auth/action';
import { placementRulesInput, savePlacementRules } from '@/lib/settings/placement-rules';

/** Sets the clocks and limits of placements. */
export const savePlacementRulesAction = action(
  { access: 'ManageSettings', input: placementRulesInput },
  savePlacementRules,
);
