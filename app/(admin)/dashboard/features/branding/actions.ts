'use server';

import { action } from '@/lib/auth/action';
import { resetBranding, saveBranding } from '@/lib/settings/branding/save-branding';
import { resetBrandingInput, saveBrandingInput } from '@/lib/settings/branding/schemas';

/** Updates the name, the colours and the logo of all portals. */
export const saveBrandingAction = action({ access: 'ManageSettings', input: saveBrandingInput }, saveBranding);

/** Restores the default branding. */
export const resetBrandingAction = action({ access: 'ManageSettings', input: resetBrandingInput }, resetBranding);
