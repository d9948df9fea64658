'use server';

import { action } from '@/lib/auth/action';
import { billingProfileInput } from './self-billing/contract';
import { saveBillingProfile } from './self-billing/profile';

/** Saves the seller's agreement to self-billing, or new details. */
export const saveBillingProfileAction = action({ access: 'seller', input: billingProfileInput }, saveBillingProfile);
