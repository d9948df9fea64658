import { z } from 'zod';
import { AppError } from '@/lib/errors';
import { canParseUrl } from '@/lib/network/can-parse-url';
import { log } from './log';

const maxReports = 10;
/** The maximum length of a text, in characters. */
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

/** application/reports+json: a list of reports of any type, as the directive `report-to` sends it (Reporting API). */
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
 * Logs each violation of a browser's report, at most ten. Of URLs only the origin and the path are logged; the sample
 * of the script, the referrer and the user agent are not read.
 * @param report the parsed body
 * @throws AppError invalid_input when the body is not a report
 */
export function logCspReports(report: unknown, requestId: string): void {
  for (const found of parseViolations(report)) {
    log().warn(
      {
        requestId,
        page: stripUrl(found.documentURL),
        directive: found.effectiveDirective?.slice(0, maxLength),
        blocked: stripUrl(found.blockedURL),
        source: stripUrl(found.sourceFile),
        line: found.lineNumber,
        disposition: found.disposition?.slice(0, maxLength),
      },
      'A browser reported a violation of the Content-Security-Policy.',
    );
  }
}

function parseViolations(report: unknown): Violation[] {
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

/** Removes user name, query and fragment from a URL; a keyword such as `inline` or `eval` is unchanged. */
function stripUrl(address: string | undefined): string | undefined {
  if (address === undefined) return undefined;
  if (!canParseUrl(address)) return address.replace(/[?#].*/s, '').slice(0, maxLength);
  const { protocol, host, pathname } = new URL(address);
  // The path of `data:` and `blob:` URLs is their content.
  return (host === '' ? protocol : `${protocol}//${host}${pathname}`).slice(0, maxLength);
}
