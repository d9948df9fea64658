import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { z } from 'zod';
import { AppError } from '@/lib/errors';
import { maxFormBytes } from '@/lib/network/direct-uploads';
import { directUploadBody, receiveDirectUpload } from '@/lib/platform/storage/direct-uploads';
import { parseInput, readJson } from './parse';
import { fromWebStream } from './web-stream';

/** The maximum size of boundaries and part headers around the file. */
const formOverheadBytes = 64 * 1024;
/** The maximum size of a text field. */
const maxTextBytes = 32 * 1024;

/**
 * Streams the file of a multipart form to `use`, so that no upload is held in memory (`Request.formData()` buffers it
 * twice and has no size limit). Other parts of the form are ignored. If the file can be larger than `maxFormBytes`, a
 * JSON body can name a file that was sent to the bucket instead (lib/platform/storage/direct-uploads.ts).
 * @param field the name of the form field that contains the file
 * @param userId the caller, who sent the file to the bucket
 * @param maxBytes a form that declares a larger size is rejected unread; `use` must enforce the limit for all others
 * @param use reads the stream to its end or destroys it
 * @throws AppError invalid_input when the file is missing, too_large; not_found for an upload to the bucket that does not
 * exist, belongs to another user, or was used
 */
export async function receiveFile<T>(
  request: Request,
  { field, maxBytes, userId }: { field: string; maxBytes: number; userId: string },
  use: (file: Readable, name: string) => Promise<T>,
): Promise<T> {
  const noFile = () =>
    new AppError('invalid_input', 'Choose a file to upload.', { fields: { [field]: 'Choose a file to upload.' } });
  const contentType = request.headers.get('content-type') ?? '';
  if (acceptsDirectUpload({ maxBytes }) && isJson(contentType)) {
    const body = await readJson(request);
    if (!hasUpload.safeParse(body).success) throw noFile();
    return receiveDirectUpload(userId, parseInput(directUploadBody, body), use);
  }
  if (!request.body || !isMultipart(contentType)) throw noFile();
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes + formOverheadBytes) {
    throw new AppError('too_large', `The file is larger than ${maxBytes / 1_000_000} MB.`);
  }

  const form = createParser(contentType, 1);
  const source = fromWebStream(request.body);
  let upload: { file: Readable; result: Promise<T> } | undefined;
  let isAborted = false;
  try {
    return await new Promise<T>((resolve, reject) => {
      const abort = () => {
        isAborted = true;
        // Destroys the file, so that its reader fails, cleans up and settles the result.
        if (upload) upload.file.destroy(createInterruptedError());
        else reject(createInterruptedError());
      };
      form.on('file', (name, file, fileName) => {
        if (name !== field || upload) {
          file.on('error', abort).resume();
          return;
        }
        upload = { file, result: use(file, decodeFileName(fileName)) };
        // Added before the file is read: an unhandled 'error' event would end the process.
        file.on('error', () => file.destroyed || abort());
        upload.result.then(resolve, (thrown: unknown) =>
          reject(isAborted && !(thrown instanceof AppError) ? createInterruptedError() : thrown),
        );
      });
      form.on('finish', () => {
        if (!upload) reject(noFile());
      });
      form.on('error', abort);
      source.on('error', abort);
      source.pipe(form);
    });
  } finally {
    source.unpipe(form);
    discardRest(source, maxBytes + formOverheadBytes);
  }
}

type FormDeclaration = { field: string; maxBytes: number; maxFiles: number };
type Form<T> = { files: T[]; texts: ReadonlyMap<string, string> };

/**
 * Rejects a form by its declared size, before it is read.
 * @throws AppError too_large
 */
export function requireFormSize(
  request: Request,
  { maxBytes, maxFiles }: Pick<FormDeclaration, 'maxBytes' | 'maxFiles'>,
): void {
  if (Number(request.headers.get('content-length') ?? 0) > maxFiles * maxBytes + formOverheadBytes)
    throw new AppError('too_large', `The files are larger than ${(maxFiles * maxBytes) / 1_000_000} MB together.`);
}

/**
 * Streams the files of a multipart form to `use` and collects its texts.
 * @param field the name of the form fields that contain the files; files of other fields are ignored
 * @param maxBytes the maximum size of a file, which `use` must enforce
 * @param use reads the stream to its end or destroys it; all calls have ended when the promise settles
 * @returns the results of `use` in the order of the files; the first text of each name
 * @throws AppError invalid_input for another body or too many files, too_large
 */
