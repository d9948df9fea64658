import type { UserStatus } from '../../db/schema/users';

/** What a sign-in with the right password says where the account's status refuses it (decision 2). */
export const refusedStatus: Record<Exclude<UserStatus, 'Active'>, string> = {
  Pending: 'Please verify your email address first. Check your inbox for the link.',
  Suspended: 'This account is suspended. Please contact support.',
  Expired: 'This account has expired. Please contact support.',
};
