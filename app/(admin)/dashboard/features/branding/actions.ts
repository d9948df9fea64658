'use server';

import { action } from '@/lib/auth/action';
import { resetBranding, saveBranding } from '@/lib/settings/branding/save-branding';
import { resetBrandingInput, saveBrandingInput } from '@/lib/settings/branding/schemas';

/** Renames and recolours every portal; a logo comes with it as a file. */
export const saveBrandingAction = action({ access: 'ManageSettings', input: saveBrandingInput }, saveBranding);

/** Puts back what an installation starts with. */
export const resetBrandingAction = action({ access: 'ManageSettings', input: resetBrandingInput }, resetBranding);
