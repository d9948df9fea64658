'use server';

import { action } from '@/lib/auth/action';
import { resetBranding, saveBranding } from '@/lib/settings/branding/save-branding';
import { resetBrandingInput, saveBrandingInput } from '@/lib/settings/branding/schemas';
import { publishLegalDocument } from '@/lib/settings/legal/publish';
import { publishLegalInput } from '@/lib/settings/legal/schemas';

/** Updates the name, the colours and the logo of all portals. */
export const saveBrandingAction = action({ access: 'ManageSettings', input: saveBrandingInput }, saveBranding);

/** Publishes a version of the terms or the privacy policy, or ends its publication. */
export const publishLegalDocumentAction = action(
  { access: 'ManageSettings', input: publishLegalInput },
  publishLegalDocument,
);

/** Restores the default branding. */
export const resetBrandingAction = action({ access: 'ManageSettings', input: resetBrandingInput }, resetBranding);
