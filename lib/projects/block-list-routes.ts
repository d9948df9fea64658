import 'server-only';
import type { z } from 'zod';
import type { Actor } from '@/lib/access/actor';
import { parseInput, readJson } from '@/lib/platform/http/parse';
import { isMultipart, receiveFile } from '@/lib/platform/http/receive-file';
import { detectEncoding, readText } from '@/lib/platform/parse-csv';
import { spool } from '@/lib/platform/storage/spool';
import {
  addBlockedDomains,
  blockListBody,
  getBlockList,
  parseDomainList,
  saveBlockList,
  type savedBlockListResponse,
} from './block-list';
import { getProject } from './projects';

/** The maximum size of a body or a file. */
const maxBytes = 2_000_000;

type SavedBlockList = z.output<typeof savedBlockListResponse>;

/** The declaration of the body: JSON replaces the list, a file adds to it. */
export const blockListUpload = { field: 'file', maxBytes, maxFiles: 1, orJson: blockListBody };

/**
 * Saves a block list: a JSON body replaces it, a file in the form field `file` adds its domains, one a line or in the
 * first column.
 * @throws AppError invalid_input, not_found, too_large
 */
export async function receiveBlockList(
  actor: Actor,
  projectId: string | null,
  request: Request,
): Promise<SavedBlockList> {
  const save = isMultipart(request.headers.get('content-type') ?? '')
    ? await receiveFile(request, { field: 'file', maxBytes, userId: actor.userId }, async (file) => {
        if (projectId !== null) await getProject(actor, projectId);
        return spool(file, maxBytes, async ({ path }) => {
          const { domains, skipped } = parseDomainList(await readWhole(path));
          return { added: await addBlockedDomains(actor, projectId, domains), skipped };
        });
      })
    : {
        added: await saveBlockList(
          actor,
          projectId,
          parseInput(blockListBody, await readJson(request, maxBytes)).domains,
        ),
        skipped: [],
      };
  return { ...(await getBlockList(actor, projectId)), ...save };
}

async function readWhole(path: string): Promise<string> {
  let text = '';
  for await (const piece of readText(path, await detectEncoding(path))) text += piece;
  return text;
}
