'use server';

import { action } from '@/lib/auth/action';
import { saveSetupVisibility, setupVisibilityInput } from './setup-checklist';

/** Hides the setup checklist, or shows it again. */
export const saveSetupVisibilityAction = action(
  { access: 'ManageSettings', input: setupVisibilityInput },
  saveSetupVisibility,
);
