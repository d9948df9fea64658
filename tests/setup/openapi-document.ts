import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import type { OpenApiDocument } from '@/lib/platform/openapi/document';
import { sourceHash } from '@/scripts/build/source-hash';
import { projectRoot } from '@/scripts/process/root';
import { isFullRun } from '@/scripts/testing/tier';
import { listUnseenResponses } from './list-unseen-responses';

declare module 'vitest' {
  export interface ProvidedContext {
    openApi: OpenApiDocument;
    /** A file of lines "GET /api/orders 200": the documented responses that the tests received. */
    seenResponsesFile: string;
  }
}

/**
 * Provides the OpenAPI document of the sources. A full run of all API tests fails and lists the documented responses that
 * no test received, if there are any; the standard tier sends only a share of the inputs.
 */
export default function makeDocument(project: TestProject): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'seen-answers-'));
  const seenResponsesFile = join(folder, 'seen');
  writeFileSync(seenResponsesFile, '');
  const document = readDocument();
  project.provide('openApi', document);
  project.provide('seenResponsesFile', seenResponsesFile);
  return async () => {
    const seen = new Set(readFileSync(seenResponsesFile, 'utf8').split('\n'));
    rmSync(folder, { recursive: true });
    const { testFiles } = await project.globTestFiles();
    const isWhole =
      isFullRun &&
      project.name === 'api' &&
      project.vitest.state.getFiles().length === testFiles.length &&
      !project.config.testNamePattern;
    const unseen = isWhole ? listUnseenResponses(document, seen) : [];
    if (unseen.length === 0) return;
    process.stdout.write(`Documented answers that no test got:\n${unseen.join('\n')}\n`);
    process.exitCode = 1;
  };
}

/** The document, generated once for each state of the sources. */
function readDocument(): OpenApiDocument {
  const hash = sourceHash(projectRoot);
  const folder = join(projectRoot, 'node_modules', '.cache');
  const file = join(folder, 'linkmarket-openapi.json');
  const cached = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (cached.startsWith(hash)) return JSON.parse(cached.slice(hash.length));
  const command = ['--conditions=react-server', '--import', 'tsx', 'tests/setup/print-openapi-document.ts'];
  const printed = execFileSync(process.execPath, command, { cwd: projectRoot, encoding: 'utf8', maxBuffer: 50e6 });
  mkdirSync(folder, { recursive: true });
  // Renamed when complete, because another run may read it.
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, hash + printed);
  renameSync(draft, file);
  return JSON.parse(printed);
}
