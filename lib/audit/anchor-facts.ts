import { z } from 'zod';

/** The action of an entry that anchors the chain (anchor-chain.ts). */
export const anchorAction = 'audit.anchored';

/** What such an entry says in `after`: the chain up to a place, proven with all keys at that time. */
export const anchorFacts = z.object({ position: z.int().positive(), hash: z.string(), digest: z.string() });
