import { isAbsolute, relative } from 'node:path';
import type { AppEnv } from './start-services';

const accounts = [
  ['Admin', 'admin@example.com', '/admin/login'],
  ['Buyer', 'buyer@example.com', '/user/login'],
  ['Seller', 'seller@example.com', '/seller/login'],
] as const;

/** Formats the message with URLs and accounts, shown after the start. */
export function formatWelcome(env: AppEnv, gatewayPort: number, tookMs: number): string {
  const inside = relative(process.cwd(), env.DATA_DIR);
  const data = inside.startsWith('..') || isAbsolute(inside) ? env.DATA_DIR : inside;
  const lines = [
    `LinkMarket runs at ${env.APP_URL}   (ready in ${(tookMs / 1000).toFixed(1)} s)`,
    '',
    ...accounts.map(([role, mail, path]) => `  ${role.padEnd(8)}${mail.padEnd(22)}${env.APP_URL}${path}`),
    '  Password of all three: DemoPassw0rd!',
    '',
    `  Inbox, payments, publisher  http://127.0.0.1:${gatewayPort}`,
    `  Data                        ${data}   (delete it to start over)`,
    '',
    'Ctrl-C stops everything.',
  ];
  return `\n${lines.join('\n')}\n\n`;
}
