/** Tells a password manager whose password the form is about; nobody sees or changes it. */
export function AccountName({ email }: { email: string }) {
  return <input type="text" name="username" autoComplete="username" defaultValue={email} readOnly hidden />;
}
