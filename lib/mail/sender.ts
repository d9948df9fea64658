import { env } from '../env';
import { defaultBranding } from '../settings/branding';
import { getBranding } from '../settings/get-branding';

/**
 * Whom mails come from: MAIL_FROM, and once an admin has named the installation, its address under that name.
 * The name is quoted (RFC 5322, 3.2.4), so that no sign in it ends it.
 */
export async function mailSender(): Promise<string> {
  const { MAIL_FROM } = env();
  const { siteName } = await getBranding();
  if (siteName === defaultBranding.siteName) return MAIL_FROM;
  const address = /<([^<>]+)>\s*$/.exec(MAIL_FROM)?.[1] ?? MAIL_FROM;
  return `"${siteName.replace(/["\\]/g, '\\$&')}" <${address}>`;
}
