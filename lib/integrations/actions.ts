'use server';

import { action } from '@/lib/auth/action';
import { testIntegration, testIntegrationInput } from './test-integration';

/** Tests an integration with the stored settings. */
export const testIntegrationAction = action({ access: 'ManageSettings', input: testIntegrationInput }, testIntegration);
