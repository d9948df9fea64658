import { execFile } from 'node:child_process';
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Account } from './account';

/** Appended to initdb's settings, which it overrides. The server accepts local connections only. */
const settings = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 200
password_encryption = 'scram-sha-256'
timezone = 'UTC'
log_timezone = 'UTC'
`;

/**
 * Creates the cluster unless it exists. It is created in a private folder and then renamed, so that an aborted run
 * leaves no incomplete cluster. The caller holds the launcher's lock.
 */
export async function createCluster(
  cluster: string,
  binaries: string,
  account: Account | undefined,
  password: string,
): Promise<void> {
  if (existsSync(cluster)) return;
  removeDrafts(cluster);
  const draft = mkdtempSync(draftPrefix(cluster));
  const passwordFile = `${draft}.password`;
  try {
    writeFileSync(passwordFile, password, { mode: 0o600 });
    if (account) {
      chownSync(draft, account.uid, account.gid);
      chownSync(passwordFile, account.uid, account.gid);
    }
    const options = ['--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--encoding=UTF8'];
    const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
    const initdb = promisify(execFile)(join(binaries, 'bin', 'initdb'), ['-D', draft, ...options, ...locale], {
      ...account,
      cwd: '/',
    });
    // The error message ends with initdb's output.
    await initdb.catch((failure: Error) => {
      throw new Error(`PostgreSQL could not be set up:\n${failure.message}`);
    });
    appendFileSync(join(draft, 'postgresql.conf'), settings);
    renameSync(draft, cluster);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(draft, { recursive: true, force: true });
  }
}

const draftPrefix = (cluster: string) => `${cluster}-new-`;

/** Deletes drafts of aborted runs. Their initdb may still be writing, until it misses a file. */
function removeDrafts(cluster: string): void {
  const prefix = basename(draftPrefix(cluster));
  const drafts = readdirSync(dirname(cluster)).filter((name) => name.startsWith(prefix));
  const options = { recursive: true, force: true, maxRetries: 20, retryDelay: 100 };
  for (const name of drafts) rmSync(join(dirname(cluster), name), options);
}
