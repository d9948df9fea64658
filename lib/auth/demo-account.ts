import { env } from '@/lib/env';
import type { Portal } from './portals';

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
