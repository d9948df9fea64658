import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { payPalEventTypes, stripeEventTypes } from '@/lib/payments/providers/event-types';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const documents = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...['docs', 'docs/internals'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
];
const scripts = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(read('package.json'))).scripts;

/** The anchors that GitHub generates for headings. */
const anchorsOf = (file: string) =>
  [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

test('every link of the documents leads to an existing file and heading', () => {
  const broken = documents.flatMap((file) => {
    const inline = [...read(file).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    const pictures = [...read(file).matchAll(/(?:src|srcset)="([^"]+)"/g)].map(([, target = '']) => target);
    return [...inline, ...pictures]
      .filter((target) => !/^(https?|mailto):/.test(target))
      .filter((target) => {
        const [path = '', anchor] = target.split('#');
        const found = path === '' ? file : join(dirname(file), path);
        if (!existsSync(join(root, found))) return true;
        return anchor !== undefined && !anchorsOf(found).includes(anchor);
      })
      .map((target) => `${file}: ${target}`);
  });
  expect(documents.length).toBeGreaterThan(10);
  expect(broken).toEqual([]);
});

test('every npm command and script that the documents name exists', () => {
  const texts = [
    ...documents,
    '.env.example',
    ...readdirSync(join(root, 'deploy/systemd')).map((name) => `deploy/systemd/${name}`),
  ];
  const missing = texts.flatMap((file) => {
    const commands = [...read(file).matchAll(/npm run ([a-z]+(?:[:-][a-z]+)*)/g)].map(([, name = '']) => name);
    const paths = [...read(file).matchAll(/\b(scripts\/[\w/-]+\.m?ts)\b/g)].map(([, path = '']) => path);
    return [
      ...commands.filter((name) => scripts[name] === undefined),
      ...paths.filter((path) => !existsSync(join(root, path))),
    ].map((name) => `${file}: ${name}`);
  });
  expect(missing).toEqual([]);
});

test('every file that the documents name exists', () => {
  const folders = 'app|checks|components|db|deploy|examples|lib|sandbox|scripts|tests';
  const missing = documents.flatMap((file) =>
    [...read(file).matchAll(new RegExp(`\`((?:${folders})/[^\`\\s<…*]+)\``, 'g'))]
      .map(([, path = '']) => path)
      .filter((path) => !['', '.ts', '.test.ts', '.full.test.ts'].some((end) => existsSync(join(root, path + end))))
      .map((path) => `${file}: ${path}`),
  );
  expect(missing).toEqual([]);
});

test('guides have at most 6 kB, and SECURITY.md 4 kB', () => {
  const sizeOf = (file: string) => Buffer.byteLength(read(file));
  const guides = documents.filter((file) => dirname(file) === 'docs');
  expect(guides.filter((file) => sizeOf(file) > 6_000)).toEqual([]);
  expect(sizeOf('SECURITY.md')).toBeLessThanOrEqual(4_000);
});

test('lists the Stripe events that the app processes', () => {
  const listed = [...read('docs/payments-stripe.md').matchAll(/`((?:charge|checkout|refund)\.[a-z_.]+)`/g)];
  expect(listed.map(([, type = '']) => type).sort()).toEqual([...stripeEventTypes].sort());
});

test('lists the PayPal events that the app processes', () => {
  const listed = [...read('docs/payments-paypal.md').matchAll(/`((?:CHECKOUT|PAYMENT|CUSTOMER)\.[A-Z_.-]+)`/g)];
  expect(listed.map(([, type = '']) => type).sort()).toEqual([...payPalEventTypes].sort());
});

test('the document about retention names every table', () => {
  const tables = [...read('db/migrations/0000_base.sql').matchAll(/^CREATE TABLE (?:"ledger"\.)?"(\w+)"/gm)];
  const text = read('docs/internals/retention.md');
  const missing = tables.map(([, name = '']) => name).filter((name) => !text.includes(`\`${name}\``));
  expect(tables.length).toBeGreaterThan(100);
  expect(missing).toEqual([]);
});
