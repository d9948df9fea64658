import type { Readable } from 'node:stream';
import { contentDisposition } from '../../content/attachment-response';
import { requireFlag } from '../../flags/read-flags';
import { idempotencyKeyField } from '../../http/idempotency-key-field';
import { parseInput } from '../../http/parse';
import { receiveFile } from '../../http/receive-file';
import { route } from '../../http/route';
import { toWebStream } from '../../http/web-stream';
import { checkImport } from './check-import';
import { importSites } from './import-sites';
import type { ImportUpload } from './import-upload';
import type { ImportAudience } from './map-header';
import { maxImportBytes } from './receive-csv';
import { listRejectedRows } from './rejected-rows';
import { uploadQuery } from './upload-query';

/**
 * An address that takes the CSV file in the form's field `file`, whose sites the caller owns. `?mode=check` only tells
 * what would come of it, `?mode=rejected` answers the rows it would skip; `&columns=3:dr,7:none` says what columns are.
 */
export function uploadRoute(access: 'ManageSites' | 'seller', audience: ImportAudience) {
  return route({ access, query: uploadQuery }, ({ actor, query, request }) => {
    const key = parseInput(idempotencyKeyField, request.headers.get('idempotency-key'));
    return receiveFile<unknown>(request, { field: 'file', maxBytes: maxImportBytes }, async (file, name) => {
      if (audience === 'seller') await unlessOff(file);
      const upload: ImportUpload = { file, name, audience, choices: query.columns, signal: request.signal };
      if (query.mode === 'check') return checkImport(actor, upload);
      if (query.mode === 'import') return importSites(actor, upload, key);
      return new Response(toWebStream(await listRejectedRows(upload)), {
        headers: {
          'Content-Type': 'text/csv; charset=utf-8',
          'Content-Disposition': contentDisposition(`rejected-${name.replace(/^.*[\\/]/s, '')}`),
          'X-Content-Type-Options': 'nosniff',
        },
      });
    });
  });
}

/** @throws AppError not_configured, with the file given up, while an admin takes no new sites */
async function unlessOff(file: Readable): Promise<void> {
  try {
    await requireFlag('site-uploads');
  } catch (thrown) {
    file.destroy();
    throw thrown;
  }
}
