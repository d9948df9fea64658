import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { type AccountRole, accountRoles } from '@/db/enums';
import { hasAccountRight, isAccountRight, isOpenToUsers } from '@/lib/access/account-roles';
import type { RouteDeclaration } from '@/lib/platform/http/route';
import { getTokenScopes } from '@/lib/platform/http/route-metadata';
import type { JoinedHandler } from '@/lib/platform/openapi/document';
import { letterOf } from '@/tests/api/account-roles';
import { rightsInVerbs } from '@/tests/api/rights-in-verbs';

/**
 * Compares tests/api/access.snapshot.json with the code: every route handler and every page, with the users that it
 * admits; and lib/platform/http/route-methods.json with the methods of every route. After a change on purpose, update the
 * files with `npx vitest run --project unit tests/unit/access-snapshot.test.ts -u` and review their diff: the tests of the
 * access matrix, of hostile input and of the pages expect what the first one says.
 */

const app = resolve(import.meta.dirname, '../../app');
const files = readdirSync(app, { recursive: true, encoding: 'utf8' }).sort();
const pageFiles = files.filter((name) => /(^|\/)page\.[jt]sx?$/.test(name));
/** Folders in parentheses are not part of a path. */
const pathOf = (file: string) => `/${file}`.replace(/\/\([^)]+\)/g, '').replace(/\/(?:route|page)\.tsx?$/, '') || '/';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const handler = z.custom<{ declaration: RouteDeclaration }>(
  (value) => typeof value === 'function' && 'declaration' in value,
  'The handler is not created by route().',
);

const joinedHandler = z.custom<JoinedHandler>((value) => typeof value === 'function' && 'operations' in value);

it('the snapshot contains every route and every page, with the users that they admit', async () => {
  const snapshot = { routes: sorted(await listRoutes()), pages: sorted(listPages()) };
  await expect(`${JSON.stringify(snapshot, null, 2)}\n`).toMatchFileSnapshot('../api/access.snapshot.json');
}, 300_000);

it('the snapshot of roles lists who of an account is admitted to each route, page and action of buyers', async () => {
  const ofRoutes = Object.entries(sorted(await listRoutes())).map(([address, { access }]) => {
    const [kind = '', name = ''] = address.split(' ');
    return { kind, name, access, admitted: rightsInVerbs[address] ?? access };
  });
  const ofPages = Object.entries(sorted(listPages()))
    .filter(([, { portal }]) => portal === 'user')
    .map(([name, { access }]) => ({ kind: 'page', name, access, admitted: access }));
  const ofActions = listActions().map(([name, access]) => ({ kind: 'action', name, access, admitted: access }));
  const lines = [...ofRoutes, ...ofPages, ...ofActions]
    .filter(({ access }) => isOpenToUsers(access))
    .map(({ kind, name, admitted }) => `${lettersOf(admitted)}  ${kind.padEnd(6)}  ${name}`);
  const legend = `# ${accountRoles.map((role) => `${letterOf(role)} ${role}`).join(', ')}. tests/unit/access-snapshot.test.ts writes it.`;
  await expect(`${[legend, ...lines].join('\n')}\n`).toMatchFileSnapshot('../api/account-roles.snapshot.txt');
}, 120_000);

/** The letters of the roles that a right, a list of roles, or a session admits. */
function lettersOf(admitted: string | readonly AccountRole[] | undefined): string {
  const isAdmitted = (role: AccountRole) => {
    if (typeof admitted === 'object') return admitted.includes(role);
    return !isAccountRight(admitted) || hasAccountRight(role, admitted);
  };
  return accountRoles.map((role) => (isAdmitted(role) ? letterOf(role) : '.')).join('');
}

it('the methods of every route are those that a response with status 405 allows', async () => {
  const byPath: Record<string, string[]> = {};
  for (const name of Object.keys(sorted(await listRoutes()))) {
    const [method = '', path = ''] = name.split(' ');
    byPath[path] = [...(byPath[path] ?? ['OPTIONS']), method, ...(method === 'GET' ? ['HEAD'] : [])];
  }
  // The fallback of the API answers 404 to every method.
  delete byPath['/api/[...rest]'];
  const allowed = Object.entries(byPath).map(([path, allow]) => [path, [...new Set(allow)].sort().join(', ')]);
  const file = '../../lib/platform/http/route-methods.json';
  await expect(`${JSON.stringify(Object.fromEntries(allowed), null, 2)}\n`).toMatchFileSnapshot(file);
}, 120_000);

it('only the redirects of / and /login, link passports, the public catalog, the pages for developers and those of (auth) are public', () => {
  const publicFiles = pageFiles.filter((file) => describePage(file).access === 'public');
  expect(publicFiles.filter((file) => !file.startsWith('(auth)/'))).toEqual([
    'developers/page.tsx',
    'developers/reference/page.tsx',
    'explore/[niche]/page.tsx',
    'explore/page.tsx',
    'login/page.tsx',
    'page.tsx',
    'proof/[id]/page.tsx',
  ]);
  expect(publicFiles.length).toBeGreaterThan(2);
});

it('an API token needs a scope at every address that is not public', async () => {
  const undecided = Object.entries(await listRoutes()).filter(([, { scope }]) => scope === '?');
  expect(undecided.map(([name]) => name)).toEqual([]);
}, 120_000);

