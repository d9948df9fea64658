import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { AppError } from '../../errors';
import { fromWebStream } from './web-stream';

/** The maximum size of boundaries and part headers around the file. */
const formOverheadBytes = 64 * 1024;

/**
 * Streams the file of a multipart form to `use`, so that no upload is held in memory (`Request.formData()` buffers it
 * twice and has no size limit). Other parts of the form are ignored.
 * @param field the name of the form field that contains the file
 * @param maxBytes a form that declares a larger size is rejected unread; `use` must enforce the limit for all others
 * @param use reads the stream to its end or destroys it
 * @throws AppError invalid_input when the file is missing, too_large
 */
export async function receiveFile<T>(
  request: Request,
  { field, maxBytes }: { field: string; maxBytes: number },
  use: (file: Readable, name: string) => Promise<T>,
): Promise<T> {
  const noFile = () =>
    new AppError('invalid_input', 'Choose a file to upload.', { fields: { [field]: 'Choose a file to upload.' } });
  const contentType = request.headers.get('content-type') ?? '';
  if (!request.body || !/^multipart\/form-data;.*boundary=/i.test(contentType)) throw noFile();
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes + formOverheadBytes) {
    throw new AppError('too_large', `The file is larger than ${maxBytes / 1_000_000} MB.`);
  }

  const form = createParser(contentType);
  const source = fromWebStream(request.body);
  let upload: { file: Readable; result: Promise<T> } | undefined;
  let isAborted = false;
  try {
    return await new Promise<T>((resolve, reject) => {
      const createInterruptedError = () =>
        new AppError('invalid_input', 'The upload was interrupted or is not a valid form.');
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

/** @throws AppError invalid_input for a Content-Type that the parser refuses, e.g. one with an empty boundary */
function createParser(contentType: string): Busboy {
  const headers: BusboyHeaders = { 'content-type': contentType };
  try {
    return new Busboy({
      headers,
      preservePath: true,
      limits: { files: 1, fields: 20, fieldSize: 10_000, parts: 25 },
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
