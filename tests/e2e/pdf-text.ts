import type { Page } from '@playwright/test';
import { extractText, getDocumentProxy } from 'unpdf';

/** The printed PDF of an invoice or credit note. */
export async function printedPage(page: Page) {
  await page.getByRole('article').waitFor();
  return readPdf(await page.pdf({ preferCSSPageSize: true }));
}

/** A PDF: its text in one line, its pages and their size in points. */
export async function readPdf(bytes: Buffer): Promise<{ text: string; pages: number; size: [number, number] }> {
  const document = await getDocumentProxy(new Uint8Array(bytes));
  const { totalPages, text } = await extractText(document, { mergePages: true });
  const { width, height } = (await document.getPage(1)).getViewport({ scale: 1 });
  return {
    text: text.replace(/\s+/g, ' ').trim(),
    pages: totalPages,
    size: [Math.round(width), Math.round(height)],
  };
}
