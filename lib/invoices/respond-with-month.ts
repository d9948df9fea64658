import type { NextResponse } from 'next/server';
import type { z } from 'zod';
import type { Database } from '@/db/client';
import type { Actor } from '@/lib/access/actor';
import { streamResponse } from '@/lib/platform/http/stream-response';
import { unpaginatedLists } from '@/lib/platform/rate-limits/limits';
import { generateZip, type ZipEntry } from '@/lib/platform/zip';
import type { monthDocumentsQuery } from './contract';
import { findMissing } from './find-missing';
import type { BuyerDocument } from './list-documents';
import { generateMonthCsv } from './month-csv';
import { listMonth, readMonthDocuments } from './month-documents';
import { writeDocument } from './respond-with-document';

/** Some 20 documents are written in a second. */
const maxSeconds = 30 * 60;

/**
 * Sends the documents of a buyer that were issued in a month: as a ZIP archive with every PDF, the XML where the details
 * are complete, and the summary; or the summary as CSV alone.
 * @throws AppError too_large for more than 30,000 documents, rate_limited when too many lists are being sent
 */
export function respondWithMonth<T>(
  actor: Actor,
  { month, format }: z.output<typeof monthDocumentsQuery>,
): Promise<NextResponse<T>> {
  return streamResponse<T>(
    actor,
    async ({ on }) => {
      const listed = await listMonth(actor, month, on);
      return {
        headers: {
          'Content-Type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/zip',
          'Content-Disposition': `attachment; filename="documents-${month}.${format}"`,
          'X-Content-Type-Options': 'nosniff',
        },
        pieces:
          format === 'csv'
            ? generateMonthCsv(readMonthDocuments(actor, listed, on))
            : generateZip(listEntries(actor, { month, listed, on })),
      };
    },
    { ...unpaginatedLists, maxSeconds },
  );
}

type Month = { month: string; listed: readonly BuyerDocument[]; on: Database };

async function* listEntries(actor: Actor, { month, listed, on }: Month): AsyncGenerator<ZipEntry> {
  yield {
    name: `documents-${month}.csv`,
    modifiedAt: listed.at(-1)?.issuedAt ?? new Date(),
    isCompressed: false,
    pieces: generateMonthCsv(readMonthDocuments(actor, listed, on)),
  };
  for await (const batch of readMonthDocuments(actor, listed, on)) {
    for (const { number, issuedAt: modifiedAt, document } of batch) {
      yield { name: `${number}.pdf`, modifiedAt, isCompressed: true, pieces: writeDocument(document, 'pdf') };
      if (document.kind === 'receipt' || Object.keys(findMissing(document.model)).length > 0) continue;
      yield { name: `${number}.ubl.xml`, modifiedAt, isCompressed: false, pieces: writeDocument(document, 'ubl.xml') };
    }
  }
}
