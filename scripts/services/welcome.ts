import { isAbsolute, relative } from 'node:path';
import type { AppEnv } from './start-services';

const accounts = [
  ['Admin', 'admin@example.com', '/admin/login'],
  ['Buyer', 'buyer@example.com', '/user/login'],
  ['Seller', 'seller@example.com', '/seller/login'],
] as const;
const demoPassword = 'DemoPassw0rd!';

/** Formats the message of a start that builds the app: how long it takes, and what to do in the meantime. */
export function formatPreview(port: number): string {
  const url = process.env.APP_URL || `http://localhost:${port}`;
  const lines = [
    'The first start builds the app and writes the demo data, which takes one to two minutes. Later starts take seconds.',
    `LinkMarket will run at ${url}. Sign in with the password ${demoPassword} as`,
    ...accounts.map(([role, mail]) => `  ${role.padEnd(8)}${mail}`),
    'In the meantime, README.md describes what it does, and docs/internals/architecture.md how it is built.',
  ];
  return `\n${lines.join('\n')}\n`;
}

/** Formats the message with URLs and accounts, shown after the start. */
export function formatWelcome(env: AppEnv, gatewayPort: number, tookMs: number): string {
  const inside = relative(process.cwd(), env.DATA_DIR);
  const data = inside.startsWith('..') || isAbsolute(inside) ? env.DATA_DIR : inside;
  const lines = [
    `LinkMarket runs at ${env.APP_URL}   (ready in ${(tookMs / 1000).toFixed(1)} s)`,
    '',
    ...accounts.map(([role, mail, path]) => `  ${role.padEnd(8)}${mail.padEnd(22)}${env.APP_URL}${path}`),
    `  Password of all three: ${demoPassword}`,
    '',
    `  Inbox, payments, publisher  http://127.0.0.1:${gatewayPort}`,
    `  Data                        ${data}   (delete it to start over)`,
    '',
    'Ctrl-C stops everything.',
  ];
  return `\n${lines.join('\n')}\n\n`;
}
