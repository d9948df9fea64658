import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeToken } from '@/tests/factories/make-token';
import { appUrl } from '@/tests/setup/http-client';

/** A program of a stranger, in a folder of its own: it has the generated client and the packages, and none of our code. */
const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'stranger-'));
afterAll(() => rmSync(folder, { recursive: true }));

const compilerOptions = {
  ...{ target: 'ES2022', module: 'esnext', moduleResolution: 'bundler', lib: ['ES2023', 'dom'], types: ['node'] },
  ...{ strict: true, noEmit: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
};

const program = `
import { createLinkMarketClient } from './client/client';

const { BASE_URL = '', TOKEN, PROJECT_ID = '', SITE_ID = '' } = process.env;
const linkmarket = createLinkMarketClient({ baseUrl: BASE_URL, token: TOKEN });

const sites = await linkmarket.GET('/api/guest-posts', { params: { query: { ids: SITE_ID, limit: 1 } } });
if (sites.error) throw new Error(sites.error.error);
const query = { ids: SITE_ID, country: ['USA', 'India'], niche: 'General' };
const several = await linkmarket.GET('/api/guest-posts', { params: { query } });
if (several.error) throw new Error(several.error.error);

const placed = await linkmarket.POST('/api/orders', {
  params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
  body: { kind: 'custom', projectId: PROJECT_ID, siteIds: [Number(SITE_ID)] },
});
if (placed.error) throw new Error(placed.error.error);
const status: string | undefined = placed.data.orders[0]?.status;

const balance = await linkmarket.GET('/api/wallet/balance');
const refused = await createLinkMarketClient({ baseUrl: BASE_URL }).GET('/api/wallet/balance');
const unknown = await linkmarket.GET('/api/orders/{id}', { params: { path: { id: 2147483646 } } });
console.log(JSON.stringify({
  site: sites.data[0]?.id,
  several: several.data.map(({ id }) => id),
  status,
  balance: balance.data,
  refused: [refused.response.status, refused.error?.error],
  unknown: unknown.response.status,
}));
`;

/** Mistakes that the compiler must find. */
const mistakes = `
import { createLinkMarketClient } from './client/client';

const linkmarket = createLinkMarketClient({ baseUrl: '' });
// @ts-expect-error There is no such address.
await linkmarket.GET('/api/nothing');
// @ts-expect-error The body has no such kind.
await linkmarket.POST('/api/orders', { body: { kind: 'gift', projectId: 'x', siteIds: [1] } });
// @ts-expect-error The path needs its id.
await linkmarket.GET('/api/orders/{id}');
const { data } = await linkmarket.GET('/api/orders');
// @ts-expect-error An order has no such field.
console.log(data?.[0]?.colour);
`;

const run = (command: string, given: string[], cwd: string, env: Record<string, string> = {}) =>
  new Promise<string>((resolved, rejected) => {
    execFile(command, given, { cwd, env: { ...process.env, ...env } }, (error, output, errors) => {
      if (error) rejected(new Error(`${error.message}\n${output}\n${errors}`));
      else resolved(output);
    });
  });
const env: Record<string, string> = {};
let siteId = 0;

beforeAll(async () => {
  const buyer = await makeAccount();
  await fundWallet(buyer.userId, 10_000);
  siteId = await makeSite((await makeAccount({ role: 'Seller' })).userId, 2_500);
  const { secret } = await makeToken(buyer.userId, ['read', 'orders:write', 'wallet:topup']);
  Object.assign(env, { BASE_URL: appUrl, TOKEN: secret });
  Object.assign(env, { PROJECT_ID: await makeProject(buyer), SITE_ID: String(siteId) });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  writeFileSync(join(folder, 'program.ts'), program);
  writeFileSync(join(folder, 'mistakes.ts'), mistakes);
});

it('a program with the generated client type-checks and calls the running app', async () => {
  const from = `${appUrl}/api/openapi.json`;
  await run('npm', ['run', 'client:generate', '--', `--from=${from}`, `--out=${join(folder, 'client')}`], root);
  await run(process.execPath, [join(root, 'node_modules/typescript-native/bin/tsc'), '-p', folder], folder);
  const output = await run(process.execPath, ['--import', 'tsx', 'program.ts'], folder, env);
  expect(JSON.parse(output)).toEqual({
    site: siteId,
    several: [siteId],
    status: 'Pending',
    balance: expect.objectContaining({}),
    refused: [401, 'Please sign in to continue.'],
    unknown: 404,
  });
}, 600_000);

it('also from the source code, with the addresses of staff', async () => {
  const out = join(folder, 'whole');
  await run('npm', ['run', 'client:generate', '--', `--out=${out}`], root);
  writeFileSync(
    join(folder, 'staff.ts'),
    `import { createLinkMarketClient } from './whole/client';
export const orders = createLinkMarketClient({ baseUrl: '' }).GET('/api/admin/orders');
`,
  );
  await run(process.execPath, [join(root, 'node_modules/typescript-native/bin/tsc'), '-p', folder], folder);
}, 600_000);