/** Addresses whose scope is a rule of its own, by method and path. */
const scopeRules: [RegExp, string][] = [
  [/^\w+ \/api\/(tokens|auth)\b/, 'none'],
  [/^\w+ \/api\/seller\/payout-method$/, 'none'],
  [/^\w+ \/dashboard\/features\/backup\//, 'none'],
  [/^(POST|PUT|PATCH|DELETE) \/api\/(acl|profile|roles|admin\/payments)\b/, 'none'],
  [/^POST \/api\/webhooks(\/\[id\]\/rotate)?$/, 'none'],
  [/^\w+ \/api\/(webhooks|events)\b/, 'webhooks'],
  [/^POST \/api\/(wallet\/topup|user\/payments)\//, 'wallet:topup'],
];

it('no API token reaches account security, payout methods, secrets of webhooks, backups and API tokens', async () => {
  const wrong = Object.entries(await listRoutes()).flatMap(([name, { scope }]) => {
    const rule = scopeRules.find(([pattern]) => pattern.test(name));
    return rule && scope !== undefined && scope !== rule[1] ? [`${name}: ${scope}`] : [];
  });
  expect(wrong).toEqual([]);
}, 120_000);

/** The declared access of each server action, sorted by name. */
function listActions(): [name: string, access: string | undefined][] {
  const declared = /export const (\w+Action) = action\(\s*\{\s*access: '([\w:]+)'/g;
  const sources = ['app', 'lib', 'components'].flatMap((folder) =>
    readdirSync(join(app, '..', folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => readFileSync(join(app, '..', folder, file), 'utf8'))
      .filter((source) => /^['"]use server['"]/m.test(source)),
  );
  const found = sources.flatMap((source) =>
    [...source.matchAll(declared)].map(([, name = '', access]) => ({ name, access })),
  );
  return found
    .map(({ name, access }): [string, string | undefined] => [name, access])
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

type Row = Record<string, string | undefined>;

/** By path, the methods of a path in the order of `methods`. */
function sorted(rows: Record<string, Row>): Record<string, Row> {
  const key = (name: string) => {
    const [method = '', path = method] = name.split(' ');
    return `${path} ${methods.indexOf(method)}`;
  };
  return Object.fromEntries(Object.entries(rows).sort(([one], [other]) => (key(one) < key(other) ? -1 : 1)));
}

async function listRoutes(): Promise<Record<string, Row>> {
  const rows: Record<string, Row> = {};
  for (const file of files.filter((name) => /(^|\/)route\.tsx?$/.test(name))) {
    const module: Record<string, unknown> = await import(join(app, file));
    const exported = methods.filter((method) => method in module);
    if (exported.length === 0) throw new Error(`app/${file} exports no handler.`);
    for (const method of exported) {
      const joined = joinedHandler.safeParse(module[method]).data;
      const handlers = joined
        ? joined.operations.map(({ word, handler }) => [pathOf(file).replace('[operation]', word), handler] as const)
        : [[pathOf(file), handler.parse(module[method])] as const];
      for (const [path, { declaration }] of handlers) rows[`${method} ${path}`] = describeRoute(method, declaration);
    }
  }
  return rows;
}

function describeRoute(method: string, declared: RouteDeclaration): Row {
  const { access, proof, query, body, upload } = declared;
  const scopes = getTokenScopes(method, declared);
  const options = (['recentAuthentication', 'beforeTwoStep', 'ignoresSession', 'isRevalidated'] as const).filter(
    (option) => declared[option],
  );
  return {
    access: proof ?? [access].flat().join(' | '),
    // `?` fails the test below.
    scope: access === 'public' ? undefined : (scopes?.join(' | ') ?? '?') || 'none',
    options: options.join(', ') || undefined,
    query: query && fieldsOf(query),
    body: body && fieldsOf(body),
    upload: upload?.field,
  };
}

type JsonSchema = Pick<z.core.JSONSchema.JSONSchema, 'properties' | 'required' | 'anyOf' | 'oneOf' | 'allOf'>;
const jsonSchema = z.custom<JsonSchema>((value) => typeof value === 'object' && value !== null);

/** The names of an object's fields, also of all variants of a union; optional ones with a question mark, `*` for any. */
function fieldsOf(schema: z.ZodType): string {
  const variants = variantsOf(jsonSchema.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })));
  const names = [...new Set(variants.flatMap(({ properties = {} }) => Object.keys(properties)))].sort();
  if (names.length === 0) return '*';
  return names
    .map((name) => (variants.every(({ required = [] }) => required.includes(name)) ? name : `${name}?`))
    .join(', ');
}

function variantsOf(schema: JsonSchema): JsonSchema[] {
  const variants = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  return variants ? variants.flatMap((variant) => variantsOf(jsonSchema.parse(variant))) : [schema];
}

/** Reads the guard of each page from its source; a page without one is public. */
function listPages(): Record<string, Row> {
  const rows: Record<string, Row> = {};
  for (const file of pageFiles) rows[pathOf(file)] = describePage(file);
  return rows;
}

function describePage(file: string): Row {
  const source = readFileSync(join(app, file), 'utf8');
  const [, original] = /^export \{ default\b.* \} from '@\/app\/([^']+)'/m.exec(source) ?? [];
  if (original) return describePage(`${original}.tsx`);
  const calls = source.split('requirePage(').length - 1;
  const guards = [...source.matchAll(/\bawait requirePage\('(\w+)', '([\w:]+)'(?:, \{ (beforeTwoStep): true \})?\)/g)];
  const [guard] = guards;
  if (calls === 0 && !/^\((?:user|seller|admin)\)/.test(file)) return { access: 'public' };
  if (!guard || calls !== 1 || guards.length !== 1) throw new Error(`The guard of app/${file} is not readable.`);
  const [, portal, access, option] = guard;
  return { access, portal, options: option };
}
