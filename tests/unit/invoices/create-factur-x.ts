import { toFacturX } from '@/lib/invoices/formats/factur-x';
import type { InvoiceModel } from '@/lib/invoices/model';
import { generatePdf } from '@/lib/platform/pdf/document';

/** Writes a document as a Factur-X PDF, with its names on the page. */
export async function createFacturX(model: InvoiceModel): Promise<Buffer> {
  const options = { title: `Invoice ${model.number} <&>`, footer: model.seller.name, archive: toFacturX(model) };
  const pieces: Uint8Array[] = [];
  for await (const piece of generatePdf(options, async function* (pdf) {
    pdf.title(model.number);
    pdf.paragraph(`${model.seller.name}\n${model.buyer.name}`);
    yield;
  }))
    pieces.push(piece);
  return Buffer.concat(pieces);
}
