import { env } from '../env';
import type { Portal } from './portals';

export type DemoAccount = { email: string; password: string };

const emails: Record<Portal, string> = {
  user: 'buyer@example.com',
  admin: 'admin@example.com',
  seller: 'seller@example.com',
};

/** Published with the demo: allowed there and refused everywhere else. */
export const demoPassword = 'DemoPassw0rd!';

/** The account a visitor of the demo may use at this portal; null everywhere but in the demo. */
export function demoAccount(portal: Portal): DemoAccount | null {
  return env().APP_ENV === 'demo' ? { email: emails[portal], password: demoPassword } : null;
}
