import { resolve } from 'node:path';

/** A minimal Next.js app, the baseline of the benchmark. */
export default { turbopack: { root: resolve(import.meta.dirname, '../../..') }, poweredByHeader: false };
