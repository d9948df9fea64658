import { and, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { accounts } from '@/db/schema/accounts';
import { clientReports } from '@/db/schema/client-reports';
import { projects } from '@/db/schema/projects';
import { isUsableAccount } from '@/lib/access/accounts';
import { verifyPassword } from '@/lib/auth/password';
import { consumeLimit, resetLimit } from '@/lib/platform/rate-limits/consume';
import { findLogo } from '@/lib/settings/branding/logo';
import { isSigned, readReportToken, signText } from './token';

const columns = {
  id: clientReports.id,
  projectId: clientReports.projectId,
  fromDay: clientReports.fromDay,
  toDay: clientReports.toDay,
  prices: clientReports.prices,
  markupPercent: clientReports.markupPercent,
  fixedCents: clientReports.fixedCents,
  passwordHash: clientReports.passwordHash,
  brandName: clientReports.brandName,
  brandColor: clientReports.brandColor,
  brandLogoId: clientReports.brandLogoId,
  projectDomain: projects.domain,
  projectKeywords: projects.keywords,
};

/** A report that readers may open. */
export type OpenReport = NonNullable<Awaited<ReturnType<typeof findOpenReport>>>;

/**
 * Finds the report of a token. A malformed or forged token costs the same query as one of a report that was revoked,
 * expired, or whose project or buyer is gone.
 * @returns null for all of these
 */
export async function findOpenReport(token: string) {
  const read = readReportToken(token);
  const [report] = await db()
    .select(columns)
    .from(clientReports)
    .innerJoin(projects, and(eq(projects.id, clientReports.projectId), isNull(projects.deletedAt)))
    .innerJoin(accounts, and(eq(accounts.id, clientReports.accountId), isUsableAccount))
    .where(
      and(
        eq(clientReports.id, read?.id ?? ''),
        isNull(clientReports.revokedAt),
        or(isNull(clientReports.expiresAt), gt(clientReports.expiresAt, sql`now()`)),
      ),
    );
  return report && read?.isGenuine ? report : null;
}

/** The time for which a browser that sent the password may read the report. */
export const accessSeconds = 12 * 60 * 60;

/** The text of a cookie's signature: another password ends the cookies of the one before. */
const accessText = ({ id, passwordHash }: OpenReport, until: number) => `${id} ${until} ${passwordHash}`;

/** Creates the cookie of a reader who knows the password. */
export function createAccessCookie(report: OpenReport): string {
  const until = Math.floor(Date.now() / 1000) + accessSeconds;
  return `${until}.${signText('cookie', accessText(report, until))}`;
}

/** Checks whether a reader may see a report: it has no password, or the cookie says that they know it. */
export function mayRead(report: OpenReport, cookie: string | undefined): boolean {
  if (report.passwordHash === null) return true;
  const [, until, signature] = /^(\d{1,12})\.([\w-]{22})$/.exec(cookie ?? '') ?? [];
  if (!until || !signature || Number(until) * 1000 < Date.now()) return false;
  return isSigned('cookie', accessText(report, Number(until)), signature);
}

/**
 * Checks the password of a report. Failures are limited, as at the sign-in.
 * @throws AppError rate_limited
 */
export async function checkReportPassword(report: OpenReport, password: string, ip: string): Promise<boolean> {
  const limited = { account: report.id, address: ip };
  await consumeLimit('reportPassword', limited);
  if (!(await verifyPassword(report.passwordHash, password))) return false;
  await resetLimit('reportPassword', limited);
  return true;
}

/** Reads the logo of a report as a data URL, so that the page names no address of the marketplace; null without one. */
export async function readLogoUrl({ brandLogoId }: Pick<OpenReport, 'brandLogoId'>): Promise<string | null> {
  if (brandLogoId === null) return null;
  const { mediaType, bytes } = await findLogo(brandLogoId);
  return `data:${mediaType};base64,${bytes.toString('base64')}`;
}