export async function receiveForm<T>(
  request: Request,
  { field, maxBytes, maxFiles }: FormDeclaration,
  use: (file: Readable, name: string) => Promise<T>,
): Promise<Form<T>> {
  const contentType = request.headers.get('content-type') ?? '';
  if (!request.body || !isMultipart(contentType)) throw createInterruptedError();
  requireFormSize(request, { maxBytes, maxFiles });
  const maxTotalBytes = maxFiles * maxBytes + formOverheadBytes;
  const form = createParser(contentType, maxFiles);
  const source = fromWebStream(request.body);
  const uploads: { file: Readable; result: Promise<T> }[] = [];
  const texts = new Map<string, string>();
  try {
    await new Promise<void>((resolve, reject) => {
      const abort = () => reject(createInterruptedError());
      form.on('field', (name, text, _isNameCut, isTextCut) => {
        if (isTextCut) reject(new AppError('too_large', `The field “${name.slice(0, 40)}” is too long.`));
        else if (!texts.has(name)) texts.set(name, text);
      });
      form.on('file', (name, file, fileName) => {
        file.on('error', () => file.destroyed || abort());
        // A browser sends an empty file without a name if none was selected.
        if (name !== field || fileName === '') {
          file.resume();
          return;
        }
        const result = use(file, decodeFileName(fileName));
        uploads.push({ file, result });
        result.catch(reject);
      });
      form.on('filesLimit', () => {
        const message = `Attach at most ${maxFiles} files.`;
        reject(new AppError('invalid_input', message, { fields: { [field]: message } }));
      });
      form.on('finish', resolve);
      form.on('error', abort);
      source.on('error', abort);
      source.pipe(form);
    });
    return { files: await Promise.all(uploads.map(({ result }) => result)), texts };
  } catch (thrown) {
    for (const { file } of uploads) if (!file.readableEnded) file.destroy(createInterruptedError());
    await Promise.allSettled(uploads.map(({ result }) => result));
    throw thrown;
  } finally {
    source.unpipe(form);
    discardRest(source, maxTotalBytes);
  }
}

/** Checks whether a file can be sent to the bucket instead of the app. A small one never is, such as a private key. */
export const acceptsDirectUpload = ({ maxBytes }: { maxBytes: number }): boolean => maxBytes > maxFormBytes;

const hasUpload = z.object({ upload: z.string() });

const isJson = (contentType: string): boolean => /^application\/json\s*(;|$)/i.test(contentType);

/** Checks whether a Content-Type is that of a multipart form. */
export const isMultipart = (contentType: string): boolean => /^multipart\/form-data;.*boundary=/i.test(contentType);

const createInterruptedError = () =>
  new AppError('invalid_input', 'The upload was interrupted or is not a valid form.');

/** Creates a parser. @throws AppError invalid_input for a Content-Type that it refuses, e.g. with an empty boundary */
function createParser(contentType: string, maxFiles: number): Busboy {
  const headers: BusboyHeaders = { 'content-type': contentType };
  try {
    return new Busboy({
      headers,
      preservePath: true,
      limits: { files: maxFiles, fields: 20, fieldSize: maxTextBytes, parts: 20 + maxFiles },
    });
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new AppError('invalid_input', `The Content-Type of this upload is not valid: ${reason}.`);
  }
}

/**
 * Reads and discards the rest of a rejected upload. Closing the connection instead would lose the response, and the
 * user would see a network error. The connection is closed when the body exceeds the maximum size of a form.
 */
function discardRest(source: Readable, maxBytes: number): void {
  let passed = 0;
  source.on('data', (chunk: Buffer) => {
    passed += chunk.length;
    if (passed > maxBytes) source.destroy();
  });
  // `unpipe` paused the stream, and adding a listener does not resume it.
  source.resume();
}

/** Browsers encode quotes and line breaks of a file name as %22, %0D and %0A, and nothing else (HTML, 4.10.22.8). */
function decodeFileName(name: string): string {
  return name.replace(/%22/g, '"').replace(/%0D/gi, '\r').replace(/%0A/gi, '\n');
}

/**
 * Reads a small file into memory.
 * @param tooLarge creates the error for a file above `maxBytes`
 */
export async function readSmallFile(file: Readable, maxBytes: number, tooLarge: () => AppError): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of file) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > maxBytes) throw tooLarge();
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
