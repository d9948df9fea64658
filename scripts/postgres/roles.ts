import postgres from 'postgres';

/** The names are fixed: migrations grant to `linkmarket_app`, the app signs in as its member `linkmarket`. */
const database = 'linkmarket';

export type Credentials = { adminPassword: string; appPassword: string };

/**
 * Makes sure that the database and the roles exist. The app's own role owns nothing: what it may do to a table is what
 * the migrations grant to `linkmarket_app`, and writing the ledger's past is not among it.
 * @returns the addresses for migrations (the owner) and for the app
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
    // The password is made of hexadecimal digits by its maker, so it can stand in the statement.
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
