'use server';

import { action } from '@/lib/auth/action';
import { reviewNiche, reviewNicheInput } from '@/lib/taxonomy/review-niche';

/** Accepts or replaces a niche that an import proposed. */
export const reviewNicheAction = action({ access: 'ManageSites', input: reviewNicheInput }, reviewNiche);
