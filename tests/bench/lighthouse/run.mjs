import lighthouse, { desktopConfig } from 'lighthouse';

/**
 * Audits pages with Lighthouse's settings for desktops or its default ones, for phones, in a running browser.
 * LIGHTHOUSE_TASK holds its debugging port and, for each page, the URL, the device and the session cookie. Prints a line
 * of JSON for each page.
 */
const { port, tasks } = JSON.parse(process.env.LIGHTHOUSE_TASK ?? '');
for (const { url, device, cookie } of tasks) {
  const flags = { port, logLevel: 'error', extraHeaders: { Cookie: cookie } };
  const { lhr } = (await lighthouse(url, flags, device === 'desktop' ? desktopConfig : undefined)) ?? {};
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
      device,
      scores: Object.fromEntries(scores),
      paintMs: lhr.audits['largest-contentful-paint']?.numericValue,
      shift: lhr.audits['cumulative-layout-shift']?.numericValue,
      missed: [...missed],
    })}\n`,
  );
}
