import { createHash } from 'node:crypto';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { desc } from 'drizzle-orm';
import { pack as openPack, type Pack } from 'tar-stream';
import { db } from '@/db/client';
import { copyToStdout } from '@/db/copy';
import { extendStatementTimeout } from '@/db/extend-statement-timeout';
import { auditSeals } from '@/db/schema/audit';
import type { Transaction } from '@/db/transaction';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { fileTables } from '@/lib/orders/deliverables/store-file';
import { contentStore } from '@/lib/platform/storage/store';
import { encryptArchive } from './encryption';
import {
  createFileChecksum,
  fileEntry,
  formatVersion,
  type Manifest,
  type ManifestTable,
  manifestEntry,
  maxManifestBytes,
  maxPieceBytes,
  tableEntry,
} from './manifest';
import {
  type BackupTable,
  buildRowsQuery,
  createTableChecksum,
  fixTextSettings,
  listBackupTables,
  schemaVersion,
} from './tables';

type WriteOptions = {
  withFiles: boolean;
  /** Receives the progress from 0 to 1, frequently. */
  onProgress: (share: number) => void;
};

/**
 * Writes the whole installation as an encrypted .tar.gz: every table from one snapshot, then the delivered files, then
 * the manifest. Does not block writes. Streams with constant memory.
 */
export async function writeArchive(out: Writable, { withFiles, onProgress }: WriteOptions): Promise<Manifest> {
  const pack = openPack();
  const written = pipeline(
    Readable.from(pack, { objectMode: false }),
    createGzip(),
    (chunks) => encryptArchive(chunks),
    out,
  );
  const filled = writeEntries(pack, withFiles, onProgress).catch((thrown: unknown) => {
    pack.destroy(thrown instanceof Error ? thrown : new Error(String(thrown)));
    throw thrown;
  });
  // Both fail together; the error of the first is the cause.
  const [manifest] = await Promise.all([filled, written]);
  return manifest;
}

async function writeEntries(pack: Pack, withFiles: boolean, onProgress: WriteOptions['onProgress']): Promise<Manifest> {
  const { contents, ...manifest } = await db().transaction(
    async (tx) => {
      await extendStatementTimeout(tx);
      await fixTextSettings(tx);
      const tables = await listBackupTables(tx);
      const contents = await listStoredFiles(tx);
      const [auditHead] = await tx.select().from(auditSeals).orderBy(desc(auditSeals.position)).limit(1);
      const fileBytes = withFiles ? contents.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) : 0;
      const totalBytes = tables.reduce((sum, { bytes }) => sum + bytes, 0) + fileBytes;
      let doneBytes = 0;
      const parts: ManifestTable[] = [];
      for (const table of tables) {
        parts.push(await addTable(pack, tx, table));
        doneBytes += table.bytes;
        onProgress(doneBytes / Math.max(totalBytes, 1));
      }
      return {
        contents,
        doneBytes,
        totalBytes,
        tables: parts,
        schema: await schemaVersion(tx),
        auditHead: auditHead ? { position: auditHead.position, hash: auditHead.hash } : null,
      };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
  // Outside the transaction, because stored files never change and a long snapshot delays vacuum.
  let { doneBytes } = manifest;
  const files = createFileChecksum();
  let missingFiles = 0;
  for (const file of withFiles ? contents : []) {
    const isThere = await addFile(pack, file);
    if (isThere) files.add(file.key, file);
    else missingFiles += 1;
    doneBytes += file.sizeBytes;
    onProgress(doneBytes / Math.max(manifest.totalBytes, 1));
  }
  const complete: Manifest = {
    format: 'linkmarket-backup',
    formatVersion,
    madeAt: new Date().toISOString(),
    madeBy: env().APP_URL,
    schema: manifest.schema,
    tables: manifest.tables,
    withFiles,
    files: files.result(),
    missingFiles,
    auditHead: manifest.auditHead,
  };
  const bytes = Buffer.from(`${JSON.stringify(complete, null, 1)}\n`);
  if (bytes.length > maxManifestBytes) throw new Error('The manifest is larger than a restore accepts.');
  await addEntry(pack, manifestEntry, bytes);
  pack.finalize();
  return complete;
}

async function addTable(pack: Pack, tx: Transaction, table: BackupTable): Promise<ManifestTable> {
  const sum = createTableChecksum();
  let piece = 0;
  let held: Buffer[] = [];
  let heldBytes = 0;
  const flush = async () => {
    // A row larger than a piece continues in the next one.
    const bytes = Buffer.concat(held);
    for (let at = 0; at < bytes.length; at += maxPieceBytes) {
      piece += 1;
      await addEntry(pack, tableEntry(table.name, piece), bytes.subarray(at, at + maxPieceBytes));
    }
    held = [];
    heldBytes = 0;
  };
  for await (const chunk of copyToStdout(tx, buildRowsQuery(table))) {
    sum.add(chunk);
    held.push(chunk);
    heldBytes += chunk.length;
    if (heldBytes >= maxPieceBytes) await flush();
  }
  await flush();
  return { name: table.name, columns: table.columns, ...sum.result() };
}

/** Adds an entry and waits until the archive has accepted it, which applies backpressure to the database read. */
function addEntry(pack: Pack, name: string, body: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const entry = pack.entry({ name, size: body.length, mtime: new Date(0) }, (error) =>
      error ? reject(error) : resolve(),
    );
    entry.end(body);
  });
}

/** Lists the files that rows reference. */
async function listStoredFiles(tx: Transaction): Promise<DeliveredFile[]> {
  const files: DeliveredFile[][] = [];
  for (const table of fileTables) {
    const { id, storageKey: key, sizeBytes, sha256 } = table;
    files.push(await tx.select({ key, sizeBytes, sha256 }).from(table).orderBy(id));
  }
  return files.flat();
}

type DeliveredFile = { key: string; sizeBytes: number; sha256: string };

/** Adds a delivered file. @returns false if the store does not have it. @throws Error if its checksum differs */
async function addFile(pack: Pack, { key, sizeBytes, sha256 }: DeliveredFile): Promise<boolean> {
  const source = await contentStore()
    .get(key)
    .catch((thrown: unknown) => {
      if (thrown instanceof AppError && thrown.code === 'not_found') return null;
      throw thrown;
    });
  if (!source) return false;
  const hash = createHash('sha256');
  await new Promise<void>((resolve, reject) => {
    const header = { name: fileEntry(key), size: sizeBytes, mtime: new Date(0) };
    const entry = pack.entry(header, (error) => (error ? reject(error) : resolve()));
    source.on('error', reject);
    source.on('data', (chunk: Buffer) => {
      hash.update(chunk);
      if (entry.write(chunk)) return;
      source.pause();
      entry.once('drain', () => source.resume());
    });
    source.on('end', () => entry.end(null));
  });
  if (hash.digest('hex') !== sha256)
    throw new Error(`The file ${key} in the store differs from the file that was delivered.`);
  return true;
}
