'use server';

import { action } from '@/lib/auth/action';
import { saveProvider, saveProviderInput } from './providers';
import { sendAgainInput, sendDeliveryAgain } from './send-again';

/** Sets the provider of a channel. */
export const saveDeliveryProviderAction = action(
  { access: 'ManageSettings', input: saveProviderInput, recentAuthentication: true },
  saveProvider,
);

/** Sends a document again that was not delivered. */
export const sendDeliveryAgainAction = action({ access: 'ManageOrders', input: sendAgainInput }, sendDeliveryAgain);
