/** The signed-in user as the shell shows it. Plain data, so that it can be passed from server to client components. */
export type ShellUser = {
  name: string;
  email: string;
  role: string;
  permissions: readonly string[];
  /** The hash of the picture; without one the initials are shown. */
  picture?: string | null;
};
