import { z } from 'zod';
import { legalKinds } from '@/db/enums';
import { maxLegalLength } from './legal';

const versionNumber = z.int().min(1).max(1_000_000);

/** The versions of the legal documents that the user of a registration or sign-in agrees to. Others are ignored. */
export const agreedVersions = z.object({ terms: versionNumber.optional(), privacy: versionNumber.optional() });

export const publishLegalInput = z.object({
  kind: z.enum(legalKinds),
  text: z
    .string()
    .max(maxLegalLength, `Use at most ${maxLegalLength.toLocaleString('en-US')} characters.`)
    .transform((text) => text.replace(/\r\n?/g, '\n').trim()),
  /** The newest version that the editor has seen; 0 for none. */
  version: z.int().min(0).max(1_000_000),
});
export type PublishLegalInput = z.output<typeof publishLegalInput>;
