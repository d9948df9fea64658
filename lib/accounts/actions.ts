'use server';

import { action } from '@/lib/auth/action';
import { switchAccountInput } from './contract';
import { switchAccount } from './switch-account';

export const switchAccountAction = action({ access: 'session', input: switchAccountInput }, switchAccount);
