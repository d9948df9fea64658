import { parentPort } from 'node:worker_threads';
import { judgePage } from './judge-page';

// The thread of lib/links/judge-in-worker.ts. Its first message tells that its code is loaded; then it answers each page
// with its judgement. What judging throws ends the thread.
parentPort?.on('message', ([requested, fetched, options]: Parameters<typeof judgePage>) => {
  // A message turns a Buffer into a Uint8Array.
  const page = fetched.ok ? { ...fetched, body: toBuffer(fetched.body) } : fetched;
  parentPort?.postMessage(judgePage(requested, page, options));
});
parentPort?.postMessage('ready');

const toBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
