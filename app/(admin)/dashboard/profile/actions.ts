'use server';

import { z } from 'zod';
import { cancelEmailChange } from '@/lib/auth/cancel-email-change';
import { action } from '@/lib/http/action';
import { saveProfile } from '@/lib/users/save-profile';
import { profileInput } from '@/lib/users/schemas';

export const saveProfileAction = action({ access: 'AdminDashboard', input: profileInput }, saveProfile);

export const cancelEmailChangeAction = action({ access: 'AdminDashboard', input: z.object({}) }, cancelEmailChange);
