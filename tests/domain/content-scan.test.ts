import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { desc, eq } from 'drizzle-orm';
import { afterAll, expect, it, vi } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { mails } from '@/db/schema/mails';
import { orderContents } from '@/db/schema/orders';
import { attachContent } from '@/lib/orders/deliverables/content';
import { getTimeline } from '@/lib/orders/notices/timeline';
import { scanWithClamd } from '@/lib/platform/storage/clamd';
import { makeOrder } from '@/tests/factories/make-order';
import { makeUser } from '@/tests/factories/make-user';

const folder = mkdtempSync(join(tmpdir(), 'linkmarket-scan-'));
const program = join(import.meta.dirname, '../setup/clamd-process.ts');
const clamd = spawn(process.execPath, ['--import', 'tsx', program], { stdio: ['pipe', 'pipe', 'inherit'] });
const said = createInterface({ input: clamd.stdout })[Symbol.asyncIterator]();
const address = `127.0.0.1:${(await said.next()).value}`;
process.env.CLAMD_ADDRESS = address;
// An own folder for temporary files, to check that none is left.
const temporary = join(folder, 'temporary');
process.env.TMPDIR = mkdtempSync(temporary);
afterAll(() => {
  clamd.kill();
  rmSync(folder, { recursive: true, force: true });
});

async function become(behaviour: 'well' | 'silent' | 'babbling' | 'gone') {
  clamd.stdin.write(behaviour);
  await said.next();
}
const fileWith = (content: string | Buffer) => {
  const path = join(folder, 'scanned');
  writeFileSync(path, content);
  return path;
};
const upload = async (content: string) => {
  const { id, buyer } = await makeOrder(1_000);
  const attached = attachContent(await makeUser('Admin'), id, Readable.from([Buffer.from(content)]), 'article.txt');
  return { id, buyer, attached };
};

/** Nothing of the upload is left: no bytes, row, mail or entry in the buyer's timeline. */
async function expectNothingKept({ id, buyer }: Awaited<ReturnType<typeof upload>>) {
  expect(await db().select().from(orderContents).where(eq(orderContents.orderId, id))).toEqual([]);
  expect(await db().select().from(mails).where(eq(mails.recipient, buyer.email))).toEqual([]);
  expect(await getTimeline({ id, accountId: buyer.userId }, 'buyer')).toHaveLength(1);
  const kept = readdirSync(process.env.DATA_DIR ?? '', { recursive: true });
  expect(kept.filter((name) => String(name).startsWith(join('content', 'orders', String(id))))).toEqual([]);
  expect(readdirSync(process.env.TMPDIR ?? '')).toEqual([]);
}

it('accepts a clean file of 25 MB', async () => {
  expect(await scanWithClamd(address, fileWith(Buffer.alloc(25_000_000, 'a')))).toBeNull();
  const { attached } = await upload('A clean article.');
  expect(await attached).toMatchObject({ fileName: 'article.txt', sizeBytes: 16 });
});

it('rejects an infected file with its finding, audits it, and stores nothing', async () => {
  const infected = await upload('words LINKMARKET-TEST-VIRUS words');
  await expect(infected.attached).rejects.toMatchObject({
    code: 'invalid_input',
    message: 'The virus scanner found “Test-Virus” in this file, so it was refused. Upload a clean one.',
  });
  await expectNothingKept(infected);
  const [line] = await db().select().from(auditLogs).orderBy(desc(auditLogs.id)).limit(1);
  expect(line).toMatchObject({
    action: 'content.refused',
    details: `Order #${infected.id}: article.txt was refused because the virus scanner found Test-Virus.`,
  });
});

it('fails when the scanner hangs up, sends garbage or stays silent', async () => {
  const path = fileWith('words');
  await become('gone');
  await expect(scanWithClamd(address, path)).rejects.toThrow(
    /closed the connection|ECONNRESET|EPIPE|ended by the other party/,
  );
  await become('babbling');
  await expect(scanWithClamd(address, path)).rejects.toThrow('is incomplete');
  await become('silent');
  await expect(scanWithClamd(address, path, AbortSignal.timeout(100))).rejects.toThrow('timed out');
  await expect(scanWithClamd(address, path, AbortSignal.abort())).rejects.toThrow('timed out');
  await become('well');
  await expect(scanWithClamd(address, fileWith(Buffer.alloc(31_000_000)))).rejects.toThrow('size limit exceeded');
  expect(await scanWithClamd(address, fileWith('words'))).toBeNull();
});

it('rejects files with a message while the scanner is down', async () => {
  const log = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  clamd.kill();
  await once(clamd, 'exit');
  const unscanned = await upload('A clean article.');
  await expect(unscanned.attached).rejects.toMatchObject({
    code: 'provider_failed',
    message: expect.stringContaining('The virus scanner does not respond, so the file was refused.'),
  });
  await expectNothingKept(unscanned);
  expect(log.mock.calls.join()).toMatch(/ECONNREFUSED.*virus scanner/);
});
