'use server';

import { action } from '@/lib/http/action';
import { resetBrandingInput, saveBrandingInput } from '@/lib/settings/branding-schemas';
import { resetBranding, saveBranding } from '@/lib/settings/save-branding';

/** Renames and recolours every portal; a logo comes with it as a file. */
export const saveBrandingAction = action({ access: 'ManageSettings', input: saveBrandingInput }, saveBranding);

/** Puts back what an installation starts with. */
export const resetBrandingAction = action({ access: 'ManageSettings', input: resetBrandingInput }, resetBranding);
