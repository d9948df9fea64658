import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeCii } from '@/lib/invoices/formats/cii';
import { invoiceModels } from '@/tests/factories/invoice-models';
import { createFacturX } from './create-factur-x';

/** Runs a tool of Debian's packages poppler-utils, qpdf and libimage-exiftool-perl. */
const run = (tool: string, ...options: string[]) => execFileSync(tool, options, { encoding: 'utf8', stdio: 'pipe' });

describe('a Factur-X PDF, according to the tools of Debian', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'factur-x-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(Object.entries(invoiceModels))('is PDF/A-3b with the invoice attached: %s', async (_name, model) => {
    const [pdf, xml] = [join(folder, 'invoice.pdf'), join(folder, 'invoice.xml')];
    writeFileSync(pdf, await createFacturX(model));
    expect(run('qpdf', '--check', pdf)).toContain('No syntax or stream encoding errors');
    run('pdfdetach', '-savefile', 'factur-x.xml', '-o', xml, pdf);
    expect(readFileSync(xml, 'utf8')).toBe(writeCii(model));
    // Every font is embedded: the fifth word from the end of each line.
    const fonts = run('pdffonts', pdf).trim().split('\n').slice(2);
    expect(fonts.map((line) => line.trim().split(/\s+/).at(-5))).toEqual(fonts.map(() => 'yes'));
    const facts: unknown = JSON.parse(run('exiftool', '-json', '-G1', pdf));
    expect(facts).toEqual([
      expect.objectContaining({
        'XMP-pdfaid:Part': 3,
        'XMP-pdfaid:Conformance': 'B',
        'XMP-fx:DocumentFileName': 'factur-x.xml',
        'XMP-fx:ConformanceLevel': 'EN 16931',
        'XMP-pdfaExtension:SchemasPrefix': 'fx',
        'XMP-dc:Title': `Invoice ${model.number}    `,
      }),
    ]);
    const catalog = run('qpdf', '--qdf', '--object-streams=disable', pdf, '-');
    for (const entry of ['/AFRelationship /Alternative', '/S /GTS_PDFA1', '/AF [', '/Subtype /text#2fxml'])
      expect(catalog).toContain(entry);
  });
});
