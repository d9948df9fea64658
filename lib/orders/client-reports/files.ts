import { csvLine } from '@/lib/platform/csv';
import { generatePdf, type PdfWriter } from '@/lib/platform/pdf/document';
import { findLogo } from '@/lib/settings/branding/logo';
import { createCharts, type ReportChart } from './charts';
import { formatTotal, listReportColumns } from './columns';
import type { OpenReport } from './open';
import { listHealth, listReportRows, maxReportRows } from './rows';

/** Says that a report does not have all links; null if it has. */
export const cutNote = (isCut: boolean): string | null =>
  isCut
    ? `The newest ${maxReportRows.toLocaleString('en-US')} links. A report of a shorter period has the others.`
    : null;

/** Writes a report as CSV, with the rows of its page. */
export async function writeReportCsv(report: OpenReport): Promise<string> {
  const { rows, isCut } = await listReportRows(report);
  const columns = listReportColumns(report.prices);
  const lines = rows.map((row) => csvLine(columns.map(([, cell]) => cell(row))));
  const note = cutNote(isCut);
  // The byte order mark makes spreadsheets read it as UTF-8.
  return `\uFEFF${csvLine(columns.map(([header]) => header))}${lines.join('')}${note ? csvLine([note]) : ''}`;
}

/** Writes a report as PDF, with the rows of its page. */
export async function writeReportPdf(report: OpenReport): Promise<Buffer> {
  const [{ rows, isCut }, health, logo] = await Promise.all([
    listReportRows(report),
    listHealth(report),
    report.brandLogoId === null ? null : findLogo(report.brandLogoId),
  ]);
  const charts = await createCharts(report, rows, health);
  const { projectDomain, fromDay, toDay, brandName, brandColor, prices } = report;
  const title = `Link report for ${projectDomain}`;
  const pieces: Uint8Array[] = [];
  const pdf = generatePdf({ title, footer: `${brandName} · ${title}` }, async function* (draw) {
    if (logo) draw.image(logo.bytes, 36);
    draw.paragraph(brandName, { size: 12, color: brandColor });
    draw.title(title);
    draw.note(`${fromDay} to ${toDay}`);
    draw.space(10);
    const total = formatTotal(prices, rows);
    draw.fact('Links', String(rows.length));
    if (total !== null) draw.fact('Total of the live links', total);
    draw.space(8);
    for (const chart of charts) drawChart(draw, chart, brandColor);
    draw.space(12);
    const columns = listReportColumns(prices).filter(([header]) => header !== 'Live address');
    for (const row of rows) {
      draw.paragraph(row.address || row.domain || 'Not published yet', { size: 11, color: brandColor });
      for (const [header, cell] of columns) {
        const text = cell(row);
        if (text !== '') draw.paragraph(`${header}: ${text}`, { size: 9 });
      }
      draw.space(8);
      yield;
    }
    if (rows.length === 0) draw.note('No links in this period.');
    const note = cutNote(isCut);
    if (note) draw.note(note);
    yield;
  });
  for await (const piece of pdf) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** The color of the second part of a bar. */
const lostColor = '#a1a1aa';

function drawChart(draw: PdfWriter, { title, headers, bars }: ReportChart, color: string): void {
  const most = Math.max(1, ...bars.map(({ parts }) => parts.reduce((sum, size) => sum + size, 0)));
  draw.paragraph(title, { size: 12, color });
  for (const { name, parts, values } of bars) {
    const value = values.map((text, index) => `${text} ${headers[index + 1]?.toLowerCase()}`).join(', ');
    draw.bar(
      name,
      value,
      parts.map((size, index) => ({ share: size / most, color: index === 0 ? color : lostColor })),
    );
  }
  if (bars.length === 0) draw.note('No links in this period.');
  draw.space(8);
}
