import { isDeepStrictEqual } from 'node:util';
import { eq } from 'drizzle-orm';
import { cache } from 'react';
import { db, type Executor } from '@/db/client';
import { type AnchorKind, anchorKinds } from '@/db/enums';
import { projectAnchorPlans } from '@/db/schema/anchor-plans';
import { projects } from '@/db/schema/projects';
import type { AccountScope, Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { recordAudit } from '@/lib/platform/audit/record';
import type { ProjectRow } from '@/lib/projects/contract';
import { getProject } from '@/lib/projects/projects';
import { readDefaultAnchorPlan } from '@/lib/settings/anchor-plan';
import { createClassifier } from './classify-anchor';
import type { AnchorPlanView, SaveAnchorPlanInput } from './contract';
import { countByKind, listAnchors } from './count-anchors';
import { toTextKey } from './fold-text';
import { getAnchorSubject, listOwnTexts } from './subject';

type StoredPlan = Pick<typeof projectAnchorPlans.$inferSelect, 'plan' | 'brandWords' | 'pool' | 'version'>;

/** Reads the stored plan of a project, or the operator's with an empty pool. */
export async function readStoredPlan(projectId: string, on: Executor = db()): Promise<StoredPlan> {
  const { plan, brandWords, pool, version } = projectAnchorPlans;
  const [stored] = await on
    .select({ plan, brandWords, pool, version })
    .from(projectAnchorPlans)
    .where(eq(projectAnchorPlans.projectId, projectId));
  return stored ?? { plan: (await readDefaultAnchorPlan(on)).plan, brandWords: [], pool: [], version: 0 };
}

/**
 * Returns the anchor plan of a project of the actor, with the kinds of its anchors.
 * @throws AppError not_found, also for a project of another user
 */
export async function getAnchorPlan(actor: AccountScope, projectId: string): Promise<AnchorPlanView> {
  const { stored, pool, all, days90 } = await readAnchorState(actor, projectId);
  return { ...stored, pool, actual: { all, days90 } };
}

/**
 * Reads the anchor plan of a project, and what is counted for it. Cached for the render of a page, because a project can
 * have a million different anchors.
 * @throws AppError not_found, also for a project of another user
 */
export const readAnchorState = cache(async (actor: AccountScope, projectId: string) => {
  const project = await getProject(actor, projectId);
  return countForPlan(project, await readStoredPlan(projectId));
});

/** Classifies the texts of a plan and the anchors of its project, and counts how often each text to propose is used. */
async function countForPlan(project: ProjectRow, stored: StoredPlan) {
  const subject = getAnchorSubject(project, stored.brandWords);
  const classify = createClassifier(subject);
  const pool = stored.pool.map((text) => ({ text, kind: classify({ anchor: text, isImage: false }) }));
  const ofPool = anchorKinds.map((kind) => [kind, pool.flatMap((one) => (one.kind === kind ? one.text : []))] as const);
  const texts: Partial<Record<AnchorKind, readonly string[]>> = {
    ...listOwnTexts(project, stored.brandWords),
    ...Object.fromEntries(ofPool.filter(([, found]) => found.length > 0)),
  };
  const keys = new Set(Object.values(texts).flatMap((list) => list.map(toTextKey)));
  const counted = await countByKind(await listAnchors(project.id), subject, keys);
  return { stored, subject, pool, texts, ...counted };
}

/**
 * Saves the anchor plan of a project of the actor.
 * @throws AppError not_found, also for a project of another user; conflict for a stale `version`; invalid_input for a
 * text whose given kind is another
 */
export async function saveAnchorPlan(
  actor: Actor,
  projectId: string,
  { version, pool: texts, plan, brandWords }: SaveAnchorPlanInput,
): Promise<AnchorPlanView> {
  const saved = await db().transaction(async (tx) => {
    await tx.select({ id: projects.id }).from(projects).where(eq(projects.id, projectId)).for('no key update');
    const project = await getProject(actor, projectId, tx);
    const before = await readStoredPlan(projectId, tx);
    // Only the owner changes a project, so that another user is not the cause.
    if (version !== undefined && version !== before.version) {
      throw new AppError(
        'conflict',
        `The anchor plan of ${project.domain} was changed elsewhere in the meantime. Nothing was saved. Review the changes and try again.`,
      );
    }
    requireMatchingKinds(project, brandWords, texts);
    const pool = [...new Set(texts.map(({ text }) => text))];
    const stored = { plan, brandWords, pool, version: before.version + 1 };
    const isUnchanged = isDeepStrictEqual({ ...before, version: stored.version }, stored);
    if (isUnchanged && before.version > 0) return { project, stored: before };
    await tx
      .insert(projectAnchorPlans)
      .values({ projectId, ...stored })
      .onConflictDoUpdate({ target: projectAnchorPlans.projectId, set: stored });
    await recordAudit(tx, actor, {
      action: 'anchor_plan.saved',
      details: `The anchor plan of ${project.domain} was saved, with ${pool.length} ${pool.length === 1 ? 'text' : 'texts'}.`,
      entityType: 'project',
      entityId: projectId,
      before: { plan: before.plan, brandWords: before.brandWords, texts: before.pool.length },
      after: { plan, brandWords, texts: pool.length },
    });
    return { project, stored };
  });
  const { stored, pool, all, days90 } = await countForPlan(saved.project, saved.stored);
  return { ...stored, pool, actual: { all, days90 } };
}

/** @throws AppError invalid_input */
function requireMatchingKinds(
  project: ProjectRow,
  brandWords: readonly string[],
  pool: SaveAnchorPlanInput['pool'],
): void {
  const classify = createClassifier(getAnchorSubject(project, brandWords));
  const fields: Record<string, string> = {};
  for (const [index, { text, kind }] of pool.entries()) {
    const actual = classify({ anchor: text, isImage: false });
    if (kind === undefined || kind === actual) continue;
    fields[`pool.${index}.kind`] =
      `“${text}” is ${actual}, not ${kind}. Leave out the kind, or change the brand words or the keywords of the project.`;
  }
  const [message] = Object.values(fields);
  if (message !== undefined) throw new AppError('invalid_input', message, { fields });
}
