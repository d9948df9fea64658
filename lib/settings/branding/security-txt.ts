import { env, toMailtoUri } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { dayMs } from '@/lib/platform/durations';
import { getBranding } from './get-branding';

/** RFC 9116 recommends less than a year, so that readers notice a file that is no longer maintained. */
const validDays = 180;

/**
 * Builds /.well-known/security.txt (RFC 9116): where to report a vulnerability of this installation. The contact is
 * SECURITY_CONTACT, or the support address of Branding.
 * @param now the current time, for tests
 * @throws AppError not_found without a contact, which RFC 9116 requires
 */
export async function createSecurityTxt(now = new Date()): Promise<string> {
  const { SECURITY_CONTACT, APP_URL } = env();
  const { supportEmail } = await getBranding();
  const contact = SECURITY_CONTACT ?? (supportEmail && toMailtoUri(supportEmail));
  if (!contact) throw new AppError('not_found', 'This installation has no security contact.');
  const midnight = Math.floor(now.getTime() / dayMs) * dayMs;
  const fields = [
    `Contact: ${contact}`,
    `Expires: ${new Date(midnight + validDays * dayMs).toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${APP_URL}/.well-known/security.txt`,
  ];
  return `${fields.join('\n')}\n`;
}
