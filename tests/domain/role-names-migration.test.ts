import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import postgres from 'postgres';
import { afterAll, expect, it } from 'vitest';

const url = process.env.MIGRATION_DATABASE_URL;
if (!url) throw new Error('MIGRATION_DATABASE_URL is not set');
const sql = postgres(url, { max: 1, onnotice: () => undefined });
afterAll(() => sql.end());

/** What the migration does to the names that an installation has, up to the index that forbids twins. */
const file = readFileSync(resolve(import.meta.dirname, '../../db/migrations/0017_rights_and_profiles.sql'), 'utf8');
const steps = file
  .slice(file.indexOf('-- Role names'))
  .split('--> statement-breakpoint')
  .map((step) => step.trim());

it('twins of role names survive the index: built-in spellings become the role itself, the younger of others is renamed', async () => {
  await sql.unsafe('drop index roles_name_key');
  await sql`insert into roles (name, created_at) values
    ('ADMIN', now()), ('Editor', '2026-01-01'), ('editor', '2026-02-01'), ('EDITOR', '2026-03-01'), ('editor (2)', '2026-01-15')`;
  await sql`insert into role_permissions (role_name, permission) values ('editor', 'ManageSites'), ('ADMIN', 'ManageOrders')`;
  const people = ['ADMIN', 'Editor', 'editor', 'EDITOR', 'editor (2)'];
  for (const [index, role] of people.entries()) {
    await sql`insert into users (id, email, password_hash, role) values (${role}, ${`holder-${index}@example.com`}, 'none', ${role})`;
  }
  for (const step of steps) await sql.unsafe(step);
  const held = await sql<{ id: string; role: string }[]>`select id, role from users order by created_at, id`;
  const roleOf = (id: string) => held.find((user) => user.id === id)?.role;
  expect([roleOf('ADMIN'), roleOf('Editor'), roleOf('editor (2)')]).toEqual(['Admin', 'Editor', 'editor (2)']);
  const renamed = [roleOf('editor'), roleOf('EDITOR')];
  expect(new Set(renamed.map((name) => name?.toLowerCase())).size).toBe(2);
  expect(renamed.every((name) => /^editor \(\d\)$/i.test(name ?? '') && name?.toLowerCase() !== 'editor (2)')).toBe(
    true,
  );
  const [granted] = await sql`select role_name from role_permissions where permission = 'ManageSites'`;
  expect(granted?.role_name).toBe(roleOf('editor'));
  await expect(sql`insert into roles (name) values ('EdItOr')`).rejects.toThrow('roles_name_key');
});
