'use server';

import { action } from '@/lib/auth/action';
import { saveBillingProfile } from './self-billing/profile';
import { billingProfileInput } from './self-billing/schemas';

/** Saves the seller's agreement to self-billing, or new details. */
export const saveBillingProfileAction = action({ access: 'seller', input: billingProfileInput }, saveBillingProfile);
