import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A folder with files of the bodies that publish the rules; docs/internals/invoice-formats.md says where they are. `ubl` and
 * `cii` contain stylesheets (.xslt) that write a Schematron report, `examples` documents.
 */
const folder = process.env.EN16931_RULES;

const list = (name: string, ending: string) =>
  folder ? readdirSync(join(folder, name)).filter((file) => file.toLowerCase().endsWith(ending)) : [];

/** The documents in the folder. */
export const officialExamples = list('examples', '.xml').map((name) => ({
  name,
  xml: readFileSync(join(folder ?? '', 'examples', name), 'utf8'),
}));

const xslt3 = createRequire(import.meta.url).resolve('xslt3/xslt3.js');

/** Lists the rules that a document breaks according to the stylesheets in the folder; none without it. */
export function checkOfficially(xml: string, syntax: 'ubl' | 'cii'): string[] {
  const stylesheets = list(syntax, '.xslt').filter((name) => isFor(name, xml));
  if (stylesheets.length === 0) return [];
  const temporary = mkdtempSync(join(tmpdir(), 'invoice-'));
  try {
    const source = join(temporary, 'invoice.xml');
    writeFileSync(source, xml);
    return stylesheets.flatMap((name) => {
      const options = [`-xsl:${join(folder ?? '', syntax, name)}`, `-s:${source}`];
      const report = execFileSync(process.execPath, [xslt3, ...options], { encoding: 'utf8', maxBuffer: 2 ** 26 });
      return [...report.matchAll(/<svrl:failed-assert([^>]*)>/g)]
        .map(([, attributes = '']) => attributes)
        .filter((attributes) => !/flag="(warning|information)"/.test(attributes))
        .map((attributes) => /\bid="([^"]+)"/.exec(attributes)?.[1] ?? attributes);
    });
  } finally {
    rmSync(temporary, { recursive: true });
  }
}

/** The rules of Peppol and of XRechnung are about documents that name them. */
function isFor(stylesheet: string, xml: string): boolean {
  if (/peppol/i.test(stylesheet)) return xml.includes(':poacc:billing:3.0');
  return !/xrechnung/i.test(stylesheet) || xml.includes(':xrechnung_3.0');
}
