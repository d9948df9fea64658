import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { env } from '../env';
import { AppError } from '../errors';
import { getBranding } from '../settings/branding/get-branding';
import { demoPassword } from './demo-account';
import { hashPassword } from './password';

/** zxcvbn's scale: 3 is "safely unguessable", more than 10^8 guesses. */
const minScore = 3;

/** The estimate takes more than linear time: 32 characters stay below 50 ms, 200 take seconds. */
const estimatedLength = 32;

let estimator: ZxcvbnFactory | undefined;

/** Whose password it is; both texts count as guessable. */
type Owner = { name: string; email: string };

/**
 * Hashes a password that a person chooses, once it is hard to guess: zxcvbn score 3 or more, where the person's name,
 * the email address and the name of the site count as known words. The length was checked by `newPasswordField`.
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
 * Is it below the score that a chosen password needs? The demo's published password is allowed in the demo only.
 * @param ownTexts names and addresses whose words an attacker tries first
 */
export function isGuessable(password: string, ownTexts: readonly string[]): boolean {
  if (password === demoPassword) return env().APP_ENV !== 'demo';
  estimator ??= new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: estimatedLength });
  return estimator.check(password.slice(0, estimatedLength), ownTexts.flatMap(wordsOf)).score < minScore;
}

/** "Ann Smith" as itself, as its words, and as one word; an address also without its domain. */
function wordsOf(text: string): string[] {
  const texts = [text, text.split('@')[0] ?? ''];
  const words = text.split(/[^\p{L}\p{N}]+/u);
  const joined = texts.map((one) => one.replace(/[^\p{L}\p{N}]/gu, ''));
  return [...new Set([...texts, ...words, ...joined])]
    .filter((word) => word.length > 2)
    .map((word) => word.slice(0, 64));
}
