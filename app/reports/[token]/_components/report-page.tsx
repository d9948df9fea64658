import { countOf } from '@/components/ui/format';
import { formatUsd } from '@/lib/money';
import type { ReportChart } from '@/lib/orders/client-reports/charts';
import {
  describeDrSource,
  describeIndex,
  describeRel,
  formatTotal,
  statusNames,
} from '@/lib/orders/client-reports/columns';
import type { OpenReport } from '@/lib/orders/client-reports/open';
import type { ReportRow } from '@/lib/orders/client-reports/rows';
import { getTextColor } from '@/lib/settings/branding/colors';
import { type PageBrand, ReportDocument } from './report-html';

type ReportPageProps = {
  report: OpenReport;
  token: string;
  logoUrl: string | null;
  rows: readonly ReportRow[];
  charts: readonly ReportChart[];
  note: string | null;
};

export const brandOf = ({ brandName, brandColor }: OpenReport, logoUrl: string | null = null): PageBrand => ({
  name: brandName,
  color: brandColor,
  logoUrl,
});

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** Renders a client report. */
export function ReportPage({ report, token, logoUrl, rows, charts, note }: ReportPageProps) {
  const total = formatTotal(report.prices, rows);
  const hasPrices = total !== null;
  return (
    <ReportDocument title={`Link report for ${report.projectDomain}`} brand={brandOf(report, logoUrl)}>
      <header>
        <h1>Link report for {report.projectDomain}</h1>
        <p className="muted">
          {`${day.format(new Date(report.fromDay))} to ${day.format(new Date(report.toDay))} · ${countOf(rows.length, 'link')}`}
          {hasPrices ? ` · Total of the live links ${total}` : ''}
        </p>
        <p className="actions no-print">
          <a href={`/reports/${token}.csv`} download="">
            Download CSV
          </a>
          <a href={`/reports/${token}.pdf`} download="">
            Download PDF
          </a>
        </p>
      </header>
      <div className="charts">
        {charts.map((chart) => (
          <Bars key={chart.title} {...chart} />
        ))}
      </div>
      <section className="card">
        <h2>Links</h2>
        {rows.length === 0 ? (
          <p className="muted">No links in this period.</p>
        ) : (
          <table className="links">
            <thead>
              <tr>
                {['Reference', 'Live address', 'DR', 'Target and anchor', 'Day live', 'Status', 'Check'].map(
                  (header) => (
                    <th key={header} scope="col">
                      {header}
                    </th>
                  ),
                )}
                {hasPrices ? (
                  <th scope="col" className="number">
                    Price
                  </th>
                ) : null}
                <th scope="col">Notes</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <LinkRow key={row.orderId} row={row} token={token} hasPrices={hasPrices} />
              ))}
            </tbody>
          </table>
        )}
        {note ? <p className="muted">{note}</p> : null}
      </section>
    </ReportDocument>
  );
}

/** Renders a chart as a table, whose numbers screen readers and printers have too. */
function Bars({ title, headers: [nameHeader, ...valueHeaders], bars }: ReportChart) {
  const most = Math.max(1, ...bars.map(({ parts }) => parts.reduce((sum, size) => sum + size, 0)));
  const hasParts = bars.some(({ parts }) => parts.length > 1);
  return (
    <figure className="card">
      <h2>{title}</h2>
      {bars.length === 0 ? (
        <p className="muted">No links in this period.</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col" colSpan={2}>
                {nameHeader}
              </th>
              {valueHeaders.map((header) => (
                <th key={header} scope="col" className="number">
                  {hasParts ? <span className={`key part ${header.toLowerCase()}`} /> : null}
                  {header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bars.map(({ name, parts, values }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td className="bar">
                  {parts.map((size, index) =>
                    size > 0 ? (
                      <span
                        key={valueHeaders[index]}
                        className={`part ${hasParts ? valueHeaders[index]?.toLowerCase() : ''}`}
                        style={{ width: `${(size / most) * 100}%` }}
                      />
                    ) : null,
                  )}
                </td>
                {values.map((value, index) => (
                  <td key={valueHeaders[index]} className="number">
                    {value}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </figure>
  );
}

function LinkRow({ row, token, hasPrices }: { row: ReportRow; token: string; hasPrices: boolean }) {
  return (
    <tr>
      <td data-label="Reference">{row.reference}</td>
      <td data-label="Live address">
        {row.address ? <ExternalLink url={row.address} /> : null}
        <p className="muted">{row.domain}</p>
      </td>
      <td data-label="DR">
        {row.dr === null ? '–' : row.dr}
        <p className="muted">{describeDrSource(row.drSource)}</p>
      </td>
      <td data-label="Target and anchor">
        <p>{row.anchor}</p>
        <ExternalLink url={row.target} />
        <p className="muted">{describeRel(row)}</p>
      </td>
      <td data-label="Day live" className="short">
        {row.dayLive ?? '–'}
      </td>
      <td data-label="Status" className="short">
        {statusNames[row.status]}
      </td>
      <td data-label="Check">
        <p>{describeIndex(row) || (row.dayChecked ? '' : 'Not checked yet')}</p>
        {row.dayChecked ? <p className="muted short">checked {row.dayChecked}</p> : null}
        {row.proofId ? (
          <a href={`/reports/${token}/proofs/${row.proofId}`} className="no-print">
            Passport
          </a>
        ) : null}
      </td>
      {hasPrices ? (
        <td data-label="Price" className="number">
          {row.priceCents === null ? '–' : formatUsd(row.priceCents)}
        </td>
      ) : null}
      <td data-label="Notes">{row.note}</td>
    </tr>
  );
}

const ExternalLink = ({ url }: { url: string }) => (
  <a href={url} rel="noopener noreferrer nofollow" target="_blank">
    {url}
  </a>
);

type PasswordPageProps = { report: OpenReport; token: string; error?: string };

/** Renders the form for the password of a report. It shows neither the project nor a link. */
export function PasswordPage({ report, token, error }: PasswordPageProps) {
  return (
    <ReportDocument title="Link report" brand={brandOf(report)} onBrand={getTextColor(report.brandColor)}>
      <h1>This report has a password</h1>
      <form method="post" action={`/reports/${token}`}>
        <label>
          Password
          <input
            type="password"
            name="password"
            required
            autoComplete="off"
            aria-describedby={error ? 'error' : undefined}
            aria-invalid={error ? true : undefined}
          />
        </label>
        {error ? (
          <p id="error" role="alert" className="error">
            {error}
          </p>
        ) : null}
        <button type="submit">Open the report</button>
      </form>
    </ReportDocument>
  );
}
