import { AppError } from '../errors';
import type { Actor } from './actor';

/** How long a typed password, or a passkey, stands for the person: five minutes. */
export const reauthenticationSeconds = 5 * 60;

/**
 * Step-up authentication: a session that was left open, or whose cookie was stolen, does not reach backups, payment
 * keys, rights, other people's passwords or manual credits. Called by `route()` and `action()` where
 * `recentAuthentication` is declared, and by verbs that need it for some changes only.
 * @throws AppError reauthentication_required
 */
export function requireRecentAuthentication(actor: Actor): void {
  if (actor.hasRecentAuthentication) return;
  throw new AppError('reauthentication_required', 'Confirm your password to continue.');
}
