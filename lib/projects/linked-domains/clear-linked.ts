import { and, eq } from 'drizzle-orm';
import { type LinkSource, projectAnchors, projectLinkedDomains, projectLinkSources } from '@/db/schema/project-domains';
import type { Actor } from '@/lib/access/actor';
import { recordAudit } from '@/lib/platform/audit/record';
import { withImportSlot } from '@/lib/platform/import-slot';
import { getProject } from '@/lib/projects/projects';

/**
 * Removes the imported domains and anchors of a project, of one source or of all. Waits for a running import of the user.
 * @returns the number of domains
 * @throws AppError not_found, also for a project of another user; conflict if imports run for too long
 */
export async function clearLinkedDomains(
  actor: Actor,
  projectId: string,
  source?: LinkSource,
): Promise<{ domains: number }> {
  await getProject(actor, projectId);
  return withImportSlot(actor.userId, undefined, async (tx) => {
    const { domain } = await getProject(actor, projectId, tx);
    const of = (table: typeof projectLinkedDomains | typeof projectAnchors | typeof projectLinkSources) =>
      and(eq(table.projectId, projectId), source && eq(table.source, source));
    const { count: domains } = await tx.delete(projectLinkedDomains).where(of(projectLinkedDomains));
    const { count: anchors } = await tx.delete(projectAnchors).where(of(projectAnchors));
    await tx.delete(projectLinkSources).where(of(projectLinkSources));
    if (domains + anchors > 0) {
      await recordAudit(tx, actor, {
        action: 'project.links_cleared',
        details: `${domains} linking domains of ${domain} were removed.`,
        entityType: 'project',
        entityId: projectId,
        before: { source: source ?? 'all', domains, anchors },
      });
    }
    return { domains };
  });
}
