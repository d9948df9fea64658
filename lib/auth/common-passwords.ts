import { dictionary } from '@zxcvbn-ts/language-common';

let known: ReadonlySet<string> | undefined;

/** Is it among the 49,000 passwords most often seen in leaks (in any case)? Attackers try those first. */
export function isCommonPassword(password: string): boolean {
  known ??= new Set(dictionary['passwords-common'].map((word) => String(word).toLowerCase()));
  return known.has(password.toLowerCase());
}
