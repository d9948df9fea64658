'use server';

import { z } from 'zod';
import { action } from '@/lib/auth/action';
import { deliverAfterResponse } from '@/lib/mail/deliver-after-response';
import { cancelEmailChange } from '@/lib/users/confirm-email-change';
import { saveProfile } from '@/lib/users/save-profile';
import { profileInput } from '@/lib/users/schemas';

export const saveProfileAction = action({ access: 'AdminDashboard', input: profileInput }, async (actor, input) => {
  const saved = await saveProfile(actor, input);
  deliverAfterResponse();
  return saved;
});

export const cancelEmailChangeAction = action({ access: 'AdminDashboard', input: z.object({}) }, cancelEmailChange);
