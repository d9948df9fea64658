import { db, type Executor } from '@/db/client';
import type { Actor } from '@/lib/access/actor';
import { recordAudit } from '@/lib/platform/audit/record';
import { saveSetting, selectSettings } from '@/lib/settings/settings';
import { brandingKey, defaultStoredBranding, parseBranding, type StoredBranding } from './get-branding';
import { type Logo, readLogo, storeLogo } from './logo';
import type { SaveBrandingInput } from './schemas';

/**
 * Saves the branding, which applies to all portals, the sign-in pages, and new mails and invoices.
 * @throws AppError unsupported_type or invalid_input for an invalid logo, conflict for a stale `version`
 */
export async function saveBranding(actor: Actor, { version, logo: file, ...texts }: SaveBrandingInput): Promise<void> {
  const logo = file ? await readLogo(file) : file;
  await db().transaction(async (tx) => {
    if (logo) await storeLogo(tx, logo);
    const before = parseBranding(await selectSettings(tx)).value;
    await write(tx, actor, version, before, { ...texts, logo: logo === undefined ? before.logo : reference(logo) });
  });
}

/**
 * Restores the default branding.
 * @throws AppError conflict for a stale `version`
 */
export async function resetBranding(actor: Actor, { version }: { version: number }): Promise<void> {
  await db().transaction(async (tx) => {
    const before = parseBranding(await selectSettings(tx)).value;
    await write(tx, actor, version, before, defaultStoredBranding);
  });
}

async function write(tx: Executor, actor: Actor, version: number, before: StoredBranding, after: StoredBranding) {
  await saveSetting(tx, actor, { key: brandingKey, value: after, version, name: 'The branding' });
  const changed = Object.keys(after).filter((name) => !isSame(before, after, name));
  await recordAudit(tx, actor, {
    action: 'branding.changed',
    details:
      changed.length === 0
        ? 'Branding saved without changes.'
        : `Branding changed: ${changed.map(toWords).join(', ')}.`,
    entityType: 'setting',
    entityId: brandingKey,
    before,
    after,
  });
}

const isSame = (before: StoredBranding, after: StoredBranding, name: string) => {
  const [was, is] = [before, after].map((values) => new Map<string, unknown>(Object.entries(values)).get(name));
  return JSON.stringify(was) === JSON.stringify(is);
};
/** Formats siteName as "site name". */
const toWords = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
const reference = (logo: Logo | null) => logo && { id: logo.id, width: logo.width, height: logo.height };
