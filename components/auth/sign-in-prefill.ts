import { readSession, writeSession } from '@/components/shell/browser-storage';

/** What the next sign-in page of this tab shows. */
export type SignInPrefill = {
  email: string;
  /** Whether the user has just confirmed the address. */
  isConfirmed: boolean;
};

const key = 'sign_in_prefill';

/** Fills in the email of the next sign-in page. Storage keeps the address out of URLs, which are logged. */
export function prefillSignIn(prefill: SignInPrefill): void {
  writeSession(key, prefill);
}

/** Returns what `prefillSignIn` stored, once. */
export function takeSignInPrefill(): SignInPrefill | null {
  const stored = readSession(key);
  writeSession(key, null);
  return isPrefill(stored) ? stored : null;
}

function isPrefill(stored: unknown): stored is SignInPrefill {
  return (
    typeof stored === 'object' &&
    stored !== null &&
    'email' in stored &&
    typeof stored.email === 'string' &&
    'isConfirmed' in stored &&
    typeof stored.isConfirmed === 'boolean'
  );
}
