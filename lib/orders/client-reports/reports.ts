import { and, desc, eq, gt, isNull, or, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { clientReportNotes, clientReports } from '@/db/schema/client-reports';
import { orders } from '@/db/schema/orders';
import { projects } from '@/db/schema/projects';
import { isInScope } from '@/lib/access/account-roles';
import type { AccountScope, Actor, AnyActor } from '@/lib/access/actor';
import { hashPassword } from '@/lib/auth/password';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { recordAudit } from '@/lib/platform/audit/record';
import { getProject } from '@/lib/projects/projects';
import { storeLogo } from '@/lib/settings/branding/logo';
import type { CreateReportInput, ReportView, saveReportNoteInput } from './contract';
import { readReportLogo } from './logo';
import { getReportUrl } from './token';

type ReportRow = typeof clientReports.$inferSelect;

/** The open reports of a project at a time; a program cannot fill the table. */
const maxOpenReports = 500;

/** The look of an agency, without its logo. */
export type ReportBrand = { name: string; color: string; hasLogo: boolean };

/** The color of a buyer's first report. */
export const firstColor = '#2563eb';

/** Reads the look of the buyer's newest report, which the next one has by default. */
export async function getRememberedBrand(actor: Pick<Actor, 'accountId' | 'name'>): Promise<ReportBrand> {
  const [last] = await selectLastBrand(db(), actor.accountId);
  if (!last) return { name: actor.name, color: firstColor, hasLogo: false };
  return { name: last.name, color: last.color, hasLogo: last.logoId !== null };
}

const selectLastBrand = (on: Executor, accountId: string) =>
  on
    .select({ name: clientReports.brandName, color: clientReports.brandColor, logoId: clientReports.brandLogoId })
    .from(clientReports)
    .where(eq(clientReports.accountId, accountId))
    .orderBy(desc(clientReports.createdAt), desc(clientReports.id))
    .limit(1);

type Brand = CreateReportInput['brand'];

/** Returns the logo of the buyer's newest report. */
export async function findLastLogoId(tx: Executor, accountId: string): Promise<string | null> {
  const [last] = await selectLastBrand(tx, accountId);
  return last?.logoId ?? null;
}

/**
 * Stores the look of a report.
 * @param keptLogoId the logo without the field `logo`
 * @throws AppError unsupported_type or invalid_input for the logo
 */
export async function storeBrand(tx: Executor, { name, color, logo }: Brand, keptLogoId: string | null) {
  if (logo === undefined) return { brandName: name, brandColor: color, brandLogoId: keptLogoId };
  const read = logo === null ? null : await readReportLogo(logo);
  if (read) await storeLogo(tx, read);
  return { brandName: name, brandColor: color, brandLogoId: read?.id ?? null };
}

/**
 * Creates a report of a project of the actor.
 * @throws AppError not_found, also for a project of another user; conflict with too many open reports;
 * unsupported_type or invalid_input for the logo
 */
export async function createReport(
  actor: Actor,
  projectId: string,
  input: CreateReportInput,
): Promise<{ id: string; url: string }> {
  const passwordHash = input.password === undefined ? null : await hashPassword(input.password);
  return db().transaction(async (tx) => {
    const project = await getProject(actor, projectId, tx);
    const isOpen = and(eq(clientReports.projectId, projectId), isNull(clientReports.revokedAt));
    if ((await tx.$count(clientReports, isOpen)) >= maxOpenReports) {
      throw new AppError('conflict', `This project has ${maxOpenReports} reports. Revoke those that are not needed.`);
    }
    const { from, to, prices, markupPercent = null, fixedCents = null, expiresAt } = input;
    return insertReport(tx, actor, project.domain, {
      ...{
        projectId,
        accountId: actor.accountId,
        fromDay: from,
        toDay: to,
        prices,
        markupPercent,
        fixedCents,
        passwordHash,
      },
      ...(await storeBrand(tx, input.brand, await findLastLogoId(tx, actor.accountId))),
      expiresAt: expiresAt === undefined ? null : new Date(expiresAt),
    });
  });
}

/** Inserts a report, of a buyer or of the monthly mail. */
export async function insertReport(
  tx: Executor,
  actor: AnyActor,
  domain: string,
  values: Omit<typeof clientReports.$inferInsert, 'id'>,
): Promise<{ id: string; url: string }> {
  const id = newId();
  await tx.insert(clientReports).values({ id, ...values });
  const { fromDay, toDay, prices, passwordHash, expiresAt, brandName } = values;
  await recordAudit(tx, actor, {
    action: 'client_report.created',
    details: `A client report of ${domain} from ${fromDay} to ${toDay} was created.`,
    entityType: 'client_report',
    entityId: id,
    after: { fromDay, toDay, prices, hasPassword: Boolean(passwordHash), expiresAt: expiresAt ?? null, brandName },
  });
  return { id, url: getReportUrl(id) };
}

/**
 * Lists the newest reports of a project of the actor.
 * @throws AppError not_found, also for a project of another user
 */
export async function listReports(actor: AccountScope, projectId: string): Promise<ReportView[]> {
  await getProject(actor, projectId);
  const rows = await db()
    .select()
    .from(clientReports)
    .where(eq(clientReports.projectId, projectId))
    .orderBy(desc(clientReports.createdAt), desc(clientReports.id))
    .limit(maxOpenReports);
  return rows.map(reportView);
}

function reportView(row: ReportRow): ReportView {
  const { id, fromDay, toDay, prices, markupPercent, fixedCents, passwordHash, expiresAt, createdAt, revokedAt } = row;
  const isExpired = expiresAt !== null && expiresAt.getTime() <= Date.now();
  return {
    ...{ id, url: getReportUrl(id), from: fromDay, to: toDay, prices, markupPercent, fixedCents },
    hasPassword: passwordHash !== null,
    expiresAt: expiresAt?.toISOString() ?? null,
    brand: { name: row.brandName, color: row.brandColor, hasLogo: row.brandLogoId !== null },
    state: revokedAt ? 'revoked' : isExpired ? 'expired' : 'open',
    createdAt: createdAt.toISOString(),
    revokedAt: revokedAt?.toISOString() ?? null,
  };
}

/**
 * Revokes a report of the actor: its link stops working. Idempotent.
 * @throws AppError not_found, also for a report of another user
 */
export async function revokeReport(actor: Actor, projectId: string, reportId: string): Promise<void> {
  await db().transaction(async (tx) => {
    const project = await getProject(actor, projectId, tx);
    const isReport = and(eq(clientReports.id, reportId), eq(clientReports.projectId, projectId));
    const known = await tx.select({ id: clientReports.id }).from(clientReports).where(isReport);
    if (known.length === 0) throw new AppError('not_found', 'This report does not exist.');
    const revoked = await tx
      .update(clientReports)
      .set({ revokedAt: sql`now()` })
      .where(and(isReport, isNull(clientReports.revokedAt)))
      .returning({ id: clientReports.id });
    if (revoked.length === 0) return;
    await recordAudit(tx, actor, {
      action: 'client_report.revoked',
      details: `A client report of ${project.domain} was revoked.`,
      entityType: 'client_report',
      entityId: reportId,
    });
  });
}

/**
 * Saves the reference and the note of an order of the actor, which the reports of its project show.
 * @throws AppError not_found, also for an order of another user
 */
export async function saveReportNote(
  actor: Actor,
  { orderId, reference, note }: z.output<typeof saveReportNoteInput>,
): Promise<void> {
  await db().transaction(async (tx) => {
    const own = and(eq(orders.id, orderId), isInScope(actor, orders), isNull(orders.deletedAt));
    const [order] = await tx.select({ id: orders.id }).from(orders).where(own);
    if (!order) throw new AppError('not_found', 'This order does not exist.');
    const set = { reference, note };
    await tx
      .insert(clientReportNotes)
      .values({ orderId, ...set })
      .onConflictDoUpdate({ target: clientReportNotes.orderId, set });
    await recordAudit(tx, actor, {
      action: 'client_report.note_saved',
      details: `The reference and the note of order #${orderId} for client reports were saved.`,
      entityType: 'order',
      entityId: String(orderId),
      after: set,
    });
  });
}

/** A report as a client finds it in the portal. */
export type ClientsReport = Pick<ReportView, 'id' | 'url' | 'from' | 'to' | 'hasPassword'> & { projectDomain: string };

/** Lists the newest open reports of the projects that a member with the role Client sees, with their links. */
export async function listReportsForClient(actor: AccountScope): Promise<ClientsReport[]> {
  const rows = await db()
    .select({ report: clientReports, projectDomain: projects.domain })
    .from(clientReports)
    .innerJoin(projects, eq(projects.id, clientReports.projectId))
    .where(
      and(
        isInScope(actor, clientReports),
        isNull(projects.deletedAt),
        isNull(clientReports.revokedAt),
        or(isNull(clientReports.expiresAt), gt(clientReports.expiresAt, sql`now()`)),
      ),
    )
    .orderBy(desc(clientReports.createdAt), desc(clientReports.id))
    .limit(maxListedForClient);
  return rows.map(({ report, projectDomain }) => {
    const { id, url, from, to, hasPassword } = reportView(report);
    return { id, url, from, to, hasPassword, projectDomain };
  });
}

const maxListedForClient = 100;
