import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { getBranding } from '@/lib/settings/branding/get-branding';
import { demoPassword } from './demo-account';
import { hashPassword } from './password';

/** The minimum zxcvbn score: 3 is "safely unguessable", more than 10^8 guesses. */
const minScore = 3;

/** The estimate takes more than linear time: 32 characters take less than 50 ms, 200 take seconds. */
const estimatedLength = 32;

let estimator: ZxcvbnFactory | undefined;

/** The owner of the password; both texts count as guessable. */
type Owner = { name: string; email: string };

/**
 * Hashes a password chosen by a user. It must be hard to guess: zxcvbn score 3 or more, with the user's name, the
 * email address and the name of the site as known words. `newPasswordField` has checked the length.
 * @throws AppError invalid_input with `fields.password`
 */
export async function hashChosenPassword(password: string, owner: Owner): Promise<string> {
  if (isGuessable(password, [owner.name, owner.email, (await getBranding()).siteName])) {
    const message = 'This password is easy to guess. Use a longer one, or several unrelated words.';
    throw new AppError('invalid_input', message, { fields: { password: message } });
  }
  return hashPassword(password);
}

/**
 * Whether a password is below the minimum score. The demo's published password is allowed in the demo only.
 * @param ownTexts names and addresses whose words an attacker tries first
 */
export function isGuessable(password: string, ownTexts: readonly string[]): boolean {
  if (password === demoPassword) return env().APP_ENV !== 'demo';
  estimator ??= new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: estimatedLength });
  return estimator.check(password.slice(0, estimatedLength), ownTexts.flatMap(getWords)).score < minScore;
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
