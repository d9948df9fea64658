import { getDocumentProxy } from 'unpdf';
import { describe, expect, it } from 'vitest';
import { writeCii } from '@/lib/invoices/formats/cii';
import { invoiceModels } from '@/tests/factories/invoice-models';
import { createFacturX } from './create-factur-x';

const names = ['PL to PL', 'PL to PL, credit note in part', 'names in other scripts'];
const models = Object.entries(invoiceModels).filter(([name]) => names.includes(name));

describe('a Factur-X PDF', () => {
  it.each(models)('carries the invoice as a file and says so in its metadata: %s', async (_name, model) => {
    const bytes = await createFacturX(model);
    const document = await getDocumentProxy(new Uint8Array(bytes));
    const attachments: Record<string, { content: Uint8Array }> = await document.getAttachments();
    expect(Object.keys(attachments)).toEqual(['factur-x.xml']);
    expect(new TextDecoder().decode(attachments['factur-x.xml']?.content)).toBe(writeCii(model));
    const { metadata } = await document.getMetadata();
    expect(Object.fromEntries(metadata ?? [])).toMatchObject({
      'pdfaid:part': '3',
      'pdfaid:conformance': 'B',
      'fx:documenttype': 'INVOICE',
      'fx:documentfilename': 'factur-x.xml',
      'fx:version': '1.0',
      'fx:conformancelevel': 'EN 16931',
    });
    await document.destroy();
  });
});
