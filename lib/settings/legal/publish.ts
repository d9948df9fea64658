import { db } from '@/db/client';
import { legalDocuments } from '@/db/schema/legal';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { recordAudit } from '@/lib/platform/audit/record';
import { createConflictError } from '@/lib/platform/optimistic-lock';
import { saveSetting, selectSettings } from '@/lib/settings/settings';
import { legalTitles } from './legal';
import { findNewestDocument, legalKey, parseLegalVersions } from './queries';
import type { PublishLegalInput } from './schemas';

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
