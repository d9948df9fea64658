import { and, desc, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import type { LegalKind } from '@/db/enums';
import { legalConsents, legalDocuments } from '@/db/schema/legal';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { recordAudit } from '@/lib/platform/audit/record';
import { createConflictError } from '@/lib/platform/optimistic-lock';
import { parseSetting, type SettingRows, saveSetting, selectSettings } from '@/lib/settings/settings';
import { type AgreedVersions, agreementMissing, legalTitles, listPublished, noLegalVersions } from './legal';
import type { PublishLegalInput } from './schemas';

/** The setting with the published versions, which pages read with the others. */
export const legalKey = 'legal';

const storedVersions = z.object({ terms: z.int().nullable(), privacy: z.int().nullable() });

export const parseLegalVersions = (rows: SettingRows) => parseSetting(rows, legalKey, storedVersions, noLegalVersions);

export type LegalDocument = Pick<typeof legalDocuments.$inferSelect, 'version' | 'text' | 'publishedAt'>;

const columns = {
  version: legalDocuments.version,
  text: legalDocuments.text,
  publishedAt: legalDocuments.publishedAt,
};

/** Finds the newest version of a document, which may be empty; null before the first. */
export async function findNewestDocument(kind: LegalKind, executor: Executor = db()): Promise<LegalDocument | null> {
  const [newest] = await executor
    .select(columns)
    .from(legalDocuments)
    .where(eq(legalDocuments.kind, kind))
    .orderBy(desc(legalDocuments.version))
    .limit(1);
  return newest ?? null;
}

/** Finds a version of a document; null if it does not exist or is empty. */
export async function findDocument(kind: LegalKind, version: number): Promise<LegalDocument | null> {
  const [found] = await db()
    .select(columns)
    .from(legalDocuments)
    .where(and(eq(legalDocuments.kind, kind), eq(legalDocuments.version, version)));
  return found && found.text !== '' ? found : null;
}

export type LegalConsent = Pick<typeof legalConsents.$inferSelect, 'kind' | 'version' | 'agreedAt'>;

/** Lists the versions that a user agreed to, the newest consent first. */
export async function listConsents(userId: string, executor: Executor = db()): Promise<LegalConsent[]> {
  return executor
    .select({ kind: legalConsents.kind, version: legalConsents.version, agreedAt: legalConsents.agreedAt })
    .from(legalConsents)
    .where(eq(legalConsents.userId, userId))
    .orderBy(desc(legalConsents.agreedAt), legalConsents.kind);
}

/**
 * Checks whether a user has agreed to the published version of each document, or agrees to it now.
 * @param agreedTo the versions that the form shows, as `recordConsents` takes them
 */
export async function hasAgreed(userId: string, agreedTo: AgreedVersions, executor: Executor = db()): Promise<boolean> {
  const { value: versions } = parseLegalVersions(await selectSettings(executor));
  // A form may have been open when the newest version was published.
  const unseen = listPublished(versions).filter((kind) => (agreedTo[kind] ?? -1) < (versions[kind] ?? 0) - 1);
  if (unseen.length === 0) return true;
  const consents = await listConsents(userId, executor);
  const isAgreed = (kind: LegalKind) =>
    consents.some((one) => one.kind === kind && one.version >= (versions[kind] ?? 0));
  return unseen.every(isAgreed);
}

/** Requires what `hasAgreed` checks. @throws AppError forbidden with `fields.agreement` */
export async function requireConsents(...consents: Parameters<typeof hasAgreed>): Promise<void> {
  if (await hasAgreed(...consents)) return;
  throw new AppError('forbidden', agreementMissing, { fields: { agreement: agreementMissing } });
}

/** Describes recorded consents for the audit log, each with a leading space. */
export const describeConsents = (consents: readonly { kind: LegalKind; version: number }[]) =>
  consents.map(({ kind, version }) => ` ${legalTitles[kind]}: agreed to version ${version}.`).join('');

/**
 * Records a user's consent to versions of the legal documents, once: to the newest of each, or to the one before, for a
 * form that was open when the newest was published. For an unknown user id and unknown versions it runs
 * the same statement and stores nothing, so that the time of a registration does not reveal whether an account exists.
 * @returns what was recorded
 */
export async function recordConsents(
  tx: Executor,
  userId: string,
  { terms, privacy }: AgreedVersions,
): Promise<{ kind: LegalKind; version: number }[]> {
  if (terms === undefined && privacy === undefined) return [];
  const isAgreed = sql`(${legalDocuments.kind}, ${legalDocuments.version}) in
    (('terms', ${terms ?? 0}::int), ('privacy', ${privacy ?? 0}::int))
    and ${legalDocuments.text} <> ''
    and ${legalDocuments.version} >= (select max(newest.version) - 1 from legal_documents newest where newest.kind = ${legalDocuments.kind})`;
  const agreed = tx
    .select({
      userId: users.id,
      kind: legalDocuments.kind,
      version: legalDocuments.version,
      agreedAt: sql<Date>`now()`.as('agreed_at'),
    })
    .from(users)
    .innerJoin(legalDocuments, isAgreed)
    .where(eq(users.id, userId));
  return tx
    .insert(legalConsents)
    .select(agreed)
    .onConflictDoNothing()
    .returning({ kind: legalConsents.kind, version: legalConsents.version });
}

/**
 * Publishes a new version of a legal document. The earlier versions and their consents are kept. An empty text ends the
 * publication.
 * @returns the number of the version
 * @throws AppError invalid_input for an unchanged text, conflict when another version was published in the meantime
 */
export async function publishLegalDocument(
  actor: Actor,
  { kind, text, version: base }: PublishLegalInput,
): Promise<{ version: number }> {
  return db().transaction(async (tx) => {
    const newest = await findNewestDocument(kind, tx);
    const name = legalTitles[kind];
    if ((newest?.version ?? 0) !== base) throw createConflictError(`The ${name.toLowerCase()}`);
    if ((newest?.text ?? '') === text)
      throw new AppError('invalid_input', 'The text is unchanged.', { fields: { text: 'The text is unchanged.' } });
    const version = base + 1;
    const [stored] = await tx
      .insert(legalDocuments)
      .values({ kind, version, text, publishedBy: actor.userId })
      .onConflictDoNothing()
      .returning({ version: legalDocuments.version });
    if (!stored) throw createConflictError(`The ${name.toLowerCase()}`);
    const { value, version: settingVersion } = parseLegalVersions(await selectSettings(tx));
    await saveSetting(tx, actor, {
      key: legalKey,
      value: { ...value, [kind]: text === '' ? null : version },
      version: settingVersion,
      name: `The ${name.toLowerCase()}`,
    });
    await recordAudit(tx, actor, {
      action: text === '' ? 'legal.withdrawn' : 'legal.published',
      details: text === '' ? `${name}: publication ended.` : `${name}: version ${version} published.`,
      entityType: 'setting',
      entityId: `${legalKey}.${kind}`,
      after: { version, characters: text.length },
    });
    return { version };
  });
}
