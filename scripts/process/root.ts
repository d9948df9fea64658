import { fileURLToPath } from 'node:url';

/** The project's folder, wherever a command was started from. Absolute, without a slash at the end. */
export const projectRoot = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');
