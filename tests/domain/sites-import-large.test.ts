import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { count, countDistinct, eq, sql } from 'drizzle-orm';
import postgres from 'postgres';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { sites } from '@/db/schema/sites';
import { users } from '@/db/schema/users';
import { receiveFile } from '@/lib/platform/http/receive-file';
import { toWebStream } from '@/lib/platform/http/web-stream';
import { type ImportResult, importSites } from '@/lib/sites/import/import-sites';
import { maxImportBytes } from '@/lib/sites/import/import-upload';
import { countries } from '@/lib/taxonomy/countries';
import { isFullRun } from '@/scripts/testing/tier';
import { makeUser } from '@/tests/factories/make-user';

const header = 'Site URL,Site Name,DA,DR,Traffic,SS,Category,Country,Language,TAT,Base Price,Status\r\n';
const line = (at: number) =>
  `https://www.site-${at}.example/,"Site, no. ${at}",${at % 101},${(at * 7) % 101},"${(1000 + at).toLocaleString('en-US')}",${at % 30} %,Topic ${at % 40},${countries[at % 60]},English,${(at % 9) + 1} days,$${(at % 500) + 1}.50,Approved\r\n`;

/** A generated file, which is never in memory as a whole. */
function* fileOf(rows: number, from = 0) {
  yield Buffer.from(header);
  for (let at = from; at < from + rows; at += 500) {
    yield Buffer.from(Array.from({ length: Math.min(500, from + rows - at) }, (_, more) => line(at + more)).join(''));
  }
}
const countOf = async (ownerId: string) => {
  const [row] = await db()
    .select({ rows: count(), keys: countDistinct(sites.urlKey), cents: sql<number>`sum(seller_price_cents)::float8` })
    .from(sites)
    .where(eq(sites.ownerId, ownerId));
  return row;
};

/** Enough rows for many batches. */
const rows = isFullRun ? 100_000 : 15_000;

describe(`a file of ${rows} rows`, () => {
  it('is imported completely while other requests are served and memory stays flat', { timeout: 180_000 }, async () => {
    const admin = await makeUser('Admin');
    const request = async () => {
      const started = performance.now();
      await db().select({ id: users.id }).from(users).where(eq(users.id, admin.userId));
      return performance.now() - started;
    };
    const idle: number[] = [];
    for (let at = 0; at < 40; at += 1) idle.push(await request());

    const startBytes = process.memoryUsage().rss;
    let peakBytes = startBytes;
    let isDone = false;
    const busy: number[] = [];
    const others = (async () => {
      while (!isDone) {
        busy.push(await request());
        peakBytes = Math.max(peakBytes, process.memoryUsage().rss);
        await pause(20);
      }
    })();
    const started = performance.now();
    const file = Readable.from(fileOf(rows), { objectMode: false });
    const result = await importSites(admin, { file, name: 'large.csv', audience: 'staff' });
    const seconds = (performance.now() - started) / 1000;
    isDone = true;
    await others;

    const newNiches = Array.from({ length: 20 }, (_, at) => `Topic ${at}`);
    expect(result).toEqual({ inserted: rows, duplicates: 0, skipped: 0, errors: [], unknownHeaders: [], newNiches });
    const cents = Array.from({ length: rows }, (_, at) => ((at % 500) + 1) * 100 + 50).reduce(
      (sum, one) => sum + one,
      0,
    );
    expect(await countOf(admin.userId)).toEqual({ rows, keys: rows, cents });
    const at = rows - 1;
    const tatDays = (at % 9) + 1;
    const [last] = await db()
      .select()
      .from(sites)
      .where(eq(sites.urlKey, `site-${at}.example`));
    expect(last).toMatchObject({
      name: `Site, no. ${at}`,
      traffic: 1_000 + at,
      tat: tatDays === 1 ? '1 Day' : `${tatDays} Days`,
      tatDays,
      status: 'Approved',
    });

    const grownMb = (peakBytes - startBytes) / 1e6;
    const slowest = (times: number[]) =>
      times.toSorted((one, other) => one - other).at(-Math.ceil(times.length / 100)) ?? 0;
    console.info(
      `${rows} rows in ${seconds.toFixed(1)} s (${Math.round(rows / seconds)} rows a second); memory grew by at most ${Math.round(grownMb)} MB; ` +
        `other queries p99 ${slowest(busy).toFixed(1)} ms (${busy.length} of them; idle ${slowest(idle).toFixed(1)} ms)`,
    );
    expect(grownMb).toBeLessThan(300);
    expect(busy.length).toBeGreaterThan(20);
    expect(slowest(busy)).toBeLessThan(5_000);
  });
});

