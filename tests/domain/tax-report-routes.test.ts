import { and, eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { GET } from '@/app/api/admin/reports/[operation]/route';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { sessions } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { ossReportResponse } from '@/lib/dashboard/tax-reports/oss';
import { dac7Response, usSellersResponse } from '@/lib/dashboard/tax-reports/sellers';
import { taxReportResponse } from '@/lib/dashboard/tax-reports/tax';
import { makePayableSeller } from '@/tests/factories/make-payout';
import { makeStaff } from '@/tests/factories/make-staff';
import { bearerOf } from '@/tests/setup/bearer-of';
import { callHandler } from '@/tests/setup/request-scope';

vi.mock('next/headers', async () => (await import('@/tests/setup/request-scope')).nextHeaders);

let [bookkeeper, payer]: Actor[] = [];
beforeAll(async () => {
  await makePayableSeller(5_000);
  bookkeeper = await makeStaff('ManageWallets');
  payer = await makeStaff('ManagePayouts');
});

const read = async (staff: Actor | undefined, path: string) =>
  callHandler(GET, `http://localhost:3000/api/admin/reports/${path}`, { headers: await bearerOf(staff?.userId ?? '') });

const year = new Date().getUTCFullYear();
const reports = [
  { path: 'tax?from=2026-01&to=2026-12&by=quarter', response: taxReportResponse, isOfSellers: false },
  { path: 'oss?quarter=2026-Q3', response: ossReportResponse, isOfSellers: false },
  { path: `dac7?year=${year}`, response: dac7Response, isOfSellers: true },
  { path: `1099?year=${year}`, response: usSellersResponse, isOfSellers: true },
];

describe.each(reports)('the report $path', ({ path, response, isOfSellers }) => {
  it('is for the staff of its area, in the documented form', async () => {
    const [own, other] = isOfSellers ? [payer, bookkeeper] : [bookkeeper, payer];
    const { status, body } = await read(own, path);
    expect(status).toBe(200);
    expect(response.strict().parse(body)).toEqual(body);
    expect((await read(other, path)).status).toBe(403);
    expect((await read(other, `${path}&format=csv`)).status).toBe(403);
  });

  it('refuses invalid values', async () => {
    const own = isOfSellers ? payer : bookkeeper;
    const [name = ''] = path.split('?');
    const values = { tax: 'from=2026-1', oss: 'quarter=2026-Q5', dac7: 'year=20', 1099: 'year=x' };
    const [, value] = Object.entries(values).find(([key]) => key === name) ?? [];
    for (const query of [value, 'format=xml']) expect((await read(own, `${name}?${query}`)).status, query).toBe(400);
  });
});

it('the accounts of sellers are in the CSV only, which needs a recent password and is recorded', async () => {
  const { body } = await read(payer, `dac7?year=${year}`);
  expect(JSON.stringify(body)).not.toContain('DE89370400440532013000');
  const csv = await read(payer, `dac7?year=${year}&format=csv`);
  expect(csv.body).toContain('DE89370400440532013000');
  const lines = await db()
    .select()
    .from(auditLogs)
    .where(and(eq(auditLogs.action, 'seller_report.exported'), eq(auditLogs.userId, payer?.userId ?? '')));
  expect(lines).toMatchObject([{ entityId: `DAC7 ${year}` }]);
  const headers = await bearerOf(payer?.userId ?? '');
  await db()
    .update(sessions)
    .set({ authenticatedAt: sql`now() - interval '301 seconds'` })
    .where(eq(sessions.userId, payer?.userId ?? ''));
  for (const name of ['dac7', '1099']) {
    const url = `http://localhost:3000/api/admin/reports/${name}?year=${year}`;
    expect(await callHandler(GET, `${url}&format=csv`, { headers })).toMatchObject({
      ...{ status: 403, body: { code: 'reauthentication_required' } },
    });
    expect((await callHandler(GET, url, { headers })).status).toBe(200);
  }
});
