import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { ApiError } from '@/lib/browser/api-client';

// The library is loaded when it is needed: the sign-in pages stay light.
const load = () => import('@simplewebauthn/browser');

/** Shows the browser's prompt that makes a passkey. @throws ApiError that says why there is none */
export function createPasskey(optionsJSON: PublicKeyCredentialCreationOptionsJSON) {
  return prompt(async () => (await load()).startRegistration({ optionsJSON }));
}

/** Shows the browser's prompt that asks for a passkey. @throws ApiError that says why there is none */
export function askPasskey(optionsJSON: PublicKeyCredentialRequestOptionsJSON) {
  return prompt(async () => (await load()).startAuthentication({ optionsJSON }));
}

async function prompt<T>(show: () => Promise<T>): Promise<T> {
  if (window.PublicKeyCredential === undefined) throw new ApiError(400, 'This browser does not support passkeys here.');
  return show().catch((cause: unknown) => {
    throw new ApiError(400, messageOf(cause));
  });
}

function messageOf(cause: unknown): string {
  const name = cause instanceof Error ? cause.name : '';
  if (name === 'InvalidStateError') return 'This device has a passkey for your account already.';
  if (name === 'SecurityError') return 'Passkeys need the address of this site with https.';
  return 'The passkey was not used. Please try again.';
}
