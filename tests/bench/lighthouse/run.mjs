import lighthouse from 'lighthouse';

/**
 * Audits pages with Lighthouse's default settings, those of a phone, in a running browser. LIGHTHOUSE_TASK holds its
 * debugging port and, for each page, the URL and the session cookie. Prints a line of JSON for each page.
 */
const { port, tasks } = JSON.parse(process.env.LIGHTHOUSE_TASK ?? '');
for (const { url, cookie } of tasks) {
  const flags = { port, logLevel: 'error', extraHeaders: { Cookie: cookie } };
  const { lhr } = (await lighthouse(url, flags)) ?? {};
  if (!lhr || lhr.runtimeError) throw new Error(`${url}: ${lhr?.runtimeError?.message ?? 'no result'}`);
  // Without access, the sign-in page would be audited instead.
  if (lhr.finalDisplayedUrl !== url) throw new Error(`${url} led to ${lhr.finalDisplayedUrl}.`);
  const scores = Object.values(lhr.categories).map(({ id, score }) => [id, Math.round(100 * (score ?? 0))]);
  const counted = Object.values(lhr.categories).flatMap(({ auditRefs }) =>
    auditRefs.filter(({ weight }) => weight > 0),
  );
  const missed = new Set(counted.map(({ id }) => id).filter((id) => (lhr.audits[id]?.score ?? 1) < 0.9));
  process.stdout.write(
    `${JSON.stringify({
      url,
      scores: Object.fromEntries(scores),
      paintMs: lhr.audits['largest-contentful-paint']?.numericValue,
      blockingMs: lhr.audits['total-blocking-time']?.numericValue,
      shift: lhr.audits['cumulative-layout-shift']?.numericValue,
      missed: [...missed],
    })}\n`,
  );
}
