import { resolve } from 'node:path';

/** The least a Next.js app can be: what the benchmark compares LinkMarket with. */
export default { turbopack: { root: resolve(import.meta.dirname, '../../..') }, poweredByHeader: false };
