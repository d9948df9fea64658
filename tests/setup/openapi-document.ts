import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { addresses } from '@/app/api/openapi.json/addresses';
import { type OpenApiDocument, openApiDocument } from '@/lib/openapi/document';
import { unseenAnswers } from './unseen-answers';

declare module 'vitest' {
  export interface ProvidedContext {
    openApi: OpenApiDocument;
    /** A file of lines "GET /api/orders 200": the documented answers that a test got. */
    seenAnswers: string;
  }
}

/**
 * Makes the OpenAPI document once a run. A run of all API tests ends with a list of the answers that the document promises
 * and none of them got.
 */
export default function makeDocument(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'seen-answers-'));
  const seenAnswers = join(folder, 'seen');
  writeFileSync(seenAnswers, '');
  const document = openApiDocument(addresses, { serverUrl: 'http://localhost', cookieName: 'linkmarket.session' });
  project.provide('openApi', document);
  project.provide('seenAnswers', seenAnswers);
  return () => {
    const seen = new Set(readFileSync(seenAnswers, 'utf8').split('\n'));
    rmSync(folder, { recursive: true });
    const isPartOfTheTests = process.argv.some((argument) => argument.endsWith('.test.ts'));
    const unseen = isPartOfTheTests ? [] : unseenAnswers(document, seen);
    if (unseen.length > 0) process.stdout.write(`Documented answers that no test got:\n${unseen.join('\n')}\n`);
  };
}
