import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extractText, getDocumentProxy } from 'unpdf';
import { describe, expect, it } from 'vitest';
import { generatePdf, type PdfWriter } from '@/lib/platform/pdf/document';

async function write(draw: (pdf: PdfWriter) => AsyncGenerator<void>) {
  const pieces: Uint8Array[] = [];
  for await (const piece of generatePdf({ title: 'Title', footer: 'Footer' }, draw)) pieces.push(piece);
  return pieces;
}

async function read(draw: (pdf: PdfWriter) => AsyncGenerator<void>) {
  const pieces = await write(draw);
  const document = await getDocumentProxy(new Uint8Array(Buffer.concat(pieces)));
  const { totalPages, text } = await extractText(document, { mergePages: true });
  return { pieces: pieces.length, pages: totalPages, text: text.replace(/\s+/g, ' ').trim() };
}

/** Names without marks that a reader places apart. */
const names = [
  'Łukasz Żółć',
  'Đặng Thị',
  'Αθηνά Ψ.',
  'Дмитро Їжак',
  'شركة المثال للتجارة الدولية',
  'پاکستان گچژ',
  'חברת דוגמה',
  'شركة (المثال) الدولية',
  'חברה [אב] (ג) דה',
  'บริษัท น้ำปู่ จำกัด',
  'हिन्दी प्राइवेट लिमिटेड',
  'বাংলাদেশ লিমিটেড',
  'நிறுவனம் கொழும்பு',
  'Ɗahiru Ƙofa ḥ',
  'Ընկերություն',
  'კომპანია',
  '北京示例有限公司',
  '株式会社サンプル',
  '주식회사 예시',
  'Studio 🙂',
];

describe('a PDF', () => {
  it('has names of every script, which can be copied from it', async () => {
    const pdf = Buffer.concat(
      await write(async function* (draw) {
        for (const name of names) draw.paragraph(name);
        yield;
      }),
    );
    const folder = mkdtempSync(join(tmpdir(), 'names-'));
    try {
      writeFileSync(join(folder, 'names.pdf'), pdf);
      const text = execFileSync('pdftotext', [join(folder, 'names.pdf'), '-'], { encoding: 'utf8' });
      // The marks of the direction that pdftotext adds.
      const lines = text.replace(/[\u202a-\u202e]/g, '').split('\n');
      for (const name of names) expect(lines).toContain(name);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('names characters that no font has, and leaves out controls and overrides of the direction', async () => {
    const { text } = await read(async function* (pdf) {
      for (const name of ['e\u0301', 'A\ue000B \u{10ffff}', '\u0000\u202eX\u00ad', '']) pdf.paragraph(name);
      yield;
    });
    expect(text).toContain('é');
    expect(text).toContain('A[U+E000]B [U+10FFFF]');
    expect(text).toContain('X');
    for (const hidden of ['?', '\u202e', '\u0000', '\u00ad']) expect(text).not.toContain(hidden);
  });

  it('draws the Han characters of a name as its country writes them', async () => {
    const fonts = Buffer.concat(
      await write(async function* (pdf) {
        pdf.paragraph('直販', { country: 'JP' });
        yield;
      }),
    ).toString('latin1');
    expect(fonts).toContain('+NotoSansJP');
    expect(fonts).not.toContain('+NotoSansSC');
  });

  it('repeats the header of a table on every page, sends finished pages first and loses no part of a text', async () => {
    const rows = Array.from({ length: 200 }, (_, index) => ({ index, name: `${index} ${'long '.repeat(50)}` }));
    const { pages, text, pieces } = await read(async function* (pdf) {
      pdf.fact('Label '.repeat(20), `${'W'.repeat(100)} end`);
      yield* pdf.table(
        [
          { header: 'Number', share: 1, cell: ({ index }) => `#${index}` },
          { header: 'Name', share: 1, align: 'right', cell: ({ name }) => name },
        ],
        [rows.slice(0, 100), rows.slice(100)],
      );
    });
    const count = (word: string) => text.split(word).length - 1;
    expect(pages).toBeGreaterThan(3);
    expect(pieces).toBeGreaterThan(1);
    expect(count('Number Name')).toBe(pages);
    expect([count('Label'), count('W'), count('end'), count('long'), count('#199')]).toEqual([20, 100, 1, 10_000, 1]);
    expect(text).toContain(`Footer Page ${pages}`);
  });
});
