import { afterEach, expect, it, vi } from 'vitest';
import { logCspReports } from '@/lib/platform/log/csp-reports';
import { log } from '@/lib/platform/log/log';

const warn = vi.spyOn(log(), 'warn').mockReturnValue(undefined);
afterEach(() => warn.mockClear());
const lines = () => warn.mock.calls.map(([fields]) => fields);

it('logs the blocked URL and page without query strings, user names and samples', () => {
  logCspReports(
    {
      'csp-report': {
        'document-uri': 'https://links.example/verify-email?token=secret#part',
        'blocked-uri': 'https://person:word@elsewhere.example/a.js?session=secret',
        'effective-directive': 'script-src-elem',
        'source-file': 'data:text/html,secret',
        'line-number': 7,
        disposition: 'enforce',
        'script-sample': 'secret',
        referrer: 'https://links.example/?secret',
      },
    },
    'r1',
  );
  expect(lines()).toEqual([
    {
      requestId: 'r1',
      page: 'https://links.example/verify-email',
      directive: 'script-src-elem',
      blocked: 'https://elsewhere.example/a.js',
      source: 'data:',
      line: 7,
      disposition: 'enforce',
    },
  ]);
});

it('logs at most ten violations per report, with short texts, and no other report types', () => {
  const violation = { type: 'csp-violation', body: { blockedURL: 'a'.repeat(5_000), lineNumber: 'x' } };
  logCspReports([{ type: 'deprecation', body: {} }, ...Array(50).fill(violation)], 'r1');
  expect(lines()).toHaveLength(10);
  expect(JSON.stringify(lines()[0]).length).toBeLessThan(300);
});

it.each([[{}], [{ 'csp-report': 5 }], ['text'], [null], [[5]]])('refuses %j', (report) => {
  expect(() => logCspReports(report, 'r1')).toThrow('not a report');
});
