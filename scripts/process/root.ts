import { fileURLToPath } from 'node:url';

/** The project's folder, independent of the working directory. Absolute, without a trailing slash. */
export const projectRoot = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');
