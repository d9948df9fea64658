'use server';

import { z } from 'zod';
import { cancelEmailChange } from '@/lib/auth/cancel-email-change';
import { action } from '@/lib/http/action';
import { deliverSoon } from '@/lib/mail/deliver-soon';
import { saveProfile } from '@/lib/users/save-profile';
import { profileInput } from '@/lib/users/schemas';

export const saveProfileAction = action({ access: 'AdminDashboard', input: profileInput }, async (actor, input) => {
  const saved = await saveProfile(actor, input);
  deliverSoon();
  return saved;
});

export const cancelEmailChangeAction = action({ access: 'AdminDashboard', input: z.object({}) }, cancelEmailChange);
