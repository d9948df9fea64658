import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { paths } from '@/app/api/openapi.json/paths';
import { declaredEvents } from '@/lib/events/types';
import { createOpenApiDocument, type OpenApiDocument } from '@/lib/platform/openapi/document';
import { listUnseenResponses } from './list-unseen-responses';

declare module 'vitest' {
  export interface ProvidedContext {
    openApi: OpenApiDocument;
    /** A file of lines "GET /api/orders 200": the documented responses that the tests received. */
    seenResponsesFile: string;
  }
}

/**
 * Generates the OpenAPI document once per run. A run of all API tests fails and lists the documented responses that no
 * test received, if there are any.
 */
export default function makeDocument(project: TestProject): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'seen-answers-'));
  const seenResponsesFile = join(folder, 'seen');
  writeFileSync(seenResponsesFile, '');
  const document = createOpenApiDocument(paths, {
    serverUrl: 'http://localhost',
    cookieName: 'linkmarket.session',
    webhooks: declaredEvents(),
  });
  project.provide('openApi', document);
  project.provide('seenResponsesFile', seenResponsesFile);
  return async () => {
    const seen = new Set(readFileSync(seenResponsesFile, 'utf8').split('\n'));
    rmSync(folder, { recursive: true });
    const { testFiles } = await project.globTestFiles();
    const isWhole =
      project.name === 'api' &&
      project.vitest.state.getFiles().length === testFiles.length &&
      !project.config.testNamePattern;
    const unseen = isWhole ? listUnseenResponses(document, seen) : [];
    if (unseen.length === 0) return;
    process.stdout.write(`Documented answers that no test got:\n${unseen.join('\n')}\n`);
    process.exitCode = 1;
  };
}