describe('concurrent imports', () => {
  it('of the same file insert each site once and count the rest as duplicates', { timeout: 60_000 }, async () => {
    const admin = await makeUser('Admin');
    const send = () =>
      importSites(admin, {
        file: Readable.from(fileOf(2_000), { objectMode: false }),
        name: 'twice.csv',
        audience: 'staff',
      });
    const results = await Promise.all([send(), send(), send()]);
    const sum = (key: 'inserted' | 'duplicates' | 'skipped') =>
      results.reduce((total, result) => total + result[key], 0);
    expect([sum('inserted'), sum('duplicates'), sum('skipped')]).toEqual([2_000, 4_000, 0]);
    expect(await countOf(admin.userId)).toMatchObject({ rows: 2_000, keys: 2_000 });
    expect(await db().$count(auditLogs, eq(auditLogs.userId, admin.userId))).toBe(3);
  });

  it('of many sellers with the same new niches in different order all succeed', { timeout: 60_000 }, async () => {
    const names = Array.from({ length: 20 }, (_, at) => `Shared niche ${at}`);
    const results = await Promise.all(
      Array.from({ length: 6 }, async (_, at): Promise<ImportResult> => {
        const seller = await makeUser('Seller');
        const order = at % 2 === 0 ? names : names.toReversed();
        const content = `URL,Niche\n${order.map((name, row) => `s${row}.example,${name}\n`).join('')}`;
        return importSites(seller, { file: Readable.from([Buffer.from(content)]), name: 'n.csv', audience: 'seller' });
      }),
    );
    expect(results.map(({ inserted }) => inserted)).toEqual(Array(6).fill(20));
  });
});

describe('a cancelled upload', () => {
  const head = '--cut\r\nContent-Disposition: form-data; name="file"; filename="sites.csv"\r\n\r\n';

  it('leaves nothing when the upload is aborted', async () => {
    const admin = await makeUser('Admin');
    async function* broken() {
      yield Buffer.from(head);
      let sent = 0;
      for (const piece of fileOf(5_000)) {
        yield piece;
        sent += 1;
        if (sent > 8) throw new Error('The browser went away.');
      }
    }
    const init: RequestInit & { duplex: 'half' } = {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data; boundary=cut' },
      body: toWebStream(Readable.from(broken(), { objectMode: false })),
      duplex: 'half',
    };
    const request = new Request('http://localhost/api/guest-posts/upload', init);
    await expect(
      receiveFile(request, { field: 'file', maxBytes: maxImportBytes, userId: admin.userId }, (file, name) =>
        importSites(admin, { file, name, audience: 'staff' }),
      ),
    ).rejects.toMatchObject({ code: 'invalid_input', message: expect.stringContaining('interrupted') });
    expect(await countOf(admin.userId)).toMatchObject({ rows: 0 });
  });

  it('leaves nothing when it is aborted during the insert, and a retry imports everything', async () => {
    const admin = await makeUser('Admin');
    const gone = new AbortController();
    const send = (signal?: AbortSignal) =>
      importSites(admin, {
        file: Readable.from(fileOf(10_000), { objectMode: false }),
        name: 'retry.csv',
        audience: 'staff',
        ...(signal && { signal }),
      });
    const outcome = send(gone.signal).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    // Other sessions cannot see the rows of the transaction, but the sequence of their ids advances for all.
    const owner = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 1 });
    const lastId = async () => Number((await owner`select last_value from sites_id_seq`)[0]?.last_value);
    try {
      const before = await lastId();
      while ((await lastId()) < before + 1_000) await pause(5);
    } finally {
      gone.abort();
      await owner.end();
    }
    expect(await outcome).toMatchObject({ code: 'invalid_input', message: expect.stringContaining('canceled') });
    expect(await countOf(admin.userId)).toMatchObject({ rows: 0 });
    expect(await db().$count(auditLogs, eq(auditLogs.userId, admin.userId))).toBe(0);
    expect(await send()).toMatchObject({ inserted: 10_000, duplicates: 0 });
  });
});
