'use server';

import { action } from '@/lib/auth/action';
import { setFlag, setFlagInput } from '@/lib/settings/feature-flags/set-flag';

/** Turns a feature flag on or off. */
export const setFlagAction = action({ access: 'ManageSettings', input: setFlagInput }, setFlag);
