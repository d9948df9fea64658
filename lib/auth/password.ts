import { hash, verify } from '@node-rs/argon2';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { getBranding } from '@/lib/settings/branding/get-branding';
import type { Portal } from './portals';

/** argon2id with OWASP's parameters (19 MiB, t=2, p=1), about 10 ms. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export function hashPassword(password: string): Promise<string> {
  return hash(normalizePassword(password), parameters);
}

/**
 * Returns a password in one form for all keyboards: systems send the same letters composed or decomposed, and input
 * methods send full-width letters and other spaces (RFC 8265, section 4.2; with NFKC, as NIST SP 800-63B recommends).
 */
const normalizePassword = (password: string): string => password.normalize('NFKC').replace(/\p{Zs}/gu, ' ');

let decoy: Promise<string> | undefined;

/**
 * Verifies a password. Without a hash (unknown email) it takes the same time and returns false, so that the response
 * time does not reveal whether an account exists.
 */
export async function verifyPassword(storedHash: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('password of no account');
  const compared = storedHash ?? (await decoy);
  const normalized = normalizePassword(password);
  // Hashes from before passwords were normalized are of the text as it was sent.
  const matches =
    (await verify(compared, normalized)) || (normalized !== password && (await verify(compared, password)));
  return storedHash !== null && matches;
}

export type DemoAccount = { email: string; password: string };

const emails: Record<Portal, string> = {
  user: 'buyer@example.com',
  admin: 'admin@example.com',
  seller: 'seller@example.com',
};

/** The demo's published password: allowed in the demo and rejected everywhere else. */
export const demoPassword = 'DemoPassw0rd!';

/** Returns the demo account of a portal; null outside the demo. */
export function demoAccount(portal: Portal): DemoAccount | null {
  return env().APP_ENV === 'demo' ? { email: emails[portal], password: demoPassword } : null;
}

/** The minimum zxcvbn score: 3 is "safely unguessable", more than 10^8 guesses. */
const minScore = 3;

/** The estimate takes more than linear time: 32 characters take less than 50 ms, 200 take seconds. */
const estimatedLength = 32;

let estimator: ZxcvbnFactory | undefined;

/** The message for a password that is easy to guess. */
export const guessablePassword = 'This password is easy to guess. Use a longer one, or several unrelated words.';

/** The owner of the password; both texts count as guessable. */
type Owner = { name: string; email: string };

/**
 * Hashes a password chosen by a user. It must be hard to guess: zxcvbn score 3 or more, with the user's name, the
 * email address and the name of the site as known words. `newPasswordField` has checked the length.
 * @throws AppError invalid_input with `fields.password`
 */
export async function hashChosenPassword(password: string, owner: Owner): Promise<string> {
  if (isGuessable(password, [owner.name, owner.email, (await getBranding()).siteName])) {
    throw new AppError('invalid_input', guessablePassword, { fields: { password: guessablePassword } });
  }
  return hashPassword(password);
}

/**
 * Checks whether a password is below the minimum score. The demo's published password is allowed in the demo only.
 * @param ownTexts names and addresses whose words an attacker tries first
 */
export function isGuessable(password: string, ownTexts: readonly string[]): boolean {
  // In the form that is hashed: "password" in full-width letters is the same password.
  const normalized = normalizePassword(password);
  if (normalized === demoPassword) return env().APP_ENV !== 'demo';
  const words = ownTexts.flatMap(getWords);
  const folded = normalized.toLowerCase();
  // Where own texts exceed the estimated part, the estimator sees a prefix of them, which it does not know.
  const known = folded.length > estimatedLength ? [...ownTexts, ...words] : [...ownTexts];
  known.sort((one, other) => other.length - one.length);
  const rest = known.map((text) => text.toLowerCase()).reduce(removeText, folded);
  estimator ??= new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: estimatedLength });
  const check = (text: string) => estimator?.check(text.slice(0, estimatedLength), words).score ?? 0;
  return check(normalized) < minScore || (rest !== folded && check(rest) < minScore);
}

/** Removes a text, also reversed, from a password. */
function removeText(password: string, text: string): string {
  if (text.length < 3) return password;
  return password.replaceAll(text, '').replaceAll([...text].reverse().join(''), '');
}

/** Returns "Ann Smith" as it is, as its words, and as one word; an email address also without its domain. */
function getWords(text: string): string[] {
  const texts = [text, text.split('@')[0] ?? ''];
  const words = text.split(/[^\p{L}\p{N}]+/u);
  const joined = texts.map((one) => one.replace(/[^\p{L}\p{N}]/gu, ''));
  return [...new Set([...texts, ...words, ...joined])]
    .filter((word) => word.length > 2)
    .map((word) => word.slice(0, 64));
}
