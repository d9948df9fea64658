import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { db } from '@/db/client';
import { systemActor } from '@/lib/access/actor';
import { exportAuditLogs } from '@/lib/audit/export';
import { listAuditKinds, listAuditLogs, systemUser } from '@/lib/audit/queries';
import { auditLogQuery } from '@/lib/audit/schemas';
import { formatAction } from '@/lib/audit/views';
import { recordAudit } from '@/lib/platform/audit/record';
import { makeUser } from '@/tests/factories/make-user';

const ask = async (query: Record<string, unknown>) => (await listAuditLogs(auditLogQuery.parse(query))).rows;
const written = (details: string, entityType = 'thing') => ({
  action: 'thing.done',
  details,
  entityType,
  entityId: '1',
});

it('filters by source, subject and UTC days, both ends included', async () => {
  const admin = await makeUser('Admin');
  await recordAudit(db(), admin, written('by a person'), written('about another', 'other'));
  await recordAudit(db(), systemActor('Job', 'job'), written('by a job'));
  // The log's trigger refuses changes, so the rows are inserted with their dates.
  const dated = (moment: string, details: string) =>
    db().execute(sql`
      insert into audit_logs (action, details, "user", role, source, entity_type, entity_id, mac, timestamp)
      values ('thing.dated', ${details}, 'test user', 'User', 'script', 'thing', '1', '', ${moment}::timestamptz)`);
  await dated('2024-02-28T23:59:59.999999Z', 'before');
  await dated('2024-02-29T00:00:00Z', 'first');
  await dated('2024-03-01T23:59:59.999999Z', 'last');
  await dated('2024-03-02T00:00:00Z', 'after');

  expect((await ask({ source: 'job' })).map(({ details }) => details)).toEqual(['by a job']);
  expect((await ask({ entity: 'other' })).map(({ details }) => details)).toEqual(['about another']);
  const days = await ask({ from: '2024-02-29', to: '2024-03-01' });
  expect(days.map(({ details }) => details)).toEqual(['last', 'first']);
  expect((await ask({ to: '2024-02-28' })).map(({ details }) => details)).toEqual(['before']);
  expect(await ask({ from: '0001-01-01', to: '9999-12-31' })).toHaveLength(7);
  expect(new Set((await listAuditKinds()).map(({ entityType }) => entityType))).toEqual(new Set(['other', 'thing']));
});

it.each([
  ...['2026-02-29', '2026-13-01', '2026-1-1', '2026-01-01T00:00:00Z', '20260101', '01/02/2026', 'soon', '+2026-01-01'],
  // PostgreSQL has no year 0.
  '0000-01-01',
])('refuses the day %s', (day) => {
  for (const query of [{ from: day }, { to: day }])
    expect(auditLogQuery.safeParse(query).error?.issues[0]?.path).toEqual(Object.keys(query));
});

it('reads the same entries by index as a scan of the log finds, for any combination of filters', async () => {
  const [one, other] = [await makeUser('Admin'), await makeUser('Admin')];
  for (let index = 0; index < 40; index += 1) {
    const [entityType, action] = index % 3 === 0 ? ['site', 'site.updated'] : ['order', `order.step${index % 2}`];
    const details = `Entry ${index}${index % 4 ? '' : ' mentions coffee'}`;
    const actor = index % 7 === 0 ? systemActor('Import', 'job') : index % 2 === 0 ? one : other;
    await recordAudit(db(), actor, { action, details, entityType, entityId: index % 5 });
  }
  const all = await ask({ limit: 500 });
  const options: Record<string, (string | undefined)[]> = {
    action: [undefined, 'order.step1', 'site.updated'],
    user: [undefined, one.userId, systemUser],
    entity: [undefined, 'order'],
    source: [undefined, 'job', 'web'],
    from: [undefined, new Date().toISOString().slice(0, 10)],
    q: [undefined, 'coffee', 'site 0', '#3', 'STEP1', 'e'],
  };
  const combinations = Object.entries(options).reduce<Record<string, string | undefined>[]>(
    (found, [name, values]) => found.flatMap((filter) => values.map((value) => ({ ...filter, [name]: value }))),
    [{}],
  );
  for (const filter of combinations) {
    const { action, user, entity, source, from, q = '' } = filter;
    const [, type, id] = /^(site |#)(\d)$/.exec(q) ?? [];
    const expected = all.filter(
      (row) =>
        (!action || row.action === action) &&
        (!user || row.userId === (user === systemUser ? null : user)) &&
        (!entity || row.entityType === entity) &&
        (!source || row.source === source) &&
        (!from || row.timestamp.toISOString() >= from) &&
        (`${row.details}\n${row.user}\n${row.action}`.toLowerCase().includes(q.toLowerCase()) ||
          (row.entityId === id && (type === '#' || row.entityType === 'site'))),
    );
    const { rows, total } = await listAuditLogs(auditLogQuery.parse({ ...filter, limit: 500 }));
    expect({ ids: rows.map(({ id }) => id), total }, JSON.stringify(filter)).toEqual({
      ids: expected.map(({ id }) => id),
      total: expected.length,
    });
  }
});

it('exports every line once at any size, and escapes formulas', async () => {
  const count = 2_345;
  const lines = Array.from({ length: count }, (_, index) => written(`${'=+-@'[index % 4]}SUM(${index})`, 'export'));
  await recordAudit(db(), systemActor('=Job()', 'job'), ...lines);
  let text = '';
  for await (const piece of exportAuditLogs({ entity: 'export' })) text += piece;
  const rows = text.split('\r\n').slice(1, -1);
  expect(rows).toHaveLength(count);
  expect(new Set(rows.map((row) => row.split(',')[0])).size).toBe(count);
  expect(rows.every((row) => /,'[=+\-@]SUM\(\d+\),/.test(row) && row.includes(",'=Job(),"))).toBe(true);
});

it('displays an action as words, in American spelling', () => {
  expect(formatAction('order.content_added')).toBe('Order content added');
  expect(formatAction('user.email_change_cancelled')).toBe('User email change canceled');
});
