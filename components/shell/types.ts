/** The signed-in person as a shell shows them; plain data, so that it crosses from server to client. */
export type ShellUser = {
  name: string;
  email: string;
  role: string;
  permissions: readonly string[];
  /** The hash of the picture; without one the initials are shown. */
  picture?: string | null;
};
