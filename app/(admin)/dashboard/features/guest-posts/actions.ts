'use server';

import { action } from '@/lib/auth/action';
import { bulkSites } from '@/lib/sites/bulk';
import { bulkSitesInput } from '@/lib/sites/managed-schemas';

/** Approves, rejects, deletes or prices the selected sites. */
export const bulkSitesAction = action({ access: 'ManageSites', input: bulkSitesInput }, bulkSites);
