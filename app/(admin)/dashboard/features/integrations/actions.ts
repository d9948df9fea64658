'use server';

import { action } from '@/lib/auth/action';
import { testIntegration, testIntegrationInput } from '@/lib/integrations/test-integration';

/** Asks a service whether it works with what is set up. */
export const testIntegrationAction = action({ access: 'ManageSettings', input: testIntegrationInput }, testIntegration);
