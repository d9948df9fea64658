'use server';

import { z } from 'zod';
import { action } from './action';
import { currentActor } from './current-actor';
import { startViewInput, startViewing, stopViewing } from './viewing';

/** Starts a read-only view of a user's portal. */
export const startViewAction = action(
  { access: 'ManageUsers', recentAuthentication: true, input: startViewInput },
  startViewing,
);

/** Public because the actor of a view reads only; without a view it does nothing. */
export const stopViewAction = action({ access: 'public', input: z.object({}) }, async () =>
  stopViewing(await currentActor()),
);
