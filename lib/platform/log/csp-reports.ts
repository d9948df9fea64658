import { z } from 'zod';
import { AppError } from '../../errors';
import { log } from './log';

const maxReports = 10;
/** Of a text, in characters. */
const maxLength = 200;

const text = z.string().optional().catch(undefined);
const number = z.number().optional().catch(undefined);

/** application/csp-report: one report, as the directive `report-uri` sends it (CSP Level 3, section 5.5). */
const single = z.object({
  'csp-report': z.object({
    'document-uri': text,
    'blocked-uri': text,
    'effective-directive': text,
    'violated-directive': text,
    'source-file': text,
    'line-number': number,
    disposition: text,
  }),
});

/** application/reports+json: a list of reports of any kind, as the directive `report-to` sends it (Reporting API). */
const batch = z.array(
  z.looseObject({
    type: z.string(),
    body: z.unknown(),
  }),
);

const violation = z.object({
  documentURL: text,
  blockedURL: text,
  effectiveDirective: text,
  sourceFile: text,
  lineNumber: number,
  disposition: text,
});

type Violation = z.output<typeof violation>;

/**
 * Writes a line into the log for each violation in a browser's report, at most ten. Of addresses only the origin and the
 * path are kept; the sample of the script, the referrer and the user agent are not read.
 * @param report the parsed body
 * @throws AppError invalid_input for anything that is no report
 */
export function logCspReports(report: unknown, requestId: string): void {
  for (const found of violationsIn(report)) {
    log().warn(
      {
        requestId,
        page: bareAddress(found.documentURL),
        directive: found.effectiveDirective?.slice(0, maxLength),
        blocked: bareAddress(found.blockedURL),
        source: bareAddress(found.sourceFile),
        line: found.lineNumber,
        disposition: found.disposition?.slice(0, maxLength),
      },
      'A browser reported a violation of the Content-Security-Policy.',
    );
  }
}

function violationsIn(report: unknown): Violation[] {
  const one = single.safeParse(report);
  if (one.success) {
    const facts = one.data['csp-report'];
    return [
      {
        documentURL: facts['document-uri'],
        blockedURL: facts['blocked-uri'],
        effectiveDirective: facts['effective-directive'] ?? facts['violated-directive'],
        sourceFile: facts['source-file'],
        lineNumber: facts['line-number'],
        disposition: facts.disposition,
      },
    ];
  }
  const many = batch.safeParse(report);
  if (!many.success)
    throw new AppError('invalid_input', 'This is not a report of a Content-Security-Policy violation.');
  return many.data
    .filter(({ type }) => type === 'csp-violation')
    .slice(0, maxReports)
    .flatMap(({ body }) => violation.safeParse(body).data ?? []);
}

/** An address without user name, query and fragment; a keyword such as `inline` or `eval` as it is. */
function bareAddress(address: string | undefined): string | undefined {
  if (address === undefined) return undefined;
  if (!URL.canParse(address)) return address.replace(/[?#].*/s, '').slice(0, maxLength);
  const { protocol, host, pathname } = new URL(address);
  // `data:` and `blob:` have their content where others have a path.
  return (host === '' ? protocol : `${protocol}//${host}${pathname}`).slice(0, maxLength);
}
