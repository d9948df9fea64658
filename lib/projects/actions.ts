'use server';

import { z } from 'zod';
import { action } from '@/lib/auth/action';
import { addBlockedDomains, blockedDomainsField, parseDomainList, removeBlockedDomains } from './block-list';

/** The list of all projects, or that of one. */
const projectId = z.string().min(1).max(64).nullable();

const blockInput = z.object({
  projectId,
  text: z.string().trim().min(1, 'Enter at least one domain.').max(500_000, 'Upload a list of this size as a file.'),
});

/** Adds the domains of a pasted list to a block list. @returns the numbers of new domains and of lines without one */
export const blockDomainsAction = action({ access: 'account:orders', input: blockInput }, async (actor, input) => {
  const { domains, skipped } = parseDomainList(input.text);
  return { added: await addBlockedDomains(actor, input.projectId, domains), skipped: skipped.length };
});

const unblockInput = z.object({
  projectId,
  domains: blockedDomainsField.nullable().describe('Null for all.'),
});

/** Removes domains from a block list, or all of them. */
export const unblockDomainsAction = action({ access: 'account:orders', input: unblockInput }, (actor, input) =>
  removeBlockedDomains(actor, input.projectId, input.domains),
);
