import { sql } from 'drizzle-orm';

/**
 * What somebody's role allows and what features were given to them besides, as an SQL array of names. For a query that
 * reads from `users` under that name; written out, because a query of one table leaves the table's name away.
 */
export const grantedPermissions = sql<string[]>`array(
  select role_permissions.permission from role_permissions where role_permissions.role_name = users.role
  union select unnest(feature_roles.permissions) from feature_roles where feature_roles.user_id = users.id
  order by 1)`;
