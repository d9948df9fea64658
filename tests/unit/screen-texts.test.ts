import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

/** Texts that read oddly and were replaced, and words that no text of the product contains. */
const replaced = [
  'the sites your links stand on',
  'To your projects, orders and wallet',
  'An account to order placements with',
  'Sites with their figures',
  'Each cent has its line',
  'change told by mail',
  'what stood here',
  'Go to the start',
  'mail you a link to set',
  'signs you out everywhere else',
  'Its orders stay as they are',
  'price always stand.',
  'Ordering leads to the top-up',
  'needs this much more',
  'the value makes no sense',
  'pages than the address asks for',
  'what the marketplace announces',
  'Mails you ask for yourself',
  'Money of an order comes back',
  'How your sites stand',
  'what would come of it',
  'in another spelling',
  'This is no price',
  'How the marketplace does',
  'count from the next request',
  'the others count for nothing',
  'takes the place of the role',
  'signs in as ever',
  'What was started is still',
  'rings the bells',
  'nowhere is named',
  'who shall find',
  'shall get it back',
  'the status left as it is',
  'To decide',
  'is kept apart',
  'were not proven here',
];
// The state 'cancelled' appears quoted in SQL.
const words =
  /\b(whoever|whosoever|nobody|somebody|anybody|e-mail|came back|what was told|(?<!')cancelled|catalogues?)\b/i;

/** Whether the source can contain any of them: parsing a file takes much longer. */
function isSuspect(source: string): boolean {
  const text = source.replace(/\s+/g, ' ');
  return replaced.some((phrase) => text.includes(phrase)) || words.test(text.replaceAll("'", ' '));
}

const root = join(import.meta.dirname, '../..');

/** The string literals and JSX texts of a source file; identifiers, comments and imported paths are none. */
function readTexts(file: string): string[] {
  const code = readFileSync(join(root, file), 'utf8');
  if (!isSuspect(code)) return [];
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, false);
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isLiteralTypeNode(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      texts.push(node.text);
    else if (ts.isJsxText(node)) texts.push(node.text.replace(/\s+/g, ' '));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts;
}

it('no text of the product contains a replaced phrase or an unwanted word', () => {
  const files = ['app', 'components', 'lib'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(folder, name)),
  );
  const found = files.flatMap((file) =>
    readTexts(file)
      .filter((text) => replaced.some((phrase) => text.includes(phrase)) || (text.includes(' ') && words.test(text)))
      .map((text) => `${file}: ${text.trim()}`),
  );
  expect(files.length).toBeGreaterThan(500);
  expect(found).toEqual([]);
});
