import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { ApiError } from '@/lib/browser/api-client';

// Loaded on demand, to keep the sign-in pages small.
const load = () => import('@simplewebauthn/browser');

/** Opens the browser's prompt to create a passkey. @throws ApiError with the reason of a failure */
export function createPasskey(optionsJSON: PublicKeyCredentialCreationOptionsJSON) {
  return prompt(async () => (await load()).startRegistration({ optionsJSON }));
}

/** Opens the browser's prompt to use a passkey. @throws ApiError with the reason of a failure */
export function getPasskey(optionsJSON: PublicKeyCredentialRequestOptionsJSON) {
  return prompt(async () => (await load()).startAuthentication({ optionsJSON }));
}

async function prompt<T>(show: () => Promise<T>): Promise<T> {
  if (window.PublicKeyCredential === undefined) throw new ApiError(400, 'This browser doesn’t support passkeys.');
  return show().catch((cause: unknown) => {
    throw new ApiError(400, messageOf(cause));
  });
}

function messageOf(cause: unknown): string {
  const name = cause instanceof Error ? cause.name : '';
  if (name === 'InvalidStateError') return 'This device already has a passkey for your account.';
  if (name === 'SecurityError') return 'Passkeys need a secure connection. Open this page at its https address.';
  return 'The passkey wasn’t used. Please try again.';
}
