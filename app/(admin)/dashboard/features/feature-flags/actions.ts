'use server';

import { setFlag, setFlagInput } from '@/lib/flags/set-flag';
import { action } from '@/lib/http/action';

/** Turns a part of the installation on or off. */
export const setFlagAction = action({ access: 'ManageSettings', input: setFlagInput }, setFlag);
