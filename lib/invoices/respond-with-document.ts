import { NextResponse } from 'next/server';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { contentDisposition } from '@/lib/platform/http/attachment-response';
import { streamResponse } from '@/lib/platform/http/stream-response';
import { type DocumentFormat, documentFormats } from './contract';
import { type FoundDocument, findDocument } from './find-document';
import { requireComplete } from './find-missing';

/** A document with more lines is sent in pieces. */
const shortLines = 50;

/**
 * Sends a document as a file.
 * @param file the number and the format: "INV-2026-000012.pdf"
 * @throws AppError not_found, also for a document that the actor may not see; billing_incomplete for a structured format
 * of a document that lacks details of a party; rate_limited when too many long documents are being sent
 */
export async function respondWithDocument<T>(actor: Actor, file: string): Promise<NextResponse<T>> {
  const format = [...documentFormats].reverse().find((end) => file.endsWith(`.${end}`));
  if (!format) throw new AppError('not_found', `Add a format to the number: ${documentFormats.join(', ')}.`);
  const document = await findDocument(actor, file.slice(0, -format.length - 1));
  const headers = {
    'Content-Type': format === 'ubl.xml' ? 'application/xml' : 'application/pdf',
    'Content-Disposition': contentDisposition(file),
    'X-Content-Type-Options': 'nosniff',
  };
  if (document.kind === 'invoice' && document.model.lines.length > shortLines)
    return streamResponse<T>(actor, async () => ({ headers, pieces: writeDocument(document, format) }));
  const pieces: Buffer[] = [];
  for await (const piece of writeDocument(document, format)) pieces.push(Buffer.from(piece));
  return new NextResponse<T>(Buffer.concat(pieces), { headers });
}

/**
 * Writes a document in a format, in pieces.
 * @throws AppError not_found for another format of a receipt than PDF, billing_incomplete as above
 */
export async function* writeDocument(
  document: FoundDocument,
  format: DocumentFormat,
): AsyncGenerator<string | Uint8Array> {
  if (document.kind === 'receipt') {
    if (format !== 'pdf') throw new AppError('not_found', 'A receipt is a PDF only.');
    const [{ generatePdf }, { drawReceipt, receiptTitle }] = await Promise.all([
      import('@/lib/platform/pdf/document'),
      import('./draw-receipt'),
    ]);
    const title = receiptTitle(document.receipt);
    yield* generatePdf({ title, footer: title, country: document.receipt.buyer.country }, (pdf) =>
      drawReceipt(pdf, document.receipt),
    );
    return;
  }
  const { model, extras } = document;
  if (format !== 'pdf') requireComplete(model);
  if (format === 'ubl.xml') {
    const { writeUbl } = await import('./formats/ubl');
    yield writeUbl(model);
    return;
  }
  const [{ generatePdf }, { drawInvoice, invoiceTitle }] = await Promise.all([
    import('@/lib/platform/pdf/document'),
    import('./draw-invoice'),
  ]);
  const title = invoiceTitle(model);
  const archive = format === 'facturx.pdf' ? (await import('./formats/factur-x')).toFacturX(model) : undefined;
  const { country } = model.buyer;
  yield* generatePdf({ title, footer: title, country, ...(archive && { archive }) }, (pdf) =>
    drawInvoice(pdf, model, extras),
  );
}
