import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/** The rules of docs/internals/architecture.md that a test can check. */
const root = resolve(import.meta.dirname, '..');

function filesBelow(folder: string): string[] {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const inside = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(inside) : [inside];
  });
}

const isCode = (file: string) => /\.tsx?$/.test(file);
const code = ['app', 'components', 'lib', 'db', 'sandbox', 'scripts', 'checks'].flatMap(filesBelow).filter(isCode);
const known = new Set(code);
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** The project files that a file imports, as paths from the root. */
function importsOf(file: string): string[] {
  const specifiers = [...read(file).matchAll(/(?:from|import)\s*\(?\s*'((?:@\/|\.)[^']+)'/g)].map(
    (match) => match[1] ?? '',
  );
  return specifiers.map((name) =>
    name.startsWith('@/')
      ? name.slice(2)
      : relative(root, resolve(root, dirname(file), name))
          .split(sep)
          .join('/'),
  );
}

const hasDirective = (file: string, directive: string) => new RegExp(`^\\s*['"]${directive}['"]`).test(read(file));

/** The run-time imports of a file, without types; project files have their path. */
function runtimeImportsOf(file: string): { name: string; file: string | undefined }[] {
  const statements = read(file).matchAll(/^(?:import|export)\s+(?:([^'";]*?)\s+from\s+)?'([^']+)'/gm);
  return [...statements].flatMap(([, clause = '', name = '']) => {
    const isTypeOnly = /^type\b/.test(clause) || /^\{(\s*type [^,}]+,?)+\s*\}$/.test(clause);
    if (isTypeOnly) return [];
    const path = name.startsWith('@/') ? name.slice(2) : join(dirname(file), name);
    return [{ name, file: ['.ts', '.tsx', ''].map((end) => path + end).find((candidate) => known.has(candidate)) }];
  });
}

/** The files that a file imports when it is loaded, types included; `import()` on demand is not. */
function staticImportsOf(file: string): string[] {
  const statements = read(file).matchAll(/^(?:import|export)\b[^;']*?'((?:@\/|\.)[^']+)';$/gm);
  return [...statements].flatMap(([, name = '']) => {
    const path = name.startsWith('@/') ? name.slice(2) : join(dirname(file), name);
    return ['.ts', '.tsx', ''].map((end) => path + end).filter((candidate) => known.has(candidate));
  });
}

/** Removes nodes without a remaining target or source until none is left. Circles remain, and what lies between two. */
function findCircles(edges: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const remaining = new Map(edges);
  for (let size = -1; size !== remaining.size; ) {
    size = remaining.size;
    const targeted = new Set([...remaining.values()].flatMap((targets) => [...targets]));
    for (const [node, targets] of remaining) {
      if (!targeted.has(node) || ![...targets].some((target) => remaining.has(target))) remaining.delete(node);
    }
  }
  return [...remaining.keys()];
}

/** Files of `from` that import from one of the `forbidden` folders. */
function forbiddenImports(from: string, forbidden: string[]): string[] {
  return code
    .filter((file) => file.startsWith(`${from}/`))
    .flatMap((file) =>
      importsOf(file)
        .filter((name) => forbidden.some((folder) => name === folder || name.startsWith(`${folder}/`)))
        .map((name) => `${file} imports ${name}`),
    );
}

/** The layers of lib, lowest first: a folder imports only from its own layer and from those before it. */
const layers = [
  ['env', 'errors', 'id-cursor', 'ids', 'money', 'network'],
  ['platform', 'browser'],
  ['access', 'approvals', 'audit', 'auth', 'events', 'mail', 'notes', 'notifications', 'roles', 'settings', 'users'],
  ['licenses', 'links', 'packages', 'projects', 'sites', 'tax', 'taxonomy'],
  ['accounts', 'earnings', 'ledger', 'payments', 'payouts', 'wallet'],
  ['developers', 'invoices', 'orders'],
  ['backup', 'dashboard', 'integrations', 'jobs', 'monitoring', 'search', 'serp', 'workflows'],
];
const layerOf = (folder: string) => layers.findIndex((folders) => folders.includes(folder));
const folderOf = (path: string) => path.split('/')[1]?.replace(/\.ts$/, '') ?? '';

/** Imports between two folders of lib. */
const libImports = code
  .filter((file) => file.startsWith('lib/'))
  .flatMap((file) =>
    importsOf(file)
      .filter((path) => path.startsWith('lib/') && folderOf(path) !== folderOf(file))
      .map((path) => ({ from: folderOf(file), to: folderOf(path), text: `${file} imports ${path}` })),
  );

/**
 * Imports between folders below `root` that have the same parent: for an import from `lib/a/b/x.ts` to `lib/a/c/d/y.ts`,
 * from `lib/a/b` to `lib/a/c`. The files of a folder and of its subfolders are one piece and may import each other.
 */
function importsBetweenSiblings(root: string): { from: string; to: string; text: string }[] {
  return code
    .filter((file) => file.startsWith(`${root}/`))
    .flatMap((file) => importsOf(file).map((path) => ({ file, path })))
    .filter(({ path }) => path.startsWith(`${root}/`))
    .flatMap(({ file, path }) => {
      const [from, to] = [dirname(file).split('/'), dirname(path).split('/')];
      const depth = from.findIndex((name, index) => name !== to[index]);
      if (depth === -1 || depth >= to.length) return [];
      const sibling = (names: string[]) => names.slice(0, depth + 1).join('/');
      return [{ from: sibling(from), to: sibling(to), text: `${file} imports ${path}` }];
    });
}

describe('the direction of imports', () => {
  it('keeps lib free of pages, components, sandbox and scripts', () => {
    expect(forbiddenImports('lib', ['app', 'components', 'sandbox', 'scripts', 'checks', 'tests'])).toEqual([]);
  });

  it('keeps components free of pages, database and sandbox', () => {
    expect(forbiddenImports('components', ['app', 'db/client', 'sandbox', 'scripts', 'checks', 'tests'])).toEqual([]);
  });

  it('keeps the app free of sandbox, scripts and tests', () => {
    expect(forbiddenImports('app', ['sandbox', 'scripts', 'checks', 'tests'])).toEqual([]);
  });

  it('keeps the sandbox free of app code, because it stands in for external servers', () => {
    expect(forbiddenImports('sandbox', ['app', 'components', 'lib', 'db', 'scripts', 'checks', 'tests'])).toEqual([]);
  });

  it('keeps UI primitives free of domains and requests', () => {
    const domains = readdirSync(join(root, 'lib'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(
      forbiddenImports(
        'components/ui',
        domains.map((entry) => `lib/${entry.name}`),
      ),
    ).toEqual([]);
  });

  it('lets a folder of lib import only its own layer and those below', () => {
    expect(libImports.filter(({ from, to }) => layerOf(to) > layerOf(from)).map(({ text }) => text)).toEqual([]);
  });

  it('allows no two sibling folders to import each other', () => {
    // Components and pages import actions; in lib nothing does.
    const imports = ['lib', 'components', 'sandbox']
      .flatMap(importsBetweenSiblings)
      .filter(({ text }) => !/^lib\/.*\/actions\.ts imports/.test(text));
    const pairs = new Set(imports.map(({ from, to }) => `${from} ${to}`));
    expect(imports.filter(({ from, to }) => pairs.has(`${to} ${from}`)).map(({ text }) => text)).toEqual([]);
  });

  it('forms no circle of files, types included', () => {
    expect(findCircles(new Map(code.map((file) => [file, new Set(staticImportsOf(file))])))).toEqual([]);
  });

  it('forms no circle of the folders of lib', () => {
    const folders = new Map<string, Set<string>>();
    // Components and pages import actions; in lib nothing does.
    for (const { from, to, text } of libImports) {
      if (!/^lib\/\w+\/actions\.ts /.test(text)) folders.set(from, (folders.get(from) ?? new Set()).add(to));
    }
    expect(findCircles(folders)).toEqual([]);
    expect(
      code.filter(
        (file) => file.startsWith('lib/') && importsOf(file).some((name) => /^lib\/\w+\/actions$/.test(name)),
      ),
    ).toEqual([]);
  });

  it('imports across folders with @/ and inside a folder with ./', () => {
    // Biome refuses ../.
    const own = code.filter((file) => read(file).includes(` '@/${dirname(file)}/`));
    expect(own).toEqual([]);
  });

  it('lets the database code import only the lowest layer of lib', () => {
    const higher = layers.slice(1).flat();
    expect(
      forbiddenImports(
        'db',
        higher.map((folder) => `lib/${folder}`),
      ),
    ).toEqual([]);
  });

  it('assigns a layer to every folder of lib', () => {
    const folders = readdirSync(join(root, 'lib')).map((name) => name.replace(/\.ts$/, ''));
    expect(folders.sort()).toEqual(layers.flat().sort());
  });

  it('loads no domain at server start; pages and jobs load it on demand', () => {
    const reached = new Set(['lib/platform/lifecycle/start-server-process.ts', 'lib/jobs/jobs.ts']);
    for (const file of reached) {
      for (const [, clause = '', name = ''] of read(file).matchAll(/^import ([^']*?)from '(\.[^']+)'/gm)) {
        if (!clause.startsWith('type ')) reached.add(`${join(dirname(file), name)}.ts`);
      }
    }
    const domains = [...reached].filter((file) => file.startsWith('lib/') && layerOf(folderOf(file)) > 1);
    expect(domains.filter((file) => !file.startsWith('lib/jobs/'))).toEqual([]);
  });

  it('keeps server code, Node.js modules and the environment out of client components', () => {
    const reached = new Map(
      code.filter((file) => hasDirective(file, 'use client')).map((file): [string, string] => [file, file]),
    );
    const found: string[] = [];
    for (const [file, entry] of reached) {
      for (const { name, file: imported } of runtimeImportsOf(file)) {
        if (/^(node:|server-only$)/.test(name) || imported === 'lib/env.ts' || imported === 'db/client.ts') {
          found.push(`${entry}: ${file} imports ${name}`);
        } else if (imported && !hasDirective(imported, 'use server') && !reached.has(imported)) {
          reached.set(imported, entry);
        }
      }
    }
    expect(found).toEqual([]);
  });
});

describe('the structure of the repository', () => {
  it('allows four files at the root of lib', () => {
    expect(
      filesBelow('lib')
        .filter((file) => file.split('/').length === 2)
        .sort(),
    ).toEqual(['lib/env.ts', 'lib/errors.ts', 'lib/id-cursor.ts', 'lib/ids.ts', 'lib/money.ts']);
  });

  it('names every folder in docs/internals/architecture.md', () => {
    const map = read('docs/internals/architecture.md');
    const folders = ['app', 'components', 'lib', 'sandbox', 'scripts', 'checks', 'tests'].flatMap((folder) =>
      readdirSync(join(root, folder), { withFileTypes: true }).filter((entry) => entry.isDirectory()),
    );
    expect(folders.map(({ name }) => `${name}/`).filter((folder) => !map.includes(folder))).toEqual([]);
  });

  it('has no utils, helpers or common folders', () => {
    const vagueNames = /(^|\/)(utils?|helpers?|common|services?|general|misc|shared)(\/|\.tsx?$)/;
    expect(code.filter((file) => vagueNames.test(file) && !file.startsWith('scripts/services/'))).toEqual([]);
  });

  it('names files in kebab-case', () => {
    const name = /^(_?[a-z0-9]+(-[a-z0-9]+)*(\.d|\.test|\.config)?\.tsx?|\[.+\])$/;
    expect(code.filter((file) => !name.test(file.split('/').at(-1) ?? ''))).toEqual([]);
  });

  it('limits the length of files', () => {
    const lengths = code.map((file) => ({ file, lines: read(file).split('\n').length - 1 }));
    expect(lengths.filter(({ lines }) => lines > 400)).toEqual([]);
    const product = lengths.filter(({ file }) => /^(app|components|lib)\//.test(file)).map(({ lines }) => lines);
    expect(product.sort((a, b) => a - b)[Math.floor(product.length * 0.95)]).toBeLessThanOrEqual(260);
  });

  it('keeps one snapshot of the schema, on one line', () => {
    const snapshots = filesBelow('db/migrations/meta').filter((file) => file.endsWith('_snapshot.json'));
    expect(snapshots.map((file) => read(file).trimEnd().split('\n').length)).toEqual([1]);
  });

  it('limits route files to declarations', () => {
    const handlers = code.filter((file) => /^app\/api\/.*route\.ts$/.test(file));
    // A route file declares its methods; logic belongs in lib.
    const count = (file: string, text: string) => read(file).split(text).length - 1;
    const limit = (file: string) => (count(file, 'joinRoutes(') > 0 ? 200 : 45 * Math.max(1, count(file, 'route(')));
    expect(handlers.filter((file) => count(file, '\n') > limit(file))).toEqual([]);
  });

  it('uses route() for every path of the API', () => {
    const handlers = code.filter((file) => /^app\/api\/.*route\.ts$/.test(file));
    expect(handlers.length).toBeGreaterThan(0);
    expect(handlers.filter((file) => !/\b(route\(|\w+Route\b|unknownPath\b)/.test(read(file)))).toEqual([]);
  });

  it('guards every portal page itself, not only in its layout', () => {
    const pages = code.filter((file) => /^app\/\((admin|user|seller)\)\/.*page\.tsx$/.test(file));
    expect(pages.filter((file) => !/requirePage\(|export \{ default/.test(read(file)))).toEqual([]);
  });

  it("writes ledger tables only in the ledger's writer and the migrations", () => {
    const writers = /\.(insert|update|delete)\((ledgerAccounts|transfers)\b|(insert into|update|delete from) ledger\./i;
    expect(code.filter((file) => writers.test(read(file)))).toEqual([]);
  });

  it('names work that no user started from lib/access/system-actors.ts', () => {
    const named = code.filter((file) => /^(app|lib)\//.test(file) && /systemActor\(\s*'/.test(read(file)));
    expect(named).toEqual([]);
  });

  it('checks addresses with canParseUrl', () => {
    expect(code.filter((file) => /URL\.canParse\(/.test(read(file)))).toEqual([]);
  });

  it('reads the environment only in lib/env.ts and the scripts', () => {
    const allowed = ['lib/env.ts', 'scripts/', 'checks/', 'sandbox/'];
    const readers = code.filter(
      (file) => /process\.env\b/.test(read(file)) && !allowed.some((start) => file.startsWith(start)),
    );
    expect(readers.filter((file) => !/process\.env\.(NEXT_PUBLIC_\w+|NODE_ENV|NEXT_RUNTIME)/.test(read(file)))).toEqual(
      [],
    );
  });
});

/*
 * A write verb, an exported function of lib that opens its own transaction or writes a table, takes the actor and records
 * the change in the audit log. The permission is the `access` of the route() or action() that calls it.
 */

/** Functions without an actor or an audit line, by the reason. */
const exceptions: Record<string, string[]> = {
  'background work for no user; what it does to money and records, its verbs audit': [
    ...['anchorChain', 'publishAuditHead', 'runRequestedProof', 'runRequestedChainProof', 'runRequestedBooksProof'],
    ...[
      'sealAuditLogs',
      'proveAuditLog',
      'rollUpLedger',
      'refreshRecords',
      'claimJobTurn',
      'runBackup',
      'finishBackup',
    ],
    ...[
      'createProgressReporter',
      'withRestoreProgress',
      'distributeEvents',
      'deliverWebhooks',
      'attemptDelivery',
      'leaseEndpoint',
      'runTurn',
    ],
    ...['issueSellerStatements', 'issueInvoices', 'deliverMails', 'deliverAfterResponse', 'mailUnreadMessages'],
    ...[
      'mailLinkDigests',
      'mailClientReports',
      'runLinkChecks',
      'runPlacementClocks',
      'runChangeClocks',
      'settleSilentDisputes',
      'sendRefunds',
      'sendRefund',
    ],
    ...['readStatement', 'settleStatements', 'reconcileTopups', 'catchUpEvents', 'retryNotifications', 'storeEvent'],
    ...[
      'runPayoutBatches',
      'requestScheduledPayouts',
      'dropUnusedProposals',
      'takeEcbRates',
      'storeReferenceRates',
      'recordAnswer',
    ],
    ...['refreshDomainRatings', 'recordRatingRun', 'testAhrefsKey'],
    ...[
      'recheckOwnership',
      'resumeSites',
      'deliverPosts',
      'deliverInvoices',
      'withConnection',
      'gatherMails',
      'readTelegramCodes',
    ],
    ...['refreshAllFigures', 'checkVatIds', 'removeOldRecords', 'removeRepeatedChecks', 'expireRequests'],
  ],
  'before there is an actor: sign-in, registration, links in mails': [
    ...['authenticateToken', 'findOptionalActor', 'findActor', 'requestPasskey', 'createChallenge', 'consumeChallenge'],
    ...['registerRoute', 'requestReset', 'recordSignInFailure', 'recordStepFailure', 'recordFailureCounts', 'signIn'],
    ...['checkPassword', 'requirePortalAccess', 'resendVerification', 'requestConfirmation', 'endSession'],
    ...['confirmEmailChange', 'register', 'resetPassword', 'setUp', 'verifyEmail', 'verifyPasskey'],
    ...['acceptInvitation', 'stopForRecipient'],
  ],
  "the user's own view, which changes nothing for others": [
    ...['markNotificationRead', 'markAllNotificationsRead', 'markRead', 'saveFilter', 'deleteFilter', 'saveColumns'],
    ...['renameFilter', 'markSite', 'createQuote', 'saveView'],
    ...['createCart', 'renameCart', 'saveCartItems', 'deleteCart'],
  ],
  'a request for a check, whose result is recorded': ['requestProof', 'checkBackup'],
  'commands of the operator at the server, recorded with their name': [
    ...['createAdmin', 'ensureFirstAdmin', 'resealSecrets', 'withdrawProofKey'],
  ],
  'a route, whose verb takes the actor': ['deleteNameRoute'],
};

type Verb = { file: string; name: string; parameters: string; body: ts.Node; isExported: boolean };

const isExported = (node: ts.Node) =>
  ts.canHaveModifiers(node) &&
  (ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false);

const libFiles = code.filter((file) => file.startsWith('lib/'));
const sources = new Map(
  libFiles.map((file) => [file, ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true)]),
);
const textOf = (parameters: ts.NodeArray<ts.ParameterDeclaration>) => parameters.map((one) => one.getText()).join(', ');
const isInsert = ({ expression }: ts.CallExpression) =>
  ts.isIdentifier(expression) && ['insertRows', 'insertGiven'].includes(expression.text);
const verbs = new Map<string, Verb>();
for (const [file, source] of sources) {
  for (const statement of source.statements) {
    const add = (name: string, parameters: string, body: ts.Node) =>
      verbs.set(`${file}#${name}`, { file, name, parameters, body, isExported: isExported(statement) });
    if (ts.isFunctionDeclaration(statement) && statement.name && statement.body)
      add(statement.name.text, textOf(statement.parameters), statement.body);
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (initializer && ts.isArrowFunction(initializer))
        add(name.getText(), textOf(initializer.parameters), initializer.body);
      // A prepared INSERT is a part of a verb, as a function with a transaction is.
      else if (initializer && ts.isCallExpression(initializer) && isInsert(initializer))
        add(name.getText(), 'tx', initializer);
    }
  }
}

/** The names that a file imports: tables of the schema, and functions of lib by their key. */
function namesImportedBy(file: string) {
  const tables = new Set<string>();
  const functions = new Map<string, string>();
  for (const statement of sources.get(file)?.statements ?? []) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const bindings = statement.importClause?.namedBindings;
    if (!bindings || !ts.isNamedImports(bindings)) continue;
    const name = statement.moduleSpecifier.text;
    const path = name.startsWith('@/') ? name.slice(2) : join(dirname(file), name);
    const target = [`${path}.ts`, `${path}.tsx`].find((candidate) => known.has(candidate));
    for (const element of bindings.elements) {
      if (path.startsWith('db/schema/')) tables.add(element.name.text);
      else if (target) functions.set(element.name.text, `${target}#${(element.propertyName ?? element.name).text}`);
    }
  }
  return { tables, functions };
}

const importedNames = new Map(libFiles.map((file) => [file, namesImportedBy(file)]));

/** What a function does itself: the functions it names, whether it writes a table, whether it opens a transaction. */
function analyze({ file, body }: Verb) {
  const { tables, functions } = importedNames.get(file) ?? namesImportedBy(file);
  const calls = new Set<string>();
  let writes = false;
  let opens = false;
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      const own = `${file}#${node.text}`;
      const called = verbs.has(own) ? own : functions.get(node.text);
      if (called) calls.add(called);
    }
    if (ts.isCallExpression(node) && isInsert(node)) writes = true;
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const [table] = node.arguments;
      const method = node.expression.name.text;
      if (['insert', 'update', 'delete'].includes(method) && table && ts.isIdentifier(table) && tables.has(table.text))
        writes = true;
      if (method === 'transaction') opens = true;
    }
    ts.forEachChild(node, visit);
  };
  visit(body);
  return { calls, writes, opens };
}

const analyzed = new Map([...verbs].map(([key, verb]) => [key, analyze(verb)]));

/** Whether a function reaches one that matches, optionally only through functions of its own file. */
function reaches(key: string, matches: (key: string) => boolean, file?: string): boolean {
  const reached = new Set([key]);
  for (const one of reached) {
    if (matches(one)) return true;
    for (const next of analyzed.get(one)?.calls ?? []) if (!file || next.startsWith(`${file}#`)) reached.add(next);
  }
  return false;
}

describe('verbs that write', () => {
  it('take the actor and record their change in the audit log', () => {
    const found = [...verbs].flatMap(([key, { file, name, parameters, isExported: exported }]) => {
      // A function with a transaction is a part of a verb.
      if (!exported || /^lib\/(platform|browser)\//.test(file) || /\btx\b|Transaction|Executor/.test(parameters))
        return [];
      const isVerb = reaches(key, (one) => analyzed.get(one)?.writes || analyzed.get(one)?.opens || false, file);
      if (!isVerb || !reaches(key, (one) => analyzed.get(one)?.writes ?? false)) return [];
      const audits = reaches(key, (one) => /^lib\/platform\/audit\/record\.ts#(recordAudit|buildAuditRows)$/.test(one));
      return /\b[aA]ctor\b/.test(parameters) && audits ? [] : [name];
    });
    // Names listed for nothing are removed from the exceptions.
    expect([...new Set(found)].sort()).toEqual(Object.values(exceptions).flat().sort());
  });

  it('have their permission checked by the declaration of the action or route that calls them', () => {
    const actions = libFiles.filter((file) => /^\s*'use server'/.test(sources.get(file)?.text ?? ''));
    expect(actions.length).toBeGreaterThan(10);
    const undeclared = actions.flatMap((file) =>
      (sources.get(file)?.statements ?? []).flatMap((statement) => {
        if (!isExported(statement) || ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
          return [];
        return /^export const \w+ = action\(/.test(statement.getText())
          ? []
          : [`${file}: ${statement.getText().slice(0, 60)}`];
      }),
    );
    expect(undeclared).toEqual([]);
  });
});

/** The modules that read from replicas: the catalog, the dashboards and the reports. Exports stream by streamResponse(). */
const replicaReaders = [
  'app/(admin)/dashboard/features/(screens)/money/entries/page.tsx',
  'app/(admin)/dashboard/features/(screens)/money/page.tsx',
  'app/(admin)/dashboard/features/(screens)/sellers/page.tsx',
  'app/(admin)/dashboard/features/(screens)/tax-reports/documents/page.tsx',
  'app/(admin)/dashboard/page.tsx',
  'app/(seller)/seller/page.tsx',
  'app/(user)/user/page.tsx',
  'app/api/admin/[operation]/route.ts',
  'lib/dashboard/tax-reports/oss.ts',
  'lib/dashboard/tax-reports/tax.ts',
  'lib/platform/http/stream-response.ts',
  'lib/sites/catalogue/catalogue.ts',
  'lib/sites/catalogue/filter-counts.ts',
  'lib/sites/catalogue/respond-with-catalogue.ts',
  'lib/sites/preferences/marketplace.ts',
];
/** The functions that read from replicas. */
const replicaReads = ['onReplica', 'connectToReplica', 'readSnapshot', 'openSnapshot'];

describe('reads from replicas', () => {
  it('are made by the listed modules only', () => {
    const names = new RegExp(`import [^;]*\\b(${replicaReads.join('|')})\\b[^;]*from '(@/db|\\.)/(replicas|snapshot)'`);
    const found = code.filter((file) => !file.startsWith('db/') && names.test(read(file)));
    expect(found.sort()).toEqual([...replicaReaders].sort());
  });

  it('decide about no money and no access', () => {
    const forbidden =
      /^lib\/(access|accounts|approvals|auth|earnings|invoices|ledger|orders|payments|payouts|settings|tax|users|wallet)\//;
    expect(replicaReaders.filter((file) => forbidden.test(file))).toEqual([]);
    // streamResponse() sends what it reads, and decides nothing.
    const isRead = (key: string) =>
      /^db\/(replicas|snapshot)\.ts#/.test(key) && replicaReads.includes(key.split('#')[1] ?? '');
    const isSent = (key: string) => key.startsWith('lib/platform/http/stream-response.ts#');
    const reads = [...verbs.keys()].filter((key) => !isSent(key) && [...(analyzed.get(key)?.calls ?? [])].some(isRead));
    const readers = new Set(reads);
    const deciding = [...verbs].flatMap(([key, { file }]) => {
      const isWrite = reaches(key, (one) => analyzed.get(one)?.writes ?? false);
      return (forbidden.test(file) || isWrite) && reaches(key, (one) => readers.has(one)) ? [key] : [];
    });
    expect(deciding).toEqual([]);
    expect(readers.size).toBeGreaterThan(5);
  });
});
