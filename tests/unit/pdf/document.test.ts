import { extractText, getDocumentProxy } from 'unpdf';
import { describe, expect, it } from 'vitest';
import { generatePdf, type PdfWriter, splitByFont } from '@/lib/platform/pdf/document';

async function read(draw: (pdf: PdfWriter) => AsyncGenerator<void>) {
  const pieces: Uint8Array[] = [];
  for await (const piece of generatePdf({ title: 'Title', footer: 'Footer' }, draw)) pieces.push(piece);
  const document = await getDocumentProxy(new Uint8Array(Buffer.concat(pieces)));
  const { totalPages, text } = await extractText(document, { mergePages: true });
  return { pieces: pieces.length, pages: totalPages, text: text.replace(/\s+/g, ' ').trim() };
}

describe('a PDF', () => {
  it('has names in Latin, Greek and Cyrillic script, and a question mark for other characters', async () => {
    const names = ['Łukasz Żółć', 'Đặng Thị', 'Αθηνά Ψ.', 'Дмитро Їжак', 'e\u0301'.normalize('NFD')];
    const { text } = await read(async function* (pdf) {
      for (const name of [...names, '漢字 🙂', '\u0000\u202eX', '']) pdf.paragraph(name);
      yield;
    });
    for (const name of names) expect(text).toContain(name.normalize('NFC'));
    expect(text).toContain('?? ?');
    for (const hidden of ['\u202e', '\u0000']) expect(text).not.toContain(hidden);
    expect(splitByFont('Aя')).toEqual([
      { font: 'latin', text: 'A' },
      { font: 'cyrillic', text: 'я' },
    ]);
  });

  it('repeats the header of a table on every page, sends finished pages first and cuts long cells off', async () => {
    const rows = Array.from({ length: 200 }, (_, index) => ({ index, name: `${index} ${'long '.repeat(50)}` }));
    const { pages, text, pieces } = await read(async function* (pdf) {
      yield* pdf.table(
        [
          { header: 'Number', share: 1, cell: ({ index }) => `#${index}` },
          { header: 'Name', share: 1, align: 'right', cell: ({ name }) => name },
        ],
        [rows.slice(0, 100), rows.slice(100)],
      );
    });
    expect(pages).toBeGreaterThan(3);
    expect(pieces).toBeGreaterThan(1);
    expect(text.split('Number Name').length - 1).toBe(pages);
    expect(text).toContain('#199');
    expect(text).toContain('…');
    expect(text).toContain(`Footer Page ${pages}`);
  });
});
