import type { NextRequest } from 'next/server';
import { z } from 'zod';
import { route } from '@/lib/auth/route';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { createCharts } from '@/lib/orders/client-reports/charts';
import { cutNote, writeReportCsv, writeReportPdf } from '@/lib/orders/client-reports/files';
import {
  accessSeconds,
  checkReportPassword,
  createAccessCookie,
  findOpenReport,
  mayRead,
  type OpenReport,
  readLogoUrl,
} from '@/lib/orders/client-reports/open';
import { listHealth, listReportRows } from '@/lib/orders/client-reports/rows';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { htmlResponse, ReportNotFound } from './_components/report-html';
import { PasswordPage, ReportPage } from './_components/report-page';

const declared = {
  access: 'public',
  ignoresSession: true,
  params: z.object({ token: z.string() }),
  errors: ['rate_limited', 'too_large'],
} as const;

const cookieName = 'report_access';
const formats = ['', '.csv', '.pdf'] as const;

export const GET = route(
  {
    ...declared,
    summary: 'Shows a client report, for anyone who has its address.',
    description: 'The address with `.csv` or `.pdf` has the same rows as a file.',
    response: { mediaTypes: ['text/html', 'text/csv', 'application/pdf'] },
  },
  async ({ params, request, ip }) => {
    await consumeLimit('report', { account: '', address: ip });
    const [, token = '', format = ''] = /^(.*?)(\.csv|\.pdf)?$/s.exec(params.token) ?? [];
    const report = await findOpenReport(token);
    if (!report) return htmlResponse(<ReportNotFound />, 404);
    if (!mayRead(report, request.cookies.get(cookieName)?.value)) {
      return htmlResponse(<PasswordPage report={report} token={token} />, 403);
    }
    if (format === '.csv')
      return fileResponse(await writeReportCsv(report), 'text/csv; charset=utf-8', `${report.fromDay}.csv`);
    if (format === '.pdf') {
      await consumeLimit('reportPdf', { account: report.id, address: ip });
      return fileResponse(await writeReportPdf(report), 'application/pdf', `${report.fromDay}.pdf`);
    }
    const [{ rows, isCut }, health, logoUrl] = await Promise.all([
      listReportRows(report),
      listHealth(report),
      readLogoUrl(report),
    ]);
    const charts = await createCharts(report, rows, health);
    const page = { report, token, rows, charts, logoUrl, note: cutNote(isCut) };
    return htmlResponse(<ReportPage {...page} />);
  },
);

const fileResponse = (content: string | Buffer, type: string, name: string) =>
  new Response(typeof content === 'string' ? content : new Uint8Array(content), {
    headers: { 'Content-Type': type, 'Content-Disposition': `attachment; filename="links-${name}"` },
  });

export const POST = route(
  {
    ...declared,
    summary: 'Opens a client report with its password.',
    description: 'Takes `password` as a form, and sets a cookie for twelve hours.',
    response: { mediaTypes: ['text/html'] },
  },
  async ({ params: { token }, request, ip }) => {
    await consumeLimit('report', { account: '', address: ip });
    const report = await findOpenReport(token);
    if (!report) return htmlResponse(<ReportNotFound />, 404);
    const password = await readPassword(request);
    const refusal = report.passwordHash === null ? null : await refusePassword(report, password, ip);
    if (refusal) {
      const { error, status } = refusal;
      return htmlResponse(<PasswordPage report={report} token={token} error={error} />, status);
    }
    const headers = new Headers({ Location: `/reports/${token}` });
    const secure = env().APP_URL.startsWith('https://') ? '; Secure' : '';
    const value = createAccessCookie(report);
    // A path covers the pages below it, and not the files beside it.
    for (const format of formats) {
      const limits = `Path=/reports/${token}${format}; Max-Age=${accessSeconds}; HttpOnly; SameSite=Lax${secure}`;
      headers.append('Set-Cookie', `${cookieName}=${value}; ${limits}`);
    }
    return new Response(null, { status: 303, headers });
  },
);

/** Checks a password, and says on the page why it is refused; null if it is right. */
async function refusePassword(report: OpenReport, password: string, ip: string) {
  try {
    const isRight = await checkReportPassword(report, password, ip);
    return isRight ? null : { error: 'The password is incorrect.', status: 403 };
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'rate_limited') return { error: thrown.message, status: 429 };
    throw thrown;
  }
}

const maxFormBytes = 4_096;

/** Reads the password of the form. @throws AppError too_large */
async function readPassword(request: NextRequest): Promise<string> {
  if (Number(request.headers.get('content-length') ?? maxFormBytes + 1) > maxFormBytes) {
    throw new AppError('too_large', 'The form is too large.');
  }
  const text = Buffer.from(await request.arrayBuffer());
  return new URLSearchParams(text.toString('utf8')).get('password') ?? '';
}
