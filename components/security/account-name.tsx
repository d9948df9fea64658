/** The hidden account name of a password form, for password managers. */
export function AccountName({ email }: { email: string }) {
  return <input type="text" name="username" autoComplete="username" defaultValue={email} readOnly hidden />;
}
