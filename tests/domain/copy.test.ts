import { finished } from 'node:stream/promises';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { db } from '@/db/client';
import { copyFromStdin, copyToStdout } from '@/db/copy';

const rows = 20_000;
const wide = `select repeat('x', 1000) from generate_series(1, ${rows})`;

it('a COPY that is read to its end returns every row, and the transaction continues', async () => {
  await db().transaction(async (tx) => {
    let bytes = 0;
    for await (const chunk of copyToStdout(tx, wide)) bytes += chunk.length;
    expect(bytes).toBe(rows * 1_001);
    expect([...(await tx.execute(sql`select 1 as one`))]).toEqual([{ one: 1 }]);
  });
});

it('an abandoned COPY ends its transaction and releases the connection', async () => {
  const failing = db().transaction(async (tx) => {
    for await (const _ of copyToStdout(tx, wide)) throw new Error('The archive cannot be written.');
  });
  await expect(failing).rejects.toThrow('The archive cannot be written.');
});

it('a COPY whose rows break a foreign key fails at its end, instead of waiting', async () => {
  const failing = db().transaction(async (tx) => {
    await tx.execute(sql`create temporary table parts (id int primary key, whole int references parts) on commit drop`);
    const sink = await copyFromStdin(tx, 'parts', ['id', 'whole']);
    sink.end('1\t2\n');
    await finished(sink);
  });
  await expect(failing).rejects.toThrow('violates foreign key constraint');
});
