import postgres from 'postgres';

/**
 * The names are fixed: migrations grant privileges to `linkmarket_app`, and the app connects as its member
 * `linkmarket`.
 */
const database = 'linkmarket';

export type Credentials = { adminPassword: string; appPassword: string };

/**
 * Creates the database and the roles unless they exist. The app's role owns nothing: its privileges are those that the
 * migrations grant to `linkmarket_app`, which exclude changes of posted ledger rows.
 * @returns the URLs for migrations (the owner) and for the app
 */
export async function ensureRoles(
  port: number,
  { adminPassword, appPassword }: Credentials,
): Promise<{ adminUrl: string; appUrl: string }> {
  const urlOf = (user: string, password: string, name: string) =>
    `postgres://${user}:${password}@127.0.0.1:${port}/${name}`;
  const sql = postgres(urlOf('postgres', adminPassword, 'postgres'), { max: 1, onnotice: () => undefined });
  try {
    const roles = await sql<{ rolname: string }[]>`
      select rolname from pg_roles where rolname in ('linkmarket_app', 'linkmarket')`;
    const has = (name: string) => roles.some((role) => role.rolname === name);
    if (!has('linkmarket_app')) await sql`create role linkmarket_app nologin`;
    // The password consists of hexadecimal digits, so it is safe in the statement.
    if (!has('linkmarket')) {
      await sql.unsafe(`create role linkmarket login password '${appPassword}' in role linkmarket_app`);
    }
    const databases = await sql`select 1 from pg_database where datname = ${database}`;
    if (databases.length === 0) await sql.unsafe(`create database ${database}`);
  } finally {
    await sql.end();
  }
  return {
    adminUrl: urlOf('postgres', adminPassword, database),
    appUrl: urlOf('linkmarket', appPassword, database),
  };
}
