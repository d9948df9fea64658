import { z } from 'zod';

const facts = z.record(z.string(), z.unknown()).nullable();

/** An entry of the audit log (spec 000, section 3), with what it is about and what changed. */
export const auditLogAnswer = z
  .object({
    id: z.int(),
    action: z.string(),
    details: z.string(),
    user: z.string(),
    timestamp: z.iso.datetime(),
    role: z.string(),
    amount: z.number().nullable().describe('USD moved by it, in major units; null for none.'),
    source: z.string(),
    entityType: z.string(),
    entityId: z.string(),
    before: facts,
    after: facts,
  })
  .meta({ title: 'AuditLogEntry' });
