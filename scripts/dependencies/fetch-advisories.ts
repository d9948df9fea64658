import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

const report = z.object({
  vulnerabilities: z.record(z.string(), z.object({ severity: z.string(), range: z.string() })),
});
const failure = z.object({ error: z.object({ summary: z.string() }).optional(), message: z.string().optional() });

export type Advisories =
  | { hasResponse: true; findings: { name: string; severity: string; range: string }[] }
  | { hasResponse: false; reason: string };

const reportedSeverities = new Set(['high', 'critical']);

/**
 * Runs `npm audit` for production dependencies.
 * @returns the high and critical findings, or why the registry did not respond; many mirrors do not offer this service
 */
export async function fetchAdvisories(): Promise<Advisories> {
  const npm = spawn('npm', ['audit', '--omit=dev', '--json'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [response] = await Promise.all([text(npm.stdout), once(npm, 'close')]);
  const parsed: unknown = JSON.parse(response || '{}');
  const read = report.safeParse(parsed);
  if (!read.success) {
    const { error, message } = failure.parse(parsed);
    return { hasResponse: false, reason: message ?? error?.summary ?? 'npm did not respond' };
  }
  const findings = Object.entries(read.data.vulnerabilities)
    .map(([name, { severity, range }]) => ({ name, severity, range }))
    .filter(({ severity }) => reportedSeverities.has(severity));
  return { hasResponse: true, findings };
}
